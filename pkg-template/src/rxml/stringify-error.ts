// What writing throws: apart from the rest, since tool calls write, and read in another way.

/**
 * A value that can't be written as elements.
 *
 * @example
 * ```ts
 * import { RXML, RXMLStringifyError } from 'tokenweir/ai-sdk-tool-parser'
 *
 * try {
 *   RXML.stringify('no name', {})
 * } catch (error) {
 *   if (error instanceof RXMLStringifyError) console.log(error.message)
 * }
 * ```
 * ```text
 * "no name" is not a name of an XML element
 * ```
 */
export class RXMLStringifyError extends Error {
  /** The name of the class. */
  override readonly name: string = 'RXMLStringifyError'

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
  }
}
