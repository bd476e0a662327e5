/**
 * An error of a parser, with a stable `code`.
 *
 * A model's text never causes one: only misuse does, and a wrong type is a `TypeError` instead.
 *
 * @example
 * ```ts
 * import { BlockParser, ParseError } from 'tokenweir/blocks'
 *
 * const parser = new BlockParser()
 * parser.flush()
 * try {
 *   parser.processChunk('more')
 * } catch (error) {
 *   console.log(error instanceof ParseError && error.code) // finished
 * }
 * ```
 */
export class ParseError extends Error {
  /** The name of the class. */
  override readonly name = 'ParseError'
  /**
   * Stable, kebab-case: `finished`, `reentrant`, `state-failed`, `no-webassembly`,
   * `webassembly-refused`, `engine-failed`, `malformed-reply`, `reset`, `snapshot-version`,
   * `snapshot-parser`, `snapshot-invalid`; of a call's arguments `cut-off`, and the codes of `ArgumentsFault`.
   */
  readonly code: string
  /** Of text that can't be read: where, in UTF-16 code units from its start. */
  declare readonly offset?: number

  /** @internal */
  constructor(code: string, message: string, options?: { cause: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Describes a value in an error message: its type, and the value itself if it is short. */
export function describe(value: unknown): string {
  if (typeof value === 'string')
    return value.length > 60 ? `${describe(value.slice(0, 57))}...` : `string ${JSON.stringify(value)}`
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'object') return `an object of ${value.constructor?.name ?? 'no class'}`
  return typeof value === 'function' || typeof value === 'symbol'
    ? `a ${typeof value}`
    : `${typeof value} ${String(value)}`
}

/** Throws for anything but a string, naming the place and the value. */
export function requireString(place: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw new TypeError(`${place} takes a string, but got ${describe(value)}`)
}
