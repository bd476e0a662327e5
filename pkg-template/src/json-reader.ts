// Reads one JSON text, strict or as models write it, or one object or array in a text.
// Rust reads the grammar; its tokens are emitted here.

import { FAULT, type JsonTeller, KEY_END, OBJECT, tellJson } from './json-ops.js'
import { readJsonText, readJsonValueAt } from './wasm/json.js'

export type { JsonTeller } from './json-ops.js'

/** RFC 8259. */
export const STRICT = 0
/** Robust JSON: comments, single quotes, words without quotes, trailing commas, leading zeros. */
export const RELAXED = 1
/** The same, and missing commas. */
export const TOLERANT = 2
/** What a tool call may be written in: robust JSON, line ends in strings, Python's words, backslashes that escape nothing. */
export const CALL = 3

const CODES = ['unexpected', 'missing-value', 'bad-escape', 'too-deep', 'too-long', 'raw-control', 'quote', 'end-of-text'] as const
const PLACES = ['value', 'first-element', 'element', 'first-key', 'key', 'colon', 'after', 'string', 'number', 'word', 'comment'] as const
const INSIDE = ['text', 'array', 'object'] as const

/** Why a text can't be read on. */
export interface JsonFault {
  readonly code: Exclude<(typeof CODES)[number], 'quote'>
  /** Where, in UTF-16 code units from the start of the text. */
  readonly at: number
  /** What was being read there, or what was expected. */
  readonly place: (typeof PLACES)[number]
  readonly inside: (typeof INSIDE)[number]
}

/**
 * Tells the tokens of a text that is an object without a fault, if a teller is given; gives by which
 * departures it was read. Of any other text nothing is told, and nothing is given.
 */
export function readJsonObject(text: string, rules: number, teller: JsonTeller | undefined): number | undefined {
  const { tokens, used } = readJsonText(text, rules)
  // A fault is always the last.
  if (opAt(tokens, 0) !== OBJECT || opAt(tokens, tokens.length - 3) === FAULT) return undefined
  if (teller !== undefined) tellTokens(text, tokens, teller)
  return used
}

function opAt(tokens: readonly number[], at: number): number {
  return (tokens[at] as number) & 0xff
}

function tellTokens(text: string, tokens: readonly number[], teller: JsonTeller): JsonFault | undefined {
  for (let at = 0; at < tokens.length; at += 3) {
    const word = tokens[at] as number
    const start = tokens[at + 1] as number
    if (opAt(tokens, at) === FAULT) {
      return {
        code: CODES[(word >>> 8) & 0xff] as JsonFault['code'],
        at: start,
        place: PLACES[(word >>> 16) & 0xff] as JsonFault['place'],
        inside: INSIDE[word >>> 24] as JsonFault['inside'],
      }
    }
    const end = tokens[at + 2] as number
    tellJson(word, text.slice(start, end), start, end, teller)
  }
  return undefined
}

/**
 * Tells the tokens of a text up to its first fault.
 * `used` are the departures from JSON by which it was read, a bit each, by their numbers in src/json/tolerance.rs.
 */
export function readJson(text: string, rules: number, teller: JsonTeller): { readonly fault: JsonFault | undefined; readonly used: number } {
  const { tokens, used } = readJsonText(text, rules)
  return { fault: tellTokens(text, tokens, teller), used }
}

/** What was found at a bracket in a text. */
export interface FoundValue {
  /** `whole`, or lacking closing brackets alone, and then its tokens were told; `broken`, or not JSON at all. */
  readonly state: 'whole' | 'unclosed' | 'broken' | 'other'
  /** Where it ends; of what is broken, too. Undefined: with the text. */
  readonly end: number | undefined
  /** The departures from JSON by which it was read. */
  readonly used: number
  /** How many units were looked at. */
  readonly cost: number
}

/** Reads the object or array whose bracket stands at `from`, in the text up to `to`, by the rules of calls. */
export function readJsonValue(text: string, from: number, to: number, teller: JsonTeller): FoundValue {
  const { tokens, used, end, hasFailed, lacksClosers, cost } = readJsonValueAt(text, from, to, CALL, hasMember)
  if (hasFailed && !lacksClosers) return { state: hasMember(tokens) ? 'broken' : 'other', end, used, cost }
  tellTokens(text, tokens, teller)
  return { state: lacksClosers ? 'unclosed' : 'whole', end, used, cost }
}

/** Whether a key and its colon were read: a brace in prose has none. */
function hasMember(tokens: readonly number[]): boolean {
  const last = tokens.length - 3
  const isBeforeColon = opAt(tokens, last) === FAULT && PLACES[((tokens[last] as number) >>> 16) & 0xff] === 'colon'
  let keys = isBeforeColon ? -1 : 0
  for (let at = 0; at < tokens.length && keys < 1; at += 3) if (opAt(tokens, at) === KEY_END) keys++
  return keys > 0
}
