// The loop of an agent: what to tell a model about its tools, and the messages after a reply with calls.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createToolMiddleware } from 'tokenweir/ai-sdk'
import { formats, instructionsFor, loopMessages, writeCalls, writeResults } from 'tokenweir/formats'
import { readReply } from 'tokenweir'
import { parseReply } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'

const TOOLS = { add: { description: 'Adds', inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } }, now: { inputSchema: { type: 'object', properties: {} } } }
const CALLS = [
  { toolCallId: 'c1', toolName: 'add', input: '{"a": 12345678901234567890}' },
  { toolCallId: 'c2', toolName: 'add', input: '{"a": 2}' },
]
const RESULTS = [
  { toolCallId: 'c2', output: { sum: 2 } },
  { toolCallId: 'c1', output: 'one' },
]
const writable = Object.values(formats).filter(({ call, write }) => call !== undefined && write?.call !== undefined)

describe('loopMessages', () => {
  test('for chat APIs: the calls as they were written, a message for each result, in the order of the calls', () => {
    assert.deepEqual(loopMessages({ text: 'I add.', thinking: 'Hm.', toolCalls: CALLS }, RESULTS), [
      { role: 'assistant', content: 'I add.', tool_calls: FUNCTIONS },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: '{"sum":2}' },
    ])
    assert.deepEqual(loopMessages({ text: 'Hello', toolCalls: [] }, []), [{ role: 'assistant', content: 'Hello' }])
    const outputs = [undefined, null, 0, '', [1], { type: 'error-text', value: 'no' }, { type: 'json', value: { a: 1 } }]
    assert.deepEqual(outputs.map((output) => loopMessages({ text: '', toolCalls: [CALLS[0]] }, [{ toolCallId: 'c1', output }])[1].content), ['null', 'null', '0', '', '[1]', '{"error":"no"}', '{"a":1}'])
  })
  test('with any format: what is written is read as the same calls', () => {
    assert.ok(writable.length > 70)
    for (const { id } of writable) {
      const calls = [{ ...CALLS[0], input: '{"a": 1}' }, CALLS[1]]
      const [said, results] = loopMessages({ text: '', toolCalls: calls }, RESULTS, { format: id })
      assert.equal(said.role, 'assistant')
      assert.equal(said.content, writeCalls(calls, { format: id }), id)
      assert.deepEqual(results, { role: formats[id].write.role ?? 'user', content: writeResults([{ ...calls[0], output: 'one' }, { ...calls[1], output: { sum: 2 } }], { format: id }) })
      const { toolCalls } = parseReply(said.content, { format: withYaml(formats[id]), tools: TOOLS, prefill: '' })
      assert.deepEqual(toolCalls.map(({ toolName, args }) => [toolName, args]), [['add', { a: formats[id].typing === 'string' ? '1' : 1 }], ['add', { a: formats[id].typing === 'string' ? '2' : 2 }]], id)
    }
  })
  test('thinking goes on where the format has it', () => {
    const { content } = loopMessages({ text: '', thinking: 'hm', toolCalls: CALLS.slice(1) }, RESULTS.slice(0, 1), { format: 'qwen3' in formats ? 'qwen3' : 'glm-4.5' })[0]
    assert.ok(content.includes('hm'), content)
    assert.ok(!loopMessages({ text: 'x', thinking: 'hm', toolCalls: [] }, [])[0].content.includes('hm'))
  })
  test('a call without a result and a result without a call are refused by name', () => {
    assert.throws(() => loopMessages({ text: '', toolCalls: CALLS }, RESULTS.slice(1)), /^TypeError: loopMessages: the call "c2" of "add" has no result/)
    assert.throws(() => loopMessages({ text: '', toolCalls: [] }, RESULTS), /^TypeError: loopMessages: there is a result of "c2", and the reply has no such call/)
    assert.throws(() => loopMessages(undefined, []), /^TypeError: loopMessages takes the result of/)
    assert.throws(() => loopMessages({ text: '', toolCalls: [] }, {}), /^TypeError: loopMessages takes a list/)
    assert.throws(() => loopMessages({ text: '', toolCalls: [] }, [], { formats: 'x' }), /has no option "formats"/)
    assert.throws(() => loopMessages({ text: '', toolCalls: [] }, [], { format: 'hermess' }), /there is no format "hermess"/)
  })
  test('a call that is not whole comes back to the model, with what is wrong', async () => {
    const CUT = '<tool_call>\n{"name": "add", "arguments": {"a" 1}}\n</tool_call>'
    const said = `A call of "add" can not be read, and was not run.\n${CUT}\n\nWrite it again, as a whole call.`
    const alone = await readReply(`I add.\n${CUT}`, { format: 'hermes', tools: TOOLS }).result()
    for (const options of [{}, { format: 'hermes' }]) assert.deepEqual(loopMessages(alone, [], options), [{ role: 'assistant', content: 'I add.' }, { role: 'user', content: said }])
    const beside = await readReply(`${writeCalls(CALLS.slice(1), { format: 'hermes' })}\n${CUT}`, { format: 'hermes', tools: TOOLS }).result()
    const results = beside.toolCalls.map(({ toolCallId }) => ({ toolCallId, output: 'two' }))
    // No message more: some templates want the roles to take turns.
    assert.deepEqual(loopMessages(beside, results).map(({ role, content }) => [role, content]), [['assistant', ''], ['tool', `two\n\n${said}`]])
    assert.equal(loopMessages(beside, results, { format: 'hermes' })[1].content, `<tool_response>\ntwo\n</tool_response>\n\n${said}`)
    // `parseReply` has the same.
    const parsed = loopMessages(parseReply(CUT, { format: 'hermes' }), [])
    assert.deepEqual(parsed.map(({ role }) => role), ['assistant', 'user'])
    assert.match(parsed[1].content, /"add"[^]*can not be read[^]*<tool_call>[^]*Write it again/)
    const thought = parseReply(`<think>${CUT}</think>Hello`, { format: 'hermes' })
    assert.deepEqual(loopMessages(thought, []), [{ role: 'assistant', content: 'Hello' }])
  })
  test('two calls with one id have their results in order', () => {
    const toolCalls = [CALLS[0], { ...CALLS[1], toolCallId: 'c1' }]
    const results = [{ toolCallId: 'c1', output: 'first' }, { toolCallId: 'c1', output: 'second' }]
    assert.deepEqual(loopMessages({ text: '', toolCalls }, results).map(({ content }) => content), ['', 'first', 'second'])
  })
})

