// `coerceBySchema` and its companions.
//
// Source: the public names of @ai-sdk-tool/parser 5.1.6, entry `schema-coerce`.
// Differences: see schema/coercion.ts; `getSchemaType` follows alternatives and references.

import { isRecord, own } from '../own.js'
import { valueBorder } from '../wasm/borders.js'
import { unwrapJsonSchema } from '../schema/keywords.js'
import { coercionBy } from './xml-in-strings.js'

export { unwrapJsonSchema } from '../schema/keywords.js'

/**
 * Gives a value the types of a JSON schema, as far as its meaning is clear.
 *
 * Strings become numbers, booleans, null, arrays and objects where those are expected, numbers and booleans
 * become strings, and single values become lists of one. It reads `$ref` within the schema, `allOf`, `anyOf`, `oneOf`,
 * `nullable`, `const` and `enum`; of several alternatives it takes the one that the value fits with the fewest misfits
 * and the least change. Keys that the schema forbids are dropped, or are the required member whose name they
 * nearly have. What doesn't fit stays as it is: nothing is refused.
 *
 * Without a schema, strings that read as a number, a boolean, or a JSON array or object become that.
 *
 * @param value Any value. It is not changed; the result may share parts with it.
 * @param schema A JSON schema, `{ jsonSchema }`, or nothing. It is read once, so it must not be changed between calls.
 * @throws RangeError if the value is nested more than 512 levels deep.
 * @example
 * ```ts
 * import { coerceBySchema } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const schema = { type: 'object', properties: { days: { type: 'number' }, tags: { type: 'array' } } }
 * console.log(coerceBySchema({ days: '3', tags: 'a' }, schema)) // { days: 3, tags: [ 'a' ] }
 * console.log(coerceBySchema('[1]')) // [ 1 ]
 * ```
 */
export function coerceBySchema(value: unknown, schema?: unknown): unknown {
  // Texts that are not strict JSON are read in WebAssembly. Whether it must be ready should not depend on the text.
  valueBorder.requireReady('coerceBySchema')
  return coercionBy(schema).value(value)
}

/** If there are several types, the first of these counts. */
const ORDER = ['object', 'array', 'boolean', 'number', 'integer', 'string', 'null'] as const

/**
 * Returns the type of a schema: of several the first of object, array, boolean, number, integer, string, null.
 * `undefined` if it says nothing of types.
 *
 * Source: `getSchemaType` of `@ai-sdk-tool/parser` 5.1.6.
 *
 * @example
 * ```ts
 * import { getSchemaType } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(getSchemaType({ type: ['null', 'integer'] })) // integer
 * ```
 */
export function getSchemaType(schema: unknown): string | undefined {
  const type = own(unwrapJsonSchema(schema), 'type')
  if (typeof type === 'string') return type
  const { views } = coercionBy(schema).schema
  return views.every(({ kinds }) => kinds !== undefined)
    ? ORDER.find((kind) => views.some(({ kinds }) => kinds?.has(kind)))
    : undefined
}

/**
 * Returns whether a schema says nothing at all: it is missing, `true` or `{}`.
 *
 * Source: `schemaIsUnconstrained` of `@ai-sdk-tool/parser` 5.1.6.
 *
 * @example
 * ```ts
 * import { schemaIsUnconstrained } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(schemaIsUnconstrained({}), schemaIsUnconstrained({ type: 'string' })) // true false
 * ```
 */
export function schemaIsUnconstrained(schema: unknown): boolean {
  const inner = unwrapJsonSchema(schema)
  return inner === undefined || inner === null || inner === true || (isRecord(inner) && Object.keys(inner).length === 0)
}
