// The two functions as one object, by both of its names.
import { parse } from './parse.js'
import { stringify } from './stringify.js'

/**
 * Reads elements as values by a schema, and writes them: `parse` and `stringify` in one object.
 *
 * Source: `RXML` of `@ai-sdk-tool/parser`.
 *
 * @example
 * ```ts
 * import { RXML } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(RXML.parse('<a>1</a>'), RXML.stringify('add', { a: 1 }, { format: false }))
 * // → { a: '1' } <add><a>1</a></add>
 * ```
 */
export const RXML: {
  /** Reads elements as an object, with the types of a schema. */
  readonly parse: typeof parse
  /** Writes a value as an element. */
  readonly stringify: typeof stringify
} = { parse, stringify }

/**
 * Reads and writes elements: the same object as `RXML`.
 *
 * @example
 * ```ts
 * import { rxml } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(rxml.parse('<a>1</a>')) // { a: '1' }
 * ```
 */
export const rxml: typeof RXML = RXML