/** A reply with two calls; `readReply` has it with `provider` and `message`. */
const REPLY = { text: 'I add.', thinking: 'Hm.', toolCalls: CALLS, problems: [] }
const FUNCTIONS = CALLS.map(({ toolCallId, input }) => ({ id: toolCallId, type: 'function', function: { name: 'add', arguments: input } }))
const ARGS = [{ a: 12345678901234567890 }, { a: 2 }]
const textOf = (text) => ({ type: 'text', text })
const PROBLEM = { message: 'A call is cut off.', metadata: { toolCall: '<cut', dropReason: 'unfinished-tool-call' } }
const WRONG = `A call is cut off.\n<cut\n\nWrite it again, as a whole call.`
/** By provider: the message, and what follows it; `alone`: what is said of a call that isn't whole, without results. */
const SHAPES = {
  anthropic: {
    message: { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 'S' }, textOf('I add.'), ...CALLS.map(({ toolCallId: id }, at) => ({ type: 'tool_use', id, name: 'add', input: ARGS[at] }))] },
    results: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'one' }, { type: 'tool_result', tool_use_id: 'c2', content: '{"sum":2}' }] }],
    failed: { type: 'tool_result', tool_use_id: 'c1', content: 'no', is_error: true },
    wrong: (results) => [{ role: 'user', content: [...results[0].content, textOf(WRONG)] }],
    alone: { role: 'user', content: [textOf(WRONG)] },
  },
  openai: {
    message: { role: 'assistant', content: 'I add.', reasoning_content: 'Hm.', tool_calls: FUNCTIONS },
    results: [{ role: 'tool', tool_call_id: 'c1', content: 'one' }, { role: 'tool', tool_call_id: 'c2', content: '{"sum":2}' }],
    failed: { role: 'tool', tool_call_id: 'c1', content: '{"error":"no"}' },
  },
  mistral: {
    message: { role: 'assistant', content: [{ type: 'thinking', thinking: [textOf('Hm.')] }, textOf('I add.')], tool_calls: FUNCTIONS },
    results: [{ role: 'tool', tool_call_id: 'c1', content: 'one' }, { role: 'tool', tool_call_id: 'c2', content: '{"sum":2}' }],
    failed: { role: 'tool', tool_call_id: 'c1', content: '{"error":"no"}' },
  },
  openaiResponses: {
    message: [{ type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'E' }, { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'I add.' }] }, { type: 'function_call', id: 'fc', call_id: 'c1', name: 'add', arguments: CALLS[0].input }, { type: 'custom_tool_call', id: 'ct', call_id: 'c2', name: 'add', input: CALLS[1].input }],
    results: [{ type: 'function_call_output', call_id: 'c1', output: 'one' }, { type: 'custom_tool_call_output', call_id: 'c2', output: '{"sum":2}' }],
    failed: { type: 'function_call_output', call_id: 'c1', output: '{"error":"no"}' },
    wrong: (results) => [...results, { role: 'user', content: WRONG }],
  },
  gemini: {
    message: { role: 'model', parts: [{ text: 'Hm.', thought: true }, { text: 'I add.', thoughtSignature: 'T' }, { functionCall: { name: 'add', args: ARGS[0] }, thoughtSignature: 'TS' }, { functionCall: { id: 'c2', name: 'add', args: ARGS[1] } }] },
    results: [{ role: 'user', parts: [{ functionResponse: { name: 'add', response: { output: 'one' } } }, { functionResponse: { id: 'c2', name: 'add', response: { output: { sum: 2 } } } }] }],
    failed: { functionResponse: { name: 'add', response: { error: 'no' } } },
    wrong: (results) => [{ role: 'user', parts: [...results[0].parts, { text: WRONG }] }],
    alone: { role: 'user', parts: [{ text: WRONG }] },
  },
  interactions: {
    message: [{ type: 'thought', signature: 'T', summary: [textOf('Hm.')] }, { type: 'model_output', content: [textOf('I add.')] }, ...CALLS.map(({ toolCallId: id }, at) => ({ type: 'function_call', id, name: 'add', arguments: ARGS[at] }))],
    results: [{ type: 'function_result', call_id: 'c1', name: 'add', result: 'one' }, { type: 'function_result', call_id: 'c2', name: 'add', result: '{"sum":2}' }],
    failed: { type: 'function_result', call_id: 'c1', name: 'add', result: 'no', is_error: true },
    wrong: (results) => [...results, { type: 'user_input', content: [textOf(WRONG)] }],
    alone: { type: 'user_input', content: [textOf(WRONG)] },
  },
  bedrock: {
    message: { role: 'assistant', content: [{ reasoningContent: { reasoningText: { text: 'Hm.', signature: 'S' } } }, { text: 'I add.' }, ...CALLS.map(({ toolCallId }, at) => ({ toolUse: { toolUseId: toolCallId, name: 'add', input: ARGS[at] } }))] },
    results: [{ role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ text: 'one' }] } }, { toolResult: { toolUseId: 'c2', content: [{ text: '{"sum":2}' }] } }] }],
    failed: { toolResult: { toolUseId: 'c1', content: [{ text: 'no' }], status: 'error' } },
    wrong: (results) => [{ role: 'user', content: [...results[0].content, { text: WRONG }] }],
    alone: { role: 'user', content: [{ text: WRONG }] },
  },
  cohere: {
    message: { role: 'assistant', tool_plan: 'Hm.', tool_calls: FUNCTIONS },
    results: [{ role: 'tool', tool_call_id: 'c1', content: 'one' }, { role: 'tool', tool_call_id: 'c2', content: '{"sum":2}' }],
    failed: { role: 'tool', tool_call_id: 'c1', content: '{"error":"no"}' },
  },
  ollama: {
    message: { role: 'assistant', content: 'I add.', thinking: 'Hm.', tool_calls: [{ function: { name: 'add', arguments: ARGS[0] } }, { id: 'c2', function: { name: 'add', arguments: ARGS[1] } }] },
    results: [{ role: 'tool', tool_name: 'add', content: 'one' }, { role: 'tool', tool_name: 'add', tool_call_id: 'c2', content: '{"sum":2}' }],
    failed: { role: 'tool', tool_name: 'add', content: '{"error":"no"}' },
  },
  aiSdk: {
    message: { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }, textOf('I add.'), ...CALLS.map(({ toolCallId }, at) => ({ type: 'tool-call', toolCallId, toolName: 'add', input: ARGS[at] })), { type: 'tool-call', toolCallId: 's1', toolName: 'search', input: {}, providerExecuted: true }] },
    results: [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'add', output: { type: 'text', value: 'one' } }, { type: 'tool-result', toolCallId: 'c2', toolName: 'add', output: { type: 'json', value: { sum: 2 } } }] }],
    failed: { type: 'tool-result', toolCallId: 'c1', toolName: 'add', output: { type: 'error-text', value: 'no' } },
    wrong: (results) => [...results, { role: 'user', content: WRONG }],
  },
  agUi: {
    message: [{ id: 'r', role: 'reasoning', content: 'Hm.' }, { id: 'm', role: 'assistant', content: 'I add.', toolCalls: FUNCTIONS }],
    results: [{ id: 'c1-result', role: 'tool', toolCallId: 'c1', content: 'one' }, { id: 'c2-result', role: 'tool', toolCallId: 'c2', content: '{"sum":2}' }],
    failed: { id: 'c1-result', role: 'tool', toolCallId: 'c1', content: '{"error":"no"}', error: 'no' },
    alone: { id: 'made', role: 'user', content: WRONG },
  },
}
/** Messages whose ids are made up, where there is nothing to make them of. */
const named = (messages) => messages.map((each) => (/^\d{20,}$/.test(each.id) ? { ...each, id: 'made' } : each))

