// Why there is no grammar.

/**
 * There is no sound grammar for a row, or for these tools in it.
 *
 * @example
 * ```ts
 * import { GrammarError, gbnfFor } from 'tokenweir/grammar'
 *
 * try {
 *   gbnfFor('yaml-xml', { now: { type: 'object' } })
 * } catch (error) {
 *   if (error instanceof GrammarError) console.log(error.format, error.feature) // yaml-xml yaml
 * }
 * ```
 */
export class GrammarError extends Error {
  /** The name of the class. */
  override readonly name = 'GrammarError'

  /** @internal */
  constructor(
    /** Id of the row. */
    readonly format: string,
    /**
     * What has no grammar: `calls` (the row has none), `reasoning`, `yaml`, `types` (that the row can't read back),
     * `names` (that it can't write), `markers`, `schema` (too deep or too large), `anyOf`, `lexing` (Lark alone).
     */
    readonly feature: string,
    why: string,
  ) {
    super(`${JSON.stringify(format)} has no grammar with this ${feature}: ${why}`)
  }
}
