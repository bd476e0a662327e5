// Reads one JSON text, strict or as models write it, or one object or array in a text.
// Rust reads the grammar; its tokens are emitted here.

import { JSON_CONTAINERS, JSON_FAULTS, JSON_PLACES, JsonBits, JsonOp, JsonRules } from './generated/ops.js'
import { type JsonTeller, tellJson } from './json-ops.js'
import { readJsonText, readJsonValueAt } from './wasm/json.js'

export type { JsonTeller } from './json-ops.js'

/** Why a text can't be read on. */
export interface JsonFault {
  readonly code: Exclude<(typeof JSON_FAULTS)[number], 'quote'>
  /** Where, in UTF-16 code units from the start of the text. */
  readonly at: number
  /** What was being read there, or what was expected. */
  readonly place: (typeof JSON_PLACES)[number]
  readonly inside: (typeof JSON_CONTAINERS)[number]
}

/**
 * Tells the tokens of a text that is an object without a fault, if a teller is given; gives by which
 * departures it was read. Of any other text nothing is told, and nothing is given.
 */
export function readJsonObject(text: string, rules: number, teller: JsonTeller | undefined): number | undefined {
  const { tokens, used } = readJsonText(text, rules)
  // A fault is always the last.
  if (opAt(tokens, 0) !== JsonOp.Object || opAt(tokens, tokens.length - 3) === JsonOp.Fault) return undefined
  if (teller !== undefined) tellTokens(text, tokens, teller)
  return used
}

function opAt(tokens: readonly number[], at: number): number {
  return (tokens[at] as number) & JsonBits.OpMask
}

function tellTokens(text: string, tokens: readonly number[], teller: JsonTeller): JsonFault | undefined {
  for (let at = 0; at < tokens.length; at += 3) {
    const word = tokens[at] as number
    const start = tokens[at + 1] as number
    if (opAt(tokens, at) === JsonOp.Fault) {
      return {
        code: JSON_FAULTS[(word >>> JsonBits.FaultCodeShift) & JsonBits.FaultMask] as JsonFault['code'],
        at: start,
        place: JSON_PLACES[(word >>> JsonBits.FaultPlaceShift) & JsonBits.FaultMask] as JsonFault['place'],
        inside: JSON_CONTAINERS[word >>> JsonBits.FaultInsideShift] as JsonFault['inside'],
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
  const { tokens, used, end, hasFailed, lacksClosers, cost } = readJsonValueAt(text, from, to, JsonRules.Call, hasMember)
  if (hasFailed && !lacksClosers) return { state: hasMember(tokens) ? 'broken' : 'other', end, used, cost }
  tellTokens(text, tokens, teller)
  return { state: lacksClosers ? 'unclosed' : 'whole', end, used, cost }
}

/** Whether a key and its colon were read: a brace in prose has none. */
function hasMember(tokens: readonly number[]): boolean {
  const last = tokens.length - 3
  const isBeforeColon = opAt(tokens, last) === JsonOp.Fault && JSON_PLACES[((tokens[last] as number) >>> JsonBits.FaultPlaceShift) & JsonBits.FaultMask] === 'colon'
  let keys = isBeforeColon ? -1 : 0
  for (let at = 0; at < tokens.length && keys < 1; at += 3) if (opAt(tokens, at) === JsonOp.KeyEnd) keys++
  return keys > 0
}
