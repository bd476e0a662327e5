// NativeBlocks: each provider's events give the callbacks of BlockParser.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BlockParser } from 'tokenweir/blocks'
import { NativeBlocks, ParseError } from 'tokenweir'
import { blocksOf as recordedBlocks, eventsOf, idsOf, methodOf, names, xmlOf } from '../../examples/streams/recordings.mjs'
import { pieces } from './support/cuts.mjs'
import { blocksOf, call, joined, logOf, plain, recorder } from './support/reading.mjs'

/** A call's JSON without the white space that a provider puts between its tokens. */
function compact(log) {
  return log.map((entry) => (entry.meta?.toolCallPart === 'input' ? { ...entry, chunk: JSON.stringify(JSON.parse(entry.chunk)) } : entry))
}

/** What XML has no place for: the mark of a tool that the provider runs itself, signatures, citations. */
const NATIVE = ['hosted', 'signature', 'data', 'citations']

/** The same without it. */
function unmarked(log) {
  const without = (value) => value && Object.fromEntries(Object.entries(value).filter(([key]) => !NATIVE.includes(key)))
  return log.map((entry) => (entry.meta ? { ...entry, meta: without(entry.meta) } : entry.block ? { ...entry, block: without(entry.block) } : entry))
}

function handOut(ids) {
  let next = 0
  return () => {
    assert.ok(next < ids.length, 'generateId was asked once too often')
    return ids[next++]
  }
}

function never() {
  throw new Error('this call has an id of its own')
}

/** A reader with its log. */
function recorded(options) {
  const { log, onChunk, onBlock } = recorder()
  return { log, native: new NativeBlocks({ onChunk, onBlock, ...options }) }
}

/** Feeds events and flushes. The log's form is checked on the way: indices from 0, one block open, nothing outside. */
function play(method, events, options = {}) {
  const { log, native } = recorded(options)
  const emissions = events.flatMap((event) => native[method](event).emissions).concat(native.flush().emissions)
  assertOrder(log)
  assert.deepEqual(logOf(emissions), log)
  return { log: joined(log), blocks: blocksOf(log) }
}

function assertOrder(log) {
  let open = -1
  let next = 0
  for (const entry of log) {
    assert.notEqual(entry.chunk, '', 'a chunk is never empty')
    if (entry.event === 'block_start') {
      assert.equal(open, -1, 'two blocks are open')
      assert.equal(entry.index, next++)
      open = entry.index
    } else {
      assert.equal(entry.index ?? entry.meta.blockIndex, open)
      if (entry.event === 'block_complete') open = -1
    }
  }
  assert.equal(open, -1, 'a block was left open')
}

/** Plays rows of a name, events, the log that they give, and options. */
function tests(method, rows) {
  for (const [name, events, want, options] of rows) test(name, () => assert.deepEqual(play(method, events, options).log, want))
}

/** The same of the blocks. */
function blockTests(method, rows) {
  for (const [name, events, want, options] of rows) test(name, () => assert.deepEqual(play(method, events, options).blocks, want))
}

const made = { generateId: () => 'made' }
const result = (index, toolId, content, more) => plain(index, 'tool_result', content, { toolId, ...more })
/** A completed call. */
const called = (toolId, toolName, more) => ({ type: 'tool_call', toolId, toolName, ...more })

// Events of the providers, in short.
const anthropic = {
  start: (index, content_block) => ({ type: 'content_block_start', index, content_block }),
  use: (index, id, name, input = {}) => anthropic.start(index, { type: 'tool_use', id, name, input }),
  delta: (index, delta) => ({ type: 'content_block_delta', index, delta }),
  text: (index, text) => anthropic.delta(index, { type: 'text_delta', text }),
  json: (index, partial_json) => anthropic.delta(index, { type: 'input_json_delta', partial_json }),
  stop: (index) => ({ type: 'content_block_stop', index }),
  end: (stop_reason) => [{ type: 'message_delta', delta: { stop_reason } }, { type: 'message_stop' }],
  whole: (content) => content.flatMap((block, index) => [anthropic.start(index, block), anthropic.stop(index)]),
}
const chat = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const piece = (index, text, more = {}) => chat({ tool_calls: [{ index, ...more, function: { arguments: text, ...more.function } }] })
const END = chat({}, 'tool_calls')
/** The names of two calls. */
const [F, G] = [{ id: 'a', function: { name: 'f' } }, { id: 'b', function: { name: 'g' } }]

