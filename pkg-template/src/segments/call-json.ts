// The names of what was tolerated in the JSON of a segment.

import { JSON_RULES } from '../generated/ops.js'
import type { SegmentRepair } from './types.js'

/** The names of rules. */
export function repairsOf(rules: number): SegmentRepair[] {
  return JSON_RULES.filter((_, at) => (rules >>> at) & 1) as SegmentRepair[]
}
