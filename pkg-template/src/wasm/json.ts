// JSON texts, one after the other, and JSON values in texts: src/wasm/json.rs.

import { isHighHalf } from '../surrogates.js'
import { COUNT, FLAG, LONGEST_STRETCH, NEXT, turnsFor } from './border.js'
import { engine } from './engine.js'

/** Of what is returned: whether something could not be read, whether the value has ended, and whether it lacks closing brackets alone. */
const FAILED = FLAG
const ENDED = FLAG << 1
const LACKS_CLOSERS = FLAG << 2

/** First stretch of a value: most brackets in prose begin none. Later ones are twice as long each. */
const FIRST_STRETCH = 64

/** What was read of a value in a text. */
export interface JsonValueReading {
  /** Records, three words each. */
  readonly tokens: readonly number[]
  /** The rules that it was read by. */
  readonly used: number
  /** Where it ends. Undefined: the text ends first, or it was given up. */
  readonly end: number | undefined
  readonly hasFailed: boolean
  /** Whether only closing brackets are missing at the end of the text. */
  readonly lacksClosers: boolean
  /** How many units were looked at. */
  readonly cost: number
}

/** Reads a JSON text by a set of rules (see `json_start`): its records, three words each, and the rules it was read by. May be called while records are told. */
export function readJsonText(text: string, rules: number): { readonly tokens: readonly number[]; readonly used: number } {
  return engine.reading(() => jsonTokens(text, rules))
}

/**
 * Reads the object or array whose bracket stands at `from`, in the text up to `to`. Where it can't be read, its end is
 * looked for if `isWorthIt` says so of what was read of it.
 */
export function readJsonValueAt(text: string, from: number, to: number, rules: number, isWorthIt: (tokens: readonly number[]) => boolean): JsonValueReading {
  return engine.reading(() => jsonValueTokens(text, from, to, rules, isWorthIt))
}

function jsonTokens(text: string, rules: number): { readonly tokens: readonly number[]; readonly used: number } {
  const tokens: number[] = []
  engine.exports.json_start(rules, 0)
  let hasFailed = false
  let turns = turnsFor(text.length)
  for (let from = 0; from < text.length && !hasFailed; from = engine.outcome[NEXT] as number) {
    turns = engine.turn(turns)
    const to = stretchEnd(text, from + LONGEST_STRETCH, text.length)
    hasFailed = (take(tokens, engine.exports.json_run(engine.writeWhole(text, from, to), from, 0)) & FAILED) !== 0
  }
  if (!hasFailed) take(tokens, engine.exports.json_finish(text.length))
  return { tokens, used: engine.exports.json_rules() }
}

function jsonValueTokens(text: string, start: number, limit: number, rules: number, isWorthIt: (tokens: readonly number[]) => boolean): JsonValueReading {
  const tokens: number[] = []
  const { exports } = engine
  exports.json_start(rules, 1)
  let packed = 0
  let cost = 0
  let turns = turnsFor(limit - start)
  let isGivenUp = false
  for (let from = start, length = FIRST_STRETCH; from < limit && (packed & ENDED) === 0 && !isGivenUp; from = engine.outcome[NEXT] as number) {
    turns = engine.turn(turns)
    const to = stretchEnd(text, from + length, limit)
    const failedBefore = (packed & FAILED) !== 0
    packed = take(tokens, exports.json_run(engine.writeWhole(text, from, to), from, 0))
    cost += to - from
    length = Math.min(2 * length, LONGEST_STRETCH)
    isGivenUp = !failedBefore && (packed & FAILED) !== 0 && (packed & ENDED) === 0 && !isWorthIt(tokens)
  }
  const end = (packed & ENDED) === 0 ? undefined : (engine.outcome[NEXT] as number)
  if (end === undefined && !isGivenUp) packed |= take(tokens, exports.json_finish(limit))
  return { tokens, used: exports.json_rules(), end, hasFailed: (packed & FAILED) !== 0, lacksClosers: (packed & LACKS_CLOSERS) !== 0, cost }
}

/** Takes the records of a call; gives what it returned. */
function take(tokens: number[], packed: number): number {
  const words = (packed & COUNT) * 3
  for (let at = 0; at < words; at++) tokens.push(engine.records[at] as number)
  return packed
}

/** Where a stretch ends: not in a surrogate pair. */
function stretchEnd(text: string, end: number, limit: number): number {
  if (end >= limit) return limit
  return isHighHalf(text.charCodeAt(end - 1)) ? end - 1 : end
}
