// A model's stream stays unchanged but for the calls in its text. Recorded and
// written replies are read by the AI SDK's own providers, and their parts compared with
// those after the parser: part for part, field for field.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { thinned } from './support/cuts.mjs'
import fc from './support/property.mjs'
import { hermesToolMiddleware, wrapGenerate } from 'tokenweir/ai-sdk'
import { ToolCallParser, hermesProtocol, morphXmlProtocol, toolCallStream } from 'tokenweir/tool-calls'
import { all } from './support/ai-sdk.mjs'
import { isRead, partsOf } from './support/providers.mjs'
import { recordedStreams } from './support/real-streams.mjs'
import { toolsOf } from './support/tool-cases.mjs'

const tools = toolsOf()
const ADD = '<tool_call>{"name":"add","arguments":{"a":1,"b":2}}</tool_call>'

/** Ids that count up, of each kind. */
const counting = () => {
  const counts = {}
  return (kind) => `${kind}${(counts[kind] = (counts[kind] ?? 0) + 1)}`
}

const parserOf = (options = {}) => new ToolCallParser({ protocol: hermesProtocol(), tools, options: { generateId: counting(), ...options } })
const through = (parts, options) => {
  const parser = parserOf(options)
  return [...parts.flatMap((part) => parser.write(part)), ...parser.finish()]
}
const stream = (parts) => ReadableStream.from(parts)

// Calls of tests name no dates: a provider's time is when it was asked.
const timeless = (parts) => parts.map((part) => ('timestamp' in part ? { ...part, timestamp: 0 } : part))

describe('a stream without calls in its text passes part for part', () => {
  const seen = new Map()
  for (const { name, provider, events } of recordedStreams()) {
    // A future event is refused by the provider itself.
    if (name.includes('unknown_events') || !isRead(provider)) continue
    test(name, async () => {
      const parts = timeless(await partsOf(provider, events))
      for (const { type, providerMetadata } of parts) seen.set(type, seen.get(type) || providerMetadata !== undefined)
      for (const protocol of [hermesProtocol(), morphXmlProtocol()]) {
        assert.deepEqual(await all(stream(parts).pipeThrough(toolCallStream({ protocol, tools }))), parts)
      }
      const wrapped = await hermesToolMiddleware.wrapStream({ doStream: async () => ({ stream: stream(parts) }), doGenerate: assert.fail, params: { prompt: [], tools } })
      assert.deepEqual(await all(wrapped.stream), parts)
    })
  }

  test('they have what is looked for', () => {
    for (const type of ['text-start', 'text-end', 'tool-call', 'tool-result', 'reasoning-start', 'source', 'tool-input-delta', 'tool-approval-request']) assert.ok(seen.has(type), type)
    assert.ok(seen.get('text-start') && seen.get('text-end') && seen.get('tool-result'))
  })

  test('any stream (fast-check)', () => {
    const metadata = fc.option(fc.record({ provider: fc.record({ signature: fc.string() }) }), { nil: undefined })
    const id = fc.constantFrom('1', '2', '3')
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '`', '```', '~~~', '>', '}', '"', 'é', '🙂', '/', 'tool_call'), maxLength: 6 })
    const fields = (part, providerMetadata, more) => ({ ...part, ...(providerMetadata && { providerMetadata }), ...(more && { unknown: more }) })
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('text'), id, text, metadata, more: fc.boolean() }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('end'), id, metadata }) },
      { weight: 2, arbitrary: fc.constantFrom({ type: 'raw', rawValue: 1 }, { type: 'source', id: 's', sourceType: 'url', url: 'u' }, { type: 'file', mediaType: 'x/y', data: '' }, { type: 'tool-call', toolCallId: 'n', toolName: 'add', input: '{}', providerExecuted: true }, { type: 'tool-result', toolCallId: 'n', toolName: 'add', result: 1 }, { type: 'reasoning-start', id: 'r' }, { type: 'reasoning-delta', id: 'r', delta: ADD }, { type: 'reasoning-end', id: 'r' }, { type: 'of the future', x: [1] }) },
    )
    let count = 0
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, isMorph) => {
        const open = new Set()
        const parts = []
        // An id that ended is not used again.
        let generation = 0
        for (const { kind, id, text, metadata, more, ...part } of steps) {
          const own = [...open].find((one) => one.startsWith(`${id}.`))
          if (kind === 'text') {
            const name = own ?? `${id}.${generation++}`
            if (own === undefined) parts.push(fields({ type: 'text-start', id: name }, metadata, more))
            open.add(name)
            parts.push(fields({ type: 'text-delta', id: name, delta: text }, metadata, more))
          } else if (kind === 'end') {
            if (own === undefined) continue
            open.delete(own)
            parts.push(fields({ type: 'text-end', id: own }, metadata))
          } else parts.push(part)
        }
        for (const id of open) parts.push({ type: 'text-end', id })
        parts.push({ type: 'finish', finishReason: 'stop', usage: {}, unknown: 1 })
        const parser = new ToolCallParser({ protocol: isMorph ? morphXmlProtocol() : hermesProtocol(), tools })
        assert.deepEqual(parts.flatMap((part) => parser.write(part)), parts)
        count += open.size
      }),
      { numRuns: 600 },
    )
    assert.ok(count > thinned(100))
  })
})

