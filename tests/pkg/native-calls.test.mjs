// Which call a delta of a provider belongs to, and what it is run with: spec/policy.md, 2, 3, 17, 18, 19.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NativeBlocks, readReply } from 'tokenweir'

/** The completed blocks of events, and the joined chunks of each part of their calls. */
function blocksOf(method, events, options) {
  const blocks = []
  const inputs = []
  const names = []
  const native = new NativeBlocks({
    generateId: () => 'made',
    onBlock: ({ event, block }) => event === 'block_complete' && blocks.push(block),
    onChunk: (text, { blockIndex, toolCallPart, toolName }) => {
      if (toolCallPart === 'input') inputs[blockIndex] = (inputs[blockIndex] ?? '') + text
      if (toolCallPart === 'name') names[blockIndex] = [...(names[blockIndex] ?? []), text, toolName]
    },
    ...options,
  })
  for (const event of events) native[method](event)
  native.flush()
  for (const [at, { toolName }] of blocks.entries()) if (toolName !== undefined) assert.deepEqual(names[at], [toolName, toolName])
  // A call's input is what its chunks are.
  for (const [at, block] of blocks.entries()) if (block.input !== undefined) assert.deepEqual(JSON.parse(inputs[at]), block.input)
  return blocks
}

const chat = (delta, finish_reason = null) => ({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
const chatCall = (text, more) => chat({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'now', arguments: text }, ...more }] })
const end = chat({}, 'tool_calls')

describe('arguments that are absent', () => {
  const FORMS = ['', ' ', '\n', 'null', ' null\n', '"null"', '""', undefined, null]
  for (const text of FORMS) {
    test(`${JSON.stringify(text)} is {}`, () => {
      const call = { type: 'tool_call', toolId: 'a', toolName: 'now', input: {} }
      assert.deepEqual(blocksOf('openai', [chatCall(text), end]), [call])
      const letters = [...(text ?? '')].map((letter) => chat({ tool_calls: [{ index: 0, function: { arguments: letter } }] }))
      assert.deepEqual(blocksOf('openai', [chatCall(''), ...letters, end]), [call])
    })
  }
  // What isn't absent, and can't be read: tests/policy, rule 3.
})

/** Names and inputs of the calls to run, and how many others there are. */
function callsOf(method, events) {
  const blocks = blocksOf(method, events).filter(({ type }) => type === 'tool_call')
  const whole = blocks.filter(({ incomplete, hosted }) => !incomplete && !hosted)
  assert.equal(new Set(blocks.map(({ toolId }) => toolId)).size > 0 || blocks.length === 0, true)
  return { calls: whole.map(({ toolName, input }) => [toolName, input]), others: blocks.length - whole.length }
}

const two = [['f', { p: 1 }], ['g', { p: 2 }]]
const piece = (index, name, text, more) => ({ ...(index !== undefined && { index }), type: 'function', ...more, function: { ...(name !== undefined && { name }), ...(text !== undefined && { arguments: text }) } })
const calls = (...pieces) => chat({ tool_calls: pieces })

