// The events of each provider, as the text that its server sends, read by `readReply`.
import { readReply } from 'tokenweir'
import { TOOLS } from '../tools.mjs'
import { DONE, chat, lines, sse } from './native-text.mjs'

/** Tools as replies take them. */
export const declared = (tools) => Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema]))

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

const chatCalls = (...calls) => chat({ tool_calls: calls.map((call) => ({ type: 'function', ...call })) })
const f = (more, text = F) => ({ ...more, function: { name: 'f', arguments: text } })
const g = (more, text = G) => ({ ...more, function: { name: 'g', arguments: text } })
const called = (...events) => sse([...events, chat({}, 'tool_calls')], DONE)
const bedrock = (...events) => lines([{ messageStart: { role: 'assistant' } }, ...events.flat(), { messageStop: { stopReason: 'tool_use' } }])
const toolUse = (contentBlockIndex, toolUseId, name, input) => [
  { contentBlockStart: { contentBlockIndex, start: { toolUse: { toolUseId, name } } } },
  { contentBlockDelta: { contentBlockIndex, delta: { toolUse: { input } } } },
]
const begun = { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'c' } }
const toolStart = (index, id, name, text) => ({ type: 'tool-call-start', index, delta: { message: { tool_calls: { id, type: 'function', function: { name, arguments: text } } } } })
const toolDelta = (index, text) => ({ type: 'tool-call-delta', index, delta: { message: { tool_calls: { function: { arguments: text } } } } })
const cohere = (...events) => sse([{ type: 'message-start', id: 'x', delta: { message: { role: 'assistant' } } }, ...events, { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } }])
const geminiParts = (...parts) => ({ candidates: [{ index: 0, content: { role: 'model', parts } }] })
const geminiEnd = { candidates: [{ index: 0, content: { parts: [] }, finishReason: 'STOP' }] }
const v1 = (event_type, more) => ({ is_finished: event_type === 'stream-end', event_type, ...more })
const v1Call = (index, name, parameters) => [{ name }, { parameters }].map((delta) => v1('tool-calls-chunk', { tool_call_delta: { index, ...delta } }))
const ollama = (message, more) => ({ model: 'm', created_at: 'now', message: { role: 'assistant', content: '', ...message }, done: false, ...more })
const ollamaEnd = ollama({}, { done: true, done_reason: 'stop' })
const p = (value) => ({ p: value })
const agUi = (...events) => sse([{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, ...events.flat(), { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }])
const toolCall = (toolCallId, toolCallName, delta, isEnded = true) => [{ type: 'TOOL_CALL_START', toolCallId, toolCallName }, { type: 'TOOL_CALL_ARGS', toolCallId, delta }, ...(isEnded ? [{ type: 'TOOL_CALL_END', toolCallId }] : [])]
const callChunk = (more) => ({ type: 'TOOL_CALL_CHUNK', ...more })

/** Two calls, `f` with `{"p":1}` and `g` with `{"p":2}`, as servers write them whose positions or ids can't be relied on. */
const CHAT_PAIRS = {
  'index 0, ids': called(chatCalls(f({ index: 0, id: 'a' })), chatCalls(g({ index: 0, id: 'b' }))),
  'index 0, no ids': called(chatCalls(f({ index: 0 })), chatCalls(g({ index: 0 }))),
  'no index, no ids': called(chatCalls(f({}, '{"p"')), chatCalls({ function: { arguments: ':1}' } }), chatCalls(g({}))),
  'an id twice': called(chatCalls(f({ index: 0, id: 'a' })), chatCalls(g({ index: 1, id: 'a' }))),
  interleaved: called(chatCalls(f({ index: 0, id: 'a' }, '{"p"'), g({ index: 0, id: 'b' }, '{"p":')), chatCalls({ id: 'b', function: { arguments: '2}' } }, { id: 'a', function: { arguments: ':1}' } })),
}
const PAIRS = {
  openai: CHAT_PAIRS,
  mistral: CHAT_PAIRS,
  anthropic: { 'index 0': sse([begun, use(0, 'a', 'f'), json(0, F), { type: 'content_block_stop', index: 0 }, use(0, 'b', 'g'), json(0, G), { type: 'content_block_stop', index: 0 }, ...over]) },
  openaiResponses: {
    'position 0': sse([added(0, items[0]), added(0, items[1]), itemDelta('1', 0, F), itemDelta('2', 0, G), completed(items)]),
    'other ids': sse([added(0, items[0]), itemDelta('x', 0, F), added(1, items[1]), itemDelta('y', 1, G), completed(items)]),
  },
  bedrock: { 'index 0': bedrock(toolUse(0, 'a', 'f', F), { contentBlockStop: { contentBlockIndex: 0 } }, toolUse(0, 'b', 'g', G), { contentBlockStop: { contentBlockIndex: 0 } }) },
  interactions: { 'index 0': sse([step(0, 'a', 'f'), stepDelta(0, F), { event_type: 'step.stop', index: 0 }, step(0, 'b', 'g'), stepDelta(0, G), { event_type: 'step.stop', index: 0 }, stepEnd]) },
  cohere: { 'index 0': cohere(toolStart(0, 'a', 'f', ''), toolDelta(0, F), { type: 'tool-call-end', index: 0 }, toolStart(0, 'b', 'g', ''), toolDelta(0, G), { type: 'tool-call-end', index: 0 }) },
  gemini: {
    'no ids': sse([geminiParts({ functionCall: { name: 'f', args: p(1) } }), geminiParts({ functionCall: { name: 'g', args: p(2) } }), geminiEnd]),
    'in one chunk': sse([geminiParts({ functionCall: { name: 'f', args: p(1) } }, { functionCall: { name: 'g', args: p(2) } }), geminiEnd]),
    'arguments after the name': sse([geminiParts({ functionCall: { name: 'f' } }), geminiParts({ functionCall: { args: p(1) } }), geminiParts({ functionCall: { name: 'g', args: p(2) } }), geminiEnd]),
  },
  ollama: {
    'no ids': lines([ollama({ tool_calls: [{ function: { name: 'f', arguments: p(1) } }] }), ollama({ tool_calls: [{ function: { name: 'g', arguments: p(2) } }] }), ollamaEnd]),
    'in one chunk': lines([ollama({ tool_calls: [{ function: { name: 'f', arguments: p(1) } }, { function: { name: 'g', arguments: p(2) } }] }), ollamaEnd]),
  },
  agUi: {
    'an id twice': agUi(toolCall('a', 'f', F), toolCall('a', 'g', G)),
    'no ids': agUi(toolCall(undefined, 'f', F), toolCall(undefined, 'g', G)),
    'chunks without ids': agUi(callChunk({ toolCallName: 'f', delta: '{"p"' }), callChunk({ delta: ':1}' }), callChunk({ toolCallName: 'g', delta: G })),
    interleaved: agUi(...['START', 'ARGS', 'END'].map((step) => [...toolCall('a', 'f', F), ...toolCall('b', 'g', G)].filter(({ type }) => type === `TOOL_CALL_${step}`))),
  },
  aiSdk: { interleaved: sse([{ type: 'start' }, ...['a', 'b'].map((toolCallId) => ({ type: 'tool-input-start', toolCallId, toolName: toolCallId === 'a' ? 'f' : 'g' })), { type: 'tool-input-delta', toolCallId: 'b', inputTextDelta: G }, { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: F }, { type: 'finish' }], DONE) },
}

/** The same two calls, whose own ends are missing, or whose reply ends too early. */
const CHAT_ENDS = {
  'the reason to finish first': sse([chat({}, 'tool_calls'), chatCalls(f({ index: 0, id: 'a' })), chatCalls(g({ index: 1, id: 'b' }))], DONE),
  'the reason to finish within the arguments': sse([chatCalls(f({ index: 0, id: 'a' })), chatCalls(g({ index: 1, id: 'b' }, '{"p"')), chat({}, 'tool_calls'), chatCalls({ index: 1, function: { arguments: ':2}' } })], DONE),
  'no reason to finish': sse([chatCalls(f({ index: 0, id: 'a' })), chatCalls(g({ index: 1, id: 'b' }))], DONE),
  'another reason to finish': sse([chatCalls(f({ index: 0, id: 'a' })), chatCalls(g({ index: 1, id: 'b' })), chat({}, 'stop')], DONE),
}
const ENDS = {
  openai: CHAT_ENDS,
  mistral: CHAT_ENDS,
  anthropic: {
    'no ends of blocks': sse([begun, use(0, 'a', 'f'), json(0, F), use(1, 'b', 'g'), json(1, G), ...over]),
    'index 0, no ends': sse([begun, use(0, 'a', 'f'), json(0, F), use(0, 'b', 'g'), json(0, G), ...over]),
    'no end of the message': sse([begun, use(0, 'a', 'f'), json(0, F), use(1, 'b', 'g'), json(1, G), over[0]]),
    'no reason to stop': sse([begun, use(0, 'a', 'f'), json(0, F), use(1, 'b', 'g'), json(1, G), over[1]]),
  },
  openaiResponses: {
    'in progress': sse([completed(items.map((each) => ({ ...each, status: 'in_progress' })))]),
    'finished items alone': sse(items.map((it, output_index) => ({ type: 'response.output_item.done', output_index, item: it })), DONE),
    'no ends of items': sse([added(0, items[0]), itemDelta('1', 0, F), added(1, items[1]), itemDelta('2', 1, G), completed([])]),
  },
  bedrock: { 'no ends of blocks': bedrock(toolUse(0, 'a', 'f', F), toolUse(1, 'b', 'g', G)) },
  interactions: { 'no ends of steps': sse([step(0, 'a', 'f'), stepDelta(0, F), step(1, 'b', 'g'), stepDelta(1, G), stepEnd]) },
  cohere: { 'no ends of calls': cohere(toolStart(0, 'a', 'f', ''), toolDelta(0, F), toolStart(1, 'b', 'g', ''), toolDelta(1, G)) },
  cohereV1: {
    'no whole calls': sse([v1('stream-start'), ...v1Call(0, 'f', F), ...v1Call(1, 'g', G), v1('stream-end', { finish_reason: 'COMPLETE' })]),
    'the end alone': sse([v1('stream-end', { finish_reason: 'COMPLETE', response: { generation_id: 'x', text: '', tool_calls: [{ name: 'f', parameters: p(1) }, { name: 'g', parameters: p(2) }] } })]),
  },
  gemini: { 'no reason to finish': sse([geminiParts({ functionCall: { name: 'f', args: p(1) } }), geminiParts({ functionCall: { name: 'g', args: p(2) } })], DONE) },
  ollama: { 'no reason to finish': lines([ollama({ tool_calls: [{ function: { name: 'f', arguments: p(1) } }] }), ollama({ tool_calls: [{ function: { name: 'g', arguments: p(2) } }] }), { ...ollama({}), done: true }]) },
  agUi: {
    'no ends of calls': agUi(toolCall('a', 'f', F, false), toolCall('b', 'g', G, false)),
    'no ends of chunks': agUi(callChunk({ toolCallId: 'a', toolCallName: 'f', delta: F }), callChunk({ toolCallId: 'b', toolCallName: 'g', delta: G })),
  },
  aiSdk: { 'no ends of inputs': sse([{ type: 'start' }, ...['f', 'g'].flatMap((toolName, at) => [{ type: 'tool-input-start', toolCallId: toolName, toolName }, { type: 'tool-input-delta', toolCallId: toolName, inputTextDelta: at === 0 ? F : G }]), { type: 'finish' }], DONE) },
}

/** Calls that the provider runs itself. */
const shell = (environment) => ({ type: 'shell_call', id: 's', call_id: 'c', status: 'completed', action: { commands: ['ls'] }, environment })
const responded = (output, model = 'gpt-5') => ({ type: 'response.completed', response: { id: 'r', object: 'response', status: 'completed', model, output } })
const itemsOf = (output, model) => sse([{ type: 'response.created', response: { id: 'r', object: 'response', status: 'in_progress', model, output: [] } }, ...output.map((it, output_index) => ({ type: 'response.output_item.done', output_index, item: it })), responded(output, model)])
const anthropicHosted = (content_block, result) => sse([begun, { type: 'content_block_start', index: 0, content_block }, json(0, '{"query":"x"}'), { type: 'content_block_stop', index: 0 }, { type: 'content_block_start', index: 1, content_block: result }, { type: 'content_block_stop', index: 1 }, { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, over[1]])
const HOSTED = {
  openaiResponses: {
    'a shell in a container': itemsOf([shell({ type: 'container_reference', container_id: 'x' })]),
    'a shell in a container of its own': itemsOf([shell({ type: 'container_auto' })]),
    'a shell and its output': itemsOf([shell(undefined), { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'a' }] }]),
    'a function and its output': itemsOf([item('1', 'f', F), { type: 'function_call_output', call_id: 'c1', output: 'x' }]),
    'a search': itemsOf([{ type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'x' } }]),
    'a tool of an MCP server': itemsOf([{ type: 'mcp_call', id: 'm', name: 'f', server_label: 's', arguments: F, output: 'x' }]),
    "a tool of xAI, by its model's": itemsOf([{ type: 'custom_tool_call', id: 't', call_id: 'call_1', name: 'x_keyword_search', input: 'x' }], 'grok-4-fast'),
    'a tool of xAI, by its id': itemsOf([{ type: 'custom_tool_call', id: 't', call_id: 'xs_call_1', name: 'anything', input: 'x' }]),
  },
  anthropic: {
    'a server tool': anthropicHosted({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }),
    'a tool of an MCP server': anthropicHosted({ type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'f', server_name: 's', input: {} }, { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [] }),
  },
  gemini: { 'code and its output': sse([geminiParts({ executableCode: { language: 'PYTHON', code: '1' } }, { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }), geminiEnd]) },
  interactions: {
    'a search': sse([{ event_type: 'step.start', index: 0, step: { type: 'google_search_call', id: 's', arguments: { queries: ['x'] } } }, { event_type: 'step.stop', index: 0 }, stepEnd]),
    'a tool of an MCP server': sse([{ event_type: 'step.start', index: 0, step: { type: 'mcp_server_tool_call', id: 'm', name: 'f', arguments: p(1) } }, { event_type: 'step.stop', index: 0 }, stepEnd]),
  },
  agUi: { 'a call with its result': agUi(toolCall('a', 'f', F), { type: 'TOOL_CALL_RESULT', messageId: 'x', toolCallId: 'a', content: 'x' }) },
  aiSdk: {
    'a call by the provider': sse([{ type: 'start' }, { type: 'tool-input-available', toolCallId: 'a', toolName: 'f', input: p(1), providerExecuted: true }, { type: 'finish' }], DONE),
    'a call with its output': sse([{ type: 'start' }, { type: 'tool-input-available', toolCallId: 'a', toolName: 'f', input: p(1) }, { type: 'tool-output-available', toolCallId: 'a', output: 'x' }, { type: 'finish' }], DONE),
  },
}

