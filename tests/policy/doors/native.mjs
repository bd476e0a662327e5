// The events of each provider, as the text that its server sends, read by `readReply`.
import { readReply } from 'tokenweir/blocks'

const sse = (events, last = '') => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + last
const lines = (events) => events.map((event) => `${JSON.stringify(event)}\n`).join('')
const chat = (delta, finish = null) => ({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })
const DONE = 'data: [DONE]\n\n'

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
  return { text, reasoning: thinking, calls: toolCalls.map(({ toolName, input }) => [toolName, input]), blocks, finishReason, problems, repairs: [] }
}

export default Object.entries(PROVIDERS).map(([name, write]) => ({
  name: `native ${name}`,
  family: 'native',
  provider: name,
  cuts: 'few',
  write: { call: (tool, args) => write.json(tool, JSON.stringify(args)), ...write },
  read: (pieces, { options } = {}) => read(pieces, options),
}))