/** What OpenAI-like servers send: one line each, as chunks, and the calls. */
const CHAT = [
  ['index 0 for all, ids differ', [calls(piece(0, 'f', '{"p":1}', { id: 'a' })), calls(piece(0, 'g', '{"p":2}', { id: 'b' })), end], two],
  ['index 0 for all, ids differ, arguments in pieces', [calls(piece(0, 'f', '', { id: 'a' })), calls(piece(0, undefined, '{"p"')), calls(piece(0, undefined, ':1}')), calls(piece(0, 'g', '', { id: 'b' })), calls(piece(0, undefined, '{"p":')), calls(piece(0, undefined, '2}')), end], two],
  ['index 0 for all, interleaved, each delta with its id', [calls(piece(0, 'f', '', { id: 'a' })), calls(piece(0, 'g', '', { id: 'b' })), calls(piece(0, undefined, '{"p":', { id: 'a' })), calls(piece(0, undefined, '{"p":2}', { id: 'b' })), calls(piece(0, undefined, '1}', { id: 'a' })), end], two],
  ['index 0 for all, no ids, names differ', [calls(piece(0, 'f', '{"p":1}')), calls(piece(0, 'g', '{"p":2}')), end], two],
  ['index 0 for all, empty ids, arguments in pieces', [calls(piece(0, 'f', '{"p"', { id: '' })), calls(piece(0, '', ':1}', { id: '' })), calls(piece(0, 'g', '', { id: '' })), calls(piece(0, null, '{"p":2}', { id: null })), end], two],
  ['index 0 for all, no ids, the same name', [calls(piece(0, 'f', '{"p":1}')), calls(piece(0, 'f', '{"p":2}')), end], [['f', { p: 1 }], ['f', { p: 2 }]]],
  ['the same, the name alone first', [calls(piece(0, 'f', '')), calls(piece(0, undefined, '{"p":1}')), calls(piece(0, 'f', '')), calls(piece(0, undefined, '{"p":2}')), end], [['f', { p: 1 }], ['f', { p: 2 }]]],
  ['no index, no ids', [calls(piece(undefined, 'f', '{"p":1}')), calls(piece(undefined, 'g', '{"p":2}')), end], two],
  ['no index, no ids, arguments in pieces', [calls(piece(undefined, 'f', '{"p"')), calls(piece(undefined, undefined, ':1}')), calls(piece(undefined, 'g', '{"p":2')), calls(piece(undefined, undefined, '}')), end], two],
  ['no index, ids', [calls(piece(undefined, 'f', '{"p"', { id: 'a' })), calls(piece(undefined, 'g', '{"p":2}', { id: 'b' })), calls(piece(undefined, undefined, ':1}', { id: 'a' })), end], two],
  ['no index, no ids, two in one delta', [calls(piece(undefined, 'f', '{"p":1}'), piece(undefined, 'g', '{"p":2}')), end], two],
  ['the same in pieces', [calls(piece(undefined, 'f', '{"p"'), piece(undefined, 'g', '{"p"')), calls(piece(undefined, undefined, ':1}'), piece(undefined, undefined, ':2}')), end], two],
  ['an id twice for two calls', [calls(piece(0, 'f', '{"p":1}', { id: 'a' })), calls(piece(1, 'g', '{"p":2}', { id: 'a' })), end], two],
  ['the id with each delta', [calls(piece(0, 'f', '{"p"', { id: 'a' })), calls(piece(0, undefined, ':1}', { id: 'a' })), calls(piece(1, 'g', '{"p":2}', { id: 'b' })), end], two],
  ['another id with each delta', [calls(piece(0, 'f', '{"p"', { id: 'a' })), calls(piece(0, undefined, ':1}', { id: 'b' })), end], [two[0]]],
  ['a late id', [calls(piece(0, 'f', '{"p"')), calls(piece(0, undefined, ':1}', { id: 'a' })), calls(piece(1, 'g', '{"p":2}')), end], two],
  ['the name with each delta', [calls(piece(0, 'f', '{"p"', { id: 'a' })), calls(piece(0, 'f', ':1}', { id: 'a' })), calls(piece(0, 'f', '', { id: 'a' })), end], [two[0]]],
  ['the name with each delta, no ids', [calls(piece(0, 'f', '{"p"')), calls(piece(0, 'f', ':1}')), calls(piece(0, 'f', '')), end], [two[0]]],
  ['the name in pieces', [calls(piece(0, 'get_', '', { id: 'a' })), calls(piece(0, 'wea', undefined)), calls(piece(0, 'ther', '{"p"')), calls(piece(0, undefined, ':1}')), end], [['get_weather', { p: 1 }]]],
  ['the name in pieces, no arguments', [calls(piece(0, 'no', '', { id: 'a' })), calls(piece(0, 'w', '', { id: 'a' })), end], [['now', {}]]],
  ['arguments as an object', [calls(piece(0, 'f', { p: 1 }, { id: 'a' })), calls(piece(1, 'g', { p: 2 }, { id: 'b' })), end], two],
  ['an empty object before the arguments', [calls(piece(0, 'f', {}, { id: 'a' })), calls(piece(0, undefined, '{"p"')), calls(piece(0, undefined, ':1}')), end], [two[0]]],
  ['{} before the arguments', [calls(piece(0, 'f', '{}', { id: 'a' })), calls(piece(0, 'f', '{"p":1}', { id: 'a' })), end], [two[0]]],
  ['{} alone', [calls(piece(0, 'f', '{}')), calls(piece(0, 'g', '{}')), end], [['f', {}], ['g', {}]]],
  ['null, then another call at its place', [calls(piece(0, 'f', 'null')), calls(piece(0, 'g', 'null')), end], [['f', {}], ['g', {}]]],
  ['the whole call again at the end', [calls(piece(0, 'f', '{"p"', { id: 'a' })), calls(piece(0, undefined, ':1}')), chat({ tool_calls: [piece(0, 'f', '{"p":1}', { id: 'a' })] }, 'tool_calls')], [two[0]]],
  ['the arguments again at the end', [calls(piece(0, 'f', '{"p":1}', { id: 'a' })), chat({ content: '' }), calls(piece(0, undefined, '{"p":1}')), end], [two[0]]],
  ['the reason to finish before the calls', [chat({ content: 'Hi' }), end, calls(piece(0, 'f', '{"p"', { id: 'a' })), calls(piece(0, undefined, ':1}')), calls(piece(1, 'g', '{"p":2}', { id: 'b' }))], two],
  ['the reason to finish within the arguments', [calls(piece(0, 'f', '{"p"', { id: 'a' })), end, calls(piece(0, undefined, ':1}'))], [two[0]]],
  ['the message at the end', [calls(piece(0, 'f', '{"p":1}', { id: 'a' })), { id: 'x', object: 'chat.completion', choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls: [piece(0, 'f', '{"p":1}', { id: 'a' }), piece(1, 'g', '{"p":2}', { id: 'b' })] } }] }], two],
  ['the message at the end, with the rest of an open call', [calls(piece(0, 'f', '{"p"', { id: 'a' })), { id: 'x', object: 'chat.completion', choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', tool_calls: [piece(0, 'f', '{"p":1}', { id: 'a' })] } }] }], [two[0]]],
  ['function_call', [chat({ function_call: { name: 'f', arguments: '' } }), chat({ function_call: { arguments: '{"p":1}' } }), chat({}, 'function_call')], [two[0]]],
  ['function_call twice', [chat({ function_call: { name: 'f', arguments: '{"p":1}' } }), chat({ function_call: { name: 'g', arguments: '{"p":2}' } }), chat({}, 'function_call')], two],
]

describe('which call a delta belongs to', () => {
  for (const method of ['openai', 'event', 'mistral']) {
    for (const [name, events, expected] of CHAT) test(`${method}: ${name}`, () => assert.deepEqual(callsOf(method, events), { calls: expected, others: 0 }))
  }

  test('a call that is not whole is not a call, however it ends', () => {
    const open = calls(piece(0, 'f', '{"p":', { id: 'a' }))
    for (const events of [[open], [open, end], [open, chat({}, 'length')], [open, chat({ content: 'Hi' }), end], [calls(piece(0, 'f', '{"p":1}', { id: 'a' }))], [calls(piece(0, undefined, '{"p":1}', { id: 'a' })), end]]) {
      assert.deepEqual(callsOf('openai', events), { calls: [], others: 1 })
    }
  })

  test('ids are never the same', () => {
    const ids = blocksOf('openai', [calls(piece(0, 'f', '{"p":1}', { id: 'a' })), calls(piece(1, 'g', '{"p":2}', { id: 'a' })), end]).map(({ toolId }) => toolId)
    assert.deepEqual(ids, ['a', 'made'])
  })

  test('the next reply of the same numbers', () => {
    const reply = (id) => [calls(piece(0, 'f', '', { id: 'call_0' })), calls(piece(0, undefined, '{"p":1}')), end].map((event) => ({ ...event, id }))
    assert.deepEqual(callsOf('openai', [...reply('x'), ...reply('y')]), { calls: [two[0], two[0]], others: 0 })
  })
})

const message = (type, more) => ({ type, ...more })
const blockStart = (index, content_block) => message('content_block_start', { index, content_block })
const tool = (index, id, name, input = {}) => blockStart(index, { type: 'tool_use', id, name, input })
const json = (index, partial_json) => message('content_block_delta', { ...(index !== undefined && { index }), delta: { type: 'input_json_delta', partial_json } })
const say = (index, text) => message('content_block_delta', { index, delta: { type: 'text_delta', text } })
const think = (index, thinking) => message('content_block_delta', { index, delta: { type: 'thinking_delta', thinking } })
const stopped = (index) => message('content_block_stop', { index })
const reason = (stop_reason) => message('message_delta', { delta: { stop_reason } })
const over = [reason('tool_use'), message('message_stop')]

const ANTHROPIC = [
  ['no ends of blocks', [message('message_start'), blockStart(0, { type: 'text', text: '' }), say(0, 'Hi'), tool(1, 'a', 'f'), json(1, '{"p":1}'), tool(2, 'b', 'g'), json(2, '{"p":2}'), ...over], two],
  ['index 0 for all', [tool(0, 'a', 'f'), json(0, '{"p":1}'), stopped(0), tool(0, 'b', 'g'), json(0, '{"p":2}'), stopped(0), ...over], two],
  ['index 0 for all, no ends', [tool(0, 'a', 'f'), json(0, '{"p":1}'), tool(0, 'b', 'g'), json(0, '{"p":2}'), ...over], two],
  ['deltas without an index', [tool(0, 'a', 'f'), json(undefined, '{"p"'), json(undefined, ':1}'), tool(1, 'b', 'g'), json(undefined, '{"p":2}'), ...over], two],
  ['the input at the start', [tool(0, 'a', 'f', { p: 1 }), tool(1, 'b', 'g', { p: 2 }), ...over], two],
  ['no message_stop', [tool(0, 'a', 'f'), json(0, '{"p":1}'), tool(1, 'b', 'g'), json(1, '{"p":2}'), reason('tool_use')], two],
  ['no stop_reason', [tool(0, 'a', 'f'), json(0, '{"p":1}'), tool(1, 'b', 'g'), json(1, '{"p":2}'), message('message_stop')], two],
  ['no arguments, no ends', [tool(0, 'a', 'f'), tool(1, 'b', 'g'), ...over], [['f', {}], ['g', {}]]],
  ['null as input', [tool(0, 'a', 'f'), json(0, 'null'), stopped(0), tool(1, 'b', 'g'), json(1, ''), stopped(1), ...over], [['f', {}], ['g', {}]]],
  ['the message at the end', [tool(0, 'a', 'f'), json(0, '{"p":1}'), stopped(0), message('message', { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: { p: 1 } }, { type: 'tool_use', id: 'b', name: 'g', input: { p: 2 } }], stop_reason: 'tool_use' })], two],
]

