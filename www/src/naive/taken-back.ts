// Counts the characters that were shown and then taken back.

/** The most pieces that are kept to be shown. */
const MOST = 3

export class TakenBack {
  /** What is shown now. */
  shown = ''
  /** Characters that were shown and are gone. */
  count = 0
  /** What was taken back, the latest first. */
  readonly pieces: string[] = []

  /** Shows a text in place of the previous one: what differs from it on was taken back. */
  show(next: string): void {
    const { shown } = this
    this.shown = next
    if (next.startsWith(shown)) return
    const kept = sharedLength(shown, next)
    this.count += shown.length - kept
    this.pieces.unshift(shown.slice(kept))
    this.pieces.length = Math.min(this.pieces.length, MOST)
  }
}

/** The length of what two texts have in common at their start. */
function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}
