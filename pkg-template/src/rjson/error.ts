// What rjson throws.

/**
 * What was wrong at one place of the text.
 *
 * @example
 * ```ts
 * import { RjsonError, type RjsonWarning, parse } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const show = ({ code, line, offset }: RjsonWarning) => console.log(code, line, offset)
 * try {
 *   parse('{a: 1 b: 2}', { tolerant: true })
 * } catch (error) {
 *   if (error instanceof RjsonError) error.warnings?.forEach(show)
 * }
 * ```
 * ```text
 * missing-comma 1 6
 * ```
 */
export interface RjsonWarning {
  /**
   * Stable, kebab-case: `duplicate-key`, `missing-comma`, `doubled-comma`, `missing-key`, or the reader's
   * (`unexpected`, `end-of-text`, `bad-escape`, …).
   */
  readonly code: string
  /** A sentence that says what was found, what was expected, and on which line. */
  readonly message: string
  /** The line, from 1 on. */
  readonly line: number
  /** Where it is, in UTF-16 code units from the start of the text. */
  readonly offset: number
}

/**
 * A text that rjson couldn't read. It is a `SyntaxError`, by name too.
 *
 * @example
 * ```ts
 * import { RjsonError, parse } from 'tokenweir/ai-sdk-tool-parser'
 *
 * try {
 *   parse('{a: 1 b: 2}', { tolerant: true })
 * } catch (error) {
 *   if (error instanceof RjsonError) console.log(error.code, error.line, error.offset, error.obj)
 * }
 * ```
 * ```text
 * missing-comma 1 6 { a: 1, b: 2 }
 * ```
 */
export class RjsonError extends SyntaxError {
  /** What was wrong first: the code of that warning. */
  readonly code: string
  /** The line of what was wrong first, from 1 on. */
  readonly line: number
  /** The place of what was wrong first, in UTF-16 code units from the start of the text. */
  readonly offset: number
  /** What could be read. With `tolerant` only. */
  declare readonly obj?: unknown
  /** All that was wrong, in the order of the text. With `tolerant` only. */
  declare readonly warnings?: readonly RjsonWarning[]

  /** @internal */
  constructor(first: RjsonWarning, tolerated?: { obj: unknown; warnings: readonly RjsonWarning[] }) {
    const count = tolerated?.warnings.length ?? 1
    super(count === 1 ? first.message : `${count} parse warnings, the first: ${first.message}`)
    this.code = first.code
    this.line = first.line
    this.offset = first.offset
    if (tolerated) Object.assign(this, tolerated)
  }
}
