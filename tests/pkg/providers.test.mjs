// NativeBlocks: the providers without recordings of everything, written from their
// documentation; and what no reader knows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NativeBlocks, readReply } from 'tokenweir'
import { loopMessages } from 'tokenweir/formats'
import { random } from './support/cuts.mjs'
import { REPLIES as MESSAGES } from './support/messages.mjs'
import { recordedStreams } from './support/real-streams.mjs'

/** The completed blocks of events. */
function blocksOf(method, events, options) {
  const blocks = []
  const native = new NativeBlocks({ generateId: () => 'made', onBlock: ({ event, block }) => event === 'block_complete' && blocks.push(block), ...options })
  for (const event of events) native[method](event)
  native.flush()
  return blocks
}

const thinking = { type: 'thinking', content: 'Hm.' }
const text = { type: 'text', content: 'Let me see.' }
const call = { type: 'tool_call', toolId: 'c1', toolName: 'search', input: { q: 'rain' } }

const gemini = (parts, finishReason) => ({ candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }] })
const bedrock = (name, fields) => ({ [name]: fields })
const cohere = (type, index, message) => ({ type, index, delta: { message } })
const ollama = (message, done = false) => ({ model: 'm', message: { role: 'assistant', content: '', ...message }, done })
const mistral = (delta, finish_reason = null) => ({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })
const agUi = (type, more) => ({ type, ...more })
const fn = (more) => ({ id: 'c1', type: 'function', function: { name: 'search', ...more } })

