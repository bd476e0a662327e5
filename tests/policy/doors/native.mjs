// The events of each provider, as the text that its server sends, read by `readReply`.
import { readReply } from 'tokenweir/blocks'

const sse = (events, last = '') => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + last
const lines = (events) => events.map((event) => `${JSON.stringify(event)}\n`).join('')
const chat = (delta, finish = null) => ({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })
const DONE = 'data: [DONE]\n\n'

const chatCall = (call) => chat({ tool_calls: [{ type: 'function', ...call }] })
const use = (index, id, name, input = {}) => ({ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input } })
const json = (index, partial_json) => ({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } })
const over = [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, { type: 'message_stop' }]
const item = (id, name, args) => ({ type: 'function_call', id, call_id: `c${id}`, name, arguments: args })
const added = (output_index, it) => ({ type: 'response.output_item.added', output_index, item: { ...it, arguments: '' } })
const itemDelta = (item_id, output_index, delta) => ({ type: 'response.function_call_arguments.delta', item_id, output_index, delta })
const completed = (output) => ({ type: 'response.completed', response: { status: 'completed', output } })
const step = (index, id, name) => ({ event_type: 'step.start', index, step: { type: 'function_call', id, name, arguments: {} } })
const stepDelta = (index, text) => ({ event_type: 'step.delta', index, delta: { type: 'arguments_delta', arguments: text } })
const stepEnd = { event_type: 'interaction.completed', interaction: { status: 'requires_action' } }
const F = '{"p":1}'
const G = '{"p":2}'
const items = [item('1', 'f', F), item('2', 'g', G)]

/** Two calls, `f` with `{"p":1}` and `g` with `{"p":2}`, as servers write them whose positions, ids or ends can't be relied on. */
const CHAT_PAIRS = {
  'index 0, ids': sse([chatCall({ index: 0, id: 'a', function: { name: 'f', arguments: F } }), chatCall({ index: 0, id: 'b', function: { name: 'g', arguments: G } }), chat({}, 'tool_calls')], DONE),
  'index 0, no ids': sse([chatCall({ index: 0, function: { name: 'f', arguments: F } }), chatCall({ index: 0, function: { name: 'g', arguments: G } }), chat({}, 'tool_calls')], DONE),
  'no index, no ids': sse([chatCall({ function: { name: 'f', arguments: '{"p"' } }), chatCall({ function: { arguments: ':1}' } }), chatCall({ function: { name: 'g', arguments: G } }), chat({}, 'tool_calls')], DONE),
  'the finish reason first': sse([chat({}, 'tool_calls'), chatCall({ index: 0, id: 'a', function: { name: 'f', arguments: F } }), chatCall({ index: 1, id: 'b', function: { name: 'g', arguments: G } })], DONE),
  'no finish reason': sse([chatCall({ index: 0, id: 'a', function: { name: 'f', arguments: F } }), chatCall({ index: 1, id: 'b', function: { name: 'g', arguments: G } })], DONE),
}
const PAIRS = {
  openai: CHAT_PAIRS,
  mistral: CHAT_PAIRS,
  anthropic: {
    'no ends of blocks': sse([{ type: 'message_start', message: { content: [] } }, use(0, 'a', 'f'), json(0, F), use(1, 'b', 'g'), json(1, G), ...over]),
    'index 0, no ends': sse([{ type: 'message_start', message: { content: [] } }, use(0, 'a', 'f'), json(0, F), use(0, 'b', 'g'), json(0, G), ...over]),
  },
  openaiResponses: {
    'position 0': sse([added(0, items[0]), added(0, items[1]), itemDelta('1', 0, F), itemDelta('2', 0, G), completed(items)]),
    'other ids': sse([added(0, items[0]), itemDelta('x', 0, F), added(1, items[1]), itemDelta('y', 1, G), completed(items)]),
    'in progress': sse([completed(items.map((each) => ({ ...each, status: 'in_progress' })))]),
  },
  bedrock: {
    'no ends of blocks': lines([
      { messageStart: { role: 'assistant' } },
      { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'a', name: 'f' } } } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { toolUse: { input: F } } } },
      { contentBlockStart: { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'b', name: 'g' } } } },
      { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: G } } } },
      { messageStop: { stopReason: 'tool_use' } },
    ]),
  },
  interactions: { 'no ends of steps': sse([step(0, 'a', 'f'), stepDelta(0, F), step(1, 'b', 'g'), stepDelta(1, G), stepEnd]) },
}

