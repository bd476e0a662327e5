// The options of rjson's `parse`.
import { describe } from '../errors.js'
import { type OptionTable, callback, checkOptions, flag } from '../options.js'

/**
 * What `JSON.parse` takes as its second argument: called for every value, the innermost first, with its holder as
 * `this`. `undefined` deletes the value.
 *
 * @example
 * ```ts
 * import { type Reviver, parse } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const double: Reviver = (key, value) => (typeof value === 'number' ? value * 2 : value)
 * console.log(parse('{a: 1}', double)) // { a: 2 }
 * ```
 */
export type Reviver = (this: unknown, key: string, value: unknown) => unknown

/**
 * How rjson's `parse` reads.
 *
 * @example
 * ```ts
 * import { type ParseOptions, parse } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const options: ParseOptions = { duplicate: true }
 * console.log(parse('{a: 1, a: 2}', options)) // { a: 2 }
 * ```
 */
export interface ParseOptions {
  /**
   * Read comments, single quotes, unquoted keys and words, trailing commas and leading zeros.
   * `false` reads what `JSON.parse` reads.
   * @defaultValue true, but false where `warnings` and `tolerant` are both given as false
   */
  relaxed?: boolean | undefined
  /**
   * Continue after a missing comma, a superfluous one or a missing key, and close whatever is open at the end. The
   * error is thrown all the same, with what was read as `obj` and what was wrong as `warnings`.
   * @defaultValue false
   */
  tolerant?: boolean | undefined
  /** The same as `tolerant`. @defaultValue false */
  warnings?: boolean | undefined
  /** Let a key that comes twice have its last value. Otherwise it is an error. @defaultValue false */
  duplicate?: boolean | undefined
  /** Called for every value as `JSON.parse` does. */
  reviver?: Reviver | undefined
}

/** The options after defaults and aliases were applied. */
export interface Decided {
  readonly isRelaxed: boolean
  readonly isTolerant: boolean
  readonly allowsDuplicates: boolean
  readonly reviver: Reviver | undefined
}

const OPTIONS = {
  relaxed: [flag],
  tolerant: [flag],
  warnings: [flag],
  duplicate: [flag],
  reviver: [callback],
} satisfies OptionTable<ParseOptions>

/** Reads a second argument; a wrong one is a `TypeError`. */
export function decide(second: ParseOptions | Reviver | undefined): Decided {
  if (typeof second === 'function') return decide({ reviver: second })
  if (second === null) throw new TypeError(`parse takes an options object or a reviver, but got ${describe(second)}`)
  checkOptions('parse', second, OPTIONS)
  const options = second ?? {}
  return {
    isRelaxed: options.relaxed ?? !(options.warnings === false && options.tolerant === false),
    isTolerant: options.tolerant === true || options.warnings === true,
    allowsDuplicates: options.duplicate === true,
    reviver: options.reviver,
  }
}
