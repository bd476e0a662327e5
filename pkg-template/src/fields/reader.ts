// The only decoder of field records, and the loop that feeds the machine.
//
// Text in which nothing can happen never crosses: what is plain inside an open
// string, and prose without a bracket, a backtick or a tag. Records name
// places in the text at hand, which is what was held and the chunk behind it.

import { FIELD_STOPS, FieldBits, FieldMode, FieldOp, JSON_WORDS, JsonContainer } from '../generated/ops.js'
import { anyOf } from '../stops.js'
import { isHighHalf } from '../surrogates.js'
import { ASKS, COUNT, HELD_FROM, LONGEST_STRETCH, NEXT, modeOf, turnsFor } from '../wasm/border.js'
import { engine } from '../wasm/engine.js'
import { CLOSABLE, type FieldSession, answerKey, finishFields, restartFields, runFields } from '../wasm/fields.js'

const PROSE_ENDS = anyOf(FIELD_STOPS[FieldMode.Prose])
const STRING_ENDS = anyOf(FIELD_STOPS[FieldMode.String])

/** Up to this length a loop over the characters costs less than a regular expression. */
const SHORT = 24

/** Feeds one machine and tells what it says. Places are UTF-16 code units from the start of the stream. */
export abstract class FieldReader {
  private mode: number = FieldMode.Ask
  /** Whether the document could be closed behind what was read. */
  private isClosable = false
  /** Text that is not decided yet. */
  private held = ''
  /** The text at hand, and where it begins. */
  protected data = ''
  protected offset = 0
  /** Whether what is told was found at the end of the stream. */
  protected isAtEnd = false
  /** Whether the stream has ended. */
  protected isFinishing = false

  protected constructor(protected readonly session: FieldSession) {}

  /** What may be a document begins; nothing of it may be told yet. */
  protected abstract candidate(at: number): void
  /** It is none, or turned out to be none. */
  protected abstract drop(): void
  /** It is one. */
  protected abstract confirm(): void
  /** It may be one, if nothing better comes. */
  protected abstract fallback(): void
  /** It is complete. */
  protected abstract end(): void
  protected abstract push(isArray: boolean): void
  protected abstract pop(): void
  /** Text of a member's name. */
  protected abstract keyText(text: string, isLast: boolean): void
  /** Text of a string, at a place. */
  protected abstract text(text: string, from: number, to: number): void
  /** The open string ends. */
  protected abstract textEnd(): void
  /** A number or a word. */
  protected abstract scalar(value: number | boolean | null, from: number, to: number): void
  /** What there is of a number. */
  protected abstract cutNumber(value: number, from: number, to: number): void
  /** From here on something can't be read. */
  protected abstract stumble(from: number): void
  /** The place that can't be read. */
  protected abstract fault(fault: number, from: number, to: number): void
  /** Whether the first key is one of the schema's. */
  protected abstract agrees(): boolean
  /** All of a chunk was read; `held` is where undecided text begins. */
  protected abstract settle(held: number, isClosable: boolean): void

  /** Reads a chunk. */
  protected read(chunk: string): void {
    engine.instance.requireWhole()
    const size = chunk.length
    if (size === 0 || (this.mode !== FieldMode.Ask && this.needsNoReading(chunk))) {
      this.data = chunk
      if (this.mode === FieldMode.String && size !== 0) this.text(chunk, this.offset, this.offset + size)
      this.settle(this.offset + size, this.isClosable)
      this.offset += size
      return
    }
    const held = this.held
    this.data = held === '' ? chunk : held + chunk
    const outer = engine.enter()
    try {
      this.readFrom(held.length, 0)
    } finally {
      engine.leave(outer)
    }
  }

  /** The end of the stream. */
  protected finish(): void {
    engine.reading(() => this.finishAll())
  }

  private finishAll(): void {
    this.isFinishing = true
    for (let turns = turnsFor(this.held.length); ; turns = engine.turn(turns)) {
      const size = this.held.length
      this.data = this.held
      const packed = finishFields(this.session, size)
      const next = engine.outcome[NEXT] as number
      this.isAtEnd = true
      this.tell(packed & COUNT, this.offset)
      this.isAtEnd = false
      if (next === size) break
      // A candidate failed: what stands behind its bracket is read again.
      this.readFrom(next, next)
    }
    this.held = ''
    this.isFinishing = false
  }

  /** The end of the text at hand, and so of the stream. */
  protected get endOfText(): number {
    return this.offset + this.data.length
  }

