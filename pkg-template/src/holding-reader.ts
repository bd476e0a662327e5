// The loop that feeds a machine which may hold a lot of text.
//
// Text in which nothing can happen never crosses: by the mode that the machine
// left, a chunk without what may end its text is more of it. Records name places
// in the text at hand, which is what was held and the chunk behind it. A held text
// may be long (the content of a file whose path comes last, a tool call that may
// yet fail), so only its end is joined with each chunk, and all of it when
// something far back is told.

import { isHighHalf } from './surrogates.js'
import { ASKS, HELD_FROM, LONGEST_STRETCH, NEXT, modeOf, turnsFor } from './wasm/border.js'
import { engine } from './wasm/engine.js'

/** Length of the stretch behind something that was asked about. */
const FIRST_STRETCH = 256

/** So much of the held text's end is kept apart from the rest: what is read again is mostly there. */
const TAIL = 8_192

/** And so much of that: a token that a chunk cuts begins there, and is joined with each chunk until it ends. */
const NEAR = 256

/** Feeds one machine. Places are UTF-16 code units from the start of the stream. */
export abstract class HoldingReader {
  protected mode = 0
  /** Text that is not decided yet: a rope of pieces, its end, and the end of that. */
  private head = ''
  private tail = ''
  private near = ''
  /** The text at hand is what is held, and behind `base` the chunk. */
  private chunk = ''
  private base = 0
  /** Where the text at hand begins. */
  protected offset = 0
  /** The end of the held text that was not read: what stands there isn't known yet. */
  private rest = ''
  /** Half a surrogate pair that a chunk ended in: its other half comes with the next one. */
  private half = ''
  /** Units that were told without being read, and that the machine doesn't know of. */
  private passed = 0

  /** `most`: how much is held of a call that is not decided yet, in UTF-16 code units. */
  protected constructor(private readonly most: number) {}

  /** Reads `part` from `from` to `to`, behind `held` units that were read before; returns what the machine packs. */
  protected abstract run(part: string, from: number, to: number, held: number): number
  /** The end of the stream behind `held` undecided units. */
  protected abstract finishRun(held: number): number
  /** A run of text has ended after `held` undecided units outside of a call. */
  protected settleRun(_held: number): number {
    return 0
  }
  /** So many units were told without being read. */
  protected abstract pass(units: number): void
  /** The start of a new stream. */
  protected abstract restartRun(): void
  /** Whether a chunk is nothing but more of what the mode says. */
  protected abstract isPlain(mode: number, chunk: string): boolean
  /** Tells such a chunk, which stands at `from`; true if it is held all the same. */
  protected abstract plain(mode: number, chunk: string, from: number): boolean
  /** Tells the records that a call made, whose places are counted from `origin` in the text at hand. */
  protected abstract tell(packed: number, origin: number): void
  /** Answers what the machine asks. */
  protected abstract answer(): void
  /** Whether a call is held that is not decided yet. */
  abstract isInCall(): boolean
  /** Gives it up, behind `held` undecided units; returns what the machine packs. */
  protected abstract giveUpRun(held: number): number
  /** Whether the machine waits for more text. */
  protected waits(_packed: number): boolean {
    return false
  }

  /** Reads a chunk. */
  protected read(chunk: string): void {
    engine.instance.requireWhole()
    if (this.half !== '' || isHighHalf(chunk.charCodeAt(chunk.length - 1))) {
      const whole = this.half + chunk
      this.half = whole.slice(isHighHalf(whole.charCodeAt(whole.length - 1)) ? -1 : whole.length)
      if (this.half.length < whole.length) this.readWhole(whole.slice(0, whole.length - this.half.length))
      return
    }
    this.readWhole(chunk)
  }

  /** Reads a chunk that ends with a character, up to where a call would be too long, and gives that up. */
  private readWhole(chunk: string): void {
    if (this.held + chunk.length <= this.most) this.readPart(chunk)
    else this.readLong(chunk)
  }