/** Replies that say a text, and something of it again. */
const said = (...texts) => texts.map((content) => chat({ content }))
const chatMessage = (content) => ({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] })
const CHAT_AGAIN = (pieces) => ({
  'the message at the end': sse([...said(...pieces), chatMessage(pieces.join(''))], DONE),
  'text beside its delta': sse([...pieces.map((text) => ({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, text, delta: { content: text }, finish_reason: null }] })), chat({}, 'stop')], DONE),
  'the rest in the message at the end': sse([...said(...pieces.slice(0, -1)), chatMessage(pieces.join(''))], DONE),
})
const AGAIN = {
  openai: CHAT_AGAIN,
  mistral: CHAT_AGAIN,
  openaiResponses(pieces) {
    const message = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: pieces.join('') }] }
    const deltas = pieces.map((delta) => ({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta }))
    const done = { type: 'response.output_item.done', output_index: 0, item: message }
    return {
      'the item after its deltas': sse([...deltas, done, responded([])]),
      'the response after its deltas': sse([...deltas, responded([message])]),
      'both, with other ids': sse([...deltas, { ...done, item: { ...message, id: 'n' } }, responded([{ ...message, id: 'o' }])]),
      'the rest in the response': sse([...deltas.slice(0, -1), responded([message])]),
    }
  },
  anthropic(pieces) {
    const deltas = [begun, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, ...pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })), { type: 'content_block_stop', index: 0 }]
    return { 'the message at the end': sse([...deltas, { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, over[1], { id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text: pieces.join('') }], stop_reason: 'end_turn' }]) }
  },
  agUi(pieces) {
    const deltas = [{ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }, ...pieces.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta })), { type: 'TEXT_MESSAGE_END', messageId: 'm' }]
    return { 'a snapshot at the end': agUi(deltas, { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'u', role: 'user', content: 'Hello?' }, { id: 'm', role: 'assistant', content: pieces.join('') }] }) }
  },
  interactions(pieces) {
    const deltas = [{ event_type: 'step.start', index: 0, step: { type: 'model_output' } }, ...pieces.map((text) => ({ event_type: 'step.delta', index: 0, delta: { type: 'text', text } })), { event_type: 'step.stop', index: 0 }]
    const interaction = { id: 'i', object: 'interaction', status: 'completed', steps: [{ type: 'model_output', content: [{ type: 'text', text: pieces.join('') }] }] }
    return { 'the interaction at the end': sse([...deltas, { event_type: 'interaction.completed', interaction }]) }
  },
}

