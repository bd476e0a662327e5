// The names of tolerated errors, by their bits: rules of JSON, and repairs of calls.

import { JSON_RULES, REPAIRS } from '../generated/ops.js'
import type { Repair } from './types.js'

/** The names of a set of rules and of one of repairs. */
export function repairNames(rules: number, repairs: number): Repair[] {
  const names = [
    ...JSON_RULES.filter((_, at) => (rules >>> at) & 1),
    ...REPAIRS.filter((_, at) => (repairs >>> at) & 1),
  ]
  return names as Repair[]
}

/** A repair's bit in a set of repairs. */
export function repairBit(repair: Repair): number {
  return 1 << (REPAIRS as readonly Repair[]).indexOf(repair)
}
