// Reads one JSON text, strict or as models write it.
// Rust reads the grammar; its tokens are passed on here.

import { JSON_CONTAINERS, JSON_FAULTS, JSON_PLACES, JsonBits, JsonOp } from '../generated/ops.js'
import { type Decoder, Reader } from '../reader.js'
import { jsonRulesUsed, jsonSession } from '../wasm/json.js'
import { type JsonHandler, decodeJson } from './decoder.js'

export type { JsonHandler } from './decoder.js'

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
  /** The tolerance rules by which it was read, a bit each. */
  used = 0

  record(word: number, from: number, to: number): void {
    this.words.push(word, from, to)
  }

  after(text: Reader): void {
    if (this.hasFailed) text.stop()
  }

  get isObject(): boolean {
    return this.opAt(0) === JsonOp.Object
  }

  /** Whether something could not be read. */
  get hasFailed(): boolean {
    return this.opAt(this.words.length - 3) === JsonOp.Fault
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

/** The tokens of a text up to its first fault. */
function tokensOf(text: string, rules: number): Tokens {
  const tokens = new Tokens()
  new Reader(jsonSession(rules), tokens).readText(text)
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
