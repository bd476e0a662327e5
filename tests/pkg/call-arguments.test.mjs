// `CallArguments` and `inputCallbacks`: the calls of each kind of stream, and that none that was cut off looks whole.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { simulateReadableStream, stepCountIs, streamText, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { ArgumentsReader, CallArguments, inputCallbacks } from 'tokenweir/args'
import { BlockParser } from 'tokenweir/blocks'
import { NativeBlocks } from 'tokenweir'
import { ToolCallParser } from 'tokenweir/tool-calls'
import { z } from 'zod'
import { everyCut, pieces } from './support/cuts.mjs'

/** What became of the calls: names, ids, and results or the codes of errors. */
function recorder(tools) {
  const made = []
  const calls = new CallArguments({
    tools,
    onCall: ({ id, toolName, args, dynamic }) => {
      const call = { id, toolName, ...(dynamic && { dynamic }) }
      made.push([call, args])
    },
  })
  const outcome = () =>
    Promise.all(
      made.map(async ([call, args]) => ({
        ...call,
        result: await args.result().catch(({ code, name }) => code ?? name),
      })),
    )
  return { calls, made, outcome }
}

const start = (id, toolName) => ({ type: 'tool-input-start', id, toolName })
const delta = (id, delta) => ({ type: 'tool-input-delta', id, delta })

describe('parts', () => {
  test('two calls at a time, one without deltas, one cut off', async () => {
    const { calls, outcome } = recorder({ a: {}, b: {} })
    const parts = [
      { type: 'text-delta', id: '0', delta: 'Hi' },
      start('1', 'a'),
      start('2', 'b'),
      delta('1', '{"x":'),
      delta('2', '{"y": 2}'),
      delta('1', '1}'),
      { type: 'tool-input-end', id: '1' },
      { type: 'tool-call', toolCallId: '1', toolName: 'a', input: '{"x":1}' },
      { type: 'tool-call', toolCallId: '3', toolName: 'c', input: { z: 3 } },
      { type: 'tool-call', toolCallId: '5', toolName: 'a', input: '' },
      start('4', 'a'),
      delta('4', '{"path": "/etc/pass'),
      { type: 'tool-input-end', id: '4' },
      { type: 'finish', finishReason: 'tool-calls' },
    ]
    for (const part of parts) calls.part(part)
    assert.deepEqual(await outcome(), [
      { id: '1', toolName: 'a', result: { x: 1 } },
      { id: '2', toolName: 'b', result: { y: 2 } },
      { id: '3', toolName: 'c', dynamic: true, result: { z: 3 } },
      { id: '5', toolName: 'a', result: {} },
      { id: '4', toolName: 'a', result: 'cut-off' },
    ])
  })

  test('chunks of UI messages', async () => {
    const { calls, outcome } = recorder()
    for (const part of [
      { type: 'tool-input-start', toolCallId: '1', toolName: 'a' },
      { type: 'tool-input-delta', toolCallId: '1', inputTextDelta: '{"x": ' },
      { type: 'tool-input-delta', toolCallId: '1', inputTextDelta: '1}' },
      { type: 'tool-input-available', toolCallId: '1', toolName: 'a', input: { x: 1 } },
      { type: 'tool-input-available', toolCallId: '2', toolName: 'b', input: { y: 2 } },
      { type: 'tool-input-start', toolCallId: '3', toolName: 'a' },
      { type: 'tool-input-delta', toolCallId: '3', inputTextDelta: '{"x": 1' },
      { type: 'tool-input-error', toolCallId: '3', toolName: 'a', input: {}, errorText: 'no' },
      { type: 'tool-input-start', toolCallId: '4', toolName: 'a' },
      { type: 'abort' },
      { type: 'tool-input-start', toolCallId: '5', toolName: 'web', providerExecuted: true },
      { type: 'tool-input-delta', toolCallId: '5', inputTextDelta: '{}' },
    ])
      calls.part(part)
    assert.deepEqual(await outcome(), [
      { id: '1', toolName: 'a', dynamic: true, result: { x: 1 } },
      { id: '2', toolName: 'b', dynamic: true, result: { y: 2 } },
      { id: '3', toolName: 'a', dynamic: true, result: 'cut-off' },
      { id: '4', toolName: 'a', dynamic: true, result: 'cut-off' },
    ])
  })

  test('a call that an error ended is not begun again by what the SDK says of it afterwards; ids of the next step are new', async () => {
    const { calls, outcome } = recorder()
    const failed = [start('1', 'a'), delta('1', '{"x": 1}'), start('2', 'a'), delta('2', '{"x": 1'), { type: 'error', error: 'overloaded' }]
    const after = [
      { type: 'tool-input-end', id: '1' },
      { type: 'tool-call', toolCallId: '1', toolName: 'a', input: { x: 1 } },
      { type: 'tool-call', toolCallId: '2', toolName: 'a', input: '{"x": 1', invalid: true },
      { type: 'finish-step', finishReason: 'error' },
    ]
    const next = [{ type: 'tool-call', toolCallId: '1', toolName: 'a', input: { x: 2 } }]
    for (const part of [...failed, ...after, ...next]) calls.part(part)
    assert.deepEqual(await outcome(), [
      { id: '1', toolName: 'a', dynamic: true, result: { x: 1 } },
      { id: '2', toolName: 'a', dynamic: true, result: 'cut-off' },
      { id: '1', toolName: 'a', dynamic: true, result: { x: 2 } },
    ])
  })

  test("of ToolCallParser, in any pieces; a call that was cut off doesn't resolve", async () => {
    const text = 'I look.<tool_call>{"name": "a", "arguments": {"x": 12, "s": "é\\n"}}</tool_call> and <tool_call>{"name": "a", "arguments": {"x": 1'
    for (const [name, chunks] of everyCut(text, 1, { two: 0, pairs: 20 })) {
      const { calls, outcome } = recorder({ a: {} })
      const parser = new ToolCallParser({ format: 'hermes', tools: { a: {} } })
      for (const chunk of chunks) for (const part of parser.text(chunk)) calls.part(part)
      for (const part of parser.finish()) calls.part(part)
      calls.end('stop')
      const results = (await outcome()).map(({ result }) => result)
      assert.deepEqual(results[0], { x: 12, s: 'é\n' }, name)
      assert.ok(results.slice(1).every((result) => result === 'cut-off'), name)
    }
  })
})

