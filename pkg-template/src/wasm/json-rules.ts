// The rules by which text is read that is not valid JSON, as the machines count them: a bit each.

import { JSON_RULES } from '../generated/ops.js'

/** Their names, sorted. */
export function namesOfRules(bits: number): string[] {
  return JSON_RULES.filter((_, at) => (bits >>> at) & 1).sort()
}

/** Those of some names. */
export function rulesOf(names: readonly string[]): number {
  return names.reduce((bits, name) => bits | (1 << JSON_RULES.indexOf(name as never)), 0)
}