describe('a text with calls in it', () => {
  const start = (id, providerMetadata) => ({ type: 'text-start', id, ...(providerMetadata && { providerMetadata }) })
  const delta = (id, text, providerMetadata) => ({ type: 'text-delta', id, delta: text, ...(providerMetadata && { providerMetadata }) })
  const end = (id, providerMetadata) => ({ type: 'text-end', id, ...(providerMetadata && { providerMetadata }) })
  const finish = { type: 'finish', finishReason: 'stop' }
  const call = (id = 'call1') => ({ type: 'tool-call', toolCallId: id, toolName: 'add', input: '{"a":1,"b":2}' })
  const quiet = { toolInputDeltas: false }
  const called = { type: 'finish', finishReason: 'tool-calls' }

  test('has its start on the first piece, deltas where their text is, and its end on the last', () => {
    const parts = [start('1', { p: 's' }), delta('1', 'a', { p: 1 }), delta('1', `b${ADD}c`, { p: 2 }), delta('1', 'd', { p: 3 }), end('1', { p: 'e' }), finish]
    assert.deepEqual(through(parts, quiet), [
      start('1', { p: 's' }), delta('1', 'a', { p: 1 }), delta('1', 'b', { p: 2 }), end('1'), call(),
      start('text1'), delta('text1', 'c', { p: 2 }), delta('text1', 'd', { p: 3 }), end('text1', { p: 'e' }), called,
    ])
  })

  test('that are all of it, and nothing is said of it: no text', () => {
    assert.deepEqual(through([start('1'), delta('1', ''), delta('1', ADD), delta('1', ''), end('1'), finish], quiet), [call(), called])
  })

  test('that are all of it, and something is: an empty text keeps it', () => {
    assert.deepEqual(through([start('1', { p: 's' }), delta('1', ADD), end('1'), finish], quiet), [call(), start('1', { p: 's' }), end('1'), called])
    assert.deepEqual(through([start('1'), delta('1', ADD), end('1', { p: 'e' }), finish], quiet), [call(), start('1'), end('1', { p: 'e' }), called])
    assert.deepEqual(through([start('1'), delta('1', 'a'), delta('1', ADD, { p: 1 }), delta('1', '', { p: 2 }), end('1'), finish], quiet), [
      start('1'), delta('1', 'a'), end('1'), call(), start('text1'), delta('text1', '', { p: 1 }), delta('text1', '', { p: 2 }), end('text1'), called,
    ])
  })

  test('a delta that is partly buffered becomes two, with its fields on both', () => {
    assert.deepEqual(through([start('1'), delta('1', 'a<', { p: 1 }), delta('1', 'b', { p: 2 }), end('1'), finish]), [
      start('1'), delta('1', 'a', { p: 1 }), delta('1', '<', { p: 1 }), delta('1', 'b', { p: 2 }), end('1'), finish,
    ])
  })

  test('what may be a tag is text where the run of text ends', () => {
    assert.deepEqual(through([start('1'), delta('1', 'a<tool_'), end('1'), start('2'), delta('2', 'call>b'), end('2'), finish]), [
      start('1'), delta('1', 'a'), delta('1', '<tool_'), end('1'), start('2'), delta('2', 'call>b'), end('2'), finish,
    ])
  })

  test('a call that has begun goes on in the next text', () => {
    assert.deepEqual(through([start('1', { p: 1 }), delta('1', `a${ADD.slice(0, 30)}`), end('1', { p: 2 }), start('2', { p: 3 }), delta('2', `${ADD.slice(30)}b`), end('2', { p: 4 }), finish], quiet), [
      start('1', { p: 1 }), delta('1', 'a'), end('1'), call(), start('text1'), end('text1', { p: 2 }), start('2', { p: 3 }), delta('2', 'b'), end('2', { p: 4 }), called,
    ])
  })

  test('that is not one, in two texts: each has its part', () => {
    const parts = through([start('1'), delta('1', 'a<tool_call>{"name":'), end('1', { p: 2 }), start('2'), delta('2', ' (oh)</tool_call>b'), end('2'), finish], quiet)
    assert.deepEqual(parts, [start('1'), delta('1', 'a'), delta('1', '<tool_call>{"name":'), end('1', { p: 2 }), start('2'), delta('2', ' (oh)</tool_call>b'), end('2'), finish])
  })

  test('two texts that are open have a parser each', () => {
    const half = ADD.length / 2
    const parts = [start('1'), start('2'), delta('1', ADD.slice(0, half)), delta('2', 'x <tool_'), delta('1', ADD.slice(half)), delta('2', ADD.slice(6)), delta('2', 'y'), end('1'), delta('2', ADD), end('2'), finish]
    assert.deepEqual(through(parts, quiet), [
      start('1'), start('2'), delta('2', 'x '), end('1'), call('call1'), end('2'), call('call2'), start('text1'), delta('text1', 'y'), end('text1'), call('call3'), called,
    ])
  })

  test('reasoning in it is parts of its own', () => {
    const thought = `plan ${ADD}`
    assert.deepEqual(through([start('1', { p: 1 }), delta('1', `<think>${thought}</think>a${ADD}`), end('1', { p: 2 }), finish], quiet), [
      { type: 'reasoning-start', id: 'reasoning1' }, { type: 'reasoning-delta', id: 'reasoning1', delta: thought }, { type: 'reasoning-end', id: 'reasoning1' },
      start('1', { p: 1 }), delta('1', 'a'), end('1'), call(), start('text1'), end('text1', { p: 2 }), called,
    ])
  })

  test('reasoning goes on in the next text', () => {
    assert.deepEqual(through([start('1'), delta('1', '<think>a</thi'), end('1'), start('2'), delta('2', `${ADD}</think>b`), end('2'), finish]), [
      { type: 'reasoning-start', id: 'reasoning1' }, { type: 'reasoning-delta', id: 'reasoning1', delta: 'a' }, { type: 'reasoning-delta', id: 'reasoning1', delta: '</thi' }, { type: 'reasoning-end', id: 'reasoning1' },
      { type: 'reasoning-start', id: 'reasoning2' }, { type: 'reasoning-delta', id: 'reasoning2', delta: ADD }, { type: 'reasoning-end', id: 'reasoning2' },
      start('2'), delta('2', 'b'), end('2'), finish,
    ])
  })
})

