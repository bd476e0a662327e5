// `maxPending`: how much is held of a call that is not decided yet.

import { describe } from './errors.js'

/** Without the option, in UTF-16 code units. */
const MOST_PENDING = 16_777_216

/** Places in wasm are 32 bits. */
const HIGHEST = MOST_PENDING * 64

/** Refuses what can be none; `place` names the option. */
export function requireMaxPending(place: string, value: unknown): asserts value is number | undefined {
  if (value === undefined || value === Infinity || (Number.isInteger(value) && (value as number) > 0)) return
  throw new TypeError(`${place} must be a number of UTF-16 code units above 0, but is ${describe(value)}`)
}

/** The bound that an option means. */
export function maxPendingOf(value: number | undefined): number {
  return Math.min(value ?? MOST_PENDING, HIGHEST)
}
