// Counts the characters that were shown and then taken back, and keeps where they stood.

/** The most places that are kept. */
const MOST = 200

/** A text that was taken back, and its place in what is shown now. */
export interface Gone {
  readonly at: number
  readonly text: string
}

export class TakenBack {
  /** What is shown now. */
  shown = ''
  /** Characters that were shown and are gone. */
  count = 0
  /** What was taken back, in the order of its places. */
  gone: readonly Gone[] = []

  /** Shows a text in place of the previous one: what differs from it on was taken back. */
  show(next: string): void {
    const { shown, gone } = this
    this.shown = next
    if (next.startsWith(shown)) return
    const kept = sharedLength(shown, next)
    this.count += shown.length - kept
    const earlier = gone.map(({ at, text }) => ({ at: Math.min(at, kept), text }))
    this.gone = [...earlier, { at: kept, text: shown.slice(kept) }].slice(-MOST)
  }
}

/** The length of what two texts have in common at their start. */
function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}
