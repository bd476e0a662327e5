// Reads the JSON arguments of one API tool call as they are written.

import { CallBits, CallOp, FIELD_STOPS, FieldMode } from '../generated/ops.js'
import { anyOf } from '../stops.js'
import { isHighHalf } from '../surrogates.js'
import { COUNT, HELD_FROM, LONGEST_STRETCH, NEXT, turnsFor } from '../wasm/border.js'
import { engine } from '../wasm/engine.js'
import { type CallSession, finishCall, runCall } from '../wasm/segments.js'

/** Of what a call returns: whether plain text is more of a string, and which of the names it has, from 1 on. */
const IN_STRING = 0x400
const NAME_SHIFT = 11

const STRING_ENDS = anyOf(FIELD_STOPS[FieldMode.String])

/** What is told of the arguments. Places are UTF-16 code units from the start of the arguments' text. */
export interface CallTeller {
  /** Decoded text of a top-level string that was asked for; `which` is its place among the names. */
  argument(which: number, text: string, from: number, to: number): void
  /** That string is whole. */
  argumentEnd(which: number): void
}

/** Reads the JSON arguments of one call. */
export class CallReader {
  /** Whether the JSON value is whole. */
  isClosed = false
  /** Whether the text is no JSON object. */
  isBad = false
  /** Where the value ended, once it is whole; text from there on is no part of it. */
  end = 0
  private readonly session: CallSession
  private held = ''
  private offset = 0
  /** In a string, the name that it has, from 1 on, or 0; else -1. */
  private plain = -1

  /** `names`: top-level keys whose strings are told, at most two. With none, only the end is looked for. */
  constructor(
    private readonly teller: CallTeller,
    names: readonly string[],
  ) {
    this.session = { names, machine: undefined, isPutAway: false }
  }

  /** More of the text. */
  read(delta: string): void {
    engine.instance.requireWhole()
    const size = delta.length
    if (this.isClosed || this.isBad || size === 0) return
    if (this.plain >= 0 && this.held === '' && !STRING_ENDS.test(delta) && !isHighHalf(delta.charCodeAt(size - 1))) {
      if (this.plain > 0) this.teller.argument(this.plain - 1, delta, this.offset, this.offset + size)
      this.offset += size
      return
    }
    const outer = engine.enter()
    try {
      this.readFrom(this.held === '' ? delta : this.held + delta)
    } finally {
      engine.leave(outer)
    }
  }

  private readFrom(data: string): void {
    let at = this.held.length
    let origin = 0
    for (let turns = turnsFor(data.length); at < data.length; turns = engine.turn(turns)) {
      let to = Math.min(data.length, at + LONGEST_STRETCH)
      // Between the halves of a surrogate pair no stretch ends.
      if (to < data.length && isHighHalf(data.charCodeAt(to - 1))) to--
      const packed = runCall(this.session, data, at, to, at - origin)
      at = origin + (engine.outcome[NEXT] as number)
      const heldFrom = origin + (engine.outcome[HELD_FROM] as number)
      this.plain = (packed & IN_STRING) === 0 ? -1 : (packed >>> NAME_SHIFT) & 3
      this.tell(packed & COUNT, data, origin)
      origin = heldFrom
    }
    this.held = origin === data.length ? '' : data.slice(origin)
    this.offset += origin
  }

  /** The end of the stream: what is held of a string is told. */
  finish(): void {
    engine.reading(() => this.tell(finishCall(this.session, this.held.length) & COUNT, this.held, 0))
    this.offset += this.held.length
    this.held = ''
  }

  private tell(count: number, data: string, origin: number): void {
    for (let at = 0; at < count * 3; at += 3) {
      const word = engine.records[at] as number
      const which = (word >>> CallBits.PieceNameShift) & CallBits.PieceNameMask
      const start = origin + (engine.records[at + 1] as number)
      const end = origin + (engine.records[at + 2] as number)
      switch (word & CallBits.OpMask) {
        case CallOp.Piece:
          this.teller.argument(which, data.slice(start, end), this.offset + start, this.offset + end)
          break
        case CallOp.Character:
          this.teller.argument(which, String.fromCodePoint(word >>> CallBits.CharacterCodeShift), this.offset + start, this.offset + end)
          break
        case CallOp.End:
          this.teller.argumentEnd(which)
          break
        case CallOp.Closed:
          this.isClosed = true
          this.end = this.offset + end
          break
        case CallOp.Bad:
          this.isBad = true
          break
      }
    }
  }
}
