// Arguments that a model wrote as JSON in a string.

import { JsonRules } from '../generated/ops.js'
import { type JsonHandler, readJsonObject } from '../json/read.js'

/**
 * Passes the tokens of an object that is written as a text to a handler, if one is given. Returns the tolerance rules by
 * which it was read; undefined if the text is not an object.
 */
export function readEncoded(text: string, handler: JsonHandler | undefined): number | undefined {
  return text.trim() === '' ? 0 : readJsonObject(text, JsonRules.Call, handler)
}
