// The names of the rules by which text that is not JSON is read all the same.

import { JSON_RULES } from '../generated/ops.js'

/** The names of a set of rules, one bit each, sorted. */
export function ruleNames(bits: number): string[] {
  return JSON_RULES.filter((_, at) => (bits >>> at) & 1).sort()
}
