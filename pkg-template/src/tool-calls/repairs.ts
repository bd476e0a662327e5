// The names of departures, by their bits: the rules of JSON as in src/json/tolerance.rs,
// and from bit 32 on those of calls as in src/tool_call/op.rs.

import type { Repair } from './types.js'

const REPAIRS: ReadonlyArray<readonly [bit: number, name: Repair]> = [
  [0, 'comment'],
  [1, 'trailing-comma'],
  [2, 'single-quotes'],
  [3, 'unquoted-key'],
  [8, 'line-continuation'],
  [10, 'json5-whitespace'],
  [11, 'raw-control'],
  [12, 'python-word'],
  [17, 'bare-word'],
  [18, 'leading-zero'],
  [19, 'unescaped-quote'],
  [32, 'bad-escape'],
  [33, 'missing-closer'],
  [34, 'parameters'],
  [35, 'encoded-arguments'],
  [36, 'list'],
  [37, 'missing-end-tag'],
  [38, 'missing-close-tag'],
  [39, 'stray-close-tag'],
  [40, 'extra-closer'],
  [41, 'stray-think'],
  [42, 'fence'],
  [43, 'tool'],
  [44, 'args'],
  [45, 'input'],
]

/** The first bit of the repairs; below it are the rules. */
const OWN = 32

/** The names of a set of rules and of one of repairs. */
export function repairNames(rules: number, repairs: number): Repair[] {
  const has = (bit: number) => ((bit < OWN ? rules >>> bit : repairs >>> (bit - OWN)) & 1) !== 0
  return REPAIRS.flatMap(([bit, name]) => (has(bit) ? [name] : []))
}

/** A repair's bit in a set of repairs. */
export function repairBit(repair: Repair): number {
  const [bit = OWN] = REPAIRS.find(([, name]) => name === repair) ?? []
  return 1 << (bit - OWN)
}