describe('Anthropic and its like', () => {
  for (const method of ['anthropic', 'event']) {
    for (const [name, events, expected] of ANTHROPIC) test(`${method}: ${name}`, () => assert.deepEqual(callsOf(method, events), { calls: expected, others: 0 }))
  }

  test('text and thinking whose end is left out end where the next block begins', () => {
    const native = new NativeBlocks()
    const done = (event) => native.anthropic(event).emissions.filter(({ event }) => event?.event === 'block_complete').map(({ event }) => event.block)
    native.anthropic(blockStart(0, { type: 'thinking', thinking: '' }))
    native.anthropic(think(0, 'Hm.'))
    assert.deepEqual(done(blockStart(1, { type: 'text', text: '' })), [{ type: 'thinking', content: 'Hm.' }])
    native.anthropic(say(1, 'Hi'))
    assert.deepEqual(done(tool(2, 'a', 'f')), [{ type: 'text', content: 'Hi' }])
    // A delta of a block that has ended is no less the model's.
    assert.deepEqual([...done(json(2, '{}')), ...done(say(1, '!')), ...done(reason('tool_use'))].map(({ content, input }) => content ?? input), [{}, '!'])
  })

  test('a call that is cut off is not a call', () => {
    for (const events of [[tool(0, 'a', 'f'), json(0, '{"p"')], [tool(0, 'a', 'f'), stopped(0), reason('max_tokens')], [tool(0, 'a', 'f'), reason('max_tokens')], [tool(0, 'a', 'f'), json(0, '{"p"'), ...over]]) {
      assert.deepEqual(callsOf('anthropic', events), { calls: [], others: 1 })
    }
  })
})

