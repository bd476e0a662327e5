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

import { requireString } from '../errors.js'
import { JsonRules } from '../generated/ops.js'
import { isRecord, own, put } from '../own.js'
import { jsonBorder } from '../wasm/borders.js'
import { ValueBuilder } from './builder.js'
import { RjsonError, type RjsonWarning } from './error.js'
import { type Decided, type ParseOptions, type Reviver, decide } from './options.js'
import { Scrutiny } from './scrutiny.js'
import { readTokens } from './tokens.js'
import { Wording } from './wording.js'

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
