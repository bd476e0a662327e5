// Replies of each provider with thinking, text and two calls at the same time, and what goes back: the message and the
// results, as the provider takes them.

const TOOLS = ['weather', 'time']
const ARGS = [{ city: 'Porto' }, { zone: 'WET' }]
const JSONS = ARGS.map((args) => JSON.stringify(args))
const results = (...ids) => ids.map((toolCallId, at) => ({ toolCallId, output: ['rain', 'noon'][at] }))

const chat = (delta, finish_reason = null) => ({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
const call = (at, more = {}) => ({ index: at, id: `call_${at}`, type: 'function', function: { name: TOOLS[at], arguments: JSONS[at] }, ...more })
const chatCalls = (...more) => [0, 1].map((at) => ({ id: `call_${at}`, type: 'function', function: { name: TOOLS[at], arguments: JSONS[at] }, ...more[at] }))
const chatResults = [{ role: 'tool', tool_call_id: 'call_0', content: 'rain' }, { role: 'tool', tool_call_id: 'call_1', content: 'noon' }]
const end = chat({}, 'tool_calls')

/** `sdk` is the package whose types the messages have. */
export const REPLIES = [
  {
    name: 'anthropic',
    sdk: 'anthropic',
    events: [
      { type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Porto?' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'SIG' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'RED' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'I ' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'look.' } },
      { type: 'content_block_stop', index: 2 },
      ...[0, 1].flatMap((at) => [
        { type: 'content_block_start', index: 3 + at, content_block: { type: 'tool_use', id: `t${at}`, name: TOOLS[at], input: {} } },
        { type: 'content_block_delta', index: 3 + at, delta: { type: 'input_json_delta', partial_json: JSONS[at] } },
        { type: 'content_block_stop', index: 3 + at },
      ]),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ],
    results: results('t0', 't1'),
    messages: [
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'Porto?', signature: 'SIG' }, { type: 'redacted_thinking', data: 'RED' }, { type: 'text', text: 'I look.' }, ...[0, 1].map((at) => ({ type: 'tool_use', id: `t${at}`, name: TOOLS[at], input: ARGS[at] }))] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't0', content: 'rain' }, { type: 'tool_result', tool_use_id: 't1', content: 'noon' }] },
    ],
  },
  { name: 'openai', sdk: 'openai', events: [chat({ role: 'assistant', content: 'I look.' }), chat({ tool_calls: [call(0)] }), chat({ tool_calls: [call(1)] }), end], results: results('call_0', 'call_1'), messages: [{ role: 'assistant', content: 'I look.', tool_calls: chatCalls() }, ...chatResults] },
  { name: 'deepseek', sdk: 'openai', events: [chat({ role: 'assistant', reasoning_content: 'Por' }), chat({ reasoning_content: 'to?' }), chat({ tool_calls: [call(0)] }), chat({ tool_calls: [call(1)] }), end], results: results('call_0', 'call_1'), messages: [{ role: 'assistant', content: '', reasoning_content: 'Porto?', tool_calls: chatCalls() }, ...chatResults] },
  {
    name: 'openrouter',
    sdk: 'openrouter',
    events: [chat({ reasoning: 'Por', reasoning_details: [{ type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1', text: 'Por' }] }), chat({ reasoning: 'to?', reasoning_details: [{ type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1', text: 'to?', signature: 'SIG' }] }), chat({ tool_calls: [call(0), call(1)] }), end],
    results: results('call_0', 'call_1'),
    messages: [{ role: 'assistant', content: '', reasoning_details: [{ type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1', text: 'Porto?', signature: 'SIG' }], tool_calls: chatCalls() }, ...chatResults],
  },
  { name: 'gemini by OpenAI', events: [chat({ tool_calls: [call(0, { extra_content: { google: { thought_signature: 'SIG' } } }), call(1)] }), end], results: results('call_0', 'call_1'), messages: [{ role: 'assistant', content: '', tool_calls: chatCalls({ extra_content: { google: { thought_signature: 'SIG' } } }) }, ...chatResults] },
  {
    name: 'responses',
    sdk: 'responses',
    events: [
      { type: 'response.created', sequence_number: 0, response: { id: 'resp', output: [] } },
      { type: 'response.output_item.added', output_index: 0, sequence_number: 1, item: { id: 'rs', type: 'reasoning', summary: [], encrypted_content: 'EARLY' } },
      ...[{ id: 'rs', type: 'reasoning', summary: [], encrypted_content: 'ENC' }, ...[0, 1].map((at) => ({ id: `fc${at}`, type: 'function_call', call_id: `call_${at}`, name: TOOLS[at], arguments: JSONS[at], status: 'completed' }))].map((item, at) => ({ type: 'response.output_item.done', output_index: at, sequence_number: 2 + at, item })),
      { type: 'response.completed', sequence_number: 5, response: { id: 'resp', status: 'completed', output: [] } },
    ],
    results: results('call_0', 'call_1'),
    messages: [
      { id: 'rs', type: 'reasoning', summary: [], encrypted_content: 'ENC' },
      ...[0, 1].map((at) => ({ id: `fc${at}`, type: 'function_call', call_id: `call_${at}`, name: TOOLS[at], arguments: JSONS[at], status: 'completed' })),
      { type: 'function_call_output', call_id: 'call_0', output: 'rain' },
      { type: 'function_call_output', call_id: 'call_1', output: 'noon' },
    ],
  },
  {
    name: 'gemini',
    sdk: 'gemini',
    events: [
      { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'I ' }] } }] },
      { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'look.' }] } }] },
      { candidates: [{ index: 0, content: { role: 'model', parts: [{ functionCall: { id: 'f0', name: TOOLS[0], args: ARGS[0] }, thoughtSignature: 'SIG' }, { functionCall: { id: 'f1', name: TOOLS[1], args: ARGS[1] } }] } }] },
      { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '', thoughtSignature: 'END' }] }, finishReason: 'STOP' }] },
    ],
    results: results('f0', 'f1'),
    messages: [
      { role: 'model', parts: [{ text: 'I look.' }, { functionCall: { id: 'f0', name: TOOLS[0], args: ARGS[0] }, thoughtSignature: 'SIG' }, { functionCall: { id: 'f1', name: TOOLS[1], args: ARGS[1] } }, { text: '', thoughtSignature: 'END' }] },
      { role: 'user', parts: [{ functionResponse: { id: 'f0', name: TOOLS[0], response: { output: 'rain' } } }, { functionResponse: { id: 'f1', name: TOOLS[1], response: { output: 'noon' } } }] },
    ],
  },
  {
    name: 'bedrock',
    sdk: 'bedrock',
    events: [
      { messageStart: { role: 'assistant' } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Porto?' } } } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { signature: 'SIG' } } } },
      { contentBlockStop: { contentBlockIndex: 0 } },
      ...[0, 1].flatMap((at) => [
        { contentBlockStart: { contentBlockIndex: 1 + at, start: { toolUse: { toolUseId: `t${at}`, name: TOOLS[at] } } } },
        { contentBlockDelta: { contentBlockIndex: 1 + at, delta: { toolUse: { input: JSONS[at] } } } },
        { contentBlockStop: { contentBlockIndex: 1 + at } },
      ]),
      { messageStop: { stopReason: 'tool_use' } },
    ],
    results: results('t0', 't1'),
    messages: [
      { role: 'assistant', content: [{ reasoningContent: { reasoningText: { text: 'Porto?', signature: 'SIG' } } }, ...[0, 1].map((at) => ({ toolUse: { toolUseId: `t${at}`, name: TOOLS[at], input: ARGS[at] } }))] },
      { role: 'user', content: [{ toolResult: { toolUseId: 't0', content: [{ text: 'rain' }] } }, { toolResult: { toolUseId: 't1', content: [{ text: 'noon' }] } }] },
    ],
  },
  {
    name: 'ollama',
    sdk: 'ollama',
    events: [{ model: 'q', message: { role: 'assistant', content: '', thinking: 'Porto?' }, done: false }, { model: 'q', message: { role: 'assistant', content: 'I look.', tool_calls: [0, 1].map((at) => ({ id: `o${at}`, function: { name: TOOLS[at], arguments: ARGS[at] } })) }, done: false }, { model: 'q', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' }],
    results: results('o0', 'o1'),
    messages: [
      { role: 'assistant', content: 'I look.', thinking: 'Porto?', tool_calls: [0, 1].map((at) => ({ id: `o${at}`, function: { name: TOOLS[at], arguments: ARGS[at] } })) },
      { role: 'tool', tool_name: TOOLS[0], tool_call_id: 'o0', content: 'rain' },
      { role: 'tool', tool_name: TOOLS[1], tool_call_id: 'o1', content: 'noon' },
    ],
  },
  {
    name: 'cohere',
    events: [
      { type: 'message-start', id: 'x', delta: { message: { role: 'assistant' } } },
      { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I look.' } } },
      ...[0, 1].flatMap((at) => [
        { type: 'tool-call-start', index: at, delta: { message: { tool_calls: { id: `c${at}`, type: 'function', function: { name: TOOLS[at], arguments: '' } } } } },
        { type: 'tool-call-delta', index: at, delta: { message: { tool_calls: { function: { arguments: JSONS[at] } } } } },
        { type: 'tool-call-end', index: at },
      ]),
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
    ],
    results: results('c0', 'c1'),
    messages: [
      { role: 'assistant', tool_plan: 'I look.', tool_calls: [0, 1].map((at) => ({ id: `c${at}`, type: 'function', function: { name: TOOLS[at], arguments: JSONS[at] } })) },
      { role: 'tool', tool_call_id: 'c0', content: 'rain' },
      { role: 'tool', tool_call_id: 'c1', content: 'noon' },
    ],
  },
  {
    name: 'mistral',
    sdk: 'mistral',
    provider: 'mistral',
    events: [chat({ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Por' }] }] }), chat({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'to?' }], closed: true }] }), chat({ content: 'I look.' }), chat({ tool_calls: [call(0), call(1)] }), end],
    results: results('call_0', 'call_1'),
    messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Porto?' }], closed: true }, { type: 'text', text: 'I look.' }], tool_calls: chatCalls() }, ...chatResults],
  },
  {
    name: 'ai sdk',
    sdk: 'ai',
    events: [
      { type: 'start-step' },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', text: 'Porto?' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 'SIG' } } },
      ...[0, 1].map((at) => ({ type: 'tool-call', toolCallId: `t${at}`, toolName: TOOLS[at], input: ARGS[at] })),
      { type: 'finish-step', finishReason: 'tool-calls' },
      { type: 'finish', finishReason: 'tool-calls' },
    ],
    results: results('t0', 't1'),
    messages: [
      { role: 'assistant', content: [{ type: 'reasoning', text: 'Porto?', providerOptions: { anthropic: { signature: 'SIG' } } }, ...[0, 1].map((at) => ({ type: 'tool-call', toolCallId: `t${at}`, toolName: TOOLS[at], input: ARGS[at] }))] },
      { role: 'tool', content: [0, 1].map((at) => ({ type: 'tool-result', toolCallId: `t${at}`, toolName: TOOLS[at], output: { type: 'text', value: ['rain', 'noon'][at] } })) },
    ],
  },
  {
    name: 'ag-ui',
    events: [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      { type: 'REASONING_START', messageId: 'm1' },
      { type: 'REASONING_MESSAGE_START', messageId: 'm1', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'm1', delta: 'Porto?' },
      { type: 'REASONING_MESSAGE_END', messageId: 'm1' },
      { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'm1', encryptedValue: 'SIG' },
      { type: 'REASONING_END', messageId: 'm1' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm2', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'I look.' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm2' },
      ...[0, 1].flatMap((at) => [
        { type: 'TOOL_CALL_START', toolCallId: `t${at}`, toolCallName: TOOLS[at], parentMessageId: 'm2' },
        { type: 'TOOL_CALL_ARGS', toolCallId: `t${at}`, delta: JSONS[at] },
        { type: 'TOOL_CALL_END', toolCallId: `t${at}` },
      ]),
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
    ],
    results: results('t0', 't1'),
    messages: [
      { id: 'm1', role: 'reasoning', content: 'Porto?', encryptedValue: 'SIG' },
      { id: 'm2', role: 'assistant', content: 'I look.', toolCalls: [0, 1].map((at) => ({ id: `t${at}`, type: 'function', function: { name: TOOLS[at], arguments: JSONS[at] } })) },
      ...[0, 1].map((at) => ({ id: `t${at}-result`, role: 'tool', toolCallId: `t${at}`, content: ['rain', 'noon'][at] })),
    ],
  },
]
