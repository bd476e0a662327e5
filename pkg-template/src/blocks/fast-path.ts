// What a chunk may be without being read.
//
// Most chunks of an answer are content of the open block and nothing else. To see
// that costs a search for `<`, and a look at the two characters after it; to read
// the chunk in WebAssembly costs a call, and writing it there (about 60 ns more a
// chunk, and the time of most of them is 50: docs/benchmarks.md). So this one
// parser has a way around the reader. What it knows of tags are tables made by
// Rust: the modes (`BlockMode`), and for each two characters that a tag's name
// may begin with the roles whose tags count (`fronts`).

import { BlockMode, BlockTrigger, CODE_STOPS } from '../generated/ops.js'
import { LONGEST_STRETCH } from '../wasm/border.js'
import type { SavedClass } from '../snapshot/saved.js'
import { escapeJson } from './json-text.js'

const SHORTEST_STRETCH = 32

/** Most units that wait for the next chunk; more would be joined again with each. */
const LONGEST_WAIT = 16

/** Up to this length a loop finds a character sooner than `indexOf`. */
const TINY = 3

/** The fast path of one stream. */
export class FastPath {
  static get saved(): SavedClass {
    return {
      skips: ['fronts', 'chunk', 'tagAt', 'referenceAt'],
      isSound: ({ waiting, stretch }: FastPath) =>
        waiting.length <= LONGEST_WAIT + 1 && stretch >= SHORTEST_STRETCH && stretch <= LONGEST_STRETCH,
    }
  }
  /** The roles whose tags count now: opening tags, and above them closing tags. */
  counted = 0
  /** Length of the next stretch: markup that is dense is read in longer ones. */
  stretch = SHORTEST_STRETCH
  /**
   * The end of the last chunk, a `<` and at most two characters, or white space, which was not read yet: see `putOff`;
   * and half a character.
   */
  waiting = ''
  // Where in `chunk` the next tag and the next `&` may stand, once looked for: its
  // end if there is none. So no character is looked at twice.
  private chunk = ''
  private tagAt = -1
  private referenceAt = -1

  constructor(private readonly fronts: Uint8Array) {}

  /** Whether text that a mode covers is content, and not a call's input. */
  isContent(mode: number): boolean {
    return mode <= BlockMode.Quoted
  }

  /** Text of a value as it stands in the call's input, by the mode that covers it. */
  asInput(mode: number, text: string): string {
    return mode === BlockMode.Json ? text : escapeJson(text)
  }

  /**
   * How much of a chunk needs no reading; `tag` is where its first tag may begin.
   * What is left waits for the next chunk, as if the chunk had been cut there: a
   * `<` that may yet begin a tag, which it mostly doesn't, or white space that is
   * left out should the value end after it. -1 if all has to be read.
   */
  putOff(mode: number, chunk: string, tag: number): number {
    const size = chunk.length
    if (size === 0 || (tag !== -1 && !isCut(chunk, tag))) return -1
    const end = this.endOfPlain(mode, chunk, tag === -1 ? size : tag)
    if (end === -1 || size - end > LONGEST_WAIT) return -1
    this.waiting = end < size ? chunk.slice(end) : ''
    return end
  }

  /** How much of a chunk, which has no tag before `to`, the mode covers; -1 if it doesn't cover it. */
  endOfPlain(mode: number, chunk: string, to: number): number {
    if (mode < BlockMode.Trimmed)
      return (mode === BlockMode.Decoded && chunk.indexOf('&') !== -1) ||
        (mode === BlockMode.Quoted && mayChangeCode(chunk))
        ? -1
        : to
    const last = to === 0 ? 0 : chunk.charCodeAt(to - 1)
    return last > 0x20 && last < 0x80 ? to : chunk.slice(0, to).trimEnd().length
  }

  /** What waits, to be read before the next chunk. */
  takeWaiting(): string {
    const { waiting } = this
    this.waiting = ''
    return waiting
  }

  /** Passes over what needs no reading, from a place in a chunk on. Gives the place after it. */
  skip(mode: number, chunk: string, from: number): number {
    // Each line that ends may change where code is, so where that counts only whole chunks are passed over.
    if (mode === BlockMode.Read || mode === BlockMode.Quoted) return from
    if (chunk !== this.chunk) {
      this.chunk = chunk
      this.tagAt = this.referenceAt = -1
    }
    if (this.tagAt < from) this.tagAt = orEnd(this.tagFrom(chunk, chunk.indexOf('<', from)), chunk)
    let found = this.tagAt
    if (!this.isContent(mode)) return Math.max(from, this.endOfPlain(mode, chunk, found))
    if (mode === BlockMode.Decoded) {
      if (this.referenceAt < from) this.referenceAt = orEnd(chunk.indexOf('&', from), chunk)
      found = Math.min(found, this.referenceAt)
    }
    if (found - from < this.stretch && found !== chunk.length)
      this.stretch = Math.min(LONGEST_STRETCH, this.stretch << 1)
    return found
  }

  /** Where markup is dense a longer stretch costs less than more calls. */
  nextStretch(mode: number, isDecided: boolean): number {
    const isSparse = isDecided && (mode === BlockMode.Text || mode === BlockMode.Decoded)
    return (this.stretch = isSparse
      ? Math.max(SHORTEST_STRETCH, this.stretch >> 1)
      : Math.min(LONGEST_STRETCH, this.stretch << 1))
  }

  /** Where the next `<` stands that may begin a tag, by the first two characters of its name; -1 if none does. */
  findTag(text: string): number {
    if (text.length > TINY) {
      const at = text.indexOf('<')
      return at === -1 ? -1 : this.tagFrom(text, at)
    }
    // So few characters are compared sooner than `indexOf` is called.
    for (let at = 0; at < text.length; at++) {
      if (text.charCodeAt(at) === BlockTrigger.Less) return this.tagFrom(text, at)
    }
    return -1
  }

  /** The chunk was read. */
  endChunk(): void {
    this.chunk = ''
  }

  /** The same, from a `<` on that was found. */
  private tagFrom(text: string, less: number): number {
    let at = less
    while (at !== -1 && !this.mayBegin(text, at)) at = text.indexOf('<', at + 1)
    return at
  }

  private mayBegin(text: string, less: number): boolean {
    const at = nameAt(text, less)
    const roles = at === less + 1 ? this.counted & BlockTrigger.OpenersMask : this.counted >>> BlockTrigger.ClosersShift
    const left = text.length - at
    if (left === 0) return at === less + 1 || roles !== 0
    const first = text.charCodeAt(at)
    // Nothing after it yet counts as any.
    const second = left === 1 ? BlockTrigger.Any : text.charCodeAt(at + 1)
    return (
      first < 128 &&
      second < 128 &&
      ((this.fronts[(first << BlockTrigger.FirstShift) | second] as number) & roles) !== 0
    )
  }
}

/** Whether a text may change where Markdown has code. */
function mayChangeCode(text: string): boolean {
  for (const stop of CODE_STOPS[1]) if (text.includes(stop)) return true
  return false
}

/** A place that was found, or the text's end. */
function orEnd(found: number, text: string): number {
  return found === -1 ? text.length : found
}

/** Where the name of a tag begins. */
function nameAt(text: string, less: number): number {
  const at = less + 1
  return at < text.length && text.charCodeAt(at) === BlockTrigger.Slash ? at + 1 : at
}

/** Whether the text ends before the second character of a tag's name. */
function isCut(text: string, less: number): boolean {
  return nameAt(text, less) + 1 >= text.length
}
