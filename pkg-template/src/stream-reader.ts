// Feeds a machine with the chunks of a stream; pending.ts has a picture of what is pending between them.
//
//     chunk ──► is it without the characters that end the machine's mode, and is all that is pending of that mode?
//                 yes ──► `plain`: it is emitted, or stays pending, without a call
//                 no  ──► `cross`: the text from `pending.read` on crosses; records name places in the text at hand;
//                         what the machine has not decided stays pending
//
// Advice for those who change this:
//
// - A place in a record counts from the start of the text at hand, plus `offset` from the start of the stream. The text
//   at hand is dropped only after all its records were passed on, never between two calls of one chunk.
// - Where a chunk is cut must not change the events. What breaks first is text that waits for more (`waits`) and is
//   sent again, and half a surrogate pair: tests/splits.rs, the tests of conformance, and
//   tests/pkg/half-characters.test.mjs.
// - Time is linear if no chunk makes all that is pending one text: `near` stays short. tests/pkg/adversarial.test.mjs
//   counts steps, and `npm run bench` measures growth.
// - A callback may feed another parser, or throw: `border.enter` and `leave` stand around all that emits.

import { READ, type Decoder, Reader } from './reader.js'
import { isHighHalf, isLowHalf } from './surrogates.js'
import { HELD_FROM, NEXT, turnsFor } from './wasm/border.js'
import type { Session } from './wasm/machine.js'

/** Feeds one machine with the chunks of a stream. */
export class StreamReader extends Reader {
  /** Units that were emitted without being read, and that the machine doesn't know of. */
  private passed = 0

  /** `longest`: how much is kept of a call that is not decided yet, in UTF-16 code units. */
  constructor(
    session: Session,
    decoder: Decoder,
    private readonly longest = Infinity,
  ) {
    super(session, decoder)
  }

  /** Reads a chunk. */
  read(chunk: string): void {
    this.session.border.instance.requireWhole()
    const { text } = this
    let whole = chunk
    if (text.half !== '' || isHighHalf(chunk.charCodeAt(chunk.length - 1))) {
      whole = text.half + chunk
      const end = isHighHalf(whole.charCodeAt(whole.length - 1)) ? whole.length - 1 : whole.length
      text.half = whole.slice(end)
      whole = whole.slice(0, end)
    }
    if (text.length + whole.length <= this.longest) this.readPart(whole)
    else this.readWithin(whole)
  }

  /** Reads a chunk that ends with a character, up to where a call would be too long, and gives that up. */
  private readWithin(chunk: string): void {
    const { border } = this.session
    const { text, longest } = this
    let rest = chunk
    // Each turn reads a unit at least, or gives up what the turn before it read.
    for (
      let turns = turnsFor(rest.length);
      rest !== '' && text.length + rest.length > longest;
      turns = border.turn(turns)
    ) {
      let room = longest - text.length
      // A surrogate pair is not cut.
      if (room > 0 && isHighHalf(rest.charCodeAt(room - 1)) && isLowHalf(rest.charCodeAt(room))) room--
      if (room <= 0 && this.isInCall()) {
        border.reading(() => this.giveUp())
        continue
      }
      // What is pending is not a call yet. Wherever the text was cut, a call is seen as soon as it begins.
      if (room <= 0) room = (rest.codePointAt(0) as number) > 0xffff ? 2 : 1
      this.readPart(rest.slice(0, room))
      rest = rest.slice(room)
    }
    if (rest !== '') this.readPart(rest)
  }

  /** Reads a chunk, after which no more may be pending than is allowed. */
  private readPart(chunk: string): void {
    const { text, decoder } = this
    const mode = decoder.modes[this.mode]
    const pending = text.length
    const isPlain =
      mode?.stops !== undefined &&
      (pending === 0 || (mode.isPending === true && text.read === pending)) &&
      !mode.stops.areIn(chunk)
    text.near += chunk
    if (isPlain) this.plain(chunk, pending, mode.isPending === true)
    else this.cross()
  }

  /** The chunk is more of what came before it, as the mode says. */
  private plain(chunk: string, pending: number, isPending: boolean): void {
    const { decoder } = this
    const end = pending + chunk.length
    if (chunk !== '') decoder.plain?.(this.mode, chunk, this.offset + pending)
    if (!isPending) this.passed += chunk.length
    this.keepFrom(isPending ? 0 : end, end)
  }

  /** The machine reads what it has not read. */
  private cross(): void {
    const { border } = this.session
    const outer = border.enter()
    try {
      this.passOn()
      this.readFrom(this.text.read, 0)
    } finally {
      border.leave(outer)
    }
  }

  /** A run of text has ended: what is pending outside a call isn't part of a tag. */
  settle(): void {
    if (this.pending === 0) return
    const { border } = this.session
    border.reading(() => {
      this.takeHalf()
      if (this.pending === 0 || this.isInCall()) return
      this.passOn()
      for (let turns = turnsFor(this.offset + this.pending); ; turns = border.turn(turns)) {
        const size = this.end
        this.take(this.session.claim().settle(size), 0)
        const next = border.outcome[NEXT] as number
        if (next === size) return this.drop(size)
        // What may have been more is all there is, and is searched again.
        this.readFrom(next, border.outcome[HELD_FROM] as number)
      }
    })
  }

  /** The end of the stream, or where it was cut off. */
  finish(isCutOff = false): void {
    this.isEnding = true
    this.isCutOff = isCutOff
    this.session.border.reading(() => {
      this.takeHalf()
      this.passOn()
      this.finishFrom()
      this.decoder.end?.(this)
      this.offset += this.end
    })
    this.forget()
  }

  /** The start of a new stream. */
  reset(): void {
    this.session.reset()
    this.forget()
    this.offset = 0
    this.flags = 0
    this.isEnding = false
  }

  /** Whether a call has begun that is not decided yet. */
  isInCall(): boolean {
    return this.session.claim().isInCall() !== 0
  }

  /** The pending text, which is then no longer pending: it goes out without being read again. */
  takePending(): string {
    const text = this.slice(0, this.end)
    this.drop(text.length)
    return text
  }

  /** How many units are pending. */
  get pending(): number {
    return this.text.length + this.text.half.length
  }

  /** Half a surrogate pair that the last chunk ended in. */
  get half(): string {
    return this.text.half
  }

  /** The call that is pending is too long. */
  private giveUp(): void {
    const { outcome } = this.session.border
    const size = this.end
    const packed = this.session.claim().giveUp(size)
    const next = outcome[NEXT] as number
    const pendingFrom = outcome[HELD_FROM] as number
    this.take(packed, 0)
    // What may end the call is read again.
    if (next < size) this.readFrom(next, pendingFrom)
    else this.drop(pendingFrom)
  }

  private takeHalf(): void {
    const { half } = this.text
    if (half === '') return
    this.text.half = ''
    // No text of any mode: its other half doesn't come.
    this.mode = READ
    this.readWithin(half)
  }

  /** Informs the machine of units that it didn't read. */
  private passOn(): void {
    if (this.passed > 0) this.session.claim().pass?.(this.passed)
    this.passed = 0
  }

  /** Forgets all that is pending. */
  forget(): void {
    this.mode = READ
    this.text.clear()
    this.passed = 0
  }

  protected override keepFrom(origin: number, to: number): void {
    this.decoder.settle?.(origin, this)
    this.offset += origin
    this.text.keep(origin, to)
  }

  /** All text at hand was read, and is decided up to a place. */
  private drop(to: number): void {
    this.offset += to
    this.text.keep(to, this.end)
  }
}
