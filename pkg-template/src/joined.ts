// Text that grows by small pieces. One long rope of them costs the garbage
// collector 8 times the memory, and folding it whole each time costs the
// square of its length; so the open end is folded flat by itself now and then.

/** Pieces after which the open end is folded. */
const MOST_PIECES = 1024

/** Pieces that are worth folding before other ropes take them over, each of which would walk over them again. */
const MANY_PIECES = 16

/** Pieces that are longer than this in the average stay as they are: copying them costs more than they do. */
const LONG = 512

/** Joined text. Adding a piece and reading the whole are both cheap, at any length. */
export class Joined {
  private folded = ''
  private tail = ''
  /** Pieces in `tail`. */
  private pieces = 0
  /** Of no use but for what reading it does: see `fold`. */
  protected unit = 0

  /** Whether nothing was added. */
  get isEmpty(): boolean {
    return this.tail === '' && this.folded === ''
  }

  /** Adds a piece. */
  add(piece: string): void {
    this.tail += piece
    if (++this.pieces > MOST_PIECES) this.fold()
  }

  /** All pieces as one string, which are then forgotten. */
  take(): string {
    if (this.pieces > MANY_PIECES) this.fold()
    const whole = this.toString()
    this.clear()
    return whole
  }

  /** Forgets everything. */
  clear(): void {
    this.folded = ''
    this.tail = ''
    this.pieces = 0
  }

  /** All pieces as one string. */
  toString(): string {
    // The open end stays open: putting it to the rest at each reading would make the rest one long rope.
    return this.tail === '' ? this.folded : this.folded + this.tail
  }

  private fold(): void {
    // Reading one character makes V8 copy a rope into a flat string; it is kept, or V8 would leave out the reading.
    if (this.tail.length < this.pieces * LONG) this.unit = this.tail.charCodeAt(0)
    this.folded += this.tail
    this.tail = ''
    this.pieces = 0
  }
}
