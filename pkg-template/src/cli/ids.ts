// Ids of calls and texts that came without one: numbers, so that the same input
// prints the same.

/** Gives `call_1`, `call_2` and so on; each kind counts for itself. */
export function counter(): (kind?: string) => string {
  const counts = new Map<string, number>()
  return (kind = 'call') => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return `${kind}_${count}`
  }
}