describe('thinking that was cut off', () => {
  const cut = { type: 'thinking', content: 'Hm', incomplete: true }
  const whole = { type: 'thinking', content: 'Hm' }
  const gemini = (text, finishReason) => ({ candidates: [{ index: 0, content: { parts: [{ text, thought: true }] }, ...(finishReason && { finishReason }) }] })
  const ollama = (done_reason) => ({ message: { role: 'assistant', content: '', thinking: 'Hm' }, done: done_reason !== undefined, ...(done_reason && { done_reason }) })
  const bedrock = (stopReason) => [{ contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm' } } } }, ...(stopReason ? [{ contentBlockStop: { contentBlockIndex: 0 } }, { messageStop: { stopReason } }] : [])]
  const cohere = (finish_reason) => [{ type: 'content-start', index: 0, delta: { message: { content: { type: 'thinking', thinking: '' } } } }, { type: 'content-delta', index: 0, delta: { message: { content: { thinking: 'Hm' } } } }, ...(finish_reason ? [{ type: 'content-end', index: 0 }, { type: 'message-end', delta: { finish_reason } }] : [])]
  const responses = (type, reason) => [{ type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'Hm' }, ...(type ? [{ type: 'response.reasoning_text.done', output_index: 0, content_index: 0, text: 'Hm' }, { type, response: { status: type.slice(9), output: [], ...(reason && { incomplete_details: { reason } }) } }] : [])]
  const sdk = (finishReason) => [{ type: 'reasoning-start', id: '0' }, { type: 'reasoning-delta', id: '0', text: 'Hm' }, ...(finishReason ? [{ type: 'reasoning-end', id: '0' }, { type: 'finish', finishReason }] : [])]
  const agUi = (finishReason) => [{ type: 'REASONING_MESSAGE_START', messageId: 'r', role: 'reasoning' }, { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'Hm' }, ...(finishReason ? [{ type: 'REASONING_MESSAGE_END', messageId: 'r' }, { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: { finishReason } }] : [])]
  const STREAMS = {
    openai: { cut: [[chat({ reasoning_content: 'Hm' })], [chat({ reasoning_content: 'Hm' }), chat({}, 'length')], [chat({ reasoning_content: 'Hm' }, 'length')]], whole: [[chat({ reasoning_content: 'Hm' }, 'stop')]] },
    mistral: { cut: [[chat({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }, 'length')]], whole: [[chat({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }, 'stop')]] },
    anthropic: { cut: [[think(0, 'Hm')], [think(0, 'Hm'), stopped(0), reason('max_tokens'), message('message_stop')], [think(0, 'Hm'), reason('max_tokens')]], whole: [[think(0, 'Hm'), stopped(0), reason('end_turn')], [think(0, 'Hm'), stopped(0)]] },
    gemini: { cut: [[gemini('Hm')], [gemini('Hm', 'MAX_TOKENS')]], whole: [[gemini('Hm', 'STOP')]] },
    ollama: { cut: [[ollama()], [ollama('length')]], whole: [[ollama('stop')]] },
    bedrock: { cut: [bedrock(), bedrock('max_tokens')], whole: [bedrock('end_turn')] },
    cohere: { cut: [cohere(), cohere('MAX_TOKENS')], whole: [cohere('COMPLETE')] },
    openaiResponses: { cut: [responses(), responses('response.incomplete', 'max_output_tokens')], whole: [responses('response.completed')] },
    aiSdk: { cut: [sdk(), sdk('length')], whole: [sdk('stop')] },
    agUi: { cut: [agUi(), agUi('length')], whole: [agUi('stop')] },
  }
  for (const [method, streams] of Object.entries(STREAMS)) {
    test(method, () => {
      for (const events of streams.cut) assert.deepEqual(blocksOf(method, events), [cut])
      for (const events of streams.whole) assert.deepEqual(blocksOf(method, events), [whole])
    })
  }
  test('in whole replies', () => {
    const native = (reply) => blocksOf('message', [reply])
    assert.deepEqual(native({ content: [{ type: 'thinking', thinking: 'Hm' }], stop_reason: 'max_tokens' }), [cut])
    assert.deepEqual(native({ content: [{ type: 'thinking', thinking: 'Hm' }], stop_reason: 'end_turn' }), [whole])
    assert.deepEqual(native({ choices: [{ message: { reasoning_content: 'Hm', content: null }, finish_reason: 'length' }] }), [cut])
  })
})

describe('OpenAI Responses', () => {
  const done = (output_index, item) => ({ type: 'response.output_item.done', output_index, item })
  const added = (output_index, item) => ({ type: 'response.output_item.added', output_index, item })
  const delta = (item_id, output_index, text) => ({ type: 'response.function_call_arguments.delta', item_id, output_index, delta: text })
  const fn = (id, call_id, name, text, status) => ({ type: 'function_call', id, call_id, name, arguments: text, ...(status && { status }) })
  const completed = (output, more) => ({ type: 'response.completed', response: { status: 'completed', output, ...more } })
  const items = [fn('1', 'a', 'f', '{"p":1}'), fn('2', 'b', 'g', '{"p":2}')]
  const begun = [fn('1', 'a', 'f', ''), fn('2', 'b', 'g', '')]
  const CASES = [
    ['positions are all 0', [added(0, begun[0]), added(0, begun[1]), delta('1', 0, '{"p"'), delta('2', 0, '{"p":2}'), delta('1', 0, ':1}'), done(0, items[0]), done(0, items[1]), completed(items)]],
    ['no positions', [added(undefined, begun[0]), delta('1', undefined, '{"p":1}'), added(undefined, begun[1]), delta('2', undefined, '{"p":2}'), done(undefined, items[0]), done(undefined, items[1]), completed(items)]],
    ['no positions, no ids', [added(undefined, { ...begun[0], id: undefined }), delta(undefined, undefined, '{"p":1}'), added(undefined, { ...begun[1], id: undefined }), delta(undefined, undefined, '{"p":2}'), completed(items)]],
    ['another id in each event', [added(0, begun[0]), delta('x', 0, '{"p":1}'), done(0, { ...items[0], id: 'y' }), added(1, { ...begun[1], id: 'z' }), delta('u', 1, '{"p":2}'), done(1, { ...items[1], id: 'v' }), completed(items.map((item) => ({ ...item, id: 'w' })))]],
    ['positions that the output at the end has not', [added(3, begun[0]), delta('1', 3, '{"p":1}'), done(3, items[0]), added(7, begun[1]), done(7, items[1]), completed(items)]],
    ['finished items alone', [done(0, items[0]), done(1, items[1])]],
    ['the end alone', [completed(items)]],
    ['items in progress in a response that is completed', [completed(items.map((item) => ({ ...item, status: 'in_progress' })))]],
    ['the response after its events', [done(0, items[0]), done(1, items[1]), { object: 'response', status: 'completed', output: items }]],
  ]
  for (const method of ['openaiResponses', 'event']) for (const [name, events] of CASES) test(`${method}: ${name}`, () => assert.deepEqual(callsOf(method, events), { calls: two, others: 0 }))

  test('a text that comes again counts once', () => {
    const text = (id, text) => ({ type: 'message', id, content: [{ type: 'output_text', text }] })
    const say = (item_id, output_index, delta) => ({ type: 'response.output_text.delta', item_id, output_index, content_index: 0, delta })
    const whole = [text('m', 'Hello'), text('n', 'World')]
    for (const output of [whole, whole.map((item) => ({ ...item, id: 'other' }))]) {
      for (const index of [0, undefined]) {
        const events = [added(index, text('m', '')), say('m', index, 'Hel'), say('m', index, 'lo'), done(index, whole[0]), added(index, text('n', '')), say('n', index, 'World'), done(index, whole[1]), completed(output)]
        assert.deepEqual(blocksOf('openaiResponses', events).map(({ content }) => content), ['Hello', 'World'])
      }
    }
    assert.deepEqual(blocksOf('openaiResponses', [say('m', 0, 'Hel'), completed(whole)]).map(({ content }) => content), ['Hello', 'World'])
  })

  test('an item in progress is no call in a response that is not completed, one that is incomplete in none', () => {
    const reply = (status, own) => blocksOf('message', [{ status, output: [fn('1', 'a', 'f', '{"p":1}', own)] }])[0].incomplete
    assert.deepEqual([reply('completed', 'in_progress'), reply('completed', 'incomplete'), reply('incomplete', 'in_progress'), reply(undefined, 'in_progress')], [undefined, true, true, true])
  })

  // Those that are hosted as the events come: tests/policy, rule 9.
  test('a call with its output, and the tools of xAI are hosted, in whole replies too; others are not', () => {
    const shell = (environment) => ({ type: 'shell_call', id: 's', call_id: 'c', status: 'completed', action: { commands: ['ls'] }, environment })
    const custom = (name, call_id) => ({ type: 'custom_tool_call', id: 't', call_id, name, input: 'x' })
    const output = { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'a' }] }
    const hosted = (reply) => blocksOf('message', [reply]).map((block) => block.hosted === true)
    const streamed = (reply) => blocksOf('event', [{ type: 'response.created', response: { ...reply, status: 'in_progress', output: [] } }, ...reply.output.map((item, index) => done(index, item)), { type: 'response.completed', response: reply }]).map((block) => block.hosted === true)
    for (const [output_, expected, model = 'gpt-5'] of [
      [[shell({ type: 'local' })], [false]],
      [[shell(null)], [false]],
      [[shell(undefined), output], [true, true]],
      [[fn('1', 'a', 'f', '{}'), { type: 'function_call_output', call_id: 'a', output: 'x' }], [true, true]],
      [[custom('x_keyword_search', 'call_1')], [false]],
      [[custom('x_keyword_search', 'call_1')], [true], 'grok-4-fast'],
      [[custom('mine', 'call_1')], [false], 'grok-4-fast'],
    ]) {
      const reply = { status: 'completed', model, output: output_ }
      assert.deepEqual(hosted(reply), expected)
      assert.deepEqual(streamed(reply), expected)
    }
  })
})