/** A call of `f` that comes twice by one id: `args` are those of the second. */
const responseItem = (output_index, args) => ({ type: 'response.output_item.done', output_index, item: item(`x${output_index}`, 'f', args) })
const sameId = (event) => ({ ...event, item: { ...event.item, call_id: 'a' } })
const anthropicCall = (index, args) => [use(index, 'a', 'f'), json(index, args), { type: 'content_block_stop', index }]
const cohereCall = (index, args) => [toolStart(index, 'a', 'f', ''), toolDelta(index, args), { type: 'tool-call-end', index }]
const CHAT_TWICE = (args) => called(chatCalls(f({ index: 0, id: 'a' })), chatCalls(g({ index: 1, id: 'b' })), chatCalls(f({ index: 2, id: 'a' }, args)))
const TWICE = {
  openai: CHAT_TWICE,
  mistral: CHAT_TWICE,
  anthropic: (args) => sse([begun, ...anthropicCall(0, F), use(1, 'b', 'g'), json(1, G), { type: 'content_block_stop', index: 1 }, ...anthropicCall(2, args), ...over]),
  openaiResponses: (args) => sse([sameId(responseItem(0, F)), { type: 'response.output_item.done', output_index: 1, item: items[1] }, sameId(responseItem(2, args)), completed([])]),
  bedrock: (args) => bedrock(toolUse(0, 'a', 'f', F), toolUse(1, 'b', 'g', G), toolUse(2, 'a', 'f', args)),
  interactions: (args) => sse([step(0, 'a', 'f'), stepDelta(0, F), step(1, 'b', 'g'), stepDelta(1, G), step(2, 'a', 'f'), stepDelta(2, args), stepEnd]),
  cohere: (args) => cohere(...cohereCall(0, F), toolStart(1, 'b', 'g', ''), toolDelta(1, G), { type: 'tool-call-end', index: 1 }, ...cohereCall(2, args)),
  gemini: (args) => sse([geminiParts({ functionCall: { id: 'a', name: 'f', args: p(1) } }), geminiParts({ functionCall: { id: 'b', name: 'g', args: p(2) } }), geminiParts({ functionCall: { id: 'a', name: 'f', args: JSON.parse(args) } }), geminiEnd]),
  ollama: (args) => lines([F, undefined, args].map((text) => ollama({ tool_calls: [text === undefined ? { id: 'b', function: { name: 'g', arguments: p(2) } } : { id: 'a', function: { name: 'f', arguments: JSON.parse(text) } }] })).concat(ollamaEnd)),
  agUi: (args) => agUi(toolCall('a', 'f', F), toolCall('b', 'g', G), toolCall('a', 'f', args)),
  aiSdk: (args) => sse([{ type: 'start' }, ...[['a', 'f', F], ['b', 'g', G], ['a', 'f', args]].map(([toolCallId, toolName, input]) => ({ type: 'tool-call', toolCallId, toolName, input })), { type: 'finish' }], DONE),
}

