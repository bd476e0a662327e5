// What a text may mean: a number, a word, JSON, a list.
//
// Source: facts/ai-sdk-tool-parser.md, 2c. `+5`, `.5`, `1_000` and `Infinity` are not
// numbers there, `007` and `1e3` are; words count in any case.

import { jsonValue, keptValue } from '../json/value.js'
import { JsonRules } from '../generated/ops.js'
import { isRecord } from '../own.js'
import { Digits, numberOf } from '../json/digits.js'
import { jsonIn } from '../untrusted.js'

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** What a JSON text must have in it for a number to be one that JavaScript can't hold. */
const MANY_DIGITS = /[\d.]{16}|\d[eE][+-]?\d/

/** The number that a text is; undefined if it isn't one, or is too large for JavaScript. */
export function numberIn(text: string, keepsDigits: boolean): number | Digits | undefined {
  const trimmed = text.trim()
  if (!NUMBER.test(trimmed)) return undefined
  const value = Number(trimmed)
  if (!Number.isFinite(value)) return undefined
  return keepsDigits ? numberOf(trimmed) : value
}

export function isWhole(value: number | bigint | Digits): boolean {
  return value instanceof Digits ? value.isInteger : typeof value === 'bigint' || Number.isInteger(value)
}

/** How a JSON text may be written: as JSON (backslashes that it has no meaning for stay), or as models write it. */
export type Grammar = 'strict' | 'relaxed'

/** The array or object that a text is; undefined if it is neither. */
export function containerIn(
  text: string,
  grammar: Grammar,
  keepsDigits: boolean,
): readonly unknown[] | Readonly<Record<string, unknown>> | undefined {
  const trimmed = text.trim()
  if (trimmed[0] !== '{' && trimmed[0] !== '[') return undefined
  const value =
    keepsDigits && MANY_DIGITS.test(trimmed) ? jsonValue(trimmed, JsonRules.Strict, { digits: true }) : jsonIn(trimmed)
  if (value !== undefined) return isContainer(value) ? value : undefined
  const options = { digits: keepsDigits }
  const relaxed = grammar === 'strict' ? keptValue(trimmed, options) : jsonValue(trimmed, JsonRules.Call, options)
  return isContainer(relaxed) ? relaxed : undefined
}

function isContainer(value: unknown): value is readonly unknown[] | Readonly<Record<string, unknown>> {
  return Array.isArray(value) || isRecord(value)
}

/** The elements of a list that is written without brackets: lines, or the parts between commas. */
export function partsOf(text: string): string[] {
  const trimmed = text.trim()
  const separator = trimmed.includes('\n') ? '\n' : ','
  return trimmed.split(separator).flatMap((part) => part.trim() || [])
}

/**
 * A longer string without a schema is neither a number nor a boolean, so that one that is still arriving needn't wait.
 */
export const LONGEST_GUESS = 1_024

/** What a string without a schema is taken for: a number, a boolean or JSON, else itself. */
export function guess(text: string, keepsDigits: boolean): unknown {
  const scalar = text.length > LONGEST_GUESS ? undefined : (numberIn(text, keepsDigits) ?? booleanIn(text))
  return scalar ?? containerIn(text, 'strict', keepsDigits) ?? text
}

/** A longer number is too large for JavaScript. */
const LONGEST_NUMBER = 400
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The JSON number that a text is, as far as JavaScript can hold it. */
export function plainNumberIn(text: string): number | undefined {
  const trimmed = text.trim()
  const value = trimmed.length <= LONGEST_NUMBER && PLAIN_NUMBER.test(trimmed) ? Number(trimmed) : NaN
  return Number.isFinite(value) ? value : undefined
}

/** The boolean that a text is, in any case. */
export function booleanIn(text: string): boolean | undefined {
  const word = /^\s*(?:(true)|false)\s*$/i.exec(text)
  return word === null ? undefined : word[1] !== undefined
}

export function isNullWord(text: string): boolean {
  return /^\s*null\s*$/i.test(text)
}