describe('a source that fails', () => {
  const failing = (parts) => {
    let at = 0
    return new ReadableStream({
      pull(controller) {
        if (at < parts.length) controller.enqueue(parts[at++])
        else controller.error(new Error('cut off'))
      },
    })
  }
  const read = async (stream) => {
    const parts = []
    try {
      for await (const part of stream) parts.push(part)
    } catch (error) {
      return { parts, error: error.message }
    }
    return { parts }
  }
  const parts = [{ type: 'text-start', id: '1' }, ...Array.from({ length: 40 }, (_, at) => ({ type: 'text-delta', id: '1', delta: `${at} ` })), { type: 'text-delta', id: '1', delta: 'a <tool_call>{"name":"add",' }]

  test('emits the buffered text, then the error', async () => {
    for (const stream of [
      failing(parts).pipeThrough(toolCallStream({ protocol: hermesProtocol(), tools })),
      (await hermesToolMiddleware.wrapStream({ doStream: async () => ({ stream: failing(parts) }), doGenerate: assert.fail, params: { prompt: [], tools } })).stream,
    ]) {
      const { parts: emitted, error } = await read(stream)
      assert.equal(error, 'cut off')
      assert.equal(emitted.map(({ delta = '' }) => delta).join(''), parts.map(({ delta = '' }) => delta).join(''))
      assert.equal(emitted.at(-1).type, 'text-end')
    }
  })

  test('a reader that stops ends the source', async () => {
    let reason
    const source = new ReadableStream({ pull: (controller) => controller.enqueue({ type: 'text-delta', id: '1', delta: 'a' }), cancel: (given) => (reason = given) })
    const reader = source.pipeThrough(toolCallStream({ protocol: hermesProtocol(), tools })).getReader()
    await reader.read()
    await reader.cancel('enough')
    await new Promise((resolve) => setTimeout(resolve, 10))
    assert.equal(reason, 'enough')
  })

  test('a slow reader slows the source', async () => {
    let given = 0
    const source = new ReadableStream({ pull: (controller) => controller.enqueue({ type: 'text-delta', id: '1', delta: `${given++}` }) }, { highWaterMark: 0 })
    const reader = source.pipeThrough(toolCallStream({ protocol: hermesProtocol(), tools })).getReader()
    await reader.read()
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.ok(given < 30, `${given} parts were read ahead`)
    for (let count = 0; count < 100; count++) await reader.read()
    assert.ok(given > 90 && given < 130)
    await reader.cancel()
  })
})

