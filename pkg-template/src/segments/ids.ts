// The ids of segments.

/** Gives ids out: the prefix and `seg_1`, `seg_2` and so on, or a provider's own. */
export class SegmentIds {
  private count = 0
  private readonly taken = new Set<string>()

  constructor(private readonly prefix: string) {}

  next(): string {
    let id: string
    do id = `${this.prefix}seg_${++this.count}`
    while (this.taken.size > 0 && this.taken.has(id))
    return id
  }

  /** A provider's id, if no segment has it. */
  take(id: string): string | undefined {
    if (this.taken.has(id) || this.wasGiven(id)) return undefined
    this.taken.add(id)
    return id
  }

  /** From the first one on. */
  reset(): void {
    this.count = 0
    this.taken.clear()
  }

  private wasGiven(id: string): boolean {
    const front = `${this.prefix}seg_`
    if (!id.startsWith(front)) return false
    const number = Number(id.slice(front.length))
    return String(number) === id.slice(front.length) && number <= this.count
  }
}