describe('the guarantee: same blocks in, same callbacks out, in every form', () => {
  assert.ok(names.length >= 5, 'there are recordings')
  const ofXml = (text, ids, size) => {
    const { log, ...callbacks } = recorder()
    const parser = new BlockParser({ ...callbacks, generateId: handOut(ids) })
    for (const chunk of pieces(text, size)) parser.processChunk(chunk)
    parser.flush()
    return compact(joined(log))
  }

  for (const name of names) {
    const native = play(methodOf(name), eventsOf(name), { generateId: never })

    test(`${name}: the events give the blocks that are in the recording`, () => {
      assert.deepEqual(native.blocks.map(({ signature, data, citations, ...block }) => block), recordedBlocks(name))
    })

    for (const size of [1, 3, 17, 1_000_000]) {
      test(`${name}: the XML in chunks of ${size} gives the same callbacks`, () => {
        assert.deepEqual(ofXml(xmlOf(name), idsOf(name), size), unmarked(compact(native.log)))
      })
    }
  }

  test('the XML is what convert.mjs writes', () => {
    const script = fileURLToPath(new URL('../../examples/streams/convert.mjs', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.equal(stdout.trim().split('\n').length, names.length)
  })

  test('a recording that was changed is noticed', () => {
    const changed = ofXml(xmlOf('anthropic-tools').replace('fahrenheit', 'celsius'), idsOf('anthropic-tools'), 1_000_000)
    assert.notDeepEqual(changed, compact(play('anthropic', eventsOf('anthropic-tools')).log))
  })

  test('the same reply from four providers, complete, and streamed by the AI SDK (there is no recording)', () => {
    const want = [...plain(0, 'thinking', 'Hm.'), ...plain(1, 'text', 'Let me see.'), ...call(2, 'search', 'id_1', '{"q":"rain"}')]
    const stream = [
      { type: 'start' },
      { type: 'start-step', request: {} },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', text: 'Hm' },
      { type: 'reasoning-delta', id: '0', text: '.' },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', text: 'Let me ' },
      { type: 'text-delta', id: '0', delta: 'see.' },
      { type: 'text-end', id: '0' },
      { type: 'tool-input-start', id: 'id_1', toolName: 'search' },
      { type: 'tool-input-delta', id: 'id_1', delta: '{"q":' },
      { type: 'tool-input-delta', id: 'id_1', delta: '"rain"}' },
      { type: 'tool-input-end', id: 'id_1' },
      { type: 'tool-call', toolCallId: 'id_1', toolName: 'search', input: { q: 'rain' } },
      { type: 'finish-step', finishReason: 'tool-calls' },
      { type: 'finish', finishReason: 'tool-calls' },
    ]
    assert.deepEqual(play('aiSdk', stream, { generateId: never }).log, want)

    const input = { q: 'rain' }
    const whole = {
      'an Anthropic message': { type: 'message', content: [{ type: 'thinking', thinking: 'Hm.' }, { type: 'text', text: 'Let me see.' }, { type: 'tool_use', id: 'id_1', name: 'search', input }], stop_reason: 'tool_use' },
      'its content': [{ type: 'thinking', thinking: 'Hm.' }, { type: 'text', text: 'Let me see.' }, { type: 'tool_use', id: 'id_1', name: 'search', input }],
      'an OpenAI completion': { choices: [{ index: 0, finish_reason: 'tool_calls', message: { reasoning_content: 'Hm.', content: 'Let me see.', tool_calls: [{ id: 'id_1', type: 'function', function: { name: 'search', arguments: '{"q":"rain"}' } }] } }] },
      'its message': { role: 'assistant', reasoning: 'Hm.', content: 'Let me see.', tool_calls: [{ id: 'id_1', type: 'function', function: { name: 'search', arguments: '{"q":"rain"}' } }] },
      'a response': { object: 'response', output: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }, { type: 'message', content: [{ type: 'output_text', text: 'Let me see.' }] }, { type: 'function_call', call_id: 'id_1', name: 'search', arguments: '{"q":"rain"}', status: 'completed' }] },
      'an AI SDK result': { content: [{ type: 'reasoning', text: 'Hm.' }, { type: 'text', text: 'Let me see.' }, { type: 'tool-call', toolCallId: 'id_1', toolName: 'search', input }], get output() { throw new Error('no output was asked for') } },
    }
    for (const [what, reply] of Object.entries(whole)) assert.deepEqual(play('message', [reply], { generateId: never }).log, want, what)
  })
})

describe('complete replies', () => {
  tests('message', [
    ['a string is one block', ['The answer is 42.'], plain(0, 'text', 'The answer is 42.')],
    ...['', [], { content: '' }, { content: null }, { choices: [] }, { output: [] }, { content: [{ type: 'text', text: '' }] }].map((reply) => [`${JSON.stringify(reply)} makes no block`, [reply], []]),
  ])

  test('each block is one chunk', () => {
    for (const reply of ['one two three', [{ type: 'text', text: 'one two three' }]]) {
      const { emissions } = new NativeBlocks().message(reply)
      assert.equal(emissions.filter(({ kind }) => kind === 'content').length, 1)
    }
  })

  test('an invalid reply is rejected by name', () => {
    for (const [value, name] of [[undefined, 'undefined'], [7, 'number 7'], [{}, 'an object of Object'], [Promise.resolve({ content: '' }), 'an object of Promise']]) {
      assert.throws(() => new NativeBlocks().message(value), (error) => error instanceof TypeError && error.message.includes(name), name)
    }
  })

  test('several replies go on with the indices', () => {
    const { log, native } = recorded()
    native.message('one')
    native.emitToolResults([{ toolUseId: 't', content: 'r' }])
    native.openai(chat({ content: 'two' }, 'stop'))
    for (const event of anthropic.whole([{ type: 'text', text: 'three' }])) native.anthropic(event)
    native.flush()
    assertOrder(log)
    assert.deepEqual(blocksOf(log).map(({ content }) => content), ['one', 'r', 'two', 'three'])
  })
})

