// Reported for the Qwen family: a list was passed on as its text, since its parameter may be a string too.
const STRING = { type: 'string' }
const either = (other) => ({ anyOf: [STRING, other] })
const properties = {
  list: either({ type: 'array', items: STRING }),
  map: either({ type: 'object', additionalProperties: STRING }),
}
const tools = [{ name: 'run', description: 'Runs', inputSchema: { type: 'object', properties } }]

const JSON_VALUE = /^(list \["x|map \{)/
const VALUES = [
  ['list', '["x", "y"]', ['x', 'y']],
  ['list', 'plain', 'plain'],
  ['list', '[x', '[x'],
  ['list', '{"a": "b"}', '{"a": "b"}'],
  ['map', '{"a": "b"}', { a: 'b' }],
  ['map', '["x"]', '["x"]'],
]

export default {
  rule: 102,
  title: 'JSON is a list or an object where the schema has one beside a string',
  *ask({ write, family, body }) {
    if (family === 'blocks' || family === 'segments' || body === 'blocks') return
    for (const [key, text, value] of VALUES) {
      const input = write.value?.('run', key, text)
      if (input !== undefined) yield { name: `${key} ${text}`, input, tools, expected: { calls: [['run', { [key]: value }]] } }
    }
  },
  exceptions: [
    { door: /^row (deepseek-v|gigachat35|kimi-k3)/, case: JSON_VALUE, why: 'the tag says that the value is a string' },
    { door: 'row cline', case: JSON_VALUE, why: 'all of its values are strings, whatever the schema says' },
    { door: 'morphXmlProtocol', case: JSON_VALUE, why: 'a string that the schema allows stays one, as in the parser that it replaces' },
  ],
  atLeast: 100,
}
