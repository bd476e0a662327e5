// What reading throws. Misuse (an option that doesn't exist) is a TypeError instead.
//
// Source: the names of `@ai-sdk-tool/rxml` 0.1.1.

/**
 * A text that can't be read as elements.
 *
 * @example
 * ```ts
 * import { RXML, RXMLParseError } from 'tokenweir/ai-sdk-tool-parser'
 *
 * try {
 *   RXML.parse('<a>\n<b></a>')
 * } catch (error) {
 *   if (error instanceof RXMLParseError) console.log(error.name, error.line, error.column)
 * }
 * ```
 * ```text
 * RXMLParseError 2 1
 * ```
 */
export class RXMLParseError extends Error {
  /** The name of the class. */
  override readonly name: string = 'RXMLParseError'
  /** The line of what was wrong, from 1 on, if it has a place. */
  readonly line: number | undefined
  /** The column in that line, from 1 on, in UTF-16 code units. */
  readonly column: number | undefined

  constructor(message: string, cause?: unknown, line?: number, column?: number) {
    super(message, cause === undefined ? undefined : { cause })
    this.line = line
    this.column = column
  }
}

/**
 * A property that is a string, and came more than once.
 *
 * @example
 * ```ts
 * import { RXML, RXMLDuplicateStringTagError } from 'tokenweir/ai-sdk-tool-parser'
 *
 * try {
 *   RXML.parse('<a>1</a><a>2</a>', { type: 'object', properties: { a: { type: 'string' } } })
 * } catch (error) {
 *   if (error instanceof RXMLDuplicateStringTagError) console.log(error.message)
 * }
 * ```
 * ```text
 * Duplicate string tags for <a> detected
 * ```
 */
export class RXMLDuplicateStringTagError extends Error {
  /** The name of the class. */
  override readonly name: string = 'RXMLDuplicateStringTagError'
}

/**
 * Values that could not be given the types of the schema.
 *
 * @example
 * ```ts
 * import { RXML, RXMLCoercionError } from 'tokenweir/ai-sdk-tool-parser'
 *
 * try {
 *   RXML.parse('<a>1</a><a>'.repeat(300) + '</a>'.repeat(300))
 * } catch (error) {
 *   if (error instanceof RXMLCoercionError) console.log(error.name, error.cause instanceof RangeError)
 * }
 * ```
 * ```text
 * RXMLCoercionError true
 * ```
 */
export class RXMLCoercionError extends Error {
  /** The name of the class. */
  override readonly name: string = 'RXMLCoercionError'

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
  }
}
