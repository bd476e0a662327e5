// `maxPending`: the maximum pending text of an undecided call.

import { describe } from './errors.js'

/** The default, in UTF-16 code units. */
const MOST_PENDING = 16_777_216

/** Positions in wasm have 32 bits. */
const HIGHEST = MOST_PENDING * 64

/** Throws for an invalid value; `place` names the option. */
export function requireMaxPending(place: string, value: unknown): asserts value is number | undefined {
  if (value === undefined || value === Infinity || (Number.isInteger(value) && (value as number) > 0)) return
  throw new TypeError(`${place} must be a number of UTF-16 code units above 0, but is ${describe(value)}`)
}

/** The bound of an option value. */
export function maxPendingOf(value: number | undefined): number {
  return Math.min(value ?? MOST_PENDING, HIGHEST)
}
