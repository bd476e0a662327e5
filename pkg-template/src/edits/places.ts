// Where the text of a string stands in the JSON that it is written in.
//
//     text    x = 1⏎y              0      5 6
//     JSON    … "x = 1\ny"        12     17 19

/** The places of one string's text. */
export class Places {
  /** Where each stretch without escapes begins: in the text, and in the JSON. */
  private stretches: number[] = []
  /** How much text there is. */
  length = 0

  /** More text, and from where to where it is written. What is before a place in the text isn't asked for any more. */
  add(text: string, from: number, to: number, decided: number): void {
    this.begin(from)
    this.length += text.length
    this.begin(to)
    const { stretches } = this
    let over = 0
    while (over + 2 < stretches.length && (stretches[over + 2] as number) <= decided) over += 2
    if (over > 0) stretches.splice(0, over)
  }

  /** Where a unit of the text is written. */
  at(place: number): number {
    const { stretches } = this
    let low = 0
    let high = stretches.length / 2
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((stretches[middle * 2] as number) <= place) low = middle
      else high = middle
    }
    return (stretches[low * 2 + 1] as number) + place - (stretches[low * 2] as number)
  }

  /** The text goes on at a place. */
  private begin(json: number): void {
    const { stretches, length } = this
    if (stretches.length === 0 || this.at(length) !== json) stretches.push(length, json)
  }
}
