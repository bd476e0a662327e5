// A schema that the model repeats before its answer, in the ways that models do.
const STRING = { type: 'string' }
const echo = (properties) => JSON.stringify({ type: 'object', properties, required: Object.keys(properties) })

const TITLE = { title: 'str' }
const ECHO = echo({ title: STRING })
const ANSWER = '{"title":"X"}'

const CASES = [
  ['before the answer', TITLE, `${ECHO}\n${ANSWER}`, { title: 'X' }],
  ['twice', TITLE, `${ECHO}\n${ECHO}\n${ANSWER}`, { title: 'X' }],
  ['in prose', TITLE, `The schema is ${ECHO}. So: ${ANSWER}`, { title: 'X' }],
  ['in a fence', TITLE, `\`\`\`json\n${ECHO}\n\`\`\`\n\`\`\`json\n${ANSWER}\n\`\`\``, { title: 'X' }],
  ['its properties alone', TITLE, `{"title":{"type":"string"}}\n${ANSWER}`, { title: 'X' }],
  ['a list in it', { tags: ['str'] }, `${echo({ tags: { type: 'array', items: STRING } })}\n{"tags":["a"]}`, { tags: ['a'] }],
  ['a list for a text', TITLE, `{"title":["string"]} ${ANSWER}`, { title: 'X' }],
  ['a JSON schema', { type: 'object', properties: { title: STRING } }, `${ECHO}\n${ANSWER}`, { title: 'X' }],
  ['an object that may be one', { title: { type: ['string', 'object'] } }, '{"title":{"a":1}} {"title":"X"}', { title: { a: 1 } }],
  // Nothing better came.
  ['alone', TITLE, '{"title":{"type":"string"}}', { title: { type: 'string' } }],
]

// A value in a fence, where the schema has no object and no list.
const fenced = (value, label = 'json') => `\`\`\`${label}\n${value}\n\`\`\``
const SCALARS = [
  ['a number', 'int', fenced('42'), 42],
  ['a number below zero', 'float', fenced('-4.5', 'json5'), -4.5],
  ['a text', 'str', fenced('"a \\n b"'), 'a \n b'],
  ['true', 'bool', fenced('true', ''), true],
  ['null', { type: ['integer', 'null'] }, fenced('null'), null],
].flatMap(([name, schema, fence, value]) => [
  [`${name} in a fence`, schema, fence, value],
  [`${name} in a fence in prose`, schema, `The answer is:\n\n${fence}\nDone.`, value],
])

export default {
  rule: 23,
  title: 'A schema that is echoed is not the answer, and a value in a fence is',
  *ask({ name: door }) {
    if (door !== 'StreamingJSONParser') return
    for (const [name, schema, input, value] of [...CASES, ...SCALARS]) yield { name, input, schema, expected: { value } }
  },
  atLeast: 20,
}
