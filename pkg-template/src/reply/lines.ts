// Splits text that arrives in chunks into numbered lines. A byte-order mark before the first one is left out.

/** A line without its line end. */
export interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
}

/** The lines of a text, each as soon as it ends. */
export class Lines {
  #number = 0
  #isStart = true
  /** Chunks of an incomplete line. They are joined once: otherwise each chunk would copy a long line. */
  #open: string[] = []
  /** The last line ended with a carriage return: a line feed belongs to it. */
  #isAfterReturn = false

  /** The lines that end in a chunk. */
  read(chunk: string): Line[] {
    if (this.#isStart && chunk !== '') {
      this.#isStart = false
      if (chunk.startsWith('\uFEFF')) return this.read(chunk.slice(1))
    }
    const lines: Line[] = []
    const ends = /\r\n?|\n/g
    let from = this.#isAfterReturn && chunk.startsWith('\n') ? 1 : 0
    if (chunk !== '') this.#isAfterReturn = chunk.endsWith('\r')
    ends.lastIndex = from
    for (let end = ends.exec(chunk); end !== null; end = ends.exec(chunk)) {
      this.#open.push(chunk.slice(from, end.index))
      lines.push(this.#line())
      from = ends.lastIndex
    }
    if (from < chunk.length) this.#open.push(chunk.slice(from))
    return lines
  }

  /** The last line, if it has no end. */
  finish(): Line[] {
    return this.#open.length > 0 ? [this.#line()] : []
  }

  #line(): Line {
    const open = this.#open
    const text = open.length === 1 ? (open[0] as string) : open.join('')
    open.length = 0
    return { text, number: ++this.#number }
  }
}