describe('a call that the text repeats is one call (policy 27)', () => {
  const native = { type: 'tool-call', toolCallId: 'n', toolName: 'add', input: '{"b": 2, "a": 1}' }
  const said = [{ type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: ADD }, { type: 'text-end', id: '1' }]
  const end = { type: 'finish', finishReason: 'tool-calls', usage: {} }
  const idsOf = (parts) => parts.filter(({ type }) => type === 'tool-call').map(({ toolCallId }) => toolCallId)

  test('in a stream the one that came first', () => {
    assert.deepEqual(idsOf(through([...said, native, end])), ['call1'])
    assert.deepEqual(idsOf(through([native, ...said, end])), ['n'])
    assert.deepEqual(idsOf(through([native, { ...native, toolCallId: 'm' }, ...said, ...said, end])), ['n', 'm'])
  })

  test('other arguments, and what the provider runs, are other calls', () => {
    assert.deepEqual(idsOf(through([...said, { ...native, input: '{"a":1}' }, end])), ['call1', 'n'])
    assert.deepEqual(idsOf(through([...said, { ...native, providerExecuted: true }, end])), ['call1', 'n'])
    assert.deepEqual(idsOf(through([{ ...native, input: '[' }, { ...native, input: '[' }, end])), ['n', 'n'])
  })

  test('after a snapshot too', () => {
    const before = parserOf()
    said.forEach((part) => before.write(part))
    const after = ToolCallParser.restore(JSON.parse(JSON.stringify(before.snapshot())), { protocol: hermesProtocol(), options: { generateId: counting() } })
    assert.deepEqual(idsOf([native, end].flatMap((part) => after.write(part))), [])
  })

  test('in a whole answer the one of the provider', async () => {
    const content = [{ type: 'text', text: `I add. ${ADD}` }, native]
    const result = await wrapGenerate({ protocol: hermesProtocol(), doGenerate: async () => ({ content, finishReason: 'tool-calls', usage: {} }), params: { prompt: [], tools } })
    assert.deepEqual(result.content.map(({ type, text, toolCallId }) => [type, text ?? toolCallId]), [['text', 'I add. '], ['tool-call', 'n']])
  })
})
