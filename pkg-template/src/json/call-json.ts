// JSON that a model wrote as text: the value, by the rules of tool calls where it isn't JSON.
//
// Source: spec/world.md, 7.7. The same reader, with the same names of what is tolerated,
// as for tool calls.

import { JsonRules } from '../generated/ops.js'
import { readJson } from './read.js'
import { JsonBuilder } from './value.js'

/** A value, and the rules by which it was read, a bit each; 0 for JSON. */
export interface CallJson<Value = unknown> {
  readonly value: Value
  readonly rules: number
}

/** The value of a text; undefined if it can't be read. */
export function callJsonIn<Value>(text: string): CallJson<Value> | undefined {
  try {
    // The fastest there is.
    return { value: JSON.parse(text) as Value, rules: 0 }
  } catch {
    const builder = new JsonBuilder()
    const { fault, used } = readJson(text, JsonRules.Call, builder)
    return fault === undefined ? { value: builder.value as Value, rules: used } : undefined
  }
}