  private readLong(chunk: string): void {
    let rest = chunk
    // Each turn reads a unit at least, or gives up what the turn before it read.
    for (let turns = turnsFor(rest.length); rest !== '' && this.held + rest.length > this.most; turns = engine.turn(turns)) {
      let room = this.most - this.held
      // A surrogate pair is not cut.
      if (room > 0 && isHighHalf(rest.charCodeAt(room - 1))) room--
      if (room <= 0 && this.isInCall()) {
        engine.reading(() => this.giveUp())
        continue
      }
      // What is held is no call yet. Whatever the cuts, one is seen as soon as it is one.
      if (room <= 0) room = (rest.codePointAt(0) as number) > 0xffff ? 2 : 1
      this.readPart(rest.slice(0, room))
      rest = rest.slice(room)
    }
    if (rest !== '') this.readPart(rest)
  }

  private readPart(chunk: string): void {
    const { mode } = this
    if (mode !== 0 && this.isPlain(mode, chunk)) {
      const isHeld = this.plain(mode, chunk, this.offset + this.heldRead)
      if (isHeld) {
        this.addToEnd(chunk)
      } else {
        this.offset += chunk.length
        this.passed += chunk.length
      }
      return
    }
    this.base = this.heldRead
    this.chunk = this.rest + chunk
    const outer = engine.enter()
    try {
      this.readFrom(this.base, 0)
    } finally {
      engine.leave(outer)
    }
  }

  /** A run of text has ended: what is held outside of a call is no part of a tag. */
  protected settle(): void {
    if (this.held === 0 && this.half === '') return
    engine.reading(() => {
      this.takeHalf()
      if (this.held === 0 || this.isInCall()) return
      this.sayWhatPassed()
      this.takeRest()
      const size = this.held
      this.chunk = ''
      this.base = size
      const packed = this.settleRun(size)
      this.mode = modeOf(packed)
      this.tell(packed, 0)
      this.offset += size
      this.hold(size, size)
    })
  }

  private takeHalf(): void {
    const { half } = this
    this.half = ''
    if (half !== '') this.readWhole(half)
  }

  /** The end of the stream. */
  protected finish(): void {
    engine.reading(() => this.finishAll())
  }

  private finishAll(): void {
    this.takeHalf()
    this.sayWhatPassed()
    for (let turns = turnsFor(this.offset + this.held); ; turns = engine.turn(turns)) {
      this.takeRest()
      const size = this.held
      this.chunk = ''
      this.base = size
      const packed = this.finishRun(size)
      const next = engine.outcome[NEXT] as number
      const heldFrom = engine.outcome[HELD_FROM] as number
      this.tell(packed, 0)
      if (next === size) break
      // What may have been something was nothing, and is searched again.
      this.readFrom(next, heldFrom)
    }
    this.head = ''
    this.tail = ''
    this.near = ''
    this.mode = 0
  }

  /** The start of a new stream. */
  protected restart(): void {
    this.restartRun()
    this.mode = 0
    this.head = ''
    this.tail = ''
    this.near = ''
    this.half = ''
    this.rest = ''
    this.passed = 0
    this.offset = 0
  }

  /** Where the undecided text begins. */
  protected get decided(): number {
    return this.offset
  }

  /** Half a surrogate pair in front of which nothing of it is: 1, or 0. */
  protected get waitingHalf(): number {
    return this.half.length
  }

  /** How long it is. */
  protected get held(): number {
    return this.heldRead + this.rest.length
  }

  /** How much of it was read. */
  private get heldRead(): number {
    return this.head.length + this.tail.length + this.near.length
  }

  /** The call that is held is too long. */
  private giveUp(): void {
    this.takeRest()
    const size = this.held
    this.chunk = ''
    this.base = size
    const packed = this.giveUpRun(size)
    const next = engine.outcome[NEXT] as number
    const heldFrom = engine.outcome[HELD_FROM] as number
    this.mode = modeOf(packed)
    this.tell(packed, 0)
    // What may end the call is read again.
    if (next < size) return this.readFrom(next, heldFrom)
    this.offset += heldFrom
    this.hold(heldFrom, size)
  }

