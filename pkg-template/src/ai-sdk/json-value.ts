// The value of a text in relaxed JSON. Numbers that JavaScript can't hold keep
// their digits, and of a key that comes twice the last counts.

import { readJson, RELAXED } from '../json-reader.js'
import { JsonBuilder } from '../json-value.js'

/** The value; throws a `SyntaxError` with the place for a text that has none. */
export function jsonValue(text: string): unknown {
  const builder = new JsonBuilder({ digits: true })
  const { fault } = readJson(text, RELAXED, builder)
  if (fault !== undefined) throw new SyntaxError(`no JSON: ${fault.code} at ${fault.at}, ${fault.place} in ${fault.inside}`)
  return builder.value
}
