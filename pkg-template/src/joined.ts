// Text that grows by small pieces. One long rope of them takes 8 times the memory,
// and flattening all of it each time takes quadratic time; so only the open end is
// flattened now and then.

/** The length at which the open end is flattened. */
const FOLD = 2_048

/** Pieces of at least this length are not copied: copying them costs more than a rope. */
const LONG = 512

/** Pieces worth flattening before other ropes include them: each of those would traverse them again. */
const MANY_PIECES = 16

/** Joined text. Adding a piece and reading the whole text are cheap at any length. */
export class Joined {
  private folded = ''
  private tail = ''
  /** What was folded last. */
  private end = ''
  /** Read to flatten V8's rope: see `flatten`. */
  protected unit = 0

  /** Whether nothing was added. */
  get isEmpty(): boolean {
    return this.tail === '' && this.folded === ''
  }

  /** Its length. */
  get length(): number {
    return this.folded.length + this.tail.length
  }

  /** Its last units, as many as are at hand: at least these, if it has them. */
  last(units: number): string {
    // Not of the folded: reading its end would flatten all of it, after each piece again.
    const { tail, end } = this
    return tail.length < units ? end.slice(-units) + tail : tail
  }

  /** Adds a piece. */
  add(piece: string): void {
    // Only by length: counting the pieces too slowed small chunks measurably.
    const tail = this.tail + piece
    this.tail = tail
    if (tail.length > FOLD) {
      // A long piece may be a rope itself; one that is flat is not copied.
      this.flatten(piece.length < LONG ? tail : piece)
      this.fold()
    }
  }

  /** Returns all pieces, about as long as `length`, as one string, and removes them. */
  take(length: number): string {
    if (length < LONG && this.tail.length > length * MANY_PIECES) this.flatten(this.tail)
    const whole = this.toString()
    this.clear()
    return whole
  }

  /** Forgets everything. */
  clear(): void {
    this.folded = ''
    this.tail = ''
    this.end = ''
  }

  toString(): string {
    // The open end stays separate: appending it at each reading would make the rest one long rope.
    return this.tail === '' ? this.folded : this.folded + this.tail
  }

  /** Reading one character makes V8 flatten a rope; the result is stored, or V8 would optimize the read away. */
  private flatten(rope: string): void {
    this.unit = rope.charCodeAt(0)
  }

  private fold(): void {
    this.folded += this.tail
    this.end = this.tail
    this.tail = ''
  }
}
