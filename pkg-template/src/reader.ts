// The one loop: feeds a machine with text, stretch by stretch, and passes its records to a decoder. Streams and whole
// texts take the same way; what only streams have is in stream-reader.ts.

import { Nothing, Packed } from './generated/ops.js'
import { Pending } from './pending.js'
import type { CharacterSet } from './character-set.js'
import { isHighHalf } from './surrogates.js'
import { HELD_FROM, LONGEST_STRETCH, NEXT, turnsFor } from './wasm/border.js'
import { type Session, askOf, flagsOf, modeOf } from './wasm/machine.js'

/** Length of the stretch after a question. */
const FIRST_STRETCH = 256

/** The mode of all machines in which a chunk has to be read. */
export const READ = Nothing.Read

/** What a chunk may be without being read. */
export interface Mode {
  /** What ends it; if it is left out, all has to be read. */
  readonly stops: CharacterSet | undefined
  /** Whether its text stays pending though it is emitted. */
  readonly isPending?: boolean
}

/** Turns the records of one machine into calls of an emitter. */
export interface Decoder {
  /** By the machine's numbers; a chunk in any other mode has to be read. */
  readonly modes: readonly (Mode | undefined)[]
  /** How much of a piece of the text at hand, its end, needs no reading from `from` on; gives the place after it. */
  skip?(mode: number, piece: string, from: number, text: Reader): number
  /** A chunk that the mode covers, `from` units from the start of the stream. */
  plain?(mode: number, chunk: string, from: number): void
  /** A record, and its place in the text at hand. */
  record(word: number, from: number, to: number, text: Reader): void
  /** The records of a call were passed on, and `text.flags` are those of the machine. */
  after?(text: Reader): void
  /** Answers a question, by the machine's numbers: the number of the answer, and what it carries. */
  answer?(ask: number, text: Reader): number | readonly [answer: number, detail: Uint8Array]
  /** A chunk was read; the text at hand is pending from `from` on. */
  settle?(from: number, text: Reader): void
  /** The stream has ended; the text at hand is the last. */
  end?(text: Reader): void
}

/**
 * Feeds one machine. Places are UTF-16 code units in the text at hand, which begins `offset` units from the start of
 * the stream.
 */
export class Reader {
  /** Where the text at hand begins, and so the pending text between calls. */
  offset = 0
  /** Where places are counted from that the machine gives. */
  origin = 0
  /** What may be done with the next chunk without a call, by the machine's numbers. */
  mode: number = READ
  /** The machine's own bits, after the last call. */
  flags = 0
  /** Up to where the text at hand was read. */
  at = 0
  /** Whether the stream ends, and whether the records are those of its end. */
  isEnding = false
  isAtEnd = false
  /** Whether the stream is cut off where it ends. */
  protected isCutOff = false
  protected isStopped = false
  protected readonly text = new Pending()

  constructor(
    protected readonly session: Session,
    protected readonly decoder: Decoder,
  ) {}

  /** Reads a whole text; all of it stays at hand. The machine must keep it pending. */
  readText(text: string): void {
    const { session } = this
    try {
      session.border.reading(() => {
        this.text.near = text
        this.readFrom(0, 0)
        this.isEnding = true
        if (!this.isStopped) this.finishFrom()
      })
    } finally {
      session.reset()
    }
  }

  /** From within `record` or `after`: nothing more is read of a whole text. */
  stop(): void {
    this.isStopped = true
  }

  /** Where the text at hand ends. */
  get end(): number {
    return this.text.length
  }

  /** A piece of the text at hand. */
  slice(from: number, to: number): string {
    return this.text.slice(from, to)
  }

  /** Reads the text at hand from `at` on; what is before it and after `origin` was read before. */
  protected readFrom(at: number, origin: number): void {
    const { session, decoder, text } = this
    const { border } = session
    if (at < text.start) text.gather()
    const { near, start } = text
    const size = start + near.length
    let longest = LONGEST_STRETCH
    let turns = turnsFor(this.offset + size)
    let to = size
    let ask = 0
    let waits = false
    while ((at < size && !waits) || ask !== 0) {
      turns = border.turn(turns)
      // A candidate that failed may be read again from far back.
      if (at < start) return this.readFrom(at, origin)
      if (decoder.skip !== undefined && at === origin) {
        at = origin = start + decoder.skip(this.mode, near, at - start, this)
        if (at === size) break
      }
      to = Math.min(size, at + longest)
      // Between the halves of a surrogate pair no stretch ends.
      if (to < size && isHighHalf(near.charCodeAt(to - 1 - start))) to--
      const packed = session.run(near, at - start, to - start, at - origin)
      this.at = at = origin + (border.outcome[NEXT] as number)
      const pendingFrom = origin + (border.outcome[HELD_FROM] as number)
      waits = to === size && (packed & Packed.Waits) !== 0
      ask = askOf(packed)
      this.take(packed, origin)
      // What is waited for has to be read, whatever it is.
      if (waits) this.mode = READ
      if (this.isStopped) return
      origin = pendingFrom
      if (ask !== 0) this.answer(ask)
      // What comes after a question was written in vain.
      if (at < size) longest = ask !== 0 ? FIRST_STRETCH : Math.min(LONGEST_STRETCH, longest * 2)
    }
    this.keepFrom(origin, at)
  }

  private answer(ask: number): void {
    const answer = this.decoder.answer?.(ask, this) ?? 0
    if (typeof answer === 'number') this.session.answer(answer)
    else this.session.answer(...answer)
  }

  /** What a call gave. */
  protected take(packed: number, origin: number): void {
    this.mode = modeOf(packed)
    this.flags = flagsOf(packed)
    const words = (packed & Packed.Count) * 3
    const { decoder } = this
    const { records, instance } = this.session.border
    instance.words = words
    this.origin = origin
    for (let at = 0; at < words; at += 3) {
      decoder.record(
        records[at] as number,
        origin + (records[at + 1] as number),
        origin + (records[at + 2] as number),
        this,
      )
    }
    decoder.after?.(this)
  }

  protected finishFrom(): void {
    const { session } = this
    const { border } = session
    for (let turns = turnsFor(this.offset + this.end); ; turns = border.turn(turns)) {
      const size = this.end
      const packed = session.finish(size, this.isCutOff)
      const next = border.outcome[NEXT] as number
      const pendingFrom = border.outcome[HELD_FROM] as number
      this.isAtEnd = true
      this.take(packed, 0)
      this.isAtEnd = false
      if ((packed & Packed.Waits) !== 0) continue
      if (next === size) return
      // What may have been something was nothing, and is searched again.
      this.readFrom(next, pendingFrom)
    }
  }

  /** Of a stream: keeps the text at hand from `origin` on; what is after `to` was not read. */
  protected keepFrom(_origin: number, _to: number): void {}
}