describe('Anthropic', () => {
  test('redacted thinking and thinking without text are empty thinking blocks', () => {
    const want = [...plain(0, 'thinking', ''), ...plain(1, 'thinking', '')]
    const content = [{ type: 'redacted_thinking', data: 'c2VjcmV0' }, { type: 'thinking', thinking: '', signature: 'x' }]
    assert.deepEqual(unmarked(play('message', [content]).log), want)
    assert.deepEqual(unmarked(play('anthropic', anthropic.whole(content)).log), want)
  })

  const NOW = [anthropic.use(0, 'a', 'now'), anthropic.json(0, ''), anthropic.stop(0)]
  const hosted = { hosted: true }
  const HOSTED = [
    { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
    { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'web_search_result', url: 'u' }] },
    { type: 'code_execution_tool_result', tool_use_id: 's', content: { type: 'code_execution_tool_result_error', error_code: 'unavailable' } },
    { type: 'mcp_tool_use', id: 'm', name: 'echo', server_name: 'n', input: { a: 1 } },
    { type: 'mcp_tool_result', tool_use_id: 'm', is_error: true, content: [{ type: 'text', text: 'no' }, { type: 'text', text: 'pe' }] },
  ]
  const HOSTED_LOG = [
    ...call(0, 'web_search', 's', '{"query":"q"}', hosted),
    ...result(1, 's', '[{"type":"web_search_result","url":"u"}]', hosted),
    ...result(2, 's', '{"type":"code_execution_tool_result_error","error_code":"unavailable"}', { isError: true, hosted: true }),
    ...call(3, 'echo', 'm', '{"a":1}', hosted),
    ...result(4, 'm', 'nope', { isError: true, hosted: true }),
  ]

  tests('anthropic', [
    ['a call without input is {}', [...NOW, ...anthropic.end('tool_use')], call(0, 'now', 'a', '{}')],
    ['without an end of the message too', NOW, call(0, 'now', 'a', '{}')],
    ['and before another call', [...NOW, anthropic.use(1, 'b', 'now'), anthropic.stop(1), ...anthropic.end('tool_use')], [...call(0, 'now', 'a', '{}'), ...call(1, 'now', 'b', '{}')]],
    ['input that came with the start is used if no delta follows', [anthropic.use(0, 'a', 'f', { x: 1 }), anthropic.stop(0)], call(0, 'f', 'a', '{"x":1}')],
    ['and not if one does', [anthropic.use(0, 'a', 'f', { x: 1 }), anthropic.json(0, '{"x":2}'), anthropic.stop(0)], call(0, 'f', 'a', '{"x":2}')],
    ['text that came with the start is a chunk', [anthropic.start(0, { type: 'text', text: 'a' }), anthropic.text(0, 'b'), anthropic.stop(0)], plain(0, 'text', 'ab')],
    ['two text blocks in a row stay two', anthropic.whole([{ type: 'text', text: 'x' }, { type: 'text', text: 'x' }]), [...plain(0, 'text', 'x'), ...plain(1, 'text', 'x')]],
    ['server and MCP tools are hosted calls, and their results are hosted results', anthropic.whole(HOSTED), HOSTED_LOG],
    [
      'unknown events, blocks and deltas are passed over',
      [
        { type: 'future_event', index: 0 },
        anthropic.stop(0),
        anthropic.start(0, { type: 'fallback' }),
        anthropic.text(0, 'of a block that we do not know'),
        anthropic.stop(0),
        anthropic.start(1, { type: 'text', text: '' }),
        anthropic.delta(1, { type: 'citations_delta', citation: null }),
        anthropic.delta(1, { type: 'future_delta', text: 'x' }),
        anthropic.text(1, 'Hello'),
        anthropic.stop(1),
      ],
      plain(0, 'text', 'Hello'),
    ],
    ['a delta whose start was lost is not lost', [anthropic.text(3, 'Hel'), anthropic.text(3, 'lo')], plain(0, 'text', 'Hello')],
    [
      'interleaved blocks wait for each other',
      [
        anthropic.start(0, { type: 'text', text: '' }), anthropic.use(1, 'a', 'f'),
        anthropic.json(1, '{"x":'), anthropic.text(0, 'Hel'), anthropic.json(1, '1}'), anthropic.text(0, 'lo'),
        anthropic.stop(1), anthropic.stop(0),
      ],
      [...plain(0, 'text', 'Hello'), ...call(1, 'f', 'a', '{"x":1}')],
    ],
  ])

  tests('message', [['the same of a whole message', [{ content: HOSTED }], HOSTED_LOG]])

  test('a call without input is incomplete if it was cut off, streamed and whole', () => {
    const cut = play('anthropic', [...NOW, ...anthropic.end('max_tokens')])
    assert.deepEqual(cut.blocks, [called('a', 'now', { input: {}, incomplete: true })])
    assert.deepEqual(play('message', [{ content: [{ type: 'tool_use', id: 'a', name: 'now', input: {} }], stop_reason: 'max_tokens' }]).log, cut.log)
  })

  const text = { type: 'text', content: 'Hello' }
  const CUT = [anthropic.start(0, { type: 'text', text: 'ok' }), anthropic.stop(0), anthropic.use(1, 'a', 'make_file'), anthropic.json(1, '{"name": "taxes')]
  const ENDS = { 'by its length': anthropic.end('max_tokens'), 'without an end': [], 'by an error': [{ type: 'error', error: { type: 'overloaded_error' } }], 'by its own end': [anthropic.stop(1)] }

  blockTests('anthropic', [
    ['a call whose start was lost is incomplete', [anthropic.json(3, '{}')], [{ type: 'tool_call', toolId: 'made', input: {}, incomplete: true }], made],
    ['a delta of another kind than its block makes a separate block', [anthropic.use(0, 'a', 'f'), anthropic.json(0, '{"x":1}'), anthropic.text(0, 'Hello'), anthropic.stop(0)], [called('a', 'f', { input: { x: 1 } }), text]],
    ['and cuts it off', [anthropic.use(0, 'a', 'f'), anthropic.json(0, '{"x":'), anthropic.text(0, 'Hello'), anthropic.stop(0)], [called('a', 'f', { content: '{"x":', incomplete: true }), text]],
    ...Object.entries(ENDS).map(([how, end]) => [`a reply that ends in the middle of a call, ${how}: it is not to be run`, [...CUT, ...end], [{ type: 'text', content: 'ok' }, called('a', 'make_file', { content: '{"name": "taxes', incomplete: true })]]),
  ])
})

