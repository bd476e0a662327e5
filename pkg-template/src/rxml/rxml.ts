// The two functions as one object, by both of its names.
import { type RXMLParseOptions, parse } from './parse.js'
import { type RXMLStringifyOptions, stringify } from './stringify.js'

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
  /**
   * Reads the elements of a text as an object, with the types of a JSON schema. Without a schema all values are
   * strings, except numbers in lists of `<item>`. Numbers are JavaScript's, so digits beyond 2^53 are lost.
   *
   * Where one element that the schema doesn't know is twice around a text, that text is what is returned.
   *
   * Source: `parse` of `@ai-sdk-tool/rxml`.
   *
   * @throws RXMLParseError, with `line` and `column`, for a text that isn't well-formed, and for more than 512 elements
   *   inside each other.
   * @throws RXMLDuplicateStringTagError for a string property that comes twice; with `repair` that is the cause of an
   *   `RXMLParseError`.
   * @throws RXMLCoercionError for lists of objects nested beyond 512 levels. Nothing else is thrown for any text.
   * @throws TypeError for an option that doesn't exist or has the wrong type.
   * @example
   * ```ts
   * import { RXML } from 'tokenweir/ai-sdk-tool-parser'
   *
   * const schema = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'number' } } }
   * console.log(RXML.parse('<city>Ulm <b>now</b></city><days>3</days>', schema)) // { city: 'Ulm <b>now</b>', days: 3 }
   * ```
   */
  readonly parse: (xmlInner: string, schema?: unknown, options?: RXMLParseOptions) => Record<string, unknown>
  /**
   * Writes a value as one element, `root`, that `parse` reads back under a fitting schema. Keys that begin with `@_`
   * (or `@`) are attributes, `#text` is text, lists are repeated elements. Null and undefined are empty elements.
   *
   * Source: `stringify` of `@ai-sdk-tool/rxml`.
   *
   * @throws RXMLStringifyError for a name that is invalid in XML, a function, a symbol, a cycle and more than 512
   *   levels.
   * @throws TypeError for an option that doesn't exist or has the wrong type.
   * @example
   * ```ts
   * import { RXML } from 'tokenweir/ai-sdk-tool-parser'
   *
   * console.log(RXML.stringify('add', { a: 1, b: [2, 3] }, { format: false })) // <add><a>1</a><b>2</b><b>3</b></add>
   * ```
   */
  readonly stringify: (root: string, object: unknown, options?: RXMLStringifyOptions) => string
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
