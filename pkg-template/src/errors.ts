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
  if (value === null) return 'null'
  if (value === undefined) return 'undefined'
  if (typeof value === 'string')
    return value.length > 60 ? `string ${JSON.stringify(value.slice(0, 57))}...` : `string ${JSON.stringify(value)}`
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return `${typeof value} ${String(value)}`
  if (typeof value === 'object')
    return Array.isArray(value)
      ? `an array of ${value.length}`
      : `an object of ${value.constructor?.name ?? 'no class'}`
  return `a ${typeof value}`
}

/** Throws for anything but a string, naming the place and the value. */
export function requireString(place: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw new TypeError(`${place} takes a string, but got ${describe(value)}`)
}
