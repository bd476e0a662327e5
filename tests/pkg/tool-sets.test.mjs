// Tools by name, as `tool()` of the AI SDK makes them: their calls have `args`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as ai from 'ai'
import * as aiV5 from 'ai-v5'
import * as aiV7 from 'ai-v7'
import { type } from 'arktype'
import { BlockParser } from 'tokenweir/blocks'
import { describeTools } from 'tokenweir/formats'
import { parseSegments } from 'tokenweir/segments'
import { readReply } from 'tokenweir'
import { ToolCallParser, hermesProtocol, morphXmlProtocol, parseReply, parseToolCalls, toolCallStream } from 'tokenweir/tool-calls'
import * as v from 'valibot'
import { z } from 'zod'

const definition = { description: 'The weather', inputSchema: z.object({ city: z.string(), days: z.number().optional() }) }
const qwen = '<tool_call>\n<function=weather>\n<parameter=city>\n12\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>'

for (const [name, { tool }] of Object.entries({ 'ai 5': aiV5, 'ai 6': ai, 'ai 7': aiV7 })) {
  test(`the tools of ${name}: text is coerced by the schema, and args is the input as a value`, () => {
    const tools = { weather: tool(definition) }
    for (let cut = 0; cut <= qwen.length; cut++) {
      const parser = new ToolCallParser({ format: 'qwen3-coder', tools, generateId: () => '1' })
      const parts = [...parser.text(qwen.slice(0, cut)), ...parser.text(qwen.slice(cut)), ...parser.finish()]
      assert.deepEqual(parts.filter(({ type }) => type === 'tool-call'), [{ type: 'tool-call', toolCallId: '1', toolName: 'weather', input: '{"city":"12","days":3}', args: { city: '12', days: 3 } }])
    }
  })
}

const hermes = (calls) => calls.map((call) => `<tool_call>${JSON.stringify(call)}</tool_call>`).join('')

test('each way in gives the same calls', async () => {
  const tools = { add: { inputSchema: ai.jsonSchema({ type: 'object', properties: { a: { type: 'number' } } }) } }
  const text = hermes([{ name: 'add', arguments: { a: '1' } }, { name: 'sub', arguments: { a: 1 } }])
  const expected = [
    { toolName: 'add', input: '{"a":1}', args: { a: 1 } },
    { toolName: 'sub', input: '{"a":1}', args: { a: 1 }, dynamic: true },
  ]
  const options = { generateId: () => '1' }
  const calls = (parts) => parts.filter(({ type }) => type === 'tool-call').map(({ type: _, toolCallId, ...call }) => (assert.equal(toolCallId, '1'), call))
  const parser = new ToolCallParser({ protocol: hermesProtocol(), tools, options })
  assert.deepEqual(calls(parser.text(text)), expected)
  assert.deepEqual(calls(parseToolCalls(text, { protocol: hermesProtocol(), tools, options })), expected)
  const reply = parseReply(text, { format: 'hermes', tools, ...options })
  assert.deepEqual(reply.toolCalls, expected.map((call) => ({ toolCallId: '1', ...call })))
  assert.deepEqual(calls(reply.parts), expected)
  assert.deepEqual((await readReply(text, { format: 'hermes', tools, generateId: () => '1' }).result()).toolCalls, reply.toolCalls)
  const streamed = []
  const source = new ReadableStream({ start: (controller) => (controller.enqueue({ type: 'text-delta', id: 't', delta: text }), controller.close()) })
  for await (const part of source.pipeThrough(toolCallStream({ protocol: hermesProtocol(), tools, options }))) streamed.push(part)
  assert.deepEqual(calls(streamed), expected)
})

test('a malformed call has no args, though its text is JSON', () => {
  const tools = { add: { inputSchema: z.object({ a: z.number() }) } }
  const text = '<tool_call>{"name": "add", "arguments": [1]}</tool_call>'
  const parser = new ToolCallParser({ format: 'hermes', tools, onMalformed: 'invalid-call', generateId: () => '1' })
  const [call] = parser.text(text).filter(({ type }) => type === 'tool-call')
  assert.deepEqual(call, { type: 'tool-call', toolCallId: '1', toolName: 'add', input: '{"name": "add", "arguments": [1]}', args: undefined, dynamic: true, invalid: true })
})

