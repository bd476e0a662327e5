// Arguments that a model wrote as JSON in a string.

import { JsonRules } from '../generated/ops.js'
import { type JsonTeller, readJsonObject } from '../json-reader.js'

/** Tells the tokens of an object that is written as a text, if a teller is given; undefined if it is none. Gives the departures it was read by. */
export function readEncoded(text: string, teller: JsonTeller | undefined): number | undefined {
  return text.trim() === '' ? 0 : readJsonObject(text, JsonRules.Call, teller)
}