describe('loopMessages in the shape of the provider', () => {
  for (const [provider, { message, results, failed, wrong, alone }] of Object.entries(SHAPES)) {
    const own = Array.isArray(message) ? message : [message]
    const reply = { ...REPLY, provider, message }
    test(`${provider}: a tool that failed`, () => {
      const given = loopMessages(reply, [{ toolCallId: 'c1', output: { type: 'error-text', value: 'no' } }, RESULTS[0]])[own.length]
      assert.deepEqual(failed.role === undefined && failed.call_id === undefined ? (given.content ?? given.parts)[0] : given, failed)
      for (const output of [undefined, null, 0, [1], { type: 'error-json', value: { a: 1 } }, { type: 'execution-denied' }, { type: 'content', value: [textOf('x')] }])
        assert.deepEqual(JSON.parse(JSON.stringify(loopMessages(reply, [{ toolCallId: 'c1', output }, RESULTS[0]]))).length, own.length + results.length)
    })
    test(`${provider}: the message as it came, the results in the order of the calls, and then what is wrong`, () => {
      const last = results.at(-1)
      const expected = wrong?.(results) ?? [...results.slice(0, -1), { ...last, content: `${last.content}\n\n${WRONG}` }]
      const given = loopMessages({ ...reply, problems: [PROBLEM] }, RESULTS)
      assert.deepEqual(given, [...own, ...expected])
      assert.equal(given[0], own[0])
      assert.deepEqual(loopMessages({ ...reply, toolCalls: [] }, []), own)
      const user = alone ?? { role: 'user', content: WRONG }
      assert.deepEqual(named(loopMessages({ ...reply, toolCalls: [], problems: [PROBLEM] }, [])), [...own, user])
      // A call that was cut off may be all of the reply: providers refuse a message without content.
      const cut = named(loopMessages({ text: '', toolCalls: [], problems: [PROBLEM], provider }, []))
      assert.deepEqual(cut.at(-1), user)
      assert.ok(cut.length === 1 || cut[0].content === '')
    })
  }
  test('a call that was read from the text is not in the message: OpenAI’s fields', () => {
    const message = { role: 'assistant', content: '<add><a>2</a></add>' }
    const reply = { text: '', toolCalls: CALLS.slice(1), provider: 'openai', message }
    assert.deepEqual(loopMessages(reply, RESULTS.slice(0, 1)), [{ role: 'assistant', content: '', tool_calls: FUNCTIONS.slice(1) }, SHAPES.openai.results[1]])
    // One of two isn't there.
    const half = { ...REPLY, provider: 'ollama', message: { ...SHAPES.ollama.message, tool_calls: SHAPES.ollama.message.tool_calls.slice(1) } }
    assert.deepEqual(loopMessages(half, RESULTS).map(({ role }) => role), ['assistant', 'tool', 'tool'])
    assert.deepEqual(loopMessages(half, RESULTS)[0].tool_calls, FUNCTIONS)
    // With a format everything is text.
    assert.deepEqual(loopMessages({ ...REPLY, thinking: '', toolCalls: CALLS.slice(1), provider: 'openai', message: SHAPES.openai.message }, RESULTS.slice(0, 1), { format: 'hermes' })[0], { role: 'assistant', content: `I add.\n${writeCalls(CALLS.slice(1), { format: 'hermes' })}` })
  })
  test('items of the Responses API that are no functions have outputs of their own', () => {
    const items = [
      ['shell_call', [{ stdout: 'x' }], { type: 'shell_call_output', call_id: 'i', output: [{ stdout: 'x' }] }],
      ['local_shell_call', 'x', { type: 'local_shell_call_output', id: 'item', output: 'x' }],
      ['computer_call', { type: 'computer_screenshot', image_url: 'u' }, { type: 'computer_call_output', call_id: 'i', output: { type: 'computer_screenshot', image_url: 'u' } }],
      ['apply_patch_call', 'done', { type: 'apply_patch_call_output', call_id: 'i', status: 'completed', output: 'done' }],
      ['apply_patch_call', { type: 'error-text', value: 'no' }, { type: 'apply_patch_call_output', call_id: 'i', status: 'failed', output: 'no' }],
      ['mcp_approval_request', true, { type: 'mcp_approval_response', approval_request_id: 'i', approve: true }],
      ['mcp_approval_request', 'yes', { type: 'mcp_approval_response', approval_request_id: 'i', approve: false }],
    ]
    for (const [type, output, expected] of items) {
      const item = type === 'mcp_approval_request' ? { type, id: 'i' } : { type, id: 'item', call_id: 'i' }
      const reply = { text: '', toolCalls: [{ toolCallId: 'i', toolName: 'x', input: '{}' }], provider: 'openaiResponses', message: [item] }
      assert.deepEqual(loopMessages(reply, [{ toolCallId: 'i', output }]), [item, expected])
    }
    // A hosted call is no call of the program.
    const hosted = { text: '', toolCalls: [], provider: 'openaiResponses', message: [{ type: 'web_search_call', id: 'w' }] }
    assert.deepEqual(loopMessages(hosted, []), hosted.message)
  })
  test('a provider that there is none of is refused by name', () => {
    assert.throws(() => loopMessages({ ...REPLY, provider: 'x' }, RESULTS), /^TypeError: loopMessages: there is no provider string "x"/)
  })
})

