// The input of the open tool call as JSON text: what was not emitted yet, and what an argument that comes again needs.

/** Input that was not emitted yet, and where it was read. */
export class Gathered {
  text = ''
  from = 0
  to = 0

  /** Whether a piece from a place on can't be part of the same chunk, where chunks have places. */
  isApartFrom(from: number): boolean {
    return this.text !== '' && from !== this.to
  }

  add(json: string, from: number, to: number): void {
    if (this.text === '') this.from = from
    this.to = to
    this.text += json
  }

  /** Takes the text. */
  take(): string {
    const { text } = this
    this.text = ''
    return text
  }
}

/** Where the members of a call's input begin in it, and those that are written again when the call starts over. */
export class Repeats {
  private readonly starts = new Map<string, number>()
  private readonly carried = new Map<string, string>()
  /** How often the call's input began again. */
  times = 0

  /** Another call begins. */
  reset(): void {
    this.starts.clear()
    this.carried.clear()
    this.times = 0
  }

  /** A member comes now, so it is not carried over. */
  drop(key: string): void {
    this.carried.delete(key)
  }

  /** A member begins at a place of the input. */
  begins(key: string, at: number): void {
    this.starts.set(key, at)
  }

  /** The input begins again: all members that were written are carried over, except one. */
  startOver(input: string, except: string | undefined): void {
    this.times++
    const members = [...this.starts]
    for (const [at, [name, start]] of members.entries()) {
      const next = members[at + 1]?.[1]
      if (name !== except) this.carried.set(name, input.slice(start, next === undefined ? undefined : next - 1))
    }
    this.starts.clear()
  }

  /** The members that are carried over. */
  members(): Iterable<string> {
    return this.carried.values()
  }
}