/** Thinking, `Hm.`, and text, `Hi`, in all forms that gateways send. */
const chatSays = (deltas) => sse([...deltas.map((delta) => chat(delta)), chat({}, 'stop')], DONE)
const GOOGLE = { extra_content: { google: { thought: true } } }
const THOUGHTS = {
  reasoning_content: 'Hm.',
  'an object': { reasoning_content: { text: 'Hm.', signature: 's' } },
  'an object of a summary': { reasoning: { summary: [{ type: 'summary_text', text: 'Hm.' }] } },
  reasoning: 'Hm.',
  reasoning_text: 'Hm.',
  reasoning_summary: 'Hm.',
  thinking: 'Hm.',
  'thinking as a list': { thinking: [{ type: 'text', text: 'H' }, { content: 'm.' }] },
  reasoningContent: 'Hm.',
  thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: null }, { type: 'redacted_thinking', data: 'x' }],
  reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }, { type: 'reasoning.encrypted', data: 'x' }],
  reasoningDetails: [{ type: 'reasoning.summary', summary: 'Hm.' }],
  'a part of a summary': { content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.', signature: '' }] }] },
  'a part': { content: [{ type: 'thinking', thinking: 'Hm.' }] },
  'a redacted part besides': { content: [{ type: 'reasoning', text: 'Hm.' }, { type: 'redacted_thinking', data: 'x' }] },
  'a flag of Google': { content: 'Hm.', ...GOOGLE },
  'a flag and a tag of Google': { content: '<thought>Hm.</thought>', ...GOOGLE },
  'a tag of Google': { content: '<thought>Hm.</thought>', extra_content: { google: {} } },
  'two fields': { reasoning: 'Hm.', reasoning_content: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] },
  'in full and as a summary': { reasoning_content: 'Hm.', reasoning_summary: 'It thinks.' },
}
const TEXTS = {
  'a text': 'Hi',
  parts: [{ type: 'text', text: 'H' }, { type: 'output_text', text: 'i' }],
  'without a type': [{ text: 'Hi' }],
  'a value': [{ type: 'text', text: { value: 'Hi', annotations: [] } }],
  'one part': { type: 'text', text: 'Hi' },
}
const whole = (message) => JSON.stringify({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }] })
const CHAT_FORMS = Object.fromEntries([
  ...Object.entries(THOUGHTS).flatMap(([form, value]) => {
    const delta = form.includes(' ') ? value : { [form]: value }
    const together = delta.content === undefined ? { content: 'Hi', ...delta } : Array.isArray(delta.content) ? { ...delta, content: [...delta.content, ...TEXTS.parts] } : undefined
    return [[form, chatSays([delta, { content: 'Hi' }])], ...(together ? [[`${form}, whole`, whole(together)]] : [])]
  }),
  ...Object.entries(TEXTS).flatMap(([form, content]) => [[form, chatSays([{ reasoning: 'Hm.' }, { content }])], [`${form}, whole`, whole({ reasoning: 'Hm.', content })]]),
  ['the end of a tag of Google', chatSays([{ content: '<thought>H', ...GOOGLE }, { content: 'm.', ...GOOGLE }, { content: '</thought>Hi' }])],
])
const reasoningItem = (summary, content) => ({ type: 'reasoning', id: 'rs', summary: summary.map((text) => ({ type: 'summary_text', text })), content: content.map((text) => ({ type: 'reasoning_text', text })) })
const message = { type: 'message', id: 'ms', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }
const itemDone = (output_index, it) => ({ type: 'response.output_item.done', output_index, item: it })
const thought = (kind, delta) => ({ type: `response.reasoning_${kind}.delta`, item_id: 'rs', output_index: 0, [kind === 'text' ? 'content_index' : 'summary_index']: 0, delta })
const said1 = (...texts) => texts.map((delta) => ({ type: 'response.output_text.delta', item_id: 'ms', output_index: 1, content_index: 1, delta }))
const RESPONSES_FORMS = {
  'both in the item': sse([itemDone(0, reasoningItem(['It thinks.'], ['Hm.'])), itemDone(1, message), responded([])]),
  'both, whole': JSON.stringify({ ...responded([reasoningItem(['It thinks.'], ['Hm.']), message]).response }),
  'both in deltas': sse([thought('text', 'H'), thought('summary_text', 'H'), thought('text', 'm.'), thought('summary_text', 'm.'), itemDone(0, reasoningItem(['Hm.'], ['Hm.'])), ...said1('H', 'i'), itemDone(1, message), responded([])]),
  'the summary first': sse([thought('summary_text', 'H'), thought('text', 'H'), thought('summary_text', 'm.'), thought('text', 'm.'), itemDone(0, reasoningItem(['Hm.'], ['Hm.'])), ...said1('Hi'), itemDone(1, message), responded([])]),
  'the summary after': sse([thought('text', 'Hm.'), thought('summary_text', 'It thinks.'), itemDone(0, reasoningItem(['It thinks.'], ['Hm.'])), ...said1('Hi'), responded([])]),
  'text at another index': sse([itemDone(0, reasoningItem([], ['Hm.'])), ...said1('H'), itemDone(1, message), responded([])]),
  'content as a text': sse([itemDone(0, { type: 'reasoning', id: 'rs', content: 'Hm.' }), itemDone(1, { ...message, content: 'Hi' }), responded([])]),
}
const FORMS = {
  openai: CHAT_FORMS,
  mistral: CHAT_FORMS,
  openaiResponses: RESPONSES_FORMS,
  ollama: Object.fromEntries(['thinking', 'reasoning', 'reasoning_content'].map((field) => [field, lines([ollama({ [field]: 'Hm.' }), ollama({ content: 'Hi' }), ollamaEnd])])),
  agUi: {
    reasoning: agUi({ type: 'REASONING_MESSAGE_START', messageId: 'r', role: 'reasoning' }, { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'Hm.' }, { type: 'REASONING_MESSAGE_END', messageId: 'r' }, { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'Hi' }),
    thinking: agUi({ type: 'THINKING_TEXT_MESSAGE_START' }, { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'Hm.' }, { type: 'THINKING_TEXT_MESSAGE_END' }, { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'Hi' }),
  },
  bedrock: { whole: JSON.stringify({ output: { message: { role: 'assistant', content: [{ reasoningContent: { reasoningText: { text: 'Hm.' } } }, { citationsContent: { content: [{ text: 'Hi' }] } }] } }, stopReason: 'end_turn' }) },
}