test('a call of Gemini 3 whose signature was lost is refused by name, not by the next request', async () => {
  const part = (name, more) => ({ functionCall: { name, args: {} }, ...more })
  const reply = (modelVersion, ...parts) => readReply([{ modelVersion, candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }]).result()
  const sent = (result) => loopMessages(result, result.toolCalls.map(({ toolCallId }) => ({ toolCallId, output: 'x' })))
  for (const model of ['gemini-3-pro-preview', 'models/gemini-3.5-flash', 'gemini-12-pro']) {
    const lost = await reply(model, part('now'), part('here', { thoughtSignature: 'S' }))
    assert.equal(lost.model, model)
    assert.throws(() => sent(lost), { code: 'missing-signature', message: `loopMessages: the call of "now" lacks its thoughtSignature, without which ${model} refuses the next request: something between the API and readReply has left it out` })
    for (const name of ['thoughtSignature', 'thought_signature']) assert.equal(sent(await reply(model, { text: 'Hm', thought: true }, part('now', { [name]: 'S' }), part('here'))).length, 2)
    assert.equal(sent(await reply(model, { text: 'Hello' })).length, 1)
  }
  for (const model of ['gemini-2.5-pro', undefined]) assert.equal(sent(await reply(model, part('now'))).length, 2)
})

