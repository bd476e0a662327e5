// Where the payloads of a stream stand: parameters' values in CDATA.

/** The payloads of one stream, in order. Places are UTF-16 code units from its start. */
export class PayloadPlaces {
  /** Where each begins and ends. */
  private closed: number[] = []
  /** Where the open one begins; negative if none is. */
  private open = -1

  /** A section begins, which may touch the last one. */
  begin(at: number): void {
    const touches = this.closed.at(-1) === at
    if (touches) this.closed.pop()
    this.open = touches ? (this.closed.pop() as number) : at
  }

  /** The open one ends, if one is. */
  end(at: number): void {
    if (this.open >= 0) this.closed.push(this.open, at)
    this.open = -1
  }

  /** Whether a place is in one. */
  holds(place: number): boolean {
    if (this.open >= 0 && place >= this.open) return true
    const { closed } = this
    let low = 0
    let high = closed.length
    // How many places, of starts and ends, aren't after it: an odd number is in one.
    while (low < high) {
      const middle = (low + high) >> 1
      if ((closed[middle] as number) <= place) low = middle + 1
      else high = middle
    }
    return low % 2 === 1
  }

  /** Forgets those that are closed. */
  dropClosed(): void {
    this.closed = []
  }

  /** The start of a new stream. */
  clear(): void {
    this.closed = []
    this.open = -1
  }
}
