// JSON that a model wrote as text: the value, by the rules of tool calls where it isn't JSON.
//
// Source: spec/world.md, 7.7. The same reader, with the same names of what is tolerated,
// as for tool calls.

import { JSON_RULES, JsonRules } from '../generated/ops.js'
import { readJson } from './read.js'
import { JsonBuilder } from './value.js'

/** A value; the rules by which it was read, a bit each, 0 for JSON; and whether a key came twice in an object. */
export interface CallJson<Value = unknown> {
  readonly value: Value
  readonly rules: number
  readonly isRepeated?: boolean
}

/**
 * The value of a text; undefined if it can't be read. Of a key that comes twice the last one counts. `mayRepeat`:
 * whether one may come twice.
 */
export function callJsonIn<Value>(text: string, mayRepeat = true): CallJson<Value> | undefined {
  let value: Value | undefined
  try {
    // The fastest there is, and it knows no bounds.
    value = JSON.parse(text) as Value
    if (!mayRepeat) return { value, rules: 0, isRepeated: false }
  } catch {
    value = undefined
  }
  const builder = new JsonBuilder()
  const { fault, used } = readJson(text, JsonRules.Call, builder)
  const isRepeated = builder.hasRepeated
  if (value !== undefined) return { value, rules: 0, isRepeated }
  return fault === undefined ? { value: builder.value as Value, rules: used, isRepeated } : undefined
}

/** What was repaired, by name. */
export function repairsIn({ rules, isRepeated = false }: Omit<CallJson, 'value'>): string[] {
  const names: string[] = JSON_RULES.filter((_, at) => (rules >>> at) & 1)
  return isRepeated ? [...names, 'repeated-argument'] : names
}
