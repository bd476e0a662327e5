// Text that grows by small pieces. One long rope of them costs the garbage
// collector 8 times the memory, and folding it whole each time costs the
// square of its length; so the open end is folded flat by itself now and then.

/** Length at which the open end is folded. */
const FOLD = 1_024

/** Joined text. Adding a piece and reading the whole are both cheap, at any length. */
export class Joined {
  private folded = ''
  private tail = ''

  /** Whether nothing was added. */
  get isEmpty(): boolean {
    return this.tail === '' && this.folded === ''
  }

  /** Adds a piece. */
  add(piece: string): void {
    this.tail += piece
    if (this.tail.length > FOLD) this.fold()
  }

  /** All pieces as one string, which are then forgotten. */
  take(): string {
    const whole = this.toString()
    this.clear()
    return whole
  }

  /** Forgets everything. */
  clear(): void {
    this.folded = ''
    this.tail = ''
  }

  /** All pieces as one string. */
  toString(): string {
    // The open end stays open: putting it to the rest at each reading would make the rest one long rope.
    return this.tail === '' ? this.folded : this.folded + this.tail
  }

  private fold(): void {
    // Reading one character makes V8 copy a rope into a flat string.
    this.tail.charCodeAt(0)
    this.folded += this.tail
    this.tail = ''
  }
}
