// rjson's `stringify`: the same text for the same value.
//
// Source: facts/ai-sdk-tool-parser.md, 2a. Differences: `toJSON` is called and
// a BigInt is refused, as `JSON.stringify` does; cycles and depth are errors
// with a name.
import { isRecord, own } from '../own.js'

/** Deepest value that is written. */
const DEEPEST = 512

/**
 * Writes a value as JSON without white space, the keys of each object in the order of their UTF-16 code units.
 * `undefined`, functions and symbols are `null`, as members too; numbers that JSON doesn't have are `null`.
 *
 * Source: `RJSON.stringify` of `@ai-sdk-tool/parser`.
 *
 * @throws TypeError for a cycle and a BigInt.
 * @throws RangeError for more than 512 levels.
 * @example
 * ```ts
 * import { stringify } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(stringify({ z: 1, a: [undefined] })) // {"a":[null],"z":1}
 * ```
 */
export function stringify(value: unknown): string {
  return written(value, '', new Set())
}

function written(given: unknown, key: string, around: Set<object>): string {
  const value = unwrapped(given, key)
  if (typeof value === 'bigint')
    throw new TypeError(`stringify: JSON has no BigInt, but there is one at key ${JSON.stringify(key)}`)
  if (!Array.isArray(value) && !isRecord(value)) return JSON.stringify(value) ?? 'null'
  if (around.has(value)) throw new TypeError(`stringify: the value at key ${JSON.stringify(key)} contains itself`)
  if (around.size === DEEPEST) throw new RangeError(`stringify: more than ${DEEPEST} levels`)
  around.add(value)
  const text = Array.isArray(value) ? array(value, around) : object(value, around)
  around.delete(value)
  return text
}

function array(value: readonly unknown[], around: Set<object>): string {
  // Holes are elements too.
  return `[${Array.from(value, (element, index) => written(element, String(index), around)).join(',')}]`
}

function object(value: Readonly<Record<string, unknown>>, around: Set<object>): string {
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${written(own(value, key), key, around)}`)
  return `{${members.join(',')}}`
}

/**
 * What `JSON.stringify` writes for a value: the result of its `toJSON`, and the value of a `Number`, `String` or
 * `Boolean` object.
 */
function unwrapped(given: unknown, key: string): unknown {
  const value = hasToJson(given) ? given.toJSON(key) : given
  return value instanceof Number || value instanceof String || value instanceof Boolean ? value.valueOf() : value
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
}