/** Replies that say that they end in a call, and have none. */
const LACKING = {
  openai: called(chat({ content: 'Hi' })),
  mistral: called(chat({ content: 'Hi' })),
  anthropic: sse([begun, ...over]),
  bedrock: bedrock(),
  interactions: sse([{ event_type: 'step.start', index: 0, step: { type: 'model_output' } }, stepEnd]),
  cohere: cohere(),
  agUi: sse([{ type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: { finishReason: 'tool_calls' } }]),
  aiSdk: sse([{ type: 'start' }, { type: 'finish', finishReason: 'tool-calls' }], DONE),
}

/** Errors with a code, a type and a status. */
const ERRORS = {
  openai: [{ error: { message: 'no', type: 'invalid_request_error', code: 'context_length_exceeded' } }, ['context_length_exceeded', 'invalid_request_error', undefined]],
  anthropic: [{ type: 'error', error: { type: 'overloaded_error', message: 'no' } }, ['overloaded_error', 'overloaded_error', undefined]],
  openaiResponses: [{ type: 'response.failed', response: { error: { code: 'server_error', message: 'no' } } }, ['server_error', undefined, undefined]],
  gemini: [{ error: { code: 429, message: 'no', status: 'RESOURCE_EXHAUSTED' } }, ['RESOURCE_EXHAUSTED', undefined, 429]],
  bedrock: [{ throttlingException: { message: 'no' } }, ['throttlingException', undefined, undefined]],
  mistral: [{ object: 'error', message: 'no', type: 'invalid_model', code: '1500' }, ['1500', 'invalid_model', undefined]],
  ollama: [{ error: 'no', status: 503 }, ['503', undefined, 503]],
  agUi: [{ type: 'RUN_ERROR', message: 'no', code: 'rate_limit' }, ['rate_limit', undefined, undefined]],
  aiSdk: [{ type: 'error', errorText: 'no' }, ['error', undefined, undefined]],
}

