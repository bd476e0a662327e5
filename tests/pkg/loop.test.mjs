// The loop of an agent: what to tell a model about its tools, and the messages after a reply with calls.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createToolMiddleware } from 'tokenweir/ai-sdk'
import { formats, instructionsFor, loopMessages, writeCalls, writeResults } from 'tokenweir/formats'
import { readReply } from 'tokenweir/reply'
import { parseReply } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/yaml'

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
    assert.deepEqual(loopMessages({ text: 'I add.', toolCalls: CALLS }, RESULTS), [
      { role: 'assistant', content: 'I add.', tool_calls: CALLS.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, type: 'function', function: { name: toolName, arguments: input } })) },
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
  test('from a reply to the next request and back', async () => {
    const chat = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
    const native = await readReply([chat({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'add', arguments: '{"a": 1}' } }] }), chat({}, 'tool_calls')], { tools: TOOLS }).result()
    assert.equal(loopMessages(native, [{ toolCallId: 'c1', output: 1 }])[0].tool_calls[0].function.arguments, '{"a": 1}')
    const raw = await readReply(writeCalls(CALLS.slice(1), { format: 'hermes' }), { format: 'hermes', tools: TOOLS }).result()
    const [{ content }] = loopMessages(raw, raw.toolCalls.map(({ toolCallId }) => ({ toolCallId, output: 'ok' })), { format: 'hermes' })
    assert.deepEqual(parseReply(content, { format: 'hermes' }).toolCalls.map(({ args }) => args), [{ a: 2 }])
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
