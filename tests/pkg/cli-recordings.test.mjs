// `npx tokenweir` on recordings: real ones of two providers, real streams of the
// AI SDK in three majors, and forms that nothing here can make, written by hand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { NativeBlocks, readReply } from 'tokenweir'
import { blocksOf, eventsOf, methodOf, names } from '../../examples/streams/recordings.mjs'
import { answering, majors } from './support/ai-sdk.mjs'
import { json, run, start, until } from './support/command-line.mjs'
import { recordedStreams } from './support/real-streams.mjs'

const pathOf = (name) => fileURLToPath(new URL(`../../examples/streams/${name}.sse`, import.meta.url))
const linesOf = (events) => events.map((event) => `${JSON.stringify(event)}\n`).join('')

/** The package's events for a recording. */
function emissionsOf(name) {
  const blocks = new NativeBlocks()
  return JSON.parse(JSON.stringify([...eventsOf(name).flatMap((event) => blocks[methodOf(name)](event).emissions), ...blocks.flush().emissions]))
}

const textsOf = (blocks) => blocks.filter(({ type }) => type === 'text').map(({ content }) => content).join('')
const callsOf = (blocks) => blocks.filter(({ type }) => type === 'tool_call').map(({ toolId, toolName, input }) => [toolId, toolName, input])

/** The complete blocks of `blocks`. */
const wholeOf = (emitted) => emitted.flatMap(({ event }) => (event?.event === 'block_complete' ? event.block : []))