// Ids, positions and names as other servers write them: native-calls.test.mjs.
describe('OpenAI chat completions', () => {
  const ONE = call(0, 'f', 'a', '{"x":1}')
  const TWO = [...ONE, ...call(1, 'g', 'b', '{"y":2}')]

  tests('openai', [
    [
      'reasoning',
      [chat({ reasoning: 'a' }), chat({ content: 'b' }), chat({ reasoning: 'c' }), chat({ content: 'd' }, 'stop')],
      [...plain(0, 'thinking', 'a'), ...plain(1, 'text', 'b'), ...plain(2, 'thinking', 'c'), ...plain(3, 'text', 'd')],
    ],
    // Some servers send the same reasoning under both names.
    ['reasoning twice', [chat({ reasoning: 'a', reasoning_content: 'a' }, 'stop')], plain(0, 'thinking', 'a')],
    ['refusals', [chat({ refusal: 'I can' }), chat({ refusal: 'not.' }, 'stop')], plain(0, 'text', 'I cannot.')],
    ['legacy completions', [{ choices: [{ text: 'a', index: 0 }] }, { choices: [{ text: 'b', index: 0, finish_reason: 'stop' }] }], plain(0, 'text', 'ab')],
    ['content in parts', [chat({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'a' }] }, { type: 'text', text: 'b' }] }, 'stop')], [...plain(0, 'thinking', 'a'), ...plain(1, 'text', 'b')]],
    ['of several choices the first is read', [{ choices: [{ index: 1, delta: { content: 'no' } }, { index: 0, delta: { content: 'yes' } }] }], plain(0, 'text', 'yes')],
    ['a name and an id that come late are given before the input', [piece(0, '{"x"'), piece(0, ':1}', { id: 'a' }), piece(0, '', { function: { name: 'f' } }), END], ONE, { generateId: never }],
    ['an id that comes late', [piece(0, '', { function: { name: 'f' } }), piece(0, '{"x"'), piece(0, ':1}', { id: 'a' }), END], ONE, { generateId: never }],
    ['a name and an id that are repeated', [piece(0, '{"x"', F), piece(0, ':1}', F), END], ONE, { generateId: never }],
    ['a call without an id gets one when it ends', [piece(0, '{"x":1}', { id: '', function: { name: 'f' } }), END], call(0, 'f', 'made', '{"x":1}'), made],
    ['text in the middle of a call waits for it', [piece(0, '{"x":', F), chat({ content: 'So' }), piece(0, '1}'), chat({ content: '.' }, 'stop')], [...ONE, ...plain(1, 'text', 'So.')]],
  ])

  test('parallel calls one after the other: the second streams as soon as the first is closed', () => {
    const { log, native } = recorded()
    native.openai(piece(0, '{"x":1}', F))
    native.openai(piece(1, '{"y":', G))
    assert.equal(blocksOf(log).length, 1)
    assert.equal(log.at(-1).chunk, '{"y":')
    native.openai(piece(1, '2}'))
    native.openai(END)
    assert.deepEqual(joined(log), TWO)
  })

  test('interleaved calls: the second waits until the first is closed', () => {
    const { log, native } = recorded()
    native.openai(chat({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":"}' } }, { index: 1, id: 'b', function: { name: 'g', arguments: '{"y":' } }] }))
    assert.equal(blocksOf(log).length, 0, 'a bracket in a string closes nothing')
    for (const [index, text] of [[0, '\\"'], [1, '[2]'], [0, '"}'], [1, '}']]) native.openai(piece(index, text))
    assert.equal(blocksOf(log).length, 1)
    native.openai(END)
    assert.deepEqual(joined(log), [...call(0, 'f', 'a', '{"x":"}\\""}'), ...call(1, 'g', 'b', '{"y":[2]}')])
  })

  test('the name, which may come in pieces, is emitted when the arguments begin', () => {
    const { log, native } = recorded()
    native.openai(piece(0, '', { function: { name: 'f' } }))
    assert.deepEqual(log, call(0, 'f', 'a', '{}').slice(0, 1))
    native.openai(piece(0, '{'))
    assert.deepEqual(log, call(0, 'f', 'a', '{}').slice(0, 2))
  })

  test('a call without a name is incomplete', () => {
    const { blocks, log } = play('openai', [piece(0, '{"x":1}', { id: 'a' }), END])
    assert.deepEqual(blocks, [{ type: 'tool_call', toolId: 'a', input: { x: 1 }, incomplete: true }])
    assert.deepEqual(log.map(({ meta }) => meta?.toolCallPart).filter(Boolean), ['id', 'input'])
  })

  test('the id that is made by default', () => {
    const ids = new Set(Array.from({ length: 100 }, () => play('openai', [piece(0, '{}', { function: { name: 'f' } }), END]).blocks[0].toolId))
    assert.equal(ids.size, 100)
    for (const id of ids) assert.match(id, /^toolu_[0-9A-Za-z]{24}$/)
  })

  const custom = (index, input, more) => chat({ tool_calls: [{ index, ...more, custom: { input, ...more?.custom } }] })
  const begun = [piece(0, '{"x":1}', F), piece(1, '', G)]
  const first = called('a', 'f', { input: { x: 1 } })
  const second = (more) => [first, called('b', 'g', more)]

  blockTests('openai', [
    ['custom tools take free text', [custom(0, 'select', { id: 'a', type: 'custom', custom: { name: 'sql' } }), custom(0, ' 1'), END], [called('a', 'sql', { content: 'select 1' })]],
    [
      'a closed bracket ends no free text',
      [custom(0, '[a]', { id: 'a', custom: { name: 'f' } }), custom(1, '(b)', { id: 'b', custom: { name: 'g' } }), custom(0, ' or [c]'), END],
      [called('a', 'f', { content: '[a] or [c]' }), called('b', 'g', { content: '(b)' })],
    ],
    [
      'arguments after a closed call make no call that could be run',
      [piece(0, '{}', F), chat({ content: 'x' }), piece(0, ' \n'), piece(0, '', F), chat({ content: 'y' }), piece(0, '{"more":1}'), chat({}, 'stop')],
      [called('a', 'f', { input: {} }), { type: 'text', content: 'xy' }, { type: 'tool_call', toolId: 'made', input: { more: 1 }, incomplete: true }],
      made,
    ],
    ['a call that has no arguments at the end', [...begun, END], second({ input: {} })],
    ['cut off by length', [...begun, chat({}, 'length')], second({ input: {}, incomplete: true })],
    ['cut off by the filter', [...begun, chat({}, 'content_filter')], second({ input: {}, incomplete: true })],
    ['cut off by the end of the stream', begun, second({ input: {}, incomplete: true })],
    ['no finish_reason: the end may be missing', [...begun, piece(1, '{"y":2}')], second({ input: { y: 2 }, incomplete: true })],
    ['no finish_reason, and JSON that is cut off', [...begun, piece(1, '{"y"')], second({ content: '{"y"', incomplete: true })],
  ])
})

describe('OpenAI responses', () => {
  const done = (output_index, item) => ({ type: 'response.output_item.done', output_index, item })
  const items = [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }, { type: 'summary_text', text: 'b' }], content: [{ type: 'reasoning_text', text: 'c' }] },
    { type: 'message', content: [{ type: 'output_text', text: 'd' }, { type: 'refusal', refusal: 'e' }] },
    { type: 'function_call', call_id: 'f', name: 'now', arguments: '' },
    { type: 'function_call_output', call_id: 'f', output: [{ type: 'input_text', text: 'noon' }] },
    { type: 'custom_tool_call', call_id: 'g', name: 'sql', input: 'select 1' },
    { type: 'mcp_call', id: 'h', name: 'echo', arguments: '{"x":1}', output: 'i' },
    { type: 'mcp_call', id: 'j', name: 'echo', arguments: '{}', error: { message: 'k' }, output: null },
    { type: 'web_search_call', id: 'ws', status: 'completed' },
  ]
  const want = [
    { type: 'thinking', content: 'c' },
    { type: 'text', content: 'd' }, { type: 'text', content: 'e' },
    called('f', 'now', { input: {}, hosted: true }),
    { type: 'tool_result', toolId: 'f', content: 'noon', hosted: true },
    called('g', 'sql', { content: 'select 1' }),
    called('h', 'echo', { input: { x: 1 }, hosted: true }),
    { type: 'tool_result', toolId: 'h', content: 'i', hosted: true },
    called('j', 'echo', { input: {}, hosted: true }),
    { type: 'tool_result', toolId: 'j', content: '{"message":"k"}', isError: true, hosted: true },
    called('ws', 'web_search', { input: {}, hosted: true }),
  ]

  test('items that are not streamed: complete, in their done events, or only at the end', () => {
    assert.deepEqual(play('message', [{ output: items }]).blocks, want)
    assert.deepEqual(play('openaiResponses', items.map((item, index) => done(index, item))).blocks, want)
    assert.deepEqual(play('openaiResponses', [{ type: 'response.completed', response: { output: items } }]).blocks, want)
    const twice = items.flatMap((item, index) => [done(index, item), done(index, item)])
    assert.deepEqual(play('openaiResponses', [...twice, { type: 'response.completed', response: { output: items } }]).blocks, want)
  })

  test('every part streamed', () => {
    const delta = (type, output_index, delta, more) => ({ type: `response.${type}.delta`, output_index, delta, ...more })
    const events = [
      delta('reasoning_summary_text', 0, 'a', { summary_index: 0 }),
      { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: 0, text: 'a' },
      delta('reasoning_summary_text', 0, 'b', { summary_index: 1 }),
      { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: 1, text: 'b' },
      delta('reasoning_text', 0, 'c', { content_index: 0 }),
      done(0, items[0]),
      delta('output_text', 1, 'd', { content_index: 0 }),
      { type: 'response.output_text.done', output_index: 1, content_index: 0, text: 'd' },
      delta('refusal', 1, 'e', { content_index: 1 }),
      done(1, items[1]),
      { type: 'response.output_item.added', output_index: 2, item: { ...items[2], arguments: '' } },
      { type: 'response.function_call_arguments.done', output_index: 2, arguments: '' },
      done(2, items[2]),
      done(3, items[3]),
      { type: 'response.output_item.added', output_index: 4, item: { ...items[4], input: '' } },
      delta('custom_tool_call_input', 4, 'select'),
      delta('custom_tool_call_input', 4, ' 1'),
      { type: 'response.custom_tool_call_input.done', output_index: 4, input: 'select 1' },
      done(4, items[4]),
      { type: 'response.output_item.added', output_index: 5, item: { ...items[5], arguments: '', output: null } },
      delta('mcp_call_arguments', 5, '{"x":1}'),
      done(5, items[5]),
      { type: 'response.mcp_call_arguments.done', output_index: 6, arguments: '{}' },
      done(6, items[6]),
      done(7, items[7]),
      { type: 'response.completed', response: { output: items } },
    ]
    // A summary that was emitted can't be taken back: the thinking in full is left out.
    const summary = ['a', 'b'].map((content) => ({ type: 'thinking', content }))
    assert.deepEqual(play('openaiResponses', events).blocks, [...summary, ...want.slice(1)])
  })

  test('incomplete, failed and broken off', () => {
    const added = { type: 'response.output_item.added', output_index: 0, item: { type: 'function_call', call_id: 'a', name: 'f', arguments: '' } }
    const delta = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"x":1}' }
    const item = { ...added.item, arguments: '{"x":1}', status: 'incomplete' }
    const cut = [called('a', 'f', { input: { x: 1 }, incomplete: true })]
    assert.deepEqual(play('openaiResponses', [added, delta, done(0, item)]).blocks, [called('a', 'f', { input: { x: 1 } })], 'an item that is done is complete')
    for (const end of [[], [{ type: 'response.incomplete', response: { output: [item] } }], [{ type: 'response.failed', response: { output: [] } }], [{ type: 'error' }], [{ type: 'response.created' }]]) {
      assert.deepEqual(play('openaiResponses', [added, delta, ...end]).blocks, cut)
    }
  })
})

