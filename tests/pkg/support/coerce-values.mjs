// Values as models write them, and JSON schemas that they may or may not fit: for what
// holds of coercion by any schema (schema-coerce.test.mjs, tests/fuzz/coerce.mjs).
import fc from 'fast-check'

export const key = fc.constantFrom('a', 'b', 'userName', 'user_name', 'tags', 'tag', 'item', '0', '1', '__proto__', 'constructor', '@_k')
const word = fc.constantFrom('', ' ', 'x', '5', ' 5 ', '4.5', '007', '1e3', '12345678901234567890', 'true', 'TRUE', 'null', 'a, b', '1,2', 'a\nb', '"x"', "'x'", '[1]', '["1"', '{"a":"1"}', "{'a': '1'}", '{a: [1]}', '<a>1</a>', '<item>1</item>')
const scalar = fc.oneof(word, fc.constantFrom(0, 5, 4.5, -1e21, true, false, null))

/** Values of JSON. */
export const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, fc.array(tie('value'), { maxLength: 3 }), object(fc.array(fc.tuple(key, tie('value')), { maxLength: 4 })), fc.array(tie('value'), { maxLength: 2 }).map((inner) => JSON.stringify(inner))),
}))

const reference = fc.constantFrom('#', '#/$defs/d', '#/$defs/e', '#/nowhere').map(($ref) => ({ $ref }))
const kind = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
const leaf = fc.oneof(
  kind.map((type) => ({ type })),
  fc.constantFrom(true, false, {}, { description: 'x' }),
  fc.uniqueArray(fc.constantFrom('x', '5', 5, true, null, 'a b'), { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
  fc.constantFrom('x', 5, 'true').map((value) => ({ const: value })),
)

/** Schemas; without alternatives if they aren't to choose. */
const schemas = (mayChoose) =>
  fc.letrec((tie) => {
    const made = [
      tie('object'),
      fc.record({ type: fc.constant('array'), items: tie('schema') }),
      fc.record({ type: fc.constant('array'), prefixItems: fc.array(tie('schema'), { maxLength: 2 }) }),
    ]
    const chosen = [
      reference,
      fc.uniqueArray(kind, { minLength: 2, maxLength: 3 }).map((type) => ({ type })),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ oneOf: fc.array(tie('object'), { minLength: 2, maxLength: 3 }), nullable: fc.boolean() }),
      fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    ]
    return {
      object: fc
        .record({ properties: object(fc.array(fc.tuple(key, tie('schema')), { maxLength: 4 })), required: fc.uniqueArray(key, { maxLength: 2 }), additionalProperties: fc.oneof(fc.boolean(), tie('schema')) }, { requiredKeys: ['properties'] })
        .map((schema) => ({ type: 'object', ...schema })),
      schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, ...made, ...(mayChoose ? chosen : [])),
    }
  })

const rooted = (schema, definition) => fc.tuple(schema, definition, definition).map(([root, d, e]) => (typeof root === 'boolean' ? root : { ...root, $defs: { d, e } }))
const choosing = schemas(true)
const plain = schemas(false)

/** Any schema. */
export const anySchema = rooted(choosing.schema, choosing.schema)
/** One without alternatives. */
export const plainSchema = rooted(plain.schema, plain.schema)
/** One of an object, as tools have it. */
export const objectSchema = rooted(choosing.object, choosing.schema)

/** Objects of members, the last of those with one key. */
function object(members) {
  return members.map((members) => Object.fromEntries(members))
}