describe('recordings', { concurrency: 4 }, () => {
  test('there are recordings', () => assert.ok(names.length >= 7))

  for (const name of names) {
    const expected = blocksOf(name)

    test(`blocks of ${name} are those of NativeBlocks`, async () => {
      const emitted = await json(['blocks', pathOf(name)])
      assert.deepEqual(emitted, emissionsOf(name))
      assert.ok(wholeOf(emitted).length > 0)
    })

    test(`segments of ${name}`, async () => {
      // The provider runs the others itself.
      const callsToRun = callsOf(expected.filter(({ hosted }) => hosted === undefined))
      const emitted = await json(['segments', pathOf(name)])
      const types = new Map(emitted.flatMap(({ type, segment_id: id, segment_type: kind }) => (type === 'SEGMENT_START' ? [[id, kind]] : [])))
      const contents = (kind) => emitted.filter(({ type, segment_id: id }) => type === 'SEGMENT_CONTENT' && types.get(id) === kind).map(({ payload }) => payload.delta).join('')
      assert.equal(contents('text'), textsOf(expected))
      assert.equal(contents('reasoning'), expected.filter(({ type }) => type === 'thinking').map(({ content }) => content).join(''))
      assert.deepEqual(emitted.flatMap(({ type, invocation: made }) => (type === 'TOOL_INVOCATION' ? [[made.callId, made.name, made.arguments]] : [])), callsToRun)
      assert.deepEqual(callsToRun.map(([id]) => types.has(id)), callsToRun.map(() => true))
    })

    test(`parts of ${name}`, async () => {
      const parts = await json(['tool-calls', pathOf(name)])
      const deltas = (type, id) => parts.filter((part) => part.type === type && (id === undefined || part.id === id)).map(({ delta }) => delta).join('')
      assert.equal(deltas('text-delta'), textsOf(expected))
      assert.equal(deltas('reasoning-delta'), expected.filter(({ type }) => type === 'thinking').map(({ content }) => content).join(''))
      const calls = parts.filter(({ type }) => type === 'tool-call')
      assert.deepEqual(calls.map(({ toolCallId, toolName, input }) => [toolCallId, toolName, JSON.parse(input)]), callsOf(expected))
      assert.deepEqual(calls.map(({ providerExecuted }) => providerExecuted), expected.filter(({ type }) => type === 'tool_call').map(({ hosted }) => hosted))
      for (const { toolCallId, input } of calls) assert.equal(deltas('tool-input-delta', toolCallId), input)
      const results = expected.filter(({ type }) => type === 'tool_result').map(({ toolId, content }) => [toolId, content])
      assert.deepEqual(parts.flatMap(({ type, toolCallId, output }) => (type === 'tool-result' ? [[toolCallId, output]] : [])), results)
    })

    test(`visible text of ${name}`, async () => {
      assert.equal((await run(['visible', pathOf(name)])).stdout, (await readReply(eventsOf(name)).result()).text)
      assert.equal((await run(['visible', '--no-trim-markup', pathOf(name)])).stdout, textsOf(expected))
    })
  }

  test('a call that the recording ends in is not to be called', async () => {
    const cut = linesOf(eventsOf('anthropic-tools').slice(0, -8))
    const [whole] = callsOf(blocksOf('anthropic-tools'))
    assert.deepEqual(wholeOf(await json(['blocks'], cut)).map(({ incomplete }) => incomplete), [undefined, undefined, true])
    const parts = await json(['tool-calls'], cut)
    assert.deepEqual(parts.filter(({ type }) => type === 'tool-call').map(({ toolCallId }) => toolCallId), [whole[0]])
    assert.equal(parts.at(-1).type, 'tool-input-end')
    const emitted = await json(['segments'], cut)
    assert.deepEqual(emitted.filter(({ type }) => type === 'TOOL_INVOCATION').map(({ invocation }) => invocation.callId), [whole[0]])
    assert.equal(emitted.at(-1).error.code, 'unterminated')
  })

  test('lines and colours show calls and results of a recording', async () => {
    const [lines, colours] = await Promise.all([run(['tool-calls', pathOf('anthropic-web-search')]), run(['tool-calls', '--color', pathOf('anthropic-web-search')])])
    assert.match(lines.stdout, /^tool-call {9}srvtoolu_\w+ web_search \{"query":/m)
    assert.match(lines.stdout, /^tool-result {7}srvtoolu_\w+ ".* … .*"$/m)
    assert.match(colours.stdout, /\x1b\[36mweb_search \x1b\[39m/)
    assert.match(colours.stdout, /\x1b\[32m.*web_search_result/)
  })
})

describe('recordings of every provider', { concurrency: 4 }, () => {
  // One of each source and provider: the first that has text.
  const recordings = new Map()
  for (const { name, provider, events } of recordedStreams()) {
    const native = new NativeBlocks({ generateId: () => 'made' })
    const blocks = wholeOf([...events.flatMap((event) => native[provider](event).emissions), ...native.flush().emissions])
    const key = `${provider}, ${name.split(':')[0]}`
    if (!recordings.has(key) && textsOf(blocks) !== '') recordings.set(key, { events, text: textsOf(blocks) })
  }
  test('there are seven', () => assert.ok(new Set([...recordings.keys()].map((key) => key.split(',')[0])).size >= 7, [...recordings.keys()].join('; ')))

  for (const [key, { events, text }] of recordings) {
    test(`${key}: as JSON lines, as server-sent events and as a JSON array`, async () => {
      const command = ['visible', '--no-trim-markup']
      for (const input of [linesOf(events), sse(events), JSON.stringify(events, null, 2)]) assert.equal((await run(command, input)).stdout, text)
      assert.equal((await run([...command, '--input', 'json'], JSON.stringify(events))).stdout, text)
    })
  }

  test('replies that were not streamed', async () => {
    for (const reply of [{ type: 'message', content: [{ type: 'text', text: 'Hello' }] }, { candidates: [{ content: { parts: [{ text: 'Hello' }] } }] }, { output: { message: { content: [{ text: 'Hello' }] } } }, { object: 'response', error: null, output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }] }]) {
      assert.equal((await run(['visible', '--input', 'json'], JSON.stringify(reply, null, 2))).stdout, 'Hello')
    }
  })
})

/** A recording of OpenAI's whose text is this. */
const openai = (...texts) => [...texts.map((content) => ({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })), { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }]
const sse = (events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + 'data: [DONE]\n\n'

describe('text in recordings', { concurrency: 4 }, () => {
  test('fields', async () => {
    const emitted = await json(['fields'], sse(openai('{"title": "Por', 'to", "n', '": 1}')))
    assert.deepEqual(emitted.filter(({ eventType }) => eventType === 'done').map(({ path, value }) => [path, value]), [['title', 'Porto'], ['n', 1]])
    assert.deepEqual(emitted.filter(({ path, eventType }) => path === 'title' && eventType === 'delta').map(({ delta }) => delta), ['Por', 'to'])
  })

  test('segments', async () => {
    const emitted = await json(['segments'], sse(openai('a <run_b', 'ash>l', 's</run_bash>')))
    assert.deepEqual(emitted.at(-1), { type: 'TOOL_INVOCATION', invocation: { id: 'seg_2', name: 'run_bash', arguments: { command: 'ls' } } })
  })

  test('tool calls', async () => {
    const emitted = await json(['tool-calls'], sse(openai('<tool_call>{"name": "a", ', '"arguments": {}}</tool_call>')))
    assert.deepEqual(emitted.at(-1), { type: 'tool-call', toolCallId: 'call_1', toolName: 'a', input: '{}' })
  })

  test('blocks are those of readReply, or with --text and --tags those of the tags', async () => {
    const input = sse(openai('<think', 'ing>a</thinking><x>b</x>c'))
    assert.deepEqual(wholeOf(await json(['blocks'], input)), [{ type: 'thinking', content: 'a' }, { type: 'text', content: '<x>b</x>c' }])
    const call = '<invoke name="f"><parameter name="a">1</parameter></invoke>'
    const { blocks } = await readReply([{ choices: [{ index: 0, delta: { content: `Hm. ${call} \`<think>\`` } }] }], { generateId: () => 'id_1' }).result()
    assert.deepEqual(wholeOf(await json(['blocks'], sse(openai(`Hm. ${call}`, ' `<think>`')))).map(({ toolId: _, ...block }) => block), blocks.map(({ toolId: _, ...block }) => block))
    assert.deepEqual(wholeOf(await json(['blocks', '--text'], input)), [{ type: 'thinking', content: 'a' }, { type: 'text', content: '<x>b</x>c' }])
    assert.deepEqual(wholeOf(await json(['blocks', '--tags', 'x=thinking'], input)), [{ type: 'thinking', content: 'a' }, { type: 'thinking', content: 'b' }, { type: 'text', content: 'c' }])
  })

  test('a wire format, with native thinking, native calls and text that was sent without JSON', async () => {
    const native = (delta) => ({ choices: [{ index: 0, delta }] })
    const events = [
      native({ reasoning_content: 'Hm.' }),
      ...openai('I look.<tool', '_call>{"name": "a", "arguments": {"x": 1}}</tool_call>\n\n\n').slice(0, 2),
      native({ tool_calls: [{ index: 0, id: 'n', function: { name: 'b', arguments: '{}' } }] }),
      ...openai('\nDone.'),
    ]
    const { blocks, text } = await readReply(events, { format: 'hermes', generateId: () => 'call_1' }).result()
    assert.deepEqual(blocks.map(({ type, toolId }) => toolId ?? type), ['thinking', 'text', 'call_1', 'n', 'text'])
    for (const input of [sse(events), linesOf(events)]) {
      for (const by of [['--format', 'hermes'], ['--model', 'qwen3:8b']]) {
        assert.deepEqual(wholeOf(await json(['blocks', ...by], input)), blocks)
        assert.equal((await run(['visible', ...by], input)).stdout, text)
      }
    }
    assert.equal(text, 'I look.\nDone.')
    assert.equal((await run(['visible', '--format', 'hermes', '--input', 'sse'], 'data: a<tool_call>{"name": "a"}</tool_call>\n\ndata: b\n\n')).stdout, 'ab')
  })
})

describe('forms', { concurrency: 4 }, () => {
  for (const major of majors) {
    const answer = () => ({
      content: [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
        { type: 'reasoning-end', id: 'r' },
        { type: 'tool-input-start', id: 'c1', toolName: 'add' },
        { type: 'tool-input-delta', id: 'c1', delta: '{"a":' },
        { type: 'tool-input-delta', id: 'c1', delta: '1}' },
        { type: 'tool-input-end', id: 'c1' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: '{"a":1}' },
      ],
      text: 'It is 2.',
    })
    const tools = () => ({ add: major.ai.tool({ inputSchema: major.ai.jsonSchema({ type: 'object', properties: { a: { type: 'number' } } }), execute: ({ a }) => String(a + 1) }) })
    const streamed = () => major.ai.streamText({ model: answering(major, [answer()]), tools: tools(), prompt: 'Go.' })
    // The AI SDK runs the tool while text continues, so the result may come before the text or after it.
    const byType = (one, other) => (one.type < other.type ? -1 : 1)
    const expected = [
      { type: 'thinking', content: 'Hm.' },
      { type: 'tool_call', toolId: 'c1', toolName: 'add', input: { a: 1 } },
      { type: 'tool_result', toolId: 'c1', content: '2' },
      { type: 'text', content: 'It is 2.' },
    ].sort(byType)

    test(`${major.name}: parts of fullStream, a JSON object a line`, async () => {
      const parts = []
      for await (const part of streamed().fullStream) parts.push(part)
      const emitted = await json(['blocks'], linesOf(parts))
      assert.deepEqual(wholeOf(emitted).sort(byType), expected)
      assert.ok(emitted.filter(({ kind }) => kind === 'content').length > 6)
    })

    test(`${major.name}: the UI message stream`, async () => {
      const text = await new Response(streamed().toUIMessageStreamResponse().body).text()
      const emitted = await json(['blocks'], text)
      assert.deepEqual(wholeOf(emitted).sort(byType), expected)
      assert.equal((await run(['visible'], text)).stdout, 'It is 2.')
    })
  }

  test('a UI stream with a tool that failed', async () => {
    const chunks = [
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'f' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'f', input: { a: 1 } },
      { type: 'tool-output-error', toolCallId: 'c', errorText: 'no' },
    ]
    assert.deepEqual(wholeOf(await json(['blocks'], sse(chunks))), [
      { type: 'tool_call', toolId: 'c', toolName: 'f', input: { a: 1 }, hosted: true },
      { type: 'tool_result', toolId: 'c', content: 'no', isError: true },
    ])
  })

  // The detection of recordings by their first lines.
  const events = openai('Hi')
  const RECORDED = {
    'comments, ids and retry first': `: hello\nretry: 10\nid: 1\n${sse(events)}`,
    'empty lines first': `\n\n${sse(events)}`,
    'no space after data:': sse(events).replaceAll('data: ', 'data:'),
    'no line end at the end': sse(events).trimEnd(),
    'the last event without its empty line': sse(openai('Hi').slice(0, 1)).replace('data: [DONE]\n\n', '').trimEnd(),
    'the same with its line end': sse(openai('H', 'i').slice(0, 2)).replace('\n\ndata: [DONE]\n\n', '\n'),
    'Windows line ends': sse(events).replaceAll('\n', '\r\n'),
    'a key order of another SDK': linesOf([{ choices: events[0].choices }]),
    'the older completions': linesOf([{ object: 'text_completion', choices: [{ text: 'Hi', index: 0 }] }]),
  }
  for (const [what, input] of Object.entries(RECORDED)) {
    test(`a recording: ${what}`, async () => assert.equal((await run(['visible'], input)).stdout, 'Hi'))
  }

  const RAW = ['data: see below', 'data: {"a": 1', 'event: tonight\nat eight', '{"id": 5, "x": 1}', '{"type": "cat"}\n', '{"id": "a"}\n{"id": "b"}', '{"message": "hi"}', '[1]', '0:30 is late', 'a: b', '0:"x', 'd', 'da', '{', '{"', ': x', 'id: x']
  for (const input of RAW) {
    test(`raw text: ${JSON.stringify(input)}`, async () => assert.equal((await run(['visible'], input)).stdout, input))
  }

  test('raw text that starts like a recording is emitted as soon as it can’t be one', async () => {
    for (const [first, held] of [['{"title', ''], ['{"type": "cat"', ''], ['{"id": 5', ''], ['{"message": "h', ''], ['data: s', ''], ['Da', ''], ['{"id": "x', 'held'], ['{"type": "message', 'held']]) {
      const { child, out, ended } = start(['visible'])
      child.stdin.write(first)
      if (held === '') await until(() => out.stdout === first, `${first} is emitted`)
      else {
        await new Promise((resolve) => setTimeout(resolve, 700))
        assert.equal(out.stdout, '')
      }
      child.stdin.end('.')
      assert.equal((await ended).stdout, `${first}.`)
    }
  })

  test('a recording is emitted as it arrives', async () => {
    // Text after reasoning doesn't wait for its end, which this format doesn't mark.
    for (const input of [sse(events), linesOf(events)]) {
      const { child, out, ended } = start(['visible'])
      child.stdin.write(input.startsWith('g:') ? input : input.slice(0, input.indexOf('\n') + 2))
      await until(() => out.stdout === 'Hi', 'the text is emitted')
      child.stdin.end()
      await ended
    }
  })

  test('--input sets the format', async () => {
    const recording = sse(events)
    assert.equal((await run(['visible', '--input', 'text'], recording)).stdout, recording)
    assert.equal((await run(['visible', '--input', 'sse'], recording)).stdout, 'Hi')
    assert.equal((await run(['visible', '--input', 'ndjson'], linesOf(events))).stdout, 'Hi')
  })
})

test('why a recording ended decides whether a call that lacks its own end is one (policy 25)', async () => {
  const said = { choices: [{ index: 0, delta: { content: '<tool_call>\n<function=save>\n<parameter=path>\na.md\n</parameter>' } }] }
  const end = (finish_reason) => ({ choices: [{ index: 0, delta: {}, finish_reason }] })
  const calls = async (recording) => (await json(['tool-calls', '--format', 'qwen3-coder', '-'], recording)).filter(({ type }) => type === 'tool-call').length
  assert.deepEqual([await calls(linesOf([said, end('stop')])), await calls(linesOf([said, end('length')])), await calls(linesOf([said]))], [1, 0, 0])
  assert.equal(await calls(`data: ${JSON.stringify(said)}\n\ndata: [DONE]\n\n`), 1)
})