describe('AI SDK', () => {
  const text = (id) => ({ type: 'text-delta', id, text: 'x' })
  const tool = (toolName, part, more = {}) => ({ type: part, toolCallId: toolName === 'f' ? 'a' : 'b', toolName, ...more })
  const input = (toolName, delta, more) => {
    const id = toolName === 'f' ? 'a' : 'b'
    return [{ type: 'tool-input-start', id, toolName, ...more }, ...(delta === undefined ? [] : [{ type: 'tool-input-delta', id, delta }]), { type: 'tool-input-end', id }]
  }
  const step = [{ type: 'start-step' }, { type: 'text-start', id: '0' }, text('0'), { type: 'text-end', id: '0' }, { type: 'finish-step' }]
  const twice = { type: 'tool-call', toolCallId: '', toolName: 'f', input: {} }

  tests('aiSdk', [
    [
      'tools that run while the model still writes: results wait for the open block',
      [
        ...input('f', '{"x":1}'),
        tool('f', 'tool-call', { input: { x: 1 } }),
        input('g')[0],
        tool('f', 'tool-result', { output: { preliminary: 1 }, preliminary: true }),
        tool('f', 'tool-result', { output: { n: 5 } }),
        tool('g', 'tool-call', { input: {} }),
        tool('g', 'tool-error', { error: new Error('broken') }),
        { type: 'finish-step' },
      ],
      [...call(0, 'f', 'a', '{"x":1}'), ...call(1, 'g', 'b', '{}'), ...result(2, 'a', '{"n":5}'), ...result(3, 'b', 'broken', { isError: true })],
    ],
    ['the same ids in the next step', [...step, ...step], [...plain(0, 'text', 'x'), ...plain(1, 'text', 'x')]],
    ['a delta whose start was lost', [text('9')], plain(0, 'text', 'x')],
    ['empty reasoning', [{ type: 'reasoning-start', id: '0' }, { type: 'reasoning-end', id: '0' }], plain(0, 'thinking', '')],
    ['two complete calls with one id are two', [twice, twice], [...call(0, 'f', 'x', '{}'), ...call(1, 'f', 'y', '{}')], { generateId: handOut(['x', 'y']) }],
  ])

  blockTests('aiSdk', [
    [
      'parts of a provider: input as JSON text, results as result',
      [
        { type: 'stream-start', warnings: [] },
        tool('f', 'tool-call', { input: '{"x":1}' }),
        tool('f', 'tool-result', { result: 'r', isError: true }),
        ...input('g', 'free', { inputEncoding: 'text' }),
        tool('g', 'tool-call', { input: 'free' }),
        { type: 'finish', finishReason: 'stop' },
      ],
      [called('a', 'f', { input: { x: 1 }, hosted: true }), { type: 'tool_result', toolId: 'a', content: 'r', isError: true }, called('b', 'g', { content: 'free' })],
    ],
    ...[{ type: 'abort' }, { type: 'error', error: 'x' }, { type: 'finish' }].map((end) => [`a call before ${end.type} is incomplete`, [...input('f'), end], [called('a', 'f', { input: {}, incomplete: true })]]),
    ['input that the SDK could not read is no input', [tool('f', 'tool-call', { input: '{"x":', invalid: true })], [called('a', 'f', { content: '{"x":', incomplete: true })]],
  ])
})

