// The names of departures, by their bits: the rules of JSON as in src/json/tolerance.rs,
// and above them those of calls as in src/tool_call/op.rs.

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
  [24, 'bad-escape'],
  [25, 'missing-closer'],
  [26, 'parameters'],
  [27, 'encoded-arguments'],
  [28, 'list'],
  [29, 'missing-end-tag'],
  [30, 'missing-close-tag'],
]

/** Closing brackets were missing at the end. */
export const MISSING_CLOSER = 1 << 25

/** A member of a call had another name. */
export const PARAMETERS = 1 << 26

/** The arguments were JSON in a string. */
export const ENCODED_ARGUMENTS = 1 << 27

/** The calls stood in a list. */
export const LIST = 1 << 28

/** An element was closed by one around it. */
export const MISSING_CLOSE_TAG = 1 << 30

/** The names of a set of departures. */
export function repairNames(bits: number): Repair[] {
  return REPAIRS.flatMap(([bit, name]) => ((bits >>> bit) & 1 ? [name] : []))
}
