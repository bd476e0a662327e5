// The role of each character, or that it is still pending, and how long it was
// pending.
//
// All of it comes from the spans of the parser's events. A character that was fed
// and is in no span yet is pending.

/** The role of a character. */
export type Role = 'pending' | 'visible' | 'thinking' | 'call' | 'result' | 'value' | 'markup'

/** By number; 0 is a character that is not emitted yet. */
const ROLES: readonly Role[] = ['pending', 'visible', 'thinking', 'call', 'result', 'value', 'markup']

/** A run of characters with the same role. */
export interface Run {
  readonly from: number
  readonly to: number
  readonly role: Role
}

/** How long characters were pending. */
export interface Delay {
  /** How many visible characters were emitted, and how many of them with the chunk that brought them. */
  read: { emitted: number; immediate: number }
  /** The longest wait: the characters and chunks after the chunk of that character, and its position. */
  longest: { characters: number; chunks: number; at: number }
}

/** Grows with the stream, in linear time. */
export class Emitted {
  private readonly roles: Uint8Array
  /** The chunk of each character. */
  private readonly chunkOf: Uint32Array
  private readonly waited: Uint32Array
  /** Where each chunk ended. */
  private readonly ends: number[] = []
  private emittedCount = 0
  readonly delay: Delay = { read: { emitted: 0, immediate: 0 }, longest: { characters: 0, chunks: 0, at: 0 } }

  constructor(readonly text: string) {
    this.roles = new Uint8Array(text.length)
    this.chunkOf = new Uint32Array(text.length)
    this.waited = new Uint32Array(text.length)
  }

  /** The number of characters fed. */
  get fed(): number {
    return this.ends.at(-1) ?? 0
  }

  get chunks(): number {
    return this.ends.length
  }

  /** The number of pending characters. */
  get pending(): number {
    return this.fed - this.emittedCount
  }

  /** Records a chunk, up to `end`. */
  feed(end: number): void {
    this.chunkOf.fill(this.ends.length, this.fed, end)
    this.ends.push(end)
  }

  /** Records that the parser emitted a range. It may be emitted again with another role. */
  emit(from: number, to: number, role: Role): void {
    const number = ROLES.indexOf(role)
    for (let at = from; at < to; at++) {
      if (this.roles[at] === 0) this.emitted(at, role)
      this.roles[at] = number
    }
  }

  /** Changes the role of all characters with another role. */
  relabel(was: Role, is: Role): void {
    const [from, to] = [ROLES.indexOf(was), ROLES.indexOf(is)]
    for (let at = 0; at < this.fed; at++) if (this.roles[at] === from) this.roles[at] = to
  }

  private emitted(at: number, role: Role): void {
    const { delay, ends } = this
    const chunk = this.chunkOf[at] as number
    const characters = this.fed - (ends[chunk] as number)
    this.waited[at] = characters
    this.emittedCount++
    if (role === 'visible' || role === 'value') {
      delay.read.emitted++
      if (characters === 0) delay.read.immediate++
    }
    if (characters > delay.longest.characters) delay.longest = { characters, chunks: ends.length - 1 - chunk, at }
  }

  /** The runs between two positions. */
  runs(from: number, to: number): Run[] {
    const runs: Run[] = []
    for (let at = from; at < to; ) {
      const start = at
      const number = this.roles[start] as number
      while (at < to && this.roles[at] === number) at++
      runs.push({ from: start, to: at, role: ROLES[number] as Role })
    }
    return runs
  }

  /** Divides the text into `count` parts: the longest time that a character in each was, or is, pending, and its role. */
  waits(count: number): Array<{ characters: number; role: Role }> {
    const { fed, text } = this
    const width = Math.max(1, text.length / count)
    const waits: Array<{ characters: number; role: Role }> = []
    for (let index = 0; index * width < fed; index++) {
      let wait = { characters: 0, role: ROLES[this.roles[Math.floor(index * width)] as number] as Role }
      const end = Math.min(fed, Math.ceil((index + 1) * width))
      for (let at = Math.floor(index * width); at < end; at++) {
        const role = ROLES[this.roles[at] as number] as Role
        const characters = role === 'pending' ? fed - (this.ends[this.chunkOf[at] as number] as number) : (this.waited[at] as number)
        if (characters > wait.characters) wait = { characters, role }
      }
      waits.push(wait)
    }
    return waits
  }
}
