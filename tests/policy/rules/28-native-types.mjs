// Values that a provider's model wrote as texts, where the tool's schema has another type.
const properties = {
  list: { type: 'array', items: { type: 'object' } },
  object: { type: 'object' },
  ok: { type: 'boolean' },
  days: { type: 'integer' },
  zip: { type: 'string' },
}
const tools = [{ name: 'run', inputSchema: { type: 'object', properties } }]

export default {
  rule: 28,
  title: "Native arguments get the schema's types",
  *ask({ family, write }) {
    if (family !== 'native') return
    const args = { list: '[{"a":1}]', object: '{"a":1}', ok: 'true', days: '3', zip: '02134', own: '5' }
    const calls = [['run', { list: [{ a: 1 }], object: { a: 1 }, ok: true, days: 3, zip: '02134', own: '5' }]]
    yield { name: 'texts', input: write.call('run', args), tools, expected: { calls, inputs: [JSON.stringify(args)] } }
    yield { name: 'typed already', input: write.call('run', calls[0][1]), tools, expected: { calls } }
  },
  atLeast: 20,
}