describe('blocks', () => {
  const CALL = '<function_calls>\n<invoke name="write">\n<parameter name="path">a b.txt</parameter>\n<parameter name="n">12</parameter>\n</invoke>\n</function_calls>'

  const readTags = async (chunks) => {
    const { calls, made, outcome } = recorder()
    const parser = new BlockParser({ generateId: () => 'id', onChunk: (text, meta) => calls.chunk(text, meta), onBlock: (event) => calls.block(event) })
    for (const chunk of chunks) parser.processChunk(chunk)
    parser.flush()
    calls.end('stop')
    return { results: (await outcome()).map(({ result }) => result), made }
  }

  test('a call in tags, cut at each place', async () => {
    for (const [name, chunks] of everyCut(`Hi${CALL}Bye`, 1, { two: 0, pairs: 20 })) assert.deepEqual((await readTags(chunks)).results, [{ path: 'a b.txt', n: 12 }], name)
  })

  test('one that was cut off never looks whole, wherever it ends', async () => {
    const end = CALL.indexOf('</invoke>') + '</invoke>'.length
    for (let at = CALL.indexOf('write') + 7; at < end; at++)
      for (const size of [1, 7, CALL.length]) {
        const { results } = await readTags(pieces(CALL.slice(0, at), size))
        assert.ok(results.every((result) => result === 'cut-off'), `${at}: ${JSON.stringify(results)}`)
      }
    const { made } = await readTags([CALL.slice(0, CALL.indexOf('12') + 2)])
    assert.equal(made[0][1].state('n'), 'absent')
    assert.equal(made[0][1].state('path'), 'done')
  })

  test('the last chunk of a call that was cut off says so on its meta', () => {
    const seen = []
    const parser = new BlockParser({ generateId: () => 'id', onChunk: (text, { toolCallPart, incomplete }) => seen.push([toolCallPart, text, incomplete]) })
    parser.processChunk('<invoke name="add"><parameter name="n">12')
    parser.flush()
    assert.deepEqual(seen.at(-1), ['input', '12}', true])
    assert.ok(seen.slice(0, -1).every(([, , incomplete]) => incomplete === undefined))
    seen.length = 0
    parser.reset()
    parser.processChunk('<invoke name="add"><parameter name="n">12</parameter></invoke>')
    parser.flush()
    assert.ok(seen.every(([, , incomplete]) => incomplete === undefined))
  })

  test('calls in thinking are left out', async () => {
    assert.deepEqual((await readTags([`<thinking>${CALL}</thinking>`])).results, [])
    assert.deepEqual((await readTags([`<thinking>${CALL}</thinking>${CALL}`])).results, [{ path: 'a b.txt', n: 12 }])
  })

  test('native events: two calls at a time, and one that was cut off', async () => {
    const { calls, outcome } = recorder({ a: z.object({ x: z.number() }) })
    const blocks = new NativeBlocks({ onChunk: (text, meta) => calls.chunk(text, meta), onBlock: (event) => calls.block(event) })
    const feed = (tool_calls, finish_reason = null) => blocks.openai({ choices: [{ index: 0, delta: { tool_calls }, finish_reason }] })
    feed([{ index: 0, id: '1', function: { name: 'a', arguments: '{"x":' } }])
    feed([{ index: 0, function: { arguments: ' 1}' } }])
    feed([{ index: 1, id: '2', function: { name: 'a', arguments: '{"x": "no"}' } }])
    feed([{ index: 2, id: '3', function: { name: 'b', arguments: '{"x": 1' } }])
    feed([], 'tool_calls')
    blocks.flush()
    calls.end('tool_calls')
    assert.deepEqual(await outcome(), [
      { id: '1', toolName: 'a', result: { x: 1 } },
      { id: '2', toolName: 'a', result: 'SchemaError' },
      { id: '3', toolName: 'b', dynamic: true, result: 'cut-off' },
    ])
  })
})

