// The text at hand of a stream: what is pending, and the chunk that came after it.
//
//     0                      start                                      length
//     |------- far --------|------------------ near -------------------|
//     |------------ was read -----------------|-- to be read (again) --|
//
// Machines read at its end, so `near` alone is joined with each chunk, which makes V8 copy both. `far` stays in the
// pieces that it was read in: one text of them would be copied whole for each place in it, and kept by whoever has one.

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
    const { near, far } = this
    let begin = this.start
    if (from >= begin) return near.slice(from - begin, to - begin)
    let text = near.slice(0, Math.max(0, to - begin))
    // What is asked for mostly stands at the end of what is far.
    for (let at = far.length; begin > from && at > 0; ) {
      const piece = far[--at] as string
      begin -= piece.length
      text = piece.slice(Math.max(0, from - begin), Math.max(0, to - begin)) + text
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
    const { far, start } = this
    this.read = read - from
    if (from < start) {
      this.start -= from
      let [gone, at] = [from, 0]
      while (gone >= (far[at] as string).length) gone -= (far[at++] as string).length
      far.splice(0, at)
      far[0] = (far[0] as string).slice(gone)
    } else {
      this.near = this.near.slice(from - start)
      if (start > 0) this.clearFar()
    }
    if (this.near.length > 2 * NEAR) this.fold()
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
    this.far = []
    this.start = 0
  }

  clear(): void {
    this.clearFar()
    this.near = this.half = ''
    this.read = 0
  }
}
