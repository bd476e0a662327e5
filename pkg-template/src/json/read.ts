// Reads one JSON text, strict or as models write it, or one object or array in a text.
// Rust reads the grammar; its tokens are passed on here.

import { JSON_CONTAINERS, JSON_FAULTS, JSON_PLACES, JsonBits, JsonFlag, JsonOp, JsonRules } from '../generated/ops.js'
import { type Decoder, Reader } from '../reader.js'
import { LONGEST_STRETCH } from '../wasm/border.js'
import { jsonRulesUsed, jsonSession } from '../wasm/json.js'
import { type JsonHandler, decodeJson } from './decoder.js'

export type { JsonHandler } from './decoder.js'

/** First stretch of a value: most brackets in prose begin none. Later ones are twice as long each. */
const FIRST_STRETCH = 64

/** Why a text can't be read on. */
export interface JsonFault {
  readonly code: Exclude<(typeof JSON_FAULTS)[number], 'quote'>
  /** Where, in UTF-16 code units from the start of the text. */
  readonly at: number
  /** What was being read there, or what was expected. */
  readonly place: (typeof JSON_PLACES)[number]
  readonly inside: (typeof JSON_CONTAINERS)[number]
}

/** The tokens of a text, before any handler gets them: of a text with a fault it may get none. */
class Tokens implements Decoder {
  readonly modes = []
  private readonly words: number[] = []
  /** Whether something could not be read. */
  hasFailed = false
  /** Whether closing brackets alone are missing at the end of the text. */
  lacksClosers = false
  /** Where a value ended. */
  valueEnd: number | undefined
  /** How many units were looked at. */
  cost = 0
  /** The tolerance rules by which it was read, a bit each. */
  used = 0

  constructor(private readonly isValue: boolean) {}

  get firstStretch(): number {
    return this.isValue ? FIRST_STRETCH : LONGEST_STRETCH
  }

  record(word: number, from: number, to: number): void {
    this.words.push(word, from, to)
  }

  after(text: Reader): void {
    const { flags } = text
    const hadFailed = this.hasFailed
    this.hasFailed = (flags & JsonFlag.Failed) !== 0
    this.lacksClosers = (flags & JsonFlag.LacksClosers) !== 0
    this.cost = text.crossed
    if ((flags & JsonFlag.Ended) !== 0) {
      this.valueEnd = text.at
      text.stop()
    } else if (this.hasFailed && !hadFailed && !(this.isValue && this.hasMember)) {
      // The end of something else than a value isn't looked for.
      text.stop()
    }
  }

  get isObject(): boolean {
    return this.opAt(0) === JsonOp.Object
  }

  /** Whether a key and its colon were read: a brace in prose has none. */
  get hasMember(): boolean {
    const { words } = this
    const last = words.length - 3
    const isBeforeColon =
      this.opAt(last) === JsonOp.Fault &&
      JSON_PLACES[((words[last] as number) >>> JsonBits.FaultPlaceShift) & JsonBits.FaultMask] === 'colon'
    let keys = isBeforeColon ? -1 : 0
    for (let at = 0; at < words.length && keys < 1; at += 3) if (this.opAt(at) === JsonOp.KeyEnd) keys++
    return keys > 0
  }

  /** Passes the tokens to a handler, up to the first fault. */
  passTo(handler: JsonHandler, text: string): JsonFault | undefined {
    const { words } = this
    for (let at = 0; at < words.length; at += 3) {
      const word = words[at] as number
      const start = words[at + 1] as number
      if (this.opAt(at) === JsonOp.Fault) {
        return {
          code: JSON_FAULTS[(word >>> JsonBits.FaultCodeShift) & JsonBits.FaultMask] as JsonFault['code'],
          at: start,
          place: JSON_PLACES[(word >>> JsonBits.FaultPlaceShift) & JsonBits.FaultMask] as JsonFault['place'],
          inside: JSON_CONTAINERS[word >>> JsonBits.FaultInsideShift] as JsonFault['inside'],
        }
      }
      const end = words[at + 2] as number
      decodeJson(word, text.slice(start, end), start, end, handler)
    }
    return undefined
  }

  private opAt(at: number): number {
    return (this.words[at] as number) & 0xff
  }
}

/** The tokens of a text up to its first fault; `isValue`: those of the object or array at `from`. */
function tokensOf(text: string, rules: number, isValue = false, from?: number, to?: number): Tokens {
  const tokens = new Tokens(isValue)
  new Reader(jsonSession(rules, isValue), tokens).readText(text, from, to)
  tokens.used = jsonRulesUsed()
  return tokens
}

/**
 * Passes the tokens of a text to a handler, if it is an object without a fault and a handler is given; returns
 * the tolerance rules by which it was read. For any other text nothing is passed on, and nothing is returned.
 */
export function readJsonObject(text: string, rules: number, handler: JsonHandler | undefined): number | undefined {
  const tokens = tokensOf(text, rules)
  if (!tokens.isObject || tokens.hasFailed) return undefined
  if (handler !== undefined) tokens.passTo(handler, text)
  return tokens.used
}

/**
 * Passes the tokens of a text to a handler, up to its first fault. `used` are the tolerance rules by which it was
 * read, a bit each, by the numbers of `JSON_RULES`.
 */
export function readJson(
  text: string,
  rules: number,
  handler: JsonHandler,
): { readonly fault: JsonFault | undefined; readonly used: number } {
  const tokens = tokensOf(text, rules)
  return { fault: tokens.passTo(handler, text), used: tokens.used }
}

/** What was found at a bracket in a text. */
export interface FoundValue {
  /** `whole`, or lacking closing brackets alone, and then its tokens were passed on; `broken`, or not JSON at all. */
  readonly state: 'whole' | 'unclosed' | 'broken' | 'other'
  /** Where it ends; of what is broken, too. Undefined: with the text. */
  readonly end: number | undefined
  /** The tolerance rules by which it was read. */
  readonly used: number
  /** How many units were looked at. */
  readonly cost: number
}

/** Reads the object or array whose bracket is at `from`, in the text up to `to`, by the rules of calls. */
export function readJsonValue(text: string, from: number, to: number, handler: JsonHandler): FoundValue {
  const tokens = tokensOf(text, JsonRules.Call, true, from, to)
  const { hasFailed, lacksClosers, valueEnd: end, used, cost } = tokens
  if (hasFailed && !lacksClosers) return { state: tokens.hasMember ? 'broken' : 'other', end, used, cost }
  tokens.passTo(handler, text)
  return { state: lacksClosers ? 'unclosed' : 'whole', end, used, cost }
}
