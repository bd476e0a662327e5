// rjson's `parse`.
//
// Source: facts/ai-sdk-tool-parser.md, 2a. Differences, each with a case or test:
//   - `__proto__` is a key as any other;
//   - more than 512 levels are a `SyntaxError`, and so is a number of more than 4,096 characters;
//   - a `//` comment may end with the text, so that `//` and `/*` begin no words;
//   - a key may begin with the letters of `true`, `false` and `null`;
//   - with `relaxed: false` no leading zeros and no white space but JSON's;
//   - options that don't exist are a `TypeError`;
//   - a tolerant reading ends with an error wherever something was wrong, also after
//     the value, and always returns the part that was read; it continues only after
//     commas and keys, and with `relaxed: false` up to the first error.

import { requireString, describe } from '../errors.js'
import { JsonRules } from '../generated/ops.js'
import { isRecord, own, put } from '../own.js'
import { jsonBorder } from '../wasm/borders.js'
import { Scrutiny } from './scrutiny.js'
import { readTokens, type TokenHandler } from './tokens.js'
import { Wording, RjsonError, type RjsonWarning } from './wording.js'
import { type OptionTable, callback, checkOptions, flag } from '../options.js'

/**
 * Reads relaxed JSON: comments, single quotes, unquoted keys and words, trailing commas, leading zeros. Numbers are
 * JavaScript's, so digits beyond 2^53 are lost.
 *
 * Source: `RJSON.parse` of `@ai-sdk-tool/parser`.
 *
 * @throws RjsonError, a `SyntaxError` with `line` and `offset`, for a text that can't be read, and for a key twice
 * unless `duplicate` is true.
 * @throws TypeError if the text is not a string, or the second argument is neither options nor a function.
 * @example
 * ```ts
 * import { parse } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(parse("{a: 1, 'b': [x, 2,], // a comment\n}")) // { a: 1, b: [ 'x', 2 ] }
 * ```
 */
export function parse(text: string, optionsOrReviver?: ParseOptions | Reviver): unknown {
  requireString('parse', text)
  jsonBorder.requireReady('parse')
  const decided = decide(optionsOrReviver)
  const { value, warnings } = read(text, decided)
  const obj = decided.reviver && value !== undefined ? revive(value, decided.reviver) : value
  const [first] = warnings
  if (first) throw new RjsonError(first, { obj, warnings })
  return obj
}

function read(
  text: string,
  { isRelaxed, isTolerant, allowsDuplicates }: Decided,
): { value: unknown; warnings: readonly RjsonWarning[] } {
  const wording = new Wording(text, isRelaxed)
  const warnings: RjsonWarning[] = []
  const warn = (warning: RjsonWarning): void => {
    if (!isTolerant) throw new RjsonError(warning)
    warnings.push(warning)
  }
  const builder = new ValueBuilder((key, at) => {
    if (!allowsDuplicates) warn(wording.duplicate(key, at))
  })
  // Strict JSON needs no scrutiny: a tolerant reading of it goes up to the first fault.
  const handler = isRelaxed ? new Scrutiny(text, isTolerant, wording, warn, builder) : builder
  const fault = readTokens(
    text,
    isRelaxed ? (isTolerant ? JsonRules.Tolerant : JsonRules.Relaxed) : JsonRules.Strict,
    handler,
  )
  if (fault) warn(wording.fault(fault))
  return { value: builder.value, warnings }
}

/** Deepest tree that is walked. */
const DEEPEST = 512

/** Gives every value to a reviver, the innermost first, and gives back what it made of the whole. */
function revive(value: unknown, reviver: Reviver): unknown {
  return revived({ '': value }, '', value, reviver, 0)
}

function revived(holder: object, key: string, value: unknown, reviver: Reviver, depth: number): unknown {
  if (depth > DEEPEST) throw new RangeError(`parse: the reviver made a tree of more than ${DEEPEST} levels`)
  if (Array.isArray(value)) {
    for (let index = 0, { length } = value; index < length; index++) {
      const element = revived(value, String(index), value[index], reviver, depth + 1)
      if (element === undefined) delete value[index]
      else value[index] = element
    }
  } else if (isRecord(value)) {
    const object: Record<string, unknown> = value
    for (const name of Object.keys(object)) {
      const member = revived(object, name, own(object, name), reviver, depth + 1)
      if (member === undefined) delete object[name]
      else put(object, name, member)
    }
  }
  return reviver.call(holder, key, value)
}

/** The key of a value that has none. */
const NO_KEY = 'null'

/** At any time, `value` is what there is of the text: containers that are open have what was whole in them. */
class ValueBuilder implements TokenHandler {
  /** `undefined` where no value has begun. */
  value: unknown
  private readonly around: (unknown[] | Record<string, unknown>)[] = []
  private key: string | undefined

  /** `onDuplicate` is called for a key that its object already has; the value that follows replaces the earlier one. */
  constructor(private readonly onDuplicate: (key: string, at: number) => void) {}

  open(isObject: boolean, start: number): void {
    const container = isObject ? {} : []
    this.add(container, start)
    this.around.push(container)
  }

  close(): void {
    this.around.pop()
  }

  string(text: string, isKey: boolean, start: number): void {
    if (isKey) this.take(text, start)
    else this.add(text, start)
  }

  number(digits: string, start: number): void {
    this.add(Number(digits), start)
  }

  word(value: true | false | null, start: number): void {
    this.add(value, start)
  }

  private take(key: string, at: number): string {
    const object = this.around.at(-1)
    if (object && Object.hasOwn(object, key)) this.onDuplicate(key, at)
    this.key = key
    return key
  }

  private add(value: unknown, at: number): void {
    const container = this.around.at(-1)
    if (container === undefined) this.value = value
    else if (Array.isArray(container)) container.push(value)
    else {
      put(container, this.key ?? this.take(NO_KEY, at), value)
      this.key = undefined
    }
  }
}

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
interface Decided {
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
function decide(second: ParseOptions | Reviver | undefined): Decided {
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