/** How each provider writes a call whose arguments are a JSON text as it stands, and text. */
const PROVIDERS = {
  openai: {
    json: (name, text) => sse([chat({ role: 'assistant' }), chat({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name, arguments: text } }] }), chat({}, 'tool_calls')], DONE),
    text: (text) => sse([chat({ content: text }), chat({}, 'stop')], DONE),
    thinking: (text) => sse([chat({ reasoning_content: text }), chat({}, 'stop')], DONE),
  },
  anthropic: {
    json: (name, text) =>
      sse([
        { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'c', usage: { input_tokens: 1, output_tokens: 1 } } },
        { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c1', name, input: {} } },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: text } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 7 } },
        { type: 'message_stop' },
      ]),
  },
  openaiResponses: {
    json: (name, text) =>
      sse([
        { type: 'response.created', response: { id: 'r', object: 'response', status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: { type: 'function_call', id: 'f', call_id: 'c1', name, arguments: '', status: 'in_progress' } },
        { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'f', delta: text },
        { type: 'response.output_item.done', output_index: 0, item: { type: 'function_call', id: 'f', call_id: 'c1', name, arguments: text, status: 'completed' } },
        { type: 'response.completed', response: { id: 'r', object: 'response', status: 'completed', output: [{ type: 'function_call', id: 'f', call_id: 'c1', name, arguments: text, status: 'completed' }] } },
      ]),
  },
  bedrock: {
    json: (name, text) =>
      lines([
        { messageStart: { role: 'assistant' } },
        { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'c1', name } } } },
        { contentBlockDelta: { contentBlockIndex: 0, delta: { toolUse: { input: text } } } },
        { contentBlockStop: { contentBlockIndex: 0 } },
        { messageStop: { stopReason: 'tool_use' } },
      ]),
  },
  cohere: {
    json: (name, text) =>
      sse([
        { type: 'message-start', id: 'x', delta: { message: { role: 'assistant' } } },
        { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: { id: 'c1', type: 'function', function: { name, arguments: '' } } } } },
        { type: 'tool-call-delta', index: 0, delta: { message: { tool_calls: { function: { arguments: text } } } } },
        { type: 'tool-call-end', index: 0 },
        { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
      ]),
  },
  interactions: {
    json: (name, text) => sse([step(0, 'c1', name), stepDelta(0, text), { event_type: 'step.stop', index: 0 }, stepEnd]),
  },
  mistral: {
    json: (name, text) => sse([chat({ role: 'assistant', content: '' }), chat({ tool_calls: [{ id: 'c1abcdefg', function: { name, arguments: text }, index: 0 }] }, 'tool_calls')], DONE),
  },
  aiSdk: {
    json: (name, text) => sse([{ type: 'start' }, { type: 'tool-input-start', toolCallId: 'c1', toolName: name }, { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: text }, { type: 'finish' }], DONE),
  },
}

async function read(pieces, options) {
  const problems = []
  const { text, thinking, toolCalls, blocks, finishReason } = await readReply(ReadableStream.from(pieces), { onError: ({ code }) => problems.push(code), onUnknown: () => {}, ...options }).result()
  return { text, reasoning: thinking, calls: toolCalls.map(({ toolName, input }) => [toolName, input]), blocks, finishReason, problems, repairs: blocks.flatMap(({ repairs = [] }) => repairs) }
}

export default Object.entries(PROVIDERS).map(([name, write]) => ({
  name: `native ${name}`,
  family: 'native',
  provider: name,
  cuts: 'few',
  write: { call: (tool, args) => write.json(tool, JSON.stringify(args)), pairs: PAIRS[name], ...write },
  read: (pieces, { options } = {}) => read(pieces, options),
}))
