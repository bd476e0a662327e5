// What is known of each character: what the parser has told it to be, or that it
// is still held, and how long it was.
//
// All of it comes from the spans of the parser's events. A character that was fed
// and is in no span yet is held.

/** What a character was told to be. */
export type Role = 'held' | 'visible' | 'thinking' | 'call' | 'result' | 'value' | 'markup'

/** By number; 0 is a character that was not told. */
const ROLES: readonly Role[] = ['held', 'visible', 'thinking', 'call', 'result', 'value', 'markup']

/** A stretch of characters that are the same. */
export interface Run {
  readonly from: number
  readonly to: number
  readonly role: Role
}

/** How long characters were held. */
export interface Delay {
  /** How many characters were told that a reader gets, and how many of them with the chunk that brought them. */
  read: { told: number; atOnce: number }
  /** The longest wait: characters and chunks that came behind the chunk of that character, and its place. */
  longest: { characters: number; chunks: number; at: number }
}

/** Grows with the stream, in time linear in its length. */
export class Told {
  private readonly roles: Uint8Array
  /** The chunk that each character came with. */
  private readonly chunkOf: Uint32Array
  private readonly waited: Uint32Array
  /** Where each chunk ended. */
  private readonly ends: number[] = []
  private toldCount = 0
  readonly delay: Delay = { read: { told: 0, atOnce: 0 }, longest: { characters: 0, chunks: 0, at: 0 } }

  constructor(readonly text: string) {
    this.roles = new Uint8Array(text.length)
    this.chunkOf = new Uint32Array(text.length)
    this.waited = new Uint32Array(text.length)
  }

  /** How much was fed. */
  get fed(): number {
    return this.ends.at(-1) ?? 0
  }

  get chunks(): number {
    return this.ends.length
  }

  /** How many characters are held. */
  get held(): number {
    return this.fed - this.toldCount
  }

  /** A chunk was fed, up to `end`. */
  feed(end: number): void {
    this.chunkOf.fill(this.ends.length, this.fed, end)
    this.ends.push(end)
  }

  /** The parser told what a stretch is. It may tell it again, as something else. */
  tell(from: number, to: number, role: Role): void {
    const number = ROLES.indexOf(role)
    for (let at = from; at < to; at++) {
      if (this.roles[at] === 0) this.told(at, role)
      this.roles[at] = number
    }
  }

  /** What was told as one thing is another. */
  retell(was: Role, is: Role): void {
    const [from, to] = [ROLES.indexOf(was), ROLES.indexOf(is)]
    for (let at = 0; at < this.fed; at++) if (this.roles[at] === from) this.roles[at] = to
  }

  private told(at: number, role: Role): void {
    const { delay, ends } = this
    const chunk = this.chunkOf[at] as number
    const characters = this.fed - (ends[chunk] as number)
    this.waited[at] = characters
    this.toldCount++
    if (role === 'visible' || role === 'value') {
      delay.read.told++
      if (characters === 0) delay.read.atOnce++
    }
    if (characters > delay.longest.characters) delay.longest = { characters, chunks: ends.length - 1 - chunk, at }
  }

  /** The stretches between two places. */
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

  /** For so many stretches of the whole text: the longest that a character in it was held, or is, and what it is. */
  waits(count: number): Array<{ characters: number; role: Role }> {
    const { fed, text } = this
    const width = Math.max(1, text.length / count)
    const waits: Array<{ characters: number; role: Role }> = []
    for (let index = 0; index * width < fed; index++) {
      let wait = { characters: 0, role: ROLES[this.roles[Math.floor(index * width)] as number] as Role }
      const end = Math.min(fed, Math.ceil((index + 1) * width))
      for (let at = Math.floor(index * width); at < end; at++) {
        const role = ROLES[this.roles[at] as number] as Role
        const characters = role === 'held' ? fed - (this.ends[this.chunkOf[at] as number] as number) : (this.waited[at] as number)
        if (characters > wait.characters) wait = { characters, role }
      }
      waits.push(wait)
    }
    return waits
  }
}
