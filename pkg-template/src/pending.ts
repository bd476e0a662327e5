// The text at hand of a stream: what is pending, and the chunk that came after it.
//
//     0                    far.length                                   length
//     |------- far --------|------------------ near -------------------|
//     |------------ was read -----------------|-- to be read (again) --|
//
// Machines read at its end, so `near` alone is joined with each chunk, which makes V8 copy both. `far` is only added
// to, and made one text when a record names a place in it: a call that is not decided may be long.

/** So much of what was read stays near: what is read again is mostly there. */
const NEAR = 256

/** Places are UTF-16 code units from the start of the text at hand. */
export class Pending {
  /** Text that was read, before `near`. */
  far = ''
  near = ''
  /** Up to where the text was read. */
  read = 0
  /** Half a surrogate pair that a chunk ended in: its other half comes with the next one. */
  half = ''

  get length(): number {
    return this.far.length + this.near.length
  }

  /** A piece of the text. */
  slice(from: number, to: number): string {
    const { far, near } = this
    const start = far.length
    if (from >= start) return near.slice(from - start, to - start)
    return to <= start ? far.slice(from, to) : far.slice(from) + near.slice(0, to - start)
  }

  /** Makes one text of it, since it is read again from a place on that may be far. */
  gather(): void {
    this.near = this.far + this.near
    this.far = ''
  }

  /** Keeps the text from a place on; up to `read` it was read. */
  keep(from: number, read: number): void {
    const start = this.far.length
    this.read = read - from
    if (from >= start) {
      this.near = this.near.slice(from - start)
      this.far = ''
    } else if (from > 0) this.far = this.far.slice(from)
    if (this.near.length > 2 * NEAR) this.fold()
  }

  /** Moves most of what is near, and was read, to what is far. */
  private fold(): void {
    const { far, near } = this
    const to = Math.min(near.length - NEAR, this.read - far.length)
    if (to < NEAR) return
    this.far = far + near.slice(0, to)
    this.near = near.slice(to)
  }

  clear(): void {
    this.far = this.near = this.half = ''
    this.read = 0
  }
}
