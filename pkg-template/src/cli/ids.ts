// Ids for calls and texts without one: numbers, so that the same input prints
// the same output.

/** Returns `call_1`, `call_2` and so on; each kind has its own count. */
export function counter(): (kind?: string) => string {
  const counts = new Map<string, number>()
  return (kind = 'call') => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return `${kind}_${count}`
  }
}
