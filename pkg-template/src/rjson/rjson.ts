// The three functions as one object, by both of its names.
import { parse } from './parse.js'
import { stringify } from './stringify.js'
import { transform } from './transform.js'

/**
 * Reads and writes relaxed JSON: `parse`, `stringify` and `transform` in one object.
 *
 * Source: `RJSON` of `@ai-sdk-tool/parser`.
 *
 * @example
 * ```ts
 * import { RJSON } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(RJSON.parse("{a: 'x',}"), RJSON.stringify({ b: 1, a: 2 }), RJSON.transform('{a: 1}'))
 * // → { a: 'x' } {"a":2,"b":1} {"a": 1}
 * ```
 */
export const RJSON: {
  /** Reads relaxed JSON. */
  readonly parse: typeof parse
  /** Writes a value as JSON, the same text for the same value. */
  readonly stringify: typeof stringify
  /** Writes relaxed JSON as JSON with the same layout. */
  readonly transform: typeof transform
} = { parse, stringify, transform }

/**
 * Reads and writes relaxed JSON: the same object as `RJSON`.
 *
 * @example
 * ```ts
 * import { rjson } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(rjson.parse("{a: 'x',}")) // { a: 'x' }
 * ```
 */
export const rjson: typeof RJSON = RJSON
