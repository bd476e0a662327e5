// JSON that a model wrote as text: the value, by the rules of tool calls where it isn't JSON.
//
// Source: spec/world.md, 7.7. The same reader, with the same names of what is tolerated,
// as for tool calls.

import { JSON_RULES, JsonRules } from '../generated/ops.js'
import { readJson } from '../json/read.js'
import { JsonBuilder } from '../json/value.js'
import { jsonIn } from '../schema/words.js'
import type { SegmentRepair, SegmentValue } from './types.js'

/** A value, and the rules by which it was read, a bit each; 0 for JSON. */
export interface CallJson {
  readonly value: SegmentValue
  readonly rules: number
}

/** The value of a text; undefined if it can't be read. */
export function callJsonIn(text: string): CallJson | undefined {
  const value = jsonIn(text) as SegmentValue | undefined
  if (value !== undefined) return { value, rules: 0 }
  const builder = new JsonBuilder()
  const { fault, used } = readJson(text, JsonRules.Call, builder)
  return fault === undefined ? { value: builder.value as SegmentValue, rules: used } : undefined
}

/** The names of rules. */
export function repairsOf(rules: number): SegmentRepair[] {
  return JSON_RULES.filter((_, at) => (rules >>> at) & 1) as SegmentRepair[]
}