const STREAMS = {
  gemini: [gemini([{ text: 'Hm', thought: true }]), gemini([{ text: '.', thought: true }, { text: 'Let me ' }]), gemini([{ text: 'see.' }]), gemini([{ functionCall: { id: 'c1', name: 'search', args: { q: 'rain' } } }], 'STOP')],
  bedrock: [
    bedrock('messageStart', { role: 'assistant' }),
    bedrock('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm.' } } }),
    bedrock('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: '' } } }),
    bedrock('contentBlockStop', { contentBlockIndex: 0 }),
    bedrock('contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'Let me ' } }),
    bedrock('contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'see.' } }),
    bedrock('contentBlockStop', { contentBlockIndex: 1 }),
    bedrock('contentBlockStart', { contentBlockIndex: 2, start: { toolUse: { toolUseId: 'c1', name: 'search' } } }),
    bedrock('contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: '{"q":' } } }),
    bedrock('contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: '"rain"}' } } }),
    bedrock('contentBlockStop', { contentBlockIndex: 2 }),
    bedrock('messageStop', { stopReason: 'tool_use' }),
    bedrock('metadata', { usage: {} }),
  ],
  cohere: [
    { type: 'message-start', id: 'x', delta: { message: { role: 'assistant' } } },
    cohere('tool-plan-delta', undefined, { tool_plan: 'Hm' }),
    cohere('tool-plan-delta', undefined, { tool_plan: '.' }),
    cohere('content-start', 0, { content: { type: 'text', text: '' } }),
    cohere('content-delta', 0, { content: { text: 'Let me ' } }),
    cohere('content-delta', 0, { content: { text: 'see.' } }),
    { type: 'content-end', index: 0 },
    cohere('tool-call-start', 0, { tool_calls: fn({ arguments: '' }) }),
    cohere('tool-call-delta', 0, { tool_calls: { function: { arguments: '{"q":' } } }),
    cohere('tool-call-delta', 0, { tool_calls: { function: { arguments: '"rain"}' } } }),
    { type: 'tool-call-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
  ],
  ollama: [ollama({ thinking: 'Hm' }), ollama({ thinking: '.' }), ollama({ content: 'Let me ' }), ollama({ content: 'see.' }), ollama({ tool_calls: [fn({ arguments: { q: 'rain' } })] }), ollama({}, true)],
  mistral: [
    mistral({ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
    mistral({ content: 'Let me ' }),
    { data: { choices: [{ index: 0, delta: { content: [{ type: 'text', text: 'see.' }] }, finishReason: null }] } },
    { data: { choices: [{ index: 0, delta: { toolCalls: [fn({ arguments: '{"q":"rain"}' })] }, finishReason: 'tool_calls' }] } },
  ],
  agUi: [
    agUi('RUN_STARTED', { threadId: 't', runId: 'r' }),
    agUi('REASONING_START', { messageId: 'm1' }),
    agUi('REASONING_MESSAGE_START', { messageId: 'm1', role: 'reasoning' }),
    agUi('REASONING_MESSAGE_CONTENT', { messageId: 'm1', delta: 'Hm' }),
    agUi('REASONING_MESSAGE_CONTENT', { messageId: 'm1', delta: '.' }),
    agUi('REASONING_MESSAGE_END', { messageId: 'm1' }),
    agUi('REASONING_END', { messageId: 'm1' }),
    agUi('TEXT_MESSAGE_START', { messageId: 'm2', role: 'assistant' }),
    agUi('TEXT_MESSAGE_CONTENT', { messageId: 'm2', delta: 'Let me ' }),
    agUi('TEXT_MESSAGE_CONTENT', { messageId: 'm2', delta: 'see.' }),
    agUi('TEXT_MESSAGE_END', { messageId: 'm2' }),
    agUi('TOOL_CALL_START', { toolCallId: 'c1', toolCallName: 'search', parentMessageId: 'm2' }),
    agUi('TOOL_CALL_ARGS', { toolCallId: 'c1', delta: '{"q":' }),
    agUi('TOOL_CALL_ARGS', { toolCallId: 'c1', delta: '"rain"}' }),
    agUi('TOOL_CALL_END', { toolCallId: 'c1' }),
    agUi('RUN_FINISHED', { threadId: 't', runId: 'r' }),
  ],
}

const REPLIES = {
  gemini: gemini([{ text: 'Hm.', thought: true }, { text: 'Let me see.' }, { functionCall: { id: 'c1', name: 'search', args: { q: 'rain' } } }], 'STOP'),
  bedrock: { output: { message: { role: 'assistant', content: [{ reasoningContent: { reasoningText: { text: 'Hm.' } } }, { text: 'Let me see.' }, { toolUse: { toolUseId: 'c1', name: 'search', input: { q: 'rain' } } }] } }, stopReason: 'tool_use' },
  cohere: { id: 'x', finish_reason: 'TOOL_CALL', message: { role: 'assistant', tool_plan: 'Hm.', content: [{ type: 'text', text: 'Let me see.' }], tool_calls: [fn({ arguments: '{"q":"rain"}' })] } },
  ollama: ollama({ thinking: 'Hm.', content: 'Let me see.', tool_calls: [fn({ arguments: { q: 'rain' } })] }, true),
  mistral: { choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }, { type: 'text', text: 'Let me see.' }], tool_calls: [fn({ arguments: '{"q":"rain"}' })] } }] },
  agUi: { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm0', role: 'user', content: 'Rain?' }, { id: 'm1', role: 'reasoning', content: 'Hm.' }, { id: 'm2', role: 'assistant', content: 'Let me see.', toolCalls: [fn({ arguments: '{"q":"rain"}' })] }] },
}

const eventsOf = (wanted) => MESSAGES.find(({ name }) => name === wanted).events

/** Version 1 of Cohere's Chat API, as its documentation and its SDK's types have it: calls without ids, and all of it again at the end. */
const cohereV1 = (event_type, more) => ({ is_finished: event_type === 'stream-end', event_type, ...more })
const COHERE_V1 = {
  text: 'I look for rain.',
  calls: [{ name: 'search', parameters: { q: 'rain' } }, { name: 'search', parameters: { q: 'snow' } }],
  meta: { api_version: { version: '1' }, billed_units: { input_tokens: 2, output_tokens: 3 }, tokens: { input_tokens: 5, output_tokens: 7 } },
  get reply() {
    return { response_id: 'r', generation_id: 'g', text: this.text, chat_history: [], finish_reason: 'COMPLETE', tool_calls: this.calls, meta: this.meta }
  },
  get events() {
    return [
      cohereV1('stream-start', { generation_id: 'g' }),
      cohereV1('tool-calls-chunk', { text: 'I look ' }),
      cohereV1('tool-calls-chunk', { text: 'for rain.' }),
      ...this.calls.flatMap(({ name, parameters }, index) => [
        cohereV1('tool-calls-chunk', { tool_call_delta: { index, name } }),
        cohereV1('tool-calls-chunk', { tool_call_delta: { index, parameters: '{\n    "q": ' } }),
        cohereV1('tool-calls-chunk', { tool_call_delta: { index, parameters: `${JSON.stringify(parameters.q)}\n}` } }),
      ]),
      cohereV1('tool-calls-generation', { text: this.text, tool_calls: this.calls }),
      cohereV1('stream-end', { finish_reason: 'COMPLETE', response: this.reply }),
    ]
  },
  get said() {
    return [cohereV1('stream-start', { generation_id: 'g' }), cohereV1('text-generation', { text: 'Let me ' }), cohereV1('text-generation', { text: 'see.' }), cohereV1('citation-generation', { citations: [] }), cohereV1('stream-end', { finish_reason: 'COMPLETE', response: { ...this.reply, text: 'Let me see.', tool_calls: undefined } })]
  },
}

/** Streams whose providers have recordings: here for their fields. */
const OTHERS = {
  cohereV1: COHERE_V1.events,
  anthropic: eventsOf('anthropic'),
  openai: [...eventsOf('deepseek'), { id: 'x', object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 1 } }],
  openaiResponses: eventsOf('responses'),
  aiSdk: eventsOf('ai sdk'),
  interactions: [
    { event_type: 'interaction.created', interaction: { id: 'i', object: 'interaction', status: 'in_progress' } },
    { event_type: 'step.start', index: 0, step: { type: 'thought' } },
    { event_type: 'step.delta', index: 0, delta: { type: 'thought_summary', content: { text: 'Hm.' } } },
    { event_type: 'step.stop', index: 0 },
    { event_type: 'step.start', index: 1, step: { type: 'model_output' } },
    { event_type: 'step.delta', index: 1, delta: { type: 'text', text: 'Let me see.' } },
    { event_type: 'step.stop', index: 1 },
    { event_type: 'step.start', index: 2, step: { type: 'function_call', id: 'c1', name: 'search', arguments: { q: 'rain' } } },
    { event_type: 'step.stop', index: 2 },
    { event_type: 'interaction.completed', interaction: { id: 'i', object: 'interaction', status: 'requires_action' } },
  ],
}

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

describe(`no odd field decides the provider (SEED=${seed})`, () => {
  const ODD = [{}, [], null, '', 'x', 0, 1.5, true, false, [{}], { x: {} }]
  // Several that say something may be an event of another provider.
  const EMPTY = [{}, [], null, '', 0, false]
  // What the reader of a provider reads besides.
  const READ = { aiSdk: ['text', 'output', 'result'] }
  const below = random(seed)
  const recorded = recordedStreams()
  const providers = [...new Set(recorded.map(({ provider }) => provider))]
  const streams = [...Object.entries({ ...STREAMS, ...OTHERS }), ...providers.flatMap((name) => recorded.filter(({ provider }) => provider === name).slice(0, 4).map(({ events }) => [name, events]))]
  const fieldsOf = (objects) => new Set(objects.flatMap((object) => Object.keys(object)))
  const all = new Set(['metadata', ...fieldsOf([...streams.flatMap(([, events]) => events), ...Object.values(REPLIES)])])
  // Errors are reported, whoever sends them; `data` is what Mistral's SDK wraps its events in.
  for (const name of ['error', 'data']) all.delete(name)

  /** The object with fields that neither it nor its provider has. */
  function withOdd(object, own, count) {
    const others = [...all].filter((name) => !own.has(name) && !(name in object))
    const added = count === undefined ? others : Array.from({ length: count }, () => others[below(others.length)])
    return { ...Object.fromEntries(added.map((name) => [name, count === 1 ? ODD[below(ODD.length)] : EMPTY[below(EMPTY.length)]])), ...object }
  }
  const onUnknown = () => {}
  const own = (provider) => new Set([...(READ[provider] ?? []), ...fieldsOf([...streams.filter(([name]) => name === provider).flatMap(([, events]) => events), REPLIES[provider] ?? {}])])

  for (const [provider, events] of streams) {
    test(`${provider}: ${JSON.stringify(events).slice(0, 60)}`, () => {
      const want = blocksOf('event', events, { onUnknown })
      for (let round = 0; round < 12; round++) {
        const odd = events.map((event) => withOdd(event, own(provider), [undefined, 1, 2, 5][round % 4]))
        assert.deepEqual(blocksOf('event', odd, { onUnknown }), want, JSON.stringify(odd.slice(0, 8)))
      }
      for (const value of ODD) assert.deepEqual(blocksOf('event', events.map((event) => ({ metadata: value, ...event })), { onUnknown }), want)
    })
  }
  for (const [provider, reply] of Object.entries(REPLIES)) {
    test(`${provider}: a complete reply`, () => {
      for (let round = 0; round < 40; round++) {
        const odd = withOdd(reply, own(provider), [undefined, 1, 2, 5][round % 4])
        assert.deepEqual(blocksOf('message', [odd], { onUnknown }), [thinking, text, call], JSON.stringify(odd))
      }
    })
  }

  test('a reply is an error if nothing in it was understood', async () => {
    const read = (text) => readReply(text, { transport: 'sse', onUnknown }).result()
    await assert.rejects(read('data: {"metadata": {}}\n\n'), { code: 'malformed-reply', message: /nothing of the reply was understood/ })
    assert.equal((await read('data: {"metadata": {}}\n\ndata: {"choices": [{"delta": {"content": "Hi"}}]}\n\n')).text, 'Hi')
  })
})

for (const [method, events] of Object.entries(STREAMS)) {
  test(`${method}: a stream, by its method and detected, and a complete reply`, () => {
    const want = [thinking, text, call]
    assert.deepEqual(blocksOf(method, events), want)
    assert.deepEqual(blocksOf('event', events), want)
    assert.deepEqual(blocksOf('message', [REPLIES[method]]), want)
  })

  test(`${method}: a call that was cut off is incomplete`, () => {
    if (method === 'gemini' || method === 'ollama') return
    const [last] = events.map((event, index) => (/arguments|"input"|TOOL_CALL_ARGS/.test(JSON.stringify(event)) ? index : -1)).filter((index) => index !== -1).slice(-1)
    const begun = events.slice(0, method === 'mistral' ? 0 : last)
    if (method === 'mistral') begun.push(mistral({ tool_calls: [fn({ arguments: '{"q":' })] }))
    assert.equal(blocksOf(method, begun).at(-1).incomplete, true)
  })
}

describe("Cohere's version 1, written after its documentation", () => {
  const want = [{ type: 'thinking', content: COHERE_V1.text }, ...COHERE_V1.calls.map(({ parameters }, at) => ({ ...call, toolId: 'ab'[at], input: parameters }))]
  const blocksWithIds = (method, events) => {
    const ids = [...'ab']
    return blocksOf(method, events, { generateId: () => ids.shift() ?? 'more' })
  }
  const read = (events) => readReply(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')).result()
  /** The event as cohere-ai for JavaScript has it. */
  const asInSdk = (value) => (Array.isArray(value) ? value.map(asInSdk) : typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()), asInSdk(field)])) : value)

  test('a stream, by its method and detected, a complete reply, and the objects of the SDK', () => {
    for (const events of [COHERE_V1.events, COHERE_V1.events.map(asInSdk)]) {
      assert.deepEqual(blocksWithIds('cohereV1', events), want)
      assert.deepEqual(blocksWithIds('event', events), want)
    }
    for (const reply of [COHERE_V1.reply, asInSdk(COHERE_V1.reply)]) assert.deepEqual(blocksWithIds('message', [reply]), want)
    assert.deepEqual(blocksOf('event', COHERE_V1.said), [text])
    // A server that sends only the end.
    assert.deepEqual(blocksOf('event', [COHERE_V1.said.at(-1)]), [text])
    assert.deepEqual(blocksWithIds('event', [COHERE_V1.events.at(-1)]), want)
  })

  test('what was cut off is incomplete', () => {
    const events = COHERE_V1.events.slice(0, 5)
    for (const end of [[], [cohereV1('stream-end', { finish_reason: 'MAX_TOKENS', response: {} })]]) {
      const blocks = blocksOf('event', [...events, ...end])
      assert.deepEqual(blocks.map(({ type, incomplete }) => [type, incomplete]), [['thinking', undefined], ['tool_call', true]])
    }
  })

  test('readReply has calls, reason, tokens and the message that goes back', async () => {
    const reply = await read(COHERE_V1.events)
    assert.deepEqual([reply.thinking, reply.finishReason, reply.usage.totalTokens], [COHERE_V1.text, 'tool-calls', 12])
    const results = reply.toolCalls.map(({ toolCallId, args }) => ({ toolCallId, output: args.q === 'rain' ? 'wet' : { white: true } }))
    assert.deepEqual(loopMessages(reply, results), [
      { role: 'CHATBOT', message: '', tool_calls: COHERE_V1.calls },
      { role: 'TOOL', tool_results: [{ call: COHERE_V1.calls[0], outputs: [{ output: 'wet' }] }, { call: COHERE_V1.calls[1], outputs: [{ output: { white: true } }] }] },
    ])
    const plain = await read(COHERE_V1.said)
    assert.deepEqual([plain.text, plain.finishReason, plain.message], ['Let me see.', 'stop', { role: 'CHATBOT', message: 'Let me see.' }])
    for (const [word, reason] of Object.entries({ MAX_TOKENS: 'length', ERROR_LIMIT: 'length', ERROR_TOXIC: 'content-filter', ERROR: 'error', USER_CANCEL: 'interrupted' })) {
      const { finishReason, rawFinishReason } = await read([...COHERE_V1.said.slice(0, 3), cohereV1('stream-end', { finish_reason: word })])
      assert.deepEqual([finishReason, rawFinishReason], [reason, word])
    }
  })
})