test('what a model has not got wrong is not sent back to it', async () => {
  const cut = await readReply([{ choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: 'length' }] }]).result()
  const other = await readReply([{ candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] }], { continues: cut }).result()
  assert.deepEqual([other.problems.length, loopMessages(other, [])], [1, [{ role: 'model', parts: [{ text: 'Hi' }] }]])
})

describe('loopMessages without thinking', () => {
  const without = (provider, message, more = {}) => loopMessages({ text: 'Hi', thinking: 'Hm.', toolCalls: [], provider, message, ...more }, [], { thinking: false })
  test('leaves out what can be read', () => {
    for (const name of ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text']) assert.deepEqual(without('openai', { role: 'assistant', content: 'Hi', [name]: 'Hm.' }), [{ role: 'assistant', content: 'Hi' }])
    assert.deepEqual(without('ollama', SHAPES.ollama.message)[0], { role: 'assistant', content: 'I add.', tool_calls: SHAPES.ollama.message.tool_calls })
    assert.deepEqual(without('cohere', SHAPES.cohere.message)[0], { role: 'assistant', tool_calls: FUNCTIONS })
    assert.deepEqual(without('mistral', SHAPES.mistral.message)[0], { role: 'assistant', content: [textOf('I add.')], tool_calls: FUNCTIONS })
    assert.deepEqual(without('anthropic', { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: '' }, textOf('Hi')] }), [{ role: 'assistant', content: [textOf('Hi')] }])
    assert.deepEqual(without('bedrock', { role: 'assistant', content: [{ reasoningContent: { reasoningText: { text: 'Hm.' } } }, { text: 'Hi' }] }), [{ role: 'assistant', content: [{ text: 'Hi' }] }])
    assert.deepEqual(without('gemini', SHAPES.gemini.message)[0].parts, SHAPES.gemini.message.parts.slice(1))
    assert.deepEqual(without('aiSdk', SHAPES.aiSdk.message)[0].content, SHAPES.aiSdk.message.content.slice(1))
    assert.deepEqual(without('interactions', [{ type: 'thought', summary: [textOf('Hm.')] }, ...SHAPES.interactions.message.slice(1)]), SHAPES.interactions.message.slice(1))
    assert.deepEqual(without('openaiResponses', [{ type: 'reasoning', id: 'rs', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] }, SHAPES.openaiResponses.message[1]]), [SHAPES.openaiResponses.message[1]])
    const details = [{ type: 'reasoning.text', index: 0, text: 'Hm.' }, { type: 'reasoning.summary', index: 1, summary: 'Hm.' }, { type: 'reasoning.text', index: 2, text: 'Hm.', signature: 'S' }, { type: 'reasoning.encrypted', index: 3, data: 'D' }]
    assert.deepEqual(without('openai', { role: 'assistant', content: 'Hi', reasoning_details: details }), [{ role: 'assistant', content: 'Hi', reasoning_details: details.slice(2) }])
    assert.deepEqual(without('openai', { role: 'assistant', content: 'Hi', reasoning_details: details.slice(0, 2) }), [{ role: 'assistant', content: 'Hi' }])
    // Thinking in tags is in the content: the text is what is left.
    assert.deepEqual(without('openai', { role: 'assistant', content: '<think>Hm.</think>\n\nHi' }), [{ role: 'assistant', content: 'Hi' }])
    // Nothing else came.
    assert.deepEqual(without('gemini', { role: 'model', parts: [{ text: 'Hm.', thought: true }] }), [])
  })
  test('keeps what is signed or encrypted, and changes no message', () => {
    const encrypted = [
      ['anthropic', SHAPES.anthropic.message],
      ['anthropic', { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'R' }] }],
      ['bedrock', SHAPES.bedrock.message],
      ['bedrock', { role: 'assistant', content: [{ reasoningContent: { redactedContent: 'R' } }] }],
      ['gemini', { role: 'model', parts: [{ text: 'Hm.', thought: true, thoughtSignature: 'T' }] }],
      ['mistral', { role: 'assistant', content: [{ type: 'thinking', thinking: [textOf('Hm.')], signature: 'S' }] }],
      ['aiSdk', { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'S' } } }] }],
    ]
    for (const [provider, message] of encrypted) assert.deepEqual(without(provider, message), [message])
    for (const provider of ['openaiResponses', 'interactions']) assert.deepEqual(without(provider, SHAPES[provider].message), SHAPES[provider].message)
    // A call needs the item before it, and OpenAI shows only its summary.
    const summary = [{ type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm.' }] }, SHAPES.openaiResponses.message[2]]
    assert.deepEqual(without('openaiResponses', summary), summary)
    const kept = JSON.stringify(SHAPES.mistral.message)
    without('mistral', SHAPES.mistral.message)
    assert.equal(JSON.stringify(SHAPES.mistral.message), kept)
  })
  test('in a shape, with a format, and as an option', () => {
    assert.deepEqual(without(undefined, undefined, {}), [{ role: 'assistant', content: 'Hi' }])
    assert.equal(loopMessages(REPLY, RESULTS, { as: 'ollama', thinking: false })[0].thinking, undefined)
    assert.ok(!loopMessages(REPLY, RESULTS, { format: 'glm-4.5', thinking: false })[0].content.includes('Hm.'))
    assert.ok(loopMessages(REPLY, RESULTS, { format: 'glm-4.5', thinking: true })[0].content.includes('Hm.'))
    assert.throws(() => loopMessages(REPLY, RESULTS, { thinking: 'no' }), /^TypeError: loopMessages: thinking must be true or false/)
  })
})