describe('input', () => {
  const of = (text) => play('openai', [piece(0, text, F), chat({}, 'stop')]).blocks[0]
  const chunkOf = (log) => log.find(({ meta }) => meta?.toolCallPart === 'input').chunk

  test('the chunks are the arguments as they came, and input is their JSON', () => {
    const text = ' { "x" : [1, 2.50],\n "y": null } '
    const { log } = play('openai', [...text].map((char, index) => piece(0, char, index === 0 ? F : {})).concat(chat({}, 'stop')))
    assert.equal(chunkOf(log), text)
    assert.deepEqual(log.at(-1).block.input, { x: [1, 2.5], y: null })
  })

  test('text that is not a JSON object is content, and must not be executed', () => {
    for (const content of ['{"x":1', '[1]', '"x"', 'true', '7', '{} {}', 'rm -rf /']) assert.deepEqual(of(content), called('a', 'f', { content, incomplete: true }))
  })

  test('nothing and white space are {}', () => {
    assert.deepEqual(of('').input, {})
    assert.deepEqual(JSON.parse(chunkOf(play('openai', [piece(0, ' \n', F), chat({}, 'stop')]).log)), {})
  })

  test('names like __proto__ are names like others', () => {
    for (const id of ['__proto__', 'constructor', 'toString']) {
      assert.deepEqual(play('aiSdk', [{ type: 'text-delta', id, text: 'x' }, { type: 'text-end', id }]).log, plain(0, 'text', 'x'))
      assert.deepEqual(play('anthropic', [anthropic.start(0, { type: id })]).log, [])
      assert.deepEqual(play('openaiResponses', [{ type: id }, { type: `${id}.delta`, delta: 'x' }]).log, [])
    }
  })

  test('deep and long input', () => {
    const deep = `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    assert.ok(Array.isArray(of(deep).input.x))
    assert.equal(of(`{"x":"${'y'.repeat(5_000_000)}"}`).input.x.length, 5_000_000)
  })
})

describe('bad events', () => {
  test('an event that is not an object is rejected by name', () => {
    for (const method of ['anthropic', 'openai', 'openaiResponses', 'aiSdk']) {
      for (const [value, name] of [['data: {}', 'string "data: {}"'], [null, 'null'], [undefined, 'undefined'], [[], 'an array of 0']]) {
        assert.throws(() => new NativeBlocks()[method](value), (error) => error instanceof TypeError && error.message.includes(`NativeBlocks.${method}`) && error.message.includes(name))
      }
    }
  })

  test('fields of any type never throw', () => {
    const values = [undefined, null, 0, -1, NaN, 1n, true, '', 'x', [], [null], ['x'], {}, { type: 'text' }, Symbol('s'), () => 1, new Date(0)]
    const events = [
      ...eventsOf('anthropic-tools'), ...eventsOf('anthropic-web-search'), ...eventsOf('anthropic-thinking'), ...eventsOf('openai-parallel-tools'), ...eventsOf('openai-responses'),
      { type: 'tool-input-start', id: 'a', toolName: 'f' }, { type: 'tool-input-delta', id: 'a', delta: '{}' }, { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} },
      { type: 'tool-result', toolCallId: 'a', output: 'r' }, { type: 'tool-error', toolCallId: 'a', error: 'r' }, { type: 'text-delta', id: '0', text: 'x' },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'mcp_call', id: 'a', name: 'f', arguments: '{}', output: 'x', error: null, status: 'completed' } },
    ]
    let tried = 0
    for (const event of events) {
      for (const broken of withEachField(event, values)) {
        const method = 'choices' in broken ? 'openai' : String(broken.type).startsWith('response.') ? 'openaiResponses' : /-/.test(String(broken.type)) ? 'aiSdk' : 'anthropic'
        // What can't be an event goes to `onUnknown`.
        play(method, [broken, event, broken], { onUnknown: () => {} })
        play('message', [{ content: [broken, broken.content_block], tool_calls: [broken], stop_reason: broken }, { output: [broken, broken.item] }, { choices: [broken] }])
        tried += 1
      }
    }
    assert.ok(tried > 10_000, `${tried} events`)
  })

  test('a getter that throws reaches the caller, and the next event is read', () => {
    const { log, native } = recorded()
    assert.throws(() => native.anthropic({ get type() { throw new Error('mine') } }), /mine/)
    native.message('ok')
    assert.deepEqual(log, plain(0, 'text', 'ok'))
  })
})

/** Copies of a value, each with one field, at any depth, replaced by each of the values. */
function* withEachField(value, values) {
  for (const key of Object.keys(value)) {
    for (const other of values) yield { ...value, [key]: other }
    if (typeof value[key] !== 'object' || value[key] === null) continue
    for (const other of withEachField(value[key], values)) yield Array.isArray(value) ? value.with(key, other) : { ...value, [key]: Array.isArray(value[key]) ? Object.values(other) : other }
  }
}

describe('misuse', () => {
  test('options are checked by name', () => {
    for (const [options, name] of [[7, 'number 7'], [{ onchunk() {} }, '"onchunk"'], [{ onChunk: 'x' }, 'onChunk'], [{ onBlock: {} }, 'onBlock'], [{ generateId: 'x' }, 'generateId']]) {
      assert.throws(() => new NativeBlocks(options), (error) => error instanceof TypeError && error.message.includes(name), name)
    }
    assert.ok(new NativeBlocks())
  })

  test('feeding after flush is rejected until reset', () => {
    const native = new NativeBlocks()
    const indexOf = (text) => native.message(text).emissions.at(-1).event.index
    assert.equal(indexOf('one'), 0)
    native.flush()
    assert.deepEqual(native.flush(), { emissions: [] })
    for (const method of ['message', 'anthropic', 'openai', 'openaiResponses', 'aiSdk']) assert.throws(() => native[method](method === 'message' ? 'x' : {}), (error) => error instanceof ParseError && error.code === 'finished')
    native.resetForNewIteration()
    assert.equal(indexOf('two'), 1)
    native.flush()
    native.reset()
    assert.equal(indexOf('three'), 0)
  })

  test('reset forgets open and waiting blocks', () => {
    const native = new NativeBlocks()
    native.openai(piece(0, '{"x":', F))
    native.openai(piece(1, '{}', G))
    native.reset()
    assert.deepEqual(native.flush().emissions, [])
  })

  test('feeding from inside a callback is rejected, and the callback may go on', () => {
    let tried = 0
    const native = new NativeBlocks({
      onChunk() {
        for (const [method, arg] of [['message', 'x'], ['flush'], ['reset'], ['resetForNewIteration'], ['emitToolResults', []]]) {
          assert.throws(() => native[method](arg), { name: 'ParseError', code: 'reentrant' })
          tried += 1
        }
      },
    })
    for (let at = 0; at < 2; at++) assert.equal(native.message('ok').emissions.length, 3)
    assert.equal(tried, 10)
  })

  test('generateId that throws or returns no string: the block is emitted, then the error is thrown', () => {
    for (const [generateId, message] of [[() => { throw new Error('mine') }, /mine/], [() => 7, /generateId.*number 7/], [() => '', /generateId.*string ""/]]) {
      const { log, native } = recorded({ generateId })
      assert.throws(() => native.message({ content: '', tool_calls: [{ function: { name: 'f', arguments: '{}' } }] }), message)
      assertOrder(log)
      assert.equal(blocksOf(log)[0].toolName, 'f')
      assert.deepEqual(native.flush().emissions, [])
    }
  })
})

describe('linear', () => {
  const shapes = {
    'one call in small pieces': (count) => [piece(0, '{"x":"', F), ...Array.from({ length: count }, () => piece(0, 'xxxx')), piece(0, '"}'), chat({}, 'stop')],
    'two calls by turns that look closed': (count) => [piece(0, '"', F), piece(1, '"', G), ...Array.from({ length: count }, (_, index) => piece(index % 2, '{}}}')), chat({}, 'stop')],
    'an id that never comes': (count) => [piece(0, '', { function: { name: 'f' } }), ...Array.from({ length: count }, () => piece(0, 'xxxx')), chat({}, 'stop')],
    'calls that all wait for the first': (count) => [piece(0, '{', F), ...Array.from({ length: count }, (_, index) => piece(index + 1, '{}', { id: `b${index}`, function: { name: 'g' } })), chat({}, 'stop')],
  }
  for (const [name, shape] of Object.entries(shapes)) {
    test(name, () => {
      const time = (count) => {
        const events = shape(count)
        const start = performance.now()
        const blocks = new NativeBlocks()
        for (const event of events) blocks.openai(event)
        blocks.flush()
        return performance.now() - start
      }
      // 16 times the events take about 16 times as long; a quadratic reader takes 256 times.
      // A busy machine can only spoil a round, so the best of a few counts.
      const ratios = []
      while (ratios.length < 6 && !ratios.some((ratio) => ratio < 40)) {
        const [few, many] = [time(8_000), time(128_000)]
        ratios.push(many / few)
      }
      assert.ok(Math.min(...ratios) < 64, `16 times the events took ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')} times as long`)
    })
  }
})