describe('the AI SDK', () => {
  const INPUT = '{"path": "a.txt", "lines": [1, 20, 3], "content": "Hello é 😀"}'
  const chunksOf = (text) => [
    { type: 'stream-start', warnings: [] },
    { type: 'tool-input-start', id: 'call_1', toolName: 'write' },
    ...pieces(text, 5).map((piece) => ({ type: 'tool-input-delta', id: 'call_1', delta: piece })),
    { type: 'tool-input-end', id: 'call_1' },
    { type: 'tool-call', toolCallId: 'call_1', toolName: 'write', input: text },
    { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage: { inputTokens: {}, outputTokens: {} } },
  ]
  const modelOf = (text) => new MockLanguageModelV3({ doStream: async () => ({ stream: simulateReadableStream({ chunks: chunksOf(text) }) }) })
  const schema = z.object({ path: z.string(), lines: z.array(z.number()), content: z.string() })

  test('inputCallbacks in tool(), and CallArguments on fullStream', async () => {
    const log = []
    const results = []
    const write = tool({
      inputSchema: schema,
      execute: async () => 'ok',
      ...inputCallbacks(schema, (args, { toolCallId }) => {
        log.push(toolCallId)
        args.onDone('lines[*]', (line) => log.push(line))
        args.onText('content', (text) => log.push(text))
        results.push(args.result())
      }),
    })
    const calls = new CallArguments({
      tools: { write },
      onCall: (call) => {
        if (call.dynamic) return
        call.args.onDone('path', (path) => log.push(`full ${path}`))
        results.push(call.args.result())
      },
    })
    const { fullStream } = streamText({ model: modelOf(INPUT), prompt: 'x', tools: { write }, stopWhen: stepCountIs(1) })
    for await (const part of fullStream) calls.part(part)
    assert.deepEqual(await Promise.all(results), [JSON.parse(INPUT), JSON.parse(INPUT)])
    assert.deepEqual(log.filter((each) => typeof each === 'number'), [1, 20, 3])
    assert.equal(log.filter((each) => typeof each === 'string' && each !== 'call_1' && !each.startsWith('full')).join(''), 'Hello é 😀')
    assert.ok(log.includes('full a.txt') && log.indexOf('full a.txt') < log.lastIndexOf('😀'.slice(-1)) + log.length)
  })

  test('a connection that breaks in the arguments, and an error in the stream: nothing runs, and each call is there once', async () => {
    for (const [how, last] of [['breaks', undefined], ['error', { type: 'error', error: new Error('overloaded') }]])
      for (const kind of ['fullStream', 'toUIMessageStream']) {
        const parts = chunksOf(INPUT).slice(0, 6)
        const stream = new ReadableStream({
          start(controller) {
            for (const part of last === undefined ? parts : [...parts, last]) controller.enqueue(part)
          },
          pull: (controller) => (last === undefined ? controller.error(new Error('gone')) : controller.close()),
        })
        const ran = []
        const { calls, outcome } = recorder()
        const write = tool({ inputSchema: schema, execute: async (input) => ran.push(input) })
        const result = streamText({ model: new MockLanguageModelV3({ doStream: async () => ({ stream }) }), prompt: 'x', tools: { write }, onError() {} })
        try {
          for await (const part of kind === 'fullStream' ? result.fullStream : result.toUIMessageStream()) calls.part(part)
        } catch (error) {
          assert.equal(error.message, 'gone')
        } finally {
          calls.end()
        }
        assert.deepEqual(await outcome(), [{ id: 'call_1', toolName: 'write', dynamic: true, result: 'cut-off' }], `${how}, ${kind}`)
        assert.deepEqual(ran, [])
      }
  })

  test('without streaming the arguments come at their end', async () => {
    const got = []
    const { onInputStart, onInputAvailable, onInputDelta } = inputCallbacks(schema, (args, call) => got.push([call, args.result()]))
    onInputAvailable({ toolCallId: '1', input: JSON.parse(INPUT) })
    onInputStart({ toolCallId: '2' })
    onInputAvailable({ toolCallId: '2', input: JSON.parse(INPUT) })
    const stop = new AbortController()
    onInputStart({ toolCallId: '3', abortSignal: stop.signal })
    onInputDelta({ toolCallId: '3', inputTextDelta: '{"path": "x' })
    stop.abort()
    assert.deepEqual(got.map(([call]) => call), [{ toolCallId: '1' }, { toolCallId: '2' }, { toolCallId: '3' }])
    assert.deepEqual(await got[0][1], JSON.parse(INPUT))
    assert.deepEqual(await got[1][1], JSON.parse(INPUT))
    await assert.rejects(got[2][1], { code: 'cut-off' })
  })
})

test('what is wrong is named', () => {
  assert.throws(() => new CallArguments({}), { name: 'TypeError', message: 'CallArguments takes { onCall }, a function' })
  assert.throws(() => new CallArguments({ onCall() {}, tool: {} }), { name: 'TypeError', message: /has no option "tool"/ })
  assert.throws(() => inputCallbacks(undefined), { name: 'TypeError' })
  const calls = new CallArguments({ onCall() {} })
  assert.throws(() => calls.part(5), { name: 'TypeError', message: /CallArguments.part takes an event object/ })
  for (const part of [{}, { type: 'tool-input-delta', id: 'none', delta: 5 }, { type: 'tool-call' }, { type: 'finish', finishReason: null }]) calls.part(part)
  assert.ok(new ArgumentsReader())
})