describe('loopMessages as another shape', () => {
  /** What each shape has of text and calls. */
  const OTHERS = {
    openai: [{ role: 'assistant', content: 'I add.', tool_calls: FUNCTIONS }, ...SHAPES.openai.results],
    responses: [{ role: 'assistant', content: 'I add.' }, ...CALLS.map(({ toolCallId, input }) => ({ type: 'function_call', call_id: toolCallId, name: 'add', arguments: input })), SHAPES.openaiResponses.results[0], { type: 'function_call_output', call_id: 'c2', output: '{"sum":2}' }],
    anthropic: [{ role: 'assistant', content: SHAPES.anthropic.message.content.slice(1) }, ...SHAPES.anthropic.results],
    gemini: [{ role: 'model', parts: [{ text: 'I add.' }, ...ARGS.map((args) => ({ functionCall: { name: 'add', args } }))] }, { role: 'user', parts: ['one', { sum: 2 }].map((output) => ({ functionResponse: { name: 'add', response: { output } } })) }],
    bedrock: [{ role: 'assistant', content: SHAPES.bedrock.message.content.slice(1) }, ...SHAPES.bedrock.results],
    ollama: [{ role: 'assistant', content: 'I add.', thinking: 'Hm.', tool_calls: CALLS.map(({ toolCallId: id }, at) => ({ id, function: { name: 'add', arguments: ARGS[at] } })) }, ...CALLS.map(({ toolCallId }, at) => ({ role: 'tool', tool_name: 'add', tool_call_id: toolCallId, content: ['one', '{"sum":2}'][at] }))],
    cohere: [{ role: 'assistant', tool_plan: 'I add.', tool_calls: FUNCTIONS }, ...SHAPES.cohere.results],
    'ai-sdk': [{ role: 'assistant', content: SHAPES.aiSdk.message.content.slice(0, -1) }, ...SHAPES.aiSdk.results],
  }
  const names = { responses: 'openaiResponses', 'ai-sdk': 'aiSdk' }
  for (const [as, expected] of Object.entries(OTHERS)) {
    test(`${as}: text and calls; its own message stays`, () => {
      assert.deepEqual(loopMessages(REPLY, RESULTS, { as }), expected)
      for (const [provider, { message, results }] of Object.entries(SHAPES)) {
        const given = loopMessages({ ...REPLY, provider, message }, RESULTS, { as })
        if (provider === (names[as] ?? as)) assert.deepEqual(given, [...[message].flat(), ...results], provider)
        // What providers sign goes to the AI SDK: see below.
        else if (as !== 'ai-sdk' || ['openai', 'mistral', 'cohere', 'ollama'].includes(provider)) assert.deepEqual(given, expected, provider)
      }
      const alone = loopMessages({ text: 'Hi', toolCalls: [] }, [], { as })
      assert.equal(alone.length, 1)
      assert.ok(JSON.stringify(alone).includes('"Hi"'))
      const empty = loopMessages({ text: '', toolCalls: [] }, [], { as })
      assert.deepEqual(empty, ['openai', 'ollama', 'cohere'].includes(as) ? [{ role: 'assistant', content: '' }] : [])
    })
    test(`${as}: a call that lacks what it needs is refused by name`, () => {
      const given = (call) => () => loopMessages({ text: '', toolCalls: [{ ...CALLS[1], ...call }] }, [{ toolCallId: call.toolCallId ?? 'c2', output: 1 }], { as })
      const place = `^TypeError: loopMessages: the call .* can't be written as "${as}": `
      assert.throws(given({ toolCallId: '' }), new RegExp(`${place}it has no id`))
      assert.throws(given({ toolName: '' }), new RegExp(`${place}it has no name`))
      assert.doesNotThrow(given({ input: '' }))
      for (const input of ['[1]', 'echo 1', '"x"']) {
        if (as === 'ai-sdk') assert.doesNotThrow(given({ input }))
        else assert.throws(given({ input }), new RegExp(`${place}its arguments are not a JSON object, but string`))
      }
    })
  }
  test('ai-sdk: what a provider signs is in providerOptions', () => {
    const asSdk = (provider, message, options) => loopMessages({ ...REPLY, provider, message }, RESULTS, { as: 'ai-sdk', ...options })[0].content
    const calls = (options) => CALLS.map(({ toolCallId }, at) => ({ type: 'tool-call', toolCallId, toolName: 'add', input: ARGS[at], ...(options[at] && { providerOptions: options[at] }) }))
    const reasoning = (providerOptions, text = 'Hm.') => ({ type: 'reasoning', text, providerOptions })
    const text = textOf('I add.')
    const redacted = { ...SHAPES.anthropic.message, content: [{ type: 'redacted_thinking', data: 'R' }, ...SHAPES.anthropic.message.content] }
    assert.deepEqual(asSdk('anthropic', redacted), [reasoning({ anthropic: { redactedData: 'R' } }, ''), reasoning({ anthropic: { signature: 'S' } }), text, ...calls([])])
    const bedrock = { ...SHAPES.bedrock.message, content: [{ reasoningContent: { redactedContent: 'R' } }, ...SHAPES.bedrock.message.content] }
    assert.deepEqual(asSdk('bedrock', bedrock), [reasoning({ bedrock: { redactedData: 'R' } }, ''), reasoning({ bedrock: { signature: 'S' } }), text, ...calls([])])
    const gemini = [{ type: 'reasoning', text: 'Hm.' }, { ...text, providerOptions: { google: { thoughtSignature: 'T' } } }, ...calls([{ google: { thoughtSignature: 'TS' } }])]
    assert.deepEqual(asSdk('gemini', SHAPES.gemini.message), gemini)
    assert.deepEqual(asSdk('gemini', SHAPES.gemini.message, { thinking: false }), gemini.slice(1))
    const item = (itemId) => ({ openai: { itemId } })
    assert.deepEqual(asSdk('openaiResponses', SHAPES.openaiResponses.message), [reasoning({ openai: { itemId: 'rs', reasoningEncryptedContent: 'E' } }, ''), { ...text, providerOptions: item('m') }, ...calls([item('fc'), item('ct')])])
    assert.deepEqual(asSdk('interactions', SHAPES.interactions.message), [reasoning({ google: { signature: 'T' } }), text, ...calls([])])
    // By OpenAI's chat completions Gemini has it with the call.
    const compatible = { ...SHAPES.openai.message, tool_calls: [{ ...FUNCTIONS[0], extra_content: { google: { thought_signature: 'G' } } }, FUNCTIONS[1]] }
    assert.deepEqual(asSdk('openai', compatible), [{ type: 'reasoning', text: 'Hm.' }, text, ...calls([{ google: { thoughtSignature: 'G' } }])])
    // Calls of its text have no place in the message.
    assert.deepEqual(asSdk('anthropic', { role: 'assistant', content: [text] }), [{ type: 'reasoning', text: 'Hm.' }, text, ...calls([])])
  })
  test('a shape that there is none of, and a format beside it, are refused', () => {
    assert.throws(() => loopMessages(REPLY, RESULTS, { as: 'claude' }), /^TypeError: loopMessages: as must be one of openai, responses, anthropic, gemini, bedrock, ollama, cohere, ai-sdk, but is string "claude"/)
    assert.throws(() => loopMessages(REPLY, RESULTS, { as: 'openai', format: 'hermes' }), /^TypeError: loopMessages takes format, .* or as, .* but got both/)
  })
})