/** How each provider writes a call whose arguments are a JSON text as it stands, and text. */
const PROVIDERS = {
  openai: {
    json: (name, text) => sse([chat({ role: 'assistant' }), chat({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name, arguments: text } }] }), chat({}, 'tool_calls')], DONE),
    text: (text) => sse([chat({ content: text }), chat({}, 'stop')], DONE),
    thinking: (text) => sse([chat({ reasoning_content: text }), chat({}, 'stop')], DONE),
  },
  anthropic: { json: (name, text) => sse([begun, use(0, 'c1', name), json(0, text), { type: 'content_block_stop', index: 0 }, ...over]) },
  openaiResponses: {
    json(name, text) {
      const call = item('1', name, text)
      return sse([{ type: 'response.created', response: { id: 'r', object: 'response', status: 'in_progress', output: [] } }, added(0, call), itemDelta('1', 0, text), itemDone(0, call), completed([call])])
    },
  },
  bedrock: { json: (name, text) => bedrock(toolUse(0, 'c1', name, text), { contentBlockStop: { contentBlockIndex: 0 } }) },
  cohere: { json: (name, text) => cohere(toolStart(0, 'c1', name, ''), toolDelta(0, text), { type: 'tool-call-end', index: 0 }) },
  cohereV1: { json: (name, text) => sse([v1('stream-start'), ...v1Call(0, name, text), v1('stream-end', { finish_reason: 'COMPLETE' })]) },
  interactions: {
    json: (name, text) => sse([step(0, 'c1', name), stepDelta(0, text), { event_type: 'step.stop', index: 0 }, stepEnd]),
  },
  gemini: {
    call: (name, args) => sse([geminiParts({ functionCall: { name, args } }), geminiEnd]),
    json: (name, text) => sse([geminiParts({ functionCall: { name, args: text } }), geminiEnd]),
  },
  ollama: {
    call: (name, args) => lines([ollama({ tool_calls: [{ function: { name, arguments: args } }] }), ollamaEnd]),
    json: (name, text) => lines([ollama({ tool_calls: [{ function: { name, arguments: text } }] }), ollamaEnd]),
  },
  mistral: {
    json: (name, text) => sse([chat({ role: 'assistant', content: '' }), chat({ tool_calls: [{ id: 'c1abcdefg', function: { name, arguments: text }, index: 0 }] }, 'tool_calls')], DONE),
  },
  agUi: { json: (name, text) => agUi(toolCall('c1', name, text)) },
  aiSdk: {
    json: (name, text) => sse([{ type: 'start' }, { type: 'tool-input-start', toolCallId: 'c1', toolName: name }, { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: text }, { type: 'finish' }], DONE),
  },
}

