// What rxml throws. Wrong use (an option that doesn't exist) is a TypeError instead.
//
// Source: the names of `@ai-sdk-tool/rxml` 0.1.1.

/** A text that can't be read as elements. */
export class RXMLParseError extends Error {
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

/** A property that is a string, and came more than once. */
export class RXMLDuplicateStringTagError extends Error {
  override readonly name: string = 'RXMLDuplicateStringTagError'
}

/** Values that could not be given the types of the schema. */
export class RXMLCoercionError extends Error {
  override readonly name: string = 'RXMLCoercionError'

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
  }
}

/** A value that can't be written as elements. */
export class RXMLStringifyError extends Error {
  override readonly name: string = 'RXMLStringifyError'

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
  }
}