  /** The start of a new stream. */
  protected restart(): void {
    restartFields(this.session)
    this.mode = FieldMode.Ask
    this.isClosable = false
    this.held = ''
    this.data = ''
    this.offset = 0
  }

  private needsNoReading(chunk: string): boolean {
    const mode = this.mode
    if (mode === FieldMode.String) return this.held === '' && isPlain(chunk)
    return mode === FieldMode.Prose && !PROSE_ENDS.test(chunk)
  }

  /** Reads the text at hand from `at` on; what is before it and behind `origin` was read before. */
  private readFrom(at: number, origin: number): void {
    const data = this.data
    const base = this.offset
    for (let turns = turnsFor(base + data.length); at < data.length; turns = engine.turn(turns)) {
      let to = Math.min(data.length, at + LONGEST_STRETCH)
      // Between the halves of a surrogate pair no stretch ends.
      if (to < data.length && isHighHalf(data.charCodeAt(to - 1))) to--
      const packed = runFields(this.session, data, at, to, at - origin)
      at = origin + (engine.outcome[NEXT] as number)
      const heldFrom = origin + (engine.outcome[HELD_FROM] as number)
      this.mode = modeOf(packed)
      this.isClosable = (packed & CLOSABLE) !== 0
      this.tell(packed & COUNT, base + origin)
      origin = heldFrom
      if ((packed & ASKS) !== 0) answerKey(this.session, this.agrees())
    }
    this.held = origin === data.length ? '' : data.slice(origin)
    this.settle(base + origin, this.isClosable)
    this.offset = base + origin
  }

  /** Tells `count` records, whose places are counted from `origin`. */
  private tell(count: number, origin: number): void {
    const data = this.data
    const back = origin - this.offset
    for (let at = 0; at < count * 3; at += 3) {
      const word = engine.records[at] as number
      const start = engine.records[at + 1] as number
      const end = engine.records[at + 2] as number
      const from = origin + start
      const to = origin + end
      switch (word & FieldBits.OpMask) {
        case FieldOp.Key:
        case FieldOp.KeyPiece:
          this.keyText(data.slice(back + start, back + end), (word & FieldBits.OpMask) === FieldOp.Key)
          break
        case FieldOp.KeyCharacter:
          this.keyText(String.fromCodePoint(word >>> FieldBits.KeyCharacterCodeShift), false)
          break
        case FieldOp.Text:
          this.text(data.slice(back + start, back + end), from, to)
          this.textEnd()
          break
        case FieldOp.Piece:
          this.text(data.slice(back + start, back + end), from, to)
          break
        case FieldOp.Character:
          this.text(String.fromCodePoint(word >>> FieldBits.CharacterCodeShift), from, to)
          break
        case FieldOp.Number:
          this.scalar(numberOf(data.slice(back + start, back + end)), from, to)
          break
        case FieldOp.CutNumber:
          this.cutNumber(numberOf(data.slice(back + start, back + end)), from, to)
          break
        case FieldOp.Word:
          this.scalar(JSON_WORDS[word >>> FieldBits.WordLiteralShift] as boolean | null, from, to)
          break
        case FieldOp.Push:
          this.push(word >>> FieldBits.PushContainerShift === JsonContainer.Array)
          break
        case FieldOp.Pop:
          this.pop()
          break
        case FieldOp.Candidate:
          this.candidate(from)
          break
        case FieldOp.Confirm:
          this.confirm()
          break
        case FieldOp.Drop:
          this.drop()
          break
        case FieldOp.Fallback:
          this.fallback()
          break
        case FieldOp.End:
          this.end()
          break
        case FieldOp.Stumble:
          this.stumble(from)
          break
        case FieldOp.Fault:
          this.fault(word >>> FieldBits.FaultCodeShift, from, to)
          break
      }
    }
  }
}

/** Whether all of a chunk is more of the open string. */
function isPlain(chunk: string): boolean {
  const size = chunk.length
  if (isHighHalf(chunk.charCodeAt(size - 1))) return false
  if (size > SHORT) return !STRING_ENDS.test(chunk)
  for (let at = 0; at < size; at++) {
    const unit = chunk.charCodeAt(at)
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c) return false
  }
  return true
}

/** The number that a text is. `Number` reads all but a sign before a hexadecimal one. */
function numberOf(text: string): number {
  const value = Number(text)
  if (value === value) return value
  const rest = Number(text.slice(1))
  return text.charCodeAt(0) === 0x2d ? -rest : rest
}
