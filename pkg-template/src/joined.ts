// Text that grows by small pieces. One long rope of them costs the garbage
// collector 8 times the memory, and folding it whole each time costs the
// square of its length; so the open end is folded flat alone now and then.

/** Length at which the open end is folded. */
const FOLD = 2_048

/** Pieces that are as long as this stay as they are: copying them costs more than a rope of them. */
const LONG = 512

/** Pieces that are worth folding before other ropes take them over, each of which would walk over them again. */
const MANY_PIECES = 16

/** Joined text. Adding a piece and reading the whole are both cheap, at any length. */
export class Joined {
  private folded = ''
  private tail = ''
  /** Of no use but for what reading it does: see `fold`. */
  protected unit = 0

  /** Whether nothing was added. */
  get isEmpty(): boolean {
    return this.tail === '' && this.folded === ''
  }

  /** Adds a piece. */
  add(piece: string): void {
    // By length alone: counting the pieces too was seen in the time of small chunks.
    this.tail += piece
    if (this.tail.length > FOLD) this.fold(piece.length)
  }

  /** All pieces, which were about as long as `length`, as one string. They are then forgotten. */
  take(length: number): string {
    if (this.tail.length > length * MANY_PIECES) this.fold(length)
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

  private fold(length: number): void {
    // Reading one character makes V8 copy a rope into a flat string; it is kept, or V8 would leave out the reading.
    if (length < LONG) this.unit = this.tail.charCodeAt(0)
    this.folded += this.tail
    this.tail = ''
  }
}
