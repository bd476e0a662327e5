// How deep values may be nested.

/** Most arrays and objects inside each other. The readers of JSON and XML have the same limit. */
export const MOST_LEVELS = 512

/** Whether no more than `most` arrays and objects are inside each other in a value. */
export function isWithin(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (most <= 0) return false
  for (const inner of Array.isArray(value) ? (value as unknown[]) : Object.values(value))
    if (!isWithin(inner, most - 1)) return false
  return true
}

export function tooDeep(): RangeError {
  return new RangeError(`a value must not be nested more than ${MOST_LEVELS} levels deep`)
}
