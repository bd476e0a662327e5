// The only decoder of segment records, and the loop that feeds the machine.
//
// Text in which nothing can happen never crosses: by the mode that the machine
// left, a chunk without what may end its text, content or markup is more of it.
// Records name places in the text at hand, which is what was held and the chunk
// behind it. A held text may be long (the content of a file whose path comes
// last), so only its end is joined with each chunk, and all of it when something of it is told.
//
// The numbers here are those of src/segment/op.rs and src/segment/machine/mod.rs.

import { isHighHalf } from '../surrogates.js'
import { ASKS, COUNT, HELD_FROM, LONGEST_STRETCH, NEXT, type SegmentSession, answerState, finishSegments, modeOf, outcome, passSegments, records, restartSegments, runSegments } from '../wasm.js'

const TEXT = 1
const CONTENT = 2
const MARKUP = 3
const START = 4
const END = 5
const NAME = 6
const METADATA = 7
const ATTRIBUTE = 8
const HEADER = 9
const DROP = 10
const FAULT = 11

const MODE_TEXT = 1
const MODE_ELEMENT = 2
const MODE_SENTINEL = 3
const MODE_MARKED = 4
const MODE_JSON = 5
const MODE_JSON_STRING = 6
const MODE_MARKUP = 7

/** What may end each mode's text, but for that of prose, which hangs on the markers that are looked for. */
const ENDS: readonly RegExp[] = [/^/, /[<{[]/, /</, /\[/, /[\n<_]/, /["{}[\]]/, /["\\]/, /</]

/** Length of the stretch behind a tool that was asked about. */
const FIRST_STRETCH = 256

/** So much of the held text's end is kept apart from the rest: what is read again is mostly there. */
const TAIL = 8_192

/** Feeds one machine and tells what it says. Places are UTF-16 code units from the start of the stream. */
export abstract class SegmentReader {
  private mode = 0
  /** Text that is not decided yet: a rope of pieces, and its end. */
  private head = ''
  private tail = ''
  /** The text at hand is what is held, and behind `base` the chunk. */
  private chunk = ''
  private base = 0
  /** Where the text at hand begins. */
  private offset = 0
  /** Half a surrogate pair that a chunk ended in: its other half comes with the next one. */
  private half = ''
  /** Units that were told without being read, and that the machine doesn't know of. */
  private passed = 0
  private readonly textEnds: RegExp

  protected constructor(protected readonly session: SegmentSession) {
    const { flags } = session
    const xml = (flags & 1) !== 0 ? '<' : ''
    const brackets = (flags & 2) !== 0 ? '{[' : (flags & 4) !== 0 ? '[' : ''
    const set = (xml + brackets).replace(/\[/g, '\\[')
    this.textEnds = set === '' ? /$^/ : new RegExp(`[${set}]`)
  }

  protected abstract text(text: string, from: number): void
  protected abstract content(text: string, from: number): void
  protected abstract markup(text: string, from: number): void
  /** A segment begins; `type` is the number of its type. */
  protected abstract start(type: number, at: number): void
  protected abstract end(at: number): void
  /** The name of a tool whose segment may begin. */
  protected abstract name(name: string): void
  /** A value for the metadata, by its place in the tool's row. */
  protected abstract metadata(index: number, value: string): void
  /** The same, of an attribute, by its number. */
  protected abstract attribute(number: number, value: string): void
  /** The header of a sentinel. */
  protected abstract header(json: string): void
  /** No segment begins. */
  protected abstract drop(): void
  /** Something is wrong with the text at a place. */
  protected abstract fault(fault: number, raw: string, from: number, to: number): void
  /** The row of the tool whose name came last: null for a generic one, `undefined` for a built-in row. */
  protected abstract choose(): Uint8Array | null | undefined

  /** Reads a chunk. */
  protected read(chunk: string): void {
    if (this.half !== '' || isHighHalf(chunk.charCodeAt(chunk.length - 1))) {
      const whole = this.half + chunk
      this.half = whole.slice(isHighHalf(whole.charCodeAt(whole.length - 1)) ? -1 : whole.length)
      if (this.half.length < whole.length) this.readWhole(whole.slice(0, whole.length - this.half.length))
      return
    }
    this.readWhole(chunk)
  }

  /** Reads a chunk that ends with a character. */
  private readWhole(chunk: string): void {
    const mode = this.mode
    if (mode !== 0 && this.isPlain(mode, chunk)) {
      const from = this.offset
      this.offset = from + chunk.length
      this.passed += chunk.length
      if (mode === MODE_TEXT) this.text(chunk, from)
      else if (mode === MODE_MARKUP) this.markup(chunk, from)
      else this.content(chunk, from)
      return
    }
    this.base = this.head.length + this.tail.length
    this.chunk = chunk
    this.readFrom(this.base, 0)
  }

  /** The end of the stream. */
  protected finish(): void {
    if (this.half !== '') {
      this.readWhole(this.half)
      this.half = ''
    }
    this.sayWhatPassed()
    for (;;) {
      const size = this.head.length + this.tail.length
      this.chunk = ''
      this.base = size
      const packed = finishSegments(this.session, size)
      const next = outcome[NEXT] as number
      const heldFrom = outcome[HELD_FROM] as number
      this.tell(packed & COUNT, 0)
      if (next === size) break
      // What may have been a segment was none, and is searched again.
      this.readFrom(next, heldFrom)
    }
    this.head = ''
    this.tail = ''
    this.mode = 0
  }

  /** The start of a new stream. */
  protected restart(): void {
    restartSegments(this.session)
    this.mode = 0
    this.head = ''
    this.tail = ''
    this.half = ''
    this.passed = 0
    this.offset = 0
  }

  /** Where the undecided text begins. */
  protected get decided(): number {
    return this.offset
  }

  private isPlain(mode: number, chunk: string): boolean {
    switch (mode) {
      case MODE_TEXT:
        return !this.textEnds.test(chunk)
      case MODE_ELEMENT:
      case MODE_MARKUP:
        return !chunk.includes('<')
      case MODE_SENTINEL:
        return !chunk.includes('[')
      case MODE_MARKED:
      case MODE_JSON:
      case MODE_JSON_STRING:
        return !(ENDS[mode] as RegExp).test(chunk)
      default:
        return false
    }
  }

  /** Reads the text at hand from `at` on; what is before it and behind `origin` was read before. */
  private readFrom(at: number, origin: number): void {
    const { base } = this
    const size = base + this.chunk.length
    this.sayWhatPassed()
    let asks: boolean
    // A tool that is asked about ends a stretch, and what is behind it was written in vain.
    let longest = LONGEST_STRETCH
    do {
      let to = Math.min(size, at + longest)
      // Between the halves of a surrogate pair no stretch ends.
      const from = this.startOfPart(at)
      const part = this.partFrom(from)
      if (to < size && isHighHalf(part.charCodeAt(to - 1 - from))) to--
      const packed = runSegments(this.session, part, at - from, to - from, at - origin)
      at = origin + (outcome[NEXT] as number)
      const heldFrom = origin + (outcome[HELD_FROM] as number)
      this.mode = modeOf(packed)
      asks = (packed & ASKS) !== 0
      this.tell(packed & COUNT, origin)
      origin = heldFrom
      longest = asks ? FIRST_STRETCH : Math.min(LONGEST_STRETCH, longest * 2)
      if (asks) answerState(this.session, this.choose())
    } while (at < size || asks)
    this.offset += origin
    this.hold(origin, size)
  }

  private sayWhatPassed(): void {
    if (this.passed > 0) passSegments(this.session, this.passed)
    this.passed = 0
  }

  /** Holds the text at hand from `origin` on. */
  private hold(origin: number, size: number): void {
    if (origin > 0) {
      this.tail = origin === size ? '' : this.slice(origin, size)
      this.head = ''
    } else {
      this.tail += this.chunk
    }
    if (this.tail.length <= 2 * TAIL) return
    const from = this.tail.length - TAIL
    this.head += this.tail.slice(0, from)
    this.tail = this.tail.slice(from)
  }

  /** Where the shortest part of the text at hand begins that has a place in it. */
  private startOfPart(at: number): number {
    if (at >= this.base) return this.base
    return at >= this.head.length ? this.head.length : 0
  }

  /** That part, up to the end. */
  private partFrom(start: number): string {
    if (start === this.base) return this.chunk
    return start === 0 ? this.head + this.tail + this.chunk : this.tail + this.chunk
  }

  /** A piece of the text at hand. */
  private slice(from: number, to: number): string {
    const start = this.startOfPart(from)
    return this.partFrom(start).slice(from - start, to - start)
  }

  /** Tells `count` records, whose places are counted from `origin`. */
  private tell(count: number, origin: number): void {
    const offset = this.offset
    for (let at = 0; at < count * 3; at += 3) {
      const word = records[at] as number
      const from = origin + (records[at + 1] as number)
      const to = origin + (records[at + 2] as number)
      switch (word & 0xff) {
        case TEXT:
          this.text(this.slice(from, to), offset + from)
          break
        case CONTENT:
          this.content(this.slice(from, to), offset + from)
          break
        case MARKUP:
          this.markup(this.slice(from, to), offset + from)
          break
        case START:
          this.start(word >>> 8, offset + from)
          break
        case END:
          this.end(offset + from)
          break
        case NAME:
          this.name(this.slice(from, to))
          break
        case METADATA:
          this.metadata(word >>> 8, this.slice(from, to))
          break
        case ATTRIBUTE:
          this.attribute(word >>> 8, this.slice(from, to))
          break
        case HEADER:
          this.header(this.slice(from, to))
          break
        case DROP:
          this.drop()
          break
        case FAULT:
          this.fault(word >>> 8, this.slice(from, to), offset + from, offset + to)
          break
      }
    }
  }
}