describe("Google's Interactions", () => {
  const event = (event_type, more) => ({ event_type, ...more })
  const start = (index, step) => event('step.start', { index, step })
  const delta = (index, delta) => event('step.delta', { index, delta })
  const stop = (index) => event('step.stop', { index })
  const completed = (status, usage) => event('interaction.completed', { interaction: { id: '', object: 'interaction', status, ...(usage && { usage }) } })
  const created = event('interaction.created', { interaction: { id: '', object: 'interaction', status: 'in_progress' } })
  const usage = { total_input_tokens: 5, total_output_tokens: 3, total_thought_tokens: 4, total_tokens: 12 }
  const events = [
    created,
    event('interaction.status_update', { interaction_id: '', status: 'in_progress' }),
    start(0, { type: 'thought', summary: [{ type: 'text', text: 'H' }] }),
    delta(0, { type: 'thought_summary', content: { type: 'text', text: 'm.' } }),
    delta(0, { type: 'thought_signature', signature: 'x' }),
    stop(0),
    start(1, { type: 'google_search_call', id: 's' }),
    delta(1, { type: 'google_search_call', arguments: { queries: ['rain'] } }),
    stop(1),
    start(2, { type: 'google_search_result', call_id: 's' }),
    delta(2, { type: 'google_search_result', result: [{ title: 'Rain' }] }),
    stop(2),
    start(3, { type: 'model_output' }),
    delta(3, { type: 'text', text: 'Let me ' }),
    delta(3, { type: 'text', text: 'see.' }),
    delta(3, { type: 'text_annotation_delta', annotations: [] }),
    stop(3),
    start(4, { type: 'function_call', id: 'c', name: 'search', arguments: {} }),
    delta(4, { type: 'arguments_delta', arguments: '{"q":' }),
    delta(4, { type: 'arguments_delta', arguments: '"rain"}' }),
    stop(4),
    start(5, { type: 'mcp_server_tool_call', id: 'm', name: 'echo', arguments: { a: 1 } }),
    stop(5),
    start(6, { type: 'function_call', id: 'n', name: 'now' }),
    stop(6),
    completed('requires_action', usage),
  ]
  const steps = [
    { type: 'user_input', content: [{ type: 'text', text: 'Hi' }] },
    { type: 'thought', signature: 'x', summary: [{ type: 'text', text: 'Hm.' }] },
    { type: 'google_search_call', id: 's', arguments: { queries: ['rain'] } },
    { type: 'google_search_result', call_id: 's', result: [{ title: 'Rain' }] },
    { type: 'model_output', content: [{ type: 'text', text: 'Let me ' }, { type: 'text', text: 'see.' }] },
    { type: 'function_call', id: 'c', name: 'search', arguments: { q: 'rain' } },
    { type: 'mcp_server_tool_call', id: 'm', name: 'echo', arguments: { a: 1 } },
    { type: 'function_call', id: 'n', name: 'now' },
  ]
  const reply = { id: 'i', object: 'interaction', status: 'requires_action', steps, usage }
  const want = [
    { type: 'thinking', content: 'Hm.' },
    { type: 'tool_call', toolId: 's', toolName: 'google_search', input: { queries: ['rain'] }, hosted: true },
    { type: 'tool_result', toolId: 's', content: '[{"title":"Rain"}]', hosted: true },
    { type: 'text', content: 'Let me see.' },
    { type: 'tool_call', toolId: 'c', toolName: 'search', input: { q: 'rain' } },
    { type: 'tool_call', toolId: 'm', toolName: 'echo', input: { a: 1 }, hosted: true },
    { type: 'tool_call', toolId: 'n', toolName: 'now', input: {} },
  ]

  test('a stream, by its method and detected; a whole interaction; and both', () => {
    for (const method of ['interactions', 'event']) {
      assert.deepEqual(blocksOf(method, events), want)
      assert.deepEqual(blocksOf(method, [...events, reply]), want)
      assert.deepEqual(blocksOf(method, [...events.slice(0, -1), event('interaction.completed', { interaction: reply })]), want)
    }
    assert.deepEqual(blocksOf('message', [reply]), want)
  })

  test('the reason and the usage', () => {
    const read = (all) => {
      const native = new NativeBlocks()
      for (const each of all) native.interactions(each)
      return [native.getFinishReason(), native.getUsage()?.outputTokens]
    }
    assert.deepEqual(read(events), ['tool-calls', 7])
    assert.deepEqual(read([created]), [undefined, undefined])
    const ends = { completed: 'stop', incomplete: 'length', failed: 'error', cancelled: 'other', requires_action: 'tool-calls' }
    for (const [status, reason] of Object.entries(ends)) assert.equal(read([created, completed(status)])[0], reason)
    assert.equal(read([created, start(0, { type: 'function_call', id: 'c', name: 'f' }), stop(0), completed('completed')])[0], 'tool-calls')
    assert.equal(read([created, start(0, { type: 'google_search_call', id: 'c' }), stop(0), completed('completed')])[0], 'stop')
  })

  test('what is cut off, errors, and what is not known', () => {
    const open = [created, start(0, { type: 'function_call', id: 'c', name: 'f' }), delta(0, { type: 'arguments_delta', arguments: '{"a":' })]
    for (const end of [[], [completed('incomplete')], [completed('completed')]]) assert.deepEqual(callsOf('interactions', [...open, ...end]), { calls: [], others: 1 })
    assert.deepEqual(callsOf('interactions', [...open, delta(0, { type: 'arguments_delta', arguments: '1}' }), completed('requires_action')]), { calls: [['f', { a: 1 }]], others: 0 })
    const errors = []
    new NativeBlocks({ onError: ({ code, message }) => errors.push([code, message]) }).event(event('error', { error: { code: 'overloaded', message: 'wait' } }))
    assert.deepEqual(errors, [['overloaded', 'wait']])
    const unknown = []
    for (const each of [created, start(0, { type: 'new' }), delta(0, { type: 'new' }), event('interaction.new')]) new NativeBlocks({ onUnknown: (event) => unknown.push(event) }).interactions(each)
    assert.equal(unknown.length, 3)
  })
})