describe('events that no reader knows', () => {
  test('they go to onUnknown, with the whole event', () => {
    const seen = []
    const onUnknown = (event) => seen.push(event)
    const unknown = { anthropic: { type: 'future_event' }, openaiResponses: { type: 'response.future' }, aiSdk: { type: 'future' }, agUi: { type: 'FUTURE' }, cohere: { type: 'future' }, bedrock: { future: {} }, event: { hello: 1 } }
    for (const [method, event] of Object.entries(unknown)) blocksOf(method, [event], { onUnknown })
    assert.deepEqual(seen, Object.values(unknown))
  })

  test('without a handler one TypeError for each instance names the fields', () => {
    const native = new NativeBlocks()
    assert.throws(() => native.event({ hello: 1 }), (error) => error instanceof TypeError && /choices, candidates.*hello/.test(error.message))
    assert.deepEqual(native.event({ hello: 1 }).emissions, [])
    assert.throws(() => new NativeBlocks().event({}), /no fields/)
  })
})

test('an error without a handler is no block, and nothing is thrown (policy 42)', () => {
  for (const error of [{ error: { message: 'bad', code: 'rate_limit' } }, { type: 'error', errorText: 'no' }]) assert.deepEqual(blocksOf('event', [error]), [])
})

describe('details', () => {
  test('Anthropic: content at the start, compaction', () => {
    const events = [
      { type: 'message_start', message: { content: [{ type: 'text', text: 'a' }] } },
      { type: 'content_block_start', index: 1, content_block: { type: 'compaction', content: null } },
      { type: 'content_block_delta', index: 1, delta: { type: 'compaction_delta', content: 'sum' } },
      { type: 'content_block_stop', index: 1 },
    ]
    assert.deepEqual(blocksOf('anthropic', events), [{ type: 'text', content: 'a' }, { type: 'thinking', content: 'sum', compaction: true }])
  })

  test('Responses: items to act on, hosted tools, a text longer than its deltas', () => {
    const done = (output_index, item) => ({ type: 'response.output_item.done', output_index, item })
    const events = [
      done(0, { type: 'local_shell_call', id: 'i', call_id: 'c', status: 'completed', action: { command: ['ls'] } }),
      done(1, { type: 'mcp_approval_request', id: 'm', name: 'f', arguments: '{}' }),
      done(2, { type: 'tool_search_call', id: 't', call_id: 'd', execution: 'client', arguments: { q: 1 } }),
      done(3, { type: 'code_interpreter_call', id: 'e', status: 'completed', code: '1', outputs: [{ type: 'logs', logs: '1' }] }),
      { type: 'response.output_text.delta', output_index: 4, content_index: 0, delta: 'Hel' },
      { type: 'response.output_text.done', output_index: 4, content_index: 0, text: 'Hello' },
    ]
    assert.deepEqual(blocksOf('openaiResponses', events), [
      { type: 'tool_call', toolId: 'c', toolName: 'local_shell', input: { action: { command: ['ls'] } } },
      { type: 'tool_call', toolId: 'm', toolName: 'mcp_approval', input: { name: 'f', arguments: '{}' } },
      { type: 'tool_call', toolId: 'd', toolName: 'tool_search', input: { execution: 'client', arguments: { q: 1 } } },
      { type: 'tool_call', toolId: 'e', toolName: 'code_interpreter', input: { code: '1' }, hosted: true },
      { type: 'tool_result', toolId: 'e', content: '[{"type":"logs","logs":"1"}]', hosted: true },
      { type: 'text', content: 'Hello' },
    ])
  })

  test('OpenAI chat: transcripts of audio, reasoning details', () => {
    const chat = (delta) => ({ choices: [{ index: 0, delta }] })
    assert.deepEqual(blocksOf('openai', [chat({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }), chat({ audio: { transcript: 'Hi' } })]), [thinking, { type: 'text', content: 'Hi' }])
  })

  test('OpenAI chat: empty forms of a call beside it are nothing', () => {
    const chat = (delta) => ({ choices: [{ index: 0, delta }] })
    for (const empty of [{}, null, { name: '', input: '' }]) {
      assert.deepEqual(blocksOf('openai', [chat({ tool_calls: [{ ...fn({ arguments: '{"q":"rain"}' }), custom: empty }], function_call: empty }), { choices: [{ delta: {}, finish_reason: 'tool_calls' }] }]), [call])
      assert.deepEqual(blocksOf('openai', [chat({ content: 'Let me see.', function_call: empty })]), [text])
    }
  })

  test("a message alone, and the events of llama.cpp's /completion, are read", async () => {
    const hello = [{ type: 'text', content: 'Hello' }]
    for (const event of [{ content: 'Hello' }, { role: 'assistant', content: 'Hello' }, { content: [{ type: 'text', text: 'Hello' }] }]) assert.deepEqual(blocksOf('event', [event]), hello)
    const events = [{ index: 0, content: 'Hel', tokens: [1], stop: false }, { index: 0, content: 'lo', tokens: [2], stop: false, stop_type: 'none' }, { index: 0, content: '', tokens: [], stop: true, stop_type: 'limit' }]
    assert.deepEqual(blocksOf('event', events), hello)
    const { text, finishReason } = await readReply(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), { transport: 'sse' }).result()
    assert.deepEqual([text, finishReason], ['Hello', 'length'])
    const seen = []
    new NativeBlocks({ onUnknown: (unknown) => seen.push(unknown) }).event({ content: 5 })
    assert.deepEqual(seen, [{ content: 5 }])
    const call = { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{' } }] }
    assert.equal(blocksOf('event', [call]).at(-1).incomplete, true)
  })

  test('Gemini: code that ran there is hosted; a call in pieces is incomplete', () => {
    const parts = [{ executableCode: { language: 'PYTHON', code: '1' } }, { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }, { functionCall: { name: 'f', willContinue: true } }]
    const [run, result, call] = blocksOf('gemini', [gemini(parts, 'STOP')])
    assert.deepEqual([run.hosted, result], [true, { type: 'tool_result', content: '1', hosted: true }])
    assert.equal(call.incomplete, true)
  })
})

describe('Gemini, arguments in pieces', () => {
  const piece = (functionCall) => gemini([{ functionCall }])
  const start = piece({ id: 'c1', name: 'search', willContinue: true })
  const at = (jsonPath, more) => piece({ partialArgs: [{ jsonPath, ...more }], willContinue: true })
  const end = piece({})
  const callOf = (events) => blocksOf('event', events)

  test('are put together by their paths', () => {
    const events = [start, at('$.q', { stringValue: 'Zü', willContinue: true }), at('$.q', { stringValue: 'rich' }), at('$.days[0]', { numberValue: 2 }), at('$.days[1]', { numberValue: 3 }), at("$['a b'].c", { boolValue: true }), at('$.n', { nullValue: 'NULL_VALUE' }), at('$.__proto__', { stringValue: 'x' })]
    const input = JSON.parse('{"q": "Zürich", "days": [2, 3], "a b": {"c": true}, "n": null, "__proto__": "x"}')
    assert.deepEqual(callOf([...events, end, gemini([], 'STOP')]), [{ type: 'tool_call', toolId: 'c1', toolName: 'search', input }])
    assert.deepEqual(callOf([...events, end, gemini([{ text: 'Hello' }])]).at(-1), { type: 'text', content: 'Hello' })
  })
  test('without their end, or before another call, are incomplete', () => {
    for (const events of [[start, at('$.q', { stringValue: 'a' })], [start, at('$.q', { stringValue: 'a' }), gemini([], 'MAX_TOKENS')], [start, at('$.q', { stringValue: 'a' }), gemini([{ text: 'b' }])], [start, piece({ id: 'c2', name: 'search', args: {} })]]) {
      assert.equal(callOf(events)[0].incomplete, true)
    }
    assert.equal(callOf([start, piece({ id: 'c2', name: 'search', args: {} })])[1].incomplete, undefined)
  })
  test('that have no place make the call incomplete', () => {
    for (const [path, more] of [['q', { stringValue: 'a' }], ['$.q[1]', { numberValue: 1 }], ['$', { numberValue: 1 }], ['$.q', {}], ['$.a.b', { numberValue: 1 }], ['$.q!', { numberValue: 1 }]]) {
      assert.equal(callOf([start, at('$.a', { stringValue: 'x' }), at(path, more), end])[0].incomplete, true, path)
    }
  })
  test('an empty text between them changes nothing', () => {
    assert.deepEqual(callOf([start, at('$.q', { stringValue: 'a' }), gemini([{ text: '', thoughtSignature: 'x' }]), end])[0].input, { q: 'a' })
  })
})

test('getters of an event that are nobody’s business are not called', () => {
  class Chunk {
    candidates = [{ index: 0, content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }]
    get data() {
      throw new Error('called')
    }
  }
  assert.deepEqual(blocksOf('event', [new Chunk()]), [{ type: 'text', content: 'Hello' }])
})
