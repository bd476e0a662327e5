// `maxPending`: the maximum pending text of an undecided call.

import { type Check, must } from './options.js'

/** The default, in UTF-16 code units. */
const MOST_PENDING = 16_777_216

/** Positions in wasm have 32 bits. */
const HIGHEST = MOST_PENDING * 64

/** The option's check. */
export const pendingUnits: Check = must(
  'a number of UTF-16 code units above 0',
  (value) => value === Infinity || (Number.isInteger(value) && (value as number) > 0),
)

/** The bound of an option value. */
export function maxPendingOf(value: number | undefined): number {
  return Math.min(value ?? MOST_PENDING, HIGHEST)
}