test('a list gives calls without args, in the form of OpenAI too', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } } }
  for (const tools of [[{ name: 'add', inputSchema: parameters }], [{ type: 'function', function: { name: 'add', parameters } }], [{ name: 'add', inputSchema: z.object({ a: z.string() }) }]]) {
    const [call] = parseToolCalls('<add><a>1</a></add>', { protocol: morphXmlProtocol({ generateId: () => '1' }), tools })
    assert.deepEqual(call, { type: 'tool-call', toolCallId: '1', toolName: 'add', input: '{"a":"1"}' })
  }
})

test('schemas of libraries, alone or made by a function, are schemas for all parsers', async () => {
  const schema = z.object({ id: z.string() })
  const byName = { zod: { inputSchema: schema }, ark: type({ id: 'string' }), lazy: { parameters: () => schema }, sdk: { inputSchema: ai.zodSchema(schema) } }
  for (const name of Object.keys(byName)) {
    const [call] = parseToolCalls(`<${name}><id>7</id></${name}>`, { protocol: morphXmlProtocol(), tools: byName })
    assert.deepEqual([call.toolName, call.args], [name, { id: '7' }])
    const inputs = []
    const parser = new BlockParser({ tools: byName, onBlock: (event) => event.event === 'block_complete' && inputs.push(event.block.input) })
    parser.processChunk(`<function_calls><invoke name="${name}"><parameter name="id">7</parameter></invoke></function_calls>`)
    assert.deepEqual(inputs, [{ id: '7' }])
  }
  const segments = []
  for await (const event of parseSegments(['<tool name="zod"><arguments><arg name="id">7</arg></arguments></tool>'], { tools: byName })) segments.push(event.type)
  assert.deepEqual(segments, ['SEGMENT_START', 'SEGMENT_CONTENT', 'SEGMENT_END'])
})

test('tools in any form are described alike', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
  const description = 'Adds.'
  const forms = [
    [{ name: 'add', description, inputSchema: schema }],
    [{ type: 'function', function: { name: 'add', description, parameters: schema } }],
    { add: { description, inputSchema: schema } },
    { add: ai.tool({ description, inputSchema: ai.jsonSchema(schema) }) },
  ]
  for (const tools of forms) assert.equal(describeTools(tools, { format: 'hermes' }), '{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}}')
  assert.match(describeTools({ add: { description, inputSchema: z.object({ a: z.string() }) } }, { format: 'hermes' }), /"parameters": \{.*"a": \{"type": "string"\}.*"required": \["a"\]/)
})

test('what is not a tool is refused by its place', () => {
  const read = (tools) => () => new ToolCallParser({ format: 'hermes', tools })
  assert.throws(read(5), { name: 'TypeError', message: 'ToolCallParser takes { tools: [{ name, inputSchema }] } or { tools: { name: { inputSchema } } }, but tools is number 5' })
  assert.throws(read([{}]), { name: 'TypeError', message: /^ToolCallParser: tools\[0\] must have a name that is a string/ })
  assert.throws(read({ add: 5 }), { name: 'TypeError', message: 'ToolCallParser: tools["add"] must be a JSON schema or a tool definition, but is number 5' })
  assert.throws(read({ add: { inputSchema: v.object({ a: v.string() }) } }), { name: 'TypeError', message: 'ToolCallParser: tools["add"].inputSchema is a schema that does not give its JSON schema; pass toJsonSchema(schema) of @valibot/to-json-schema' })
  const mine = { formatTools: () => '', formatToolCall: () => '', parseGeneratedText: () => [], createStreamParser: () => new TransformStream() }
  for (const way of [(source) => toolCallStream(source), (source) => parseToolCalls('', source)]) assert.throws(() => way({ protocol: mine, tools: {} }), { name: 'TypeError', message: /tools by name go with formats and built-in protocols/ })
  assert.equal(parseToolCalls('', { protocol: mine, tools: [] }).length, 0)
})

test('a parser without a format says what it needs', () => {
  const message = "ToolCallParser needs the format of the model, { format: 'hermes', tools }, or a protocol"
  for (const source of [{ tools: [] }, {}]) assert.throws(() => new ToolCallParser(source), { name: 'TypeError', message })
})
