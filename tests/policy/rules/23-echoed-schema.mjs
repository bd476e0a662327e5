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

export default {
  rule: 23,
  title: 'A schema that is echoed is not the answer',
  *ask({ name: door }) {
    if (door !== 'StreamingJSONParser') return
    for (const [name, schema, input, value] of CASES) yield { name, input, schema, expected: { value } }
  },
  atLeast: 10,
}