describe('readReply', () => {
  const read = (events, options) => readReply(events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''), { generateId: () => 'made', ...options }).result()
  const runs = async (events, options) => (await read(events, options)).toolCalls.map(({ toolName, args }) => [toolName, args])

  test('[DONE] is a declared end, the end of the stream is not', async () => {
    const whole = calls(piece(0, 'f', '{"p":1}', { id: 'a' }))
    assert.deepEqual(await runs([whole, '[DONE]']), [two[0]])
    assert.deepEqual(await runs([whole]), [])
    assert.deepEqual(await runs([calls(piece(0, 'f', '{"p":', { id: 'a' })), '[DONE]']), [])
    assert.equal((await read([whole, '[DONE]'])).finishReason, undefined)
  })

  test('with tools, no arguments are only those of a tool that requires none', async () => {
    const tools = { now: { type: 'object', properties: {} }, f: { type: 'object', properties: { p: { type: 'number' } }, required: ['p'] } }
    for (const text of ['', 'null', '""', undefined]) {
      const { blocks, toolCalls } = await read([calls(piece(0, 'f', text, { id: 'a' })), calls(piece(1, 'now', text, { id: 'b' })), calls(piece(2, 'other', text, { id: 'c' })), end], { tools })
      assert.deepEqual(toolCalls.map(({ toolName, args }) => [toolName, args]), [['now', {}], ['other', {}]])
      assert.deepEqual([blocks[0].incomplete, blocks[0].problem, blocks[0].input, blocks[0].content], [true, 'missing-arguments', undefined, text ?? ''])
    }
    assert.deepEqual(await runs([calls(piece(0, 'f', '{}', { id: 'a' })), end], { tools }), [['f', {}]])
  })

  test('a call that the reply answers is not to be run', async () => {
    const sdk = [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }, { type: 'tool-call', toolCallId: 'b', toolName: 'g', input: {} }, { type: 'tool-result', toolCallId: 'a', output: 'r' }, { type: 'finish', finishReason: 'stop' }]
    assert.deepEqual(await runs(sdk), [['g', {}]])
  })

  test('usage without choices, text beside a delta, a message at the end, a comment as text', async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 45 }
    for (const more of [{ id: 'x', usage }, { id: 'x', choices: [], usage }, { id: 'x', choices: null, usage }, { id: 'x', object: 'chat.completion.chunk', usage }]) {
      const { text, finishReason, usage: read_ } = await read([chat({ content: 'Hi' }), chat({}, 'stop'), more, '[DONE]'])
      assert.deepEqual([text, finishReason, read_.inputTokens, read_.outputTokens], ['Hi', 'stop', 12, 45])
    }
    const beside = [{ choices: [{ index: 0, text: 'Hi', delta: { content: 'Hi' } }] }, { choices: [{ index: 0, text: '', delta: {}, finish_reason: 'stop' }] }]
    assert.equal((await read(beside)).text, 'Hi')
    assert.equal((await read([{ choices: [{ index: 0, text: 'Hi', delta: { role: 'assistant', content: '' } }] }])).text, 'Hi')
    const last = (message) => ({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }] })
    for (const [content, expected] of [['Hello', 'Hello'], ['Hello, you', 'Hello, you'], ['Hullo', 'Hello']]) assert.equal((await read([chat({ content: 'Hel' }), chat({ content: 'lo' }), last({ content })])).text, expected)
    const both = await read([chat({ reasoning_content: 'Hm' }), chat({ content: 'Hel' }), last({ reasoning_content: 'Hm', content: 'Hello' })])
    assert.deepEqual([both.thinking, both.text, both.blocks.length], ['Hm', 'Hello', 2])
  })
})

test('an object that no provider sends throws once from each method, unless there is onUnknown', () => {
  for (const method of ['anthropic', 'openai', 'openaiResponses', 'aiSdk', 'gemini', 'interactions', 'bedrock', 'cohere', 'cohereV1', 'ollama', 'mistral', 'agUi', 'event']) {
    const native = new NativeBlocks()
    assert.throws(() => native[method]({ hello: 1 }), (error) => error instanceof TypeError && error.message.startsWith(`NativeBlocks.${method} `) && /hello/.test(error.message))
    assert.deepEqual(native[method]({ hello: 1 }).emissions, [])
    const seen = []
    new NativeBlocks({ onUnknown: (event) => seen.push(event) })[method]({ hello: 1 })
    assert.deepEqual(seen, [{ hello: 1 }])
  }
})