  /** Reads the text at hand from `at` on; what is before it and behind `origin` was read before. */
  private readFrom(at: number, origin: number): void {
    const { base } = this
    const size = base + this.chunk.length
    this.sayWhatPassed()
    let asks: boolean
    let waits: boolean
    // What is asked about ends a stretch, and what is behind it was written in vain.
    let longest = LONGEST_STRETCH
    let turns = turnsFor(this.offset + size)
    do {
      turns = engine.turn(turns)
      let to = Math.min(size, at + longest)
      if (at < this.base) this.gather()
      // Between the halves of a surrogate pair no stretch ends.
      const from = this.startOfPart(at)
      const part = this.partFrom(from)
      if (to < size && isHighHalf(part.charCodeAt(to - 1 - from))) to--
      const packed = this.run(part, at - from, to - from, at - origin)
      at = origin + (engine.outcome[NEXT] as number)
      const heldFrom = origin + (engine.outcome[HELD_FROM] as number)
      asks = (packed & ASKS) !== 0
      waits = to === size && this.waits(packed)
      // What is waited for has to be read, whatever it is.
      this.mode = waits ? 0 : modeOf(packed)
      this.tell(packed, origin)
      origin = heldFrom
      longest = asks ? FIRST_STRETCH : Math.min(LONGEST_STRETCH, longest * 2)
      if (asks) this.answer()
    } while ((at < size && !waits) || asks)
    this.offset += origin
    this.rest = at < size ? this.slice(at, size) : ''
    this.hold(origin, at)
  }

  /** Makes one text of all that is at hand, since it is read again. */
  private gather(): void {
    this.chunk = this.head + this.tail + this.near + this.chunk
    this.head = ''
    this.tail = ''
    this.near = ''
    this.base = 0
  }

  /** What was not read is held like the rest. */
  private takeRest(): void {
    const { rest } = this
    this.rest = ''
    this.addToEnd(rest)
  }

  private sayWhatPassed(): void {
    if (this.passed > 0) this.pass(this.passed)
    this.passed = 0
  }

  /** Holds the text at hand from `origin` up to `to`. */
  private hold(origin: number, to: number): void {
    if (origin === 0 && to >= this.base) {
      this.addToEnd(to === this.base + this.chunk.length ? this.chunk : this.chunk.slice(0, to - this.base))
      return
    }
    const text = origin === to ? '' : this.slice(origin, to)
    this.head = ''
    this.tail = ''
    this.near = ''
    this.addToEnd(text)
  }

  private addToEnd(text: string): void {
    this.near += text
    if (this.near.length <= 2 * NEAR) return
    const nearFrom = this.near.length - NEAR
    this.tail += this.near.slice(0, nearFrom)
    this.near = this.near.slice(nearFrom)
    if (this.tail.length <= 2 * TAIL) return
    const from = this.tail.length - TAIL
    this.head += this.tail.slice(0, from)
    this.tail = this.tail.slice(from)
  }

  /** Where the shortest part of the text at hand begins that has a place in it. */
  private startOfPart(at: number): number {
    if (at >= this.base) return this.base
    const near = this.base - this.near.length
    if (at >= near) return near
    return at >= this.head.length ? this.head.length : 0
  }

  /** That part, up to the end. */
  private partFrom(start: number): string {
    if (start === this.base) return this.chunk
    const end = this.near + this.chunk
    if (start === this.base - this.near.length) return end
    return start === 0 ? this.head + this.tail + end : this.tail + end
  }

  /** A piece of the text at hand. */
  protected slice(from: number, to: number): string {
    const start = this.startOfPart(from)
    return this.partFrom(start).slice(from - start, to - start)
  }
}
