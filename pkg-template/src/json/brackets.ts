// Where a JSON value closes, read piece by piece.

/** Counts the open brackets of a JSON text. */
export class Brackets {
  depth = 0
  private isOpened = false
  private inString = false
  private isEscaped = false

  /** Whether at least one bracket was opened, and all are closed. */
  get isClosed(): boolean {
    return this.isOpened && this.depth === 0 && !this.inString
  }

  /** Whether the text ends in the middle: in a bracket or a string. */
  get isOpen(): boolean {
    return this.depth > 0 || this.inString
  }

  /**
   * Reads a piece from a place on: to its end, or to after the bracket that closes down to `depth`. Gives where it
   * stopped.
   */
  read(piece: string, from = 0, depth = -1): number {
    for (let at = from; at < piece.length; at++) {
      const char = piece[at]
      if (this.isEscaped) this.isEscaped = false
      else if (this.inString) {
        if (char === '\\') this.isEscaped = true
        else if (char === '"') this.inString = false
      } else if (char === '"') this.inString = true
      else if (char === '{' || char === '[') {
        this.depth++
        this.isOpened = true
      } else if (char === '}' || char === ']') {
        if (--this.depth === depth) return at + 1
      }
    }
    return piece.length
  }
}