describe('instructionsFor', () => {
  test('has the tools and a call of the format; or is undefined where markers are special tokens', () => {
    const without = []
    for (const format of Object.values(formats)) {
      const text = instructionsFor(TOOLS, { format: format.id })
      if (text === undefined) {
        assert.ok(format.special !== undefined, format.id)
        without.push(format.id)
        continue
      }
      for (const word of ['"add"', '"Adds"', '"now"']) assert.ok(text.includes(word), format.id)
      if (format.sample !== undefined) assert.ok(text.includes(format.sample), format.id)
    }
    for (const id of ['kimi-k2', 'deepseek-v3', 'harmony']) assert.ok(without.includes(id), id)
    for (const id of ['hermes', 'qwen3-coder', 'morph-xml']) assert.ok(!without.includes(id), id)
  })
  test('its example is read as a call', () => {
    let count = 0
    for (const { id, sample, call } of Object.values(formats)) {
      if (!sample?.includes('get_weather') || call === undefined || instructionsFor(TOOLS, { format: id }) === undefined) continue
      const { toolCalls } = parseReply(sample, { format: withYaml(formats[id]), tools: [{ name: 'get_weather' }, { name: 'read_file', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }] })
      assert.ok(toolCalls.length > 0, id)
      count++
    }
    assert.ok(count > 25, String(count))
  })
  test('is what the middleware says', async () => {
    const tools = Object.entries(TOOLS).map(([name, { description, inputSchema }]) => ({ type: 'function', name, description, inputSchema }))
    const { transformParams } = createToolMiddleware({ format: 'qwen3-coder' })
    const { prompt } = await transformParams({ type: 'stream', params: { prompt: [], tools } })
    assert.equal(prompt[0].content, instructionsFor(tools, { format: 'qwen3-coder' }))
  })
  test('what is no format and what is no tool is refused by name', () => {
    assert.throws(() => instructionsFor(TOOLS, { format: 'hermess' }), /^TypeError: instructionsFor: there is no format/)
    assert.throws(() => instructionsFor(TOOLS), /^TypeError: instructionsFor/)
    assert.throws(() => instructionsFor(7, { format: 'hermes' }), /^TypeError: describeTools: tools must be/)
  })
})