/** The texts of calls that can't be run. */
export const refusedIn = (blocks) => blocks.filter(({ type, incomplete }) => type === 'tool_call' && incomplete).map(({ content = '' }) => content.trim())

async function read(pieces, options) {
  const problems = []
  const errors = []
  const hear = (error) => {
    problems.push(error.code)
    errors.push([error.code, error.type, error.status, error.message, error.raw])
  }
  const { text, thinking, toolCalls, blocks, finishReason, problems: dropped } = await readReply(ReadableStream.from(pieces), { onError: hear, onUnknown: () => {}, ...options }).result()
  return { errors, dropped: dropped.map(({ metadata }) => metadata.dropReason), inputs: toolCalls.map(({ input }) => input), text, reasoning: thinking, calls: toolCalls.map(({ toolName, args }) => [toolName, args]), blocks, refused: refusedIn(blocks), hosted: blocks.filter(({ hosted }) => hosted).length > 0, finishReason, problems, repairs: blocks.flatMap(({ repairs = [] }) => repairs) }
}

export default Object.entries(PROVIDERS).map(([name, write]) => ({
  name: `native ${name}`,
  family: 'native',
  provider: name,
  cuts: 'few',
  write: { call: (tool, args) => write.json(tool, JSON.stringify(args)), pairs: PAIRS[name], ends: ENDS[name], hosted: HOSTED[name], again: AGAIN[name], twice: TWICE[name], forms: FORMS[name], lacking: LACKING[name], error: ERRORS[name], ...write },
  read: (pieces, { tools = TOOLS, options } = {}) => read(pieces, { tools: declared(tools), ...options }),
}))
