// The text at hand of a stream: what is pending, and the chunk that came after it.
//
//     0                      start                                      length
//     |------- far --------|------------------ near -------------------|
//     |------------ was read -----------------|-- to be read (again) --|
//
// Machines read at its end, so `near` alone is joined with each chunk, which makes V8 copy both. `far` stays in the pieces
// that it was read in: one text of them would be copied whole for each place in it, and kept by whoever has a piece.

/** So much of what was read stays near: what is read again is mostly there. */
const NEAR = 256

/** Places are UTF-16 code units from the start of the text at hand. */
export class Pending {
  /** Text that was read, before `near`, and where it ends. */
  private far: string[] = []
  start = 0
  near = ''
  /** Up to where the text was read. */
  read = 0
  /** Half a surrogate pair that a chunk ended in: its other half comes with the next one. */
  half = ''

  get length(): number {
    return this.start + this.near.length
  }

  /** A piece of the text. */
  slice(from: number, to: number): string {
    const { start, near } = this
    if (from >= start) return near.slice(from - start, to - start)
    const front = this.sliceFar(from, to)
    return to > start ? front + near.slice(0, to - start) : front
  }

  /** A piece that begins in what is far: mostly near its end. */
  private sliceFar(from: number, to: number): string {
    const { far } = this
    let at = far.length
    let begin = this.start
    while (at > 0 && begin > from) begin -= (far[--at] as string).length
    let text = ''
    for (; at < far.length && begin < to; at++) {
      const piece = far[at] as string
      text += piece.slice(Math.max(0, from - begin), to - begin)
      begin += piece.length
    }
    return text
  }

  /** Makes one text of it, since it is read again from a place on that may be far. */
  gather(): void {
    this.near = this.far.join('') + this.near
    this.clearFar()
  }

  /** Keeps the text from a place on; up to `read` it was read. */
  keep(from: number, read: number): void {
    const { start } = this
    this.read = read - from
    if (from >= start) {
      this.near = this.near.slice(from - start)
      this.clearFar()
    } else if (from > 0) this.dropFar(from)
    if (this.near.length > 2 * NEAR) this.fold()
  }

  /** Forgets what is before a place in what is far. */
  private dropFar(from: number): void {
    const { far } = this
    let at = 0
    let begin = 0
    while (begin + (far[at] as string).length <= from) begin += (far[at++] as string).length
    far.splice(0, at)
    far[0] = (far[0] as string).slice(from - begin)
    this.start -= from
  }

  /** Moves most of what is near, and was read, to what is far. */
  private fold(): void {
    const { near } = this
    const to = Math.min(near.length - NEAR, this.read - this.start)
    if (to < NEAR) return
    this.far.push(near.slice(0, to))
    this.start += to
    this.near = near.slice(to)
  }

  private clearFar(): void {
    if (this.start === 0) return
    this.far = []
    this.start = 0
  }

  clear(): void {
    this.clearFar()
    this.near = this.half = ''
    this.read = 0
  }
}
