// The only decoder of block records, and the loop that feeds the machine.
//
// The loop: a stretch of text goes in, records come out; what they say is told
// to the methods below, which subclasses turn into events; then the next
// stretch. Text in which nothing can happen, by the mode and the roles that the
// machine left, never crosses. Records name places in the text at hand, which is
// what was held and the chunk behind it.
//
// What may be the front of a tag is data from src/block/tags.rs.

import { ParseError } from './errors.js'
import { type Session, finish, countedOf, run, blockBorder } from './wasm/blocks.js'
import { ASKS, COUNT, HELD_FROM, LONGEST_STRETCH, NEXT, modeOf, turnsFor } from './wasm/border.js'
import { BlockBits, BlockMode, BlockOp, BlockTrigger } from './generated/ops.js'

const SHORTEST_STRETCH = 32

/** Most units that wait for the next chunk; more would be joined again with each. */
const LONGEST_WAIT = 16

/** Of the roles that count: those whose openers do. */
const OPENERS = 0x7f
/** Where those whose closers do begin. */
const CLOSERS = 7

/** Up to this length a loop finds a character sooner than `indexOf`. */
const TINY = 3

/** What no call gives. */
const NOT_RUN = -1

/** For `read`: nobody has looked for a tag. */
export const UNKNOWN = -2

/** Feeds one machine and tells what it says. */
export abstract class BlockReader {
  /** What may be done with the next chunk without asking. */
  protected mode: number = BlockMode.Ask
  /** The roles whose tags count now: openers in 7 bits, closers in the 7 above. */
  private counted = 0
  /** Text that is not decided yet. */
  protected held = ''
  /** Units of it that were sent before (prefill). */
  protected clip = 0
  /** The end of the last chunk, a `<` and at most two characters, which was not taken in yet: see `putOff`. */
  protected waiting = ''
  private waitingMode: number = BlockMode.Ask
  /** Where `held` begins, in units from the start of the stream. */
  protected offset = 0
  protected isBusy = false
  private stretch = SHORTEST_STRETCH

  // The text at hand: what was held, and the chunk behind it, which are not
  // joined, because V8 would have to copy both to read one character.
  private front = ''
  private back = ''
  private split = 0
  // Where in `back` the next tag and the next `&` may stand, once looked for:
  // its end if there is none. So each character is looked at once.
  private tagAt = -1
  private referenceAt = -1

  // Content that has not been told yet: `text`, then the text at hand from
  // `textFrom` to `textTo`; read from `runFrom` on. Nothing when `textTo` is negative.
  private text = ''
  private runFrom = 0
  private textFrom = 0
  private textTo = -1

  protected constructor(protected readonly session: Session) {}

  /** A block starts. */
  protected abstract started(kind: number, depth: number): void
  /** A piece of content of the open block. Places are units from `offset`. */
  protected abstract content(text: string, from: number, to: number): void
  /** The open block is complete. */
  protected abstract completed(isIncomplete: boolean, isError: boolean): void
  /** A piece of the open tool call's input: of a string's inside, or of JSON. */
  protected abstract input(piece: string, from: number, to: number): void
  /** The open tool call's name. */
  protected abstract named(name: string | undefined, from: number, to: number): void
  /** The id of the call that the open tool result answers. */
  protected abstract answers(id: string): void
  /** A parameter of the open tool call begins. */
  protected abstract parameter(key: string, isFirst: boolean, from: number, to: number): void
  /** Text inside a tool call, outside its parameters. */
  protected abstract stray(text: string, from: number, to: number): void
  /** Markup or layout. */
  protected abstract markup(text: string, from: number, to: number): void
  /** The last parameter's declaration is asked for. */
  protected abstract declare(): void
  /** All records of a stretch were told. */
  protected abstract settle(): void

  /** Reads a chunk. `tag` is where the first tag may begin, if somebody has looked. */
  protected read(chunk: string, tag: number): void {
    if (tag > 0 && this.mode === BlockMode.Text && this.clip === 0) {
      this.hold('', chunk)
      this.addText(0, tag)
      this.readFrom(tag, tag, NOT_RUN)
      return
    }
    const held = this.held
    if (blockBorder.instance.telling !== 0 || chunk.length > this.stretch || this.clip !== 0) {
      this.hold(held, chunk)
      this.readFrom(held.length, 0, NOT_RUN)
      return
    }
    // A small chunk inside a tag mostly changes nothing yet, and then this is all.
    const packed = run(this.session, chunk, 0, chunk.length, held.length, 0)
    if ((packed & (COUNT | ASKS)) === 0 && blockBorder.outcome[HELD_FROM] === 0 && blockBorder.outcome[NEXT] === held.length + chunk.length) {
      this.go(packed)
      this.held = held + chunk
      return
    }
    this.hold(held, chunk)
    this.readFrom(held.length, 0, packed)
  }

  /**
   * How much of a chunk needs no reading; `tag` is where its first tag may begin.
   * What is left waits for the next chunk, as if the chunk had been cut there: a
   * `<` that may yet begin a tag, which it mostly doesn't, or white space that is
   * left out should the value end behind it. -1 if all has to be read.
   */
  protected putOff(chunk: string, tag: number): number {
    const size = chunk.length
    if (size === 0 || (tag !== -1 && !isCut(chunk, tag))) return -1
    const mode = this.mode
    const end = this.endOfPlain(mode, chunk, tag === -1 ? size : tag)
    if (end === -1 || size - end > LONGEST_WAIT) return -1
    if (end < size) {
      this.waiting = chunk.slice(end)
      this.waitingMode = mode
      this.mode = BlockMode.Ask
    }
    return end
  }

  /** How much of a chunk, which has no tag before `to`, the mode covers; -1 if it doesn't cover it. */
  protected endOfPlain(mode: number, chunk: string, to: number): number {
    if (mode < BlockMode.Trimmed) return mode === BlockMode.Decoded && chunk.indexOf('&') !== -1 ? -1 : to
    const last = to === 0 ? 0 : chunk.charCodeAt(to - 1)
    return last > 0x20 && last < 0x80 ? to : chunk.slice(0, to).trimEnd().length
  }

  /** What waits, to be read before the next chunk. */
  protected takeWaiting(): string {
    const waiting = this.waiting
    if (waiting !== '') {
      this.waiting = ''
      this.mode = this.waitingMode
    }
    return waiting
  }

  /** The end of the stream; nothing waits. */
  protected end(): void {
    const outer = blockBorder.enter()
    let turns = turnsFor(this.held.length)
    try {
      for (;;) {
        turns = blockBorder.turn(turns)
        const size = this.held.length
        this.hold(this.held, '')
        const packed = finish(this.session, size, this.clip)
        const next = blockBorder.outcome[NEXT] as number
        const heldFrom = blockBorder.outcome[HELD_FROM] as number
        this.go(packed)
        this.tell(0, packed & COUNT)
        this.sendText()
        this.settle()
        this.keep(heldFrom)
        if (next === size) return
        // A `<` that was held is text; what is behind it is read again.
        this.hold('', this.held)
        this.readFrom(0, 0, NOT_RUN)
      }
    } finally {
      blockBorder.leave(outer)
    }
  }

  /** Takes over what a call gave for the next chunk. */
  private go(packed: number): void {
    this.mode = modeOf(packed)
    this.counted = countedOf(packed)
  }

  private hold(front: string, back: string): void {
    this.front = front
    this.back = back
    this.split = front.length
    this.tagAt = -1
    this.referenceAt = -1
  }

  /** A piece of the text at hand. */
  private slice(from: number, to: number): string {
    const split = this.split
    if (from >= split) return this.back.slice(from - split, to - split)
    if (to <= split) return this.front.slice(from, to)
    return this.front.slice(from) + this.back.slice(0, to - split)
  }

  /** Reads the text at hand from `at` on; what is before it and behind `origin` is what was held. `packed` is what the first call gave, if it was made. */
  private readFrom(at: number, origin: number, packed: number): void {
    const outer = blockBorder.enter()
    const size = this.split + this.back.length
    // Whoever reads on from behind the start has looked for the first tag.
    let isSkipped = origin > 0
    let turns = turnsFor(this.offset + size)
    try {
      while (at < size) {
        turns = blockBorder.turn(turns)
        if (packed === NOT_RUN) {
          // Also when what was held is read again.
          if (at < this.split) this.hold('', this.front + this.back)
          if (at === origin && !isSkipped && this.mode !== BlockMode.Ask && this.clip <= at) {
            at = origin = this.skip(at)
            if (at === size) break
          }
          const from = at - this.split
          const to = Math.min(this.back.length, from + this.stretch)
          packed = run(this.session, this.back, from, to, at - origin, this.clip <= origin ? 0 : this.clip - origin)
        }
        at = origin + (blockBorder.outcome[NEXT] as number)
        const heldFrom = origin + (blockBorder.outcome[HELD_FROM] as number)
        this.go(packed)
        const count = packed & COUNT
        if (count !== 0) this.tell(origin, count)
        origin = heldFrom
        if ((packed & ASKS) !== 0) this.declare()
        packed = NOT_RUN
        isSkipped = false
        // Where markup is dense a longer stretch costs less than more calls.
        if (at < size) this.stretch = (this.mode === BlockMode.Text || this.mode === BlockMode.Decoded) && at === origin ? Math.max(SHORTEST_STRETCH, this.stretch >> 1) : Math.min(LONGEST_STRETCH, this.stretch << 1)
      }
      this.sendText()
      this.settle()
      this.keep(origin)
    } finally {
      blockBorder.leave(outer)
    }
  }

  /** Passes over content that needs no reading. Returns where the next does. */
  private skip(at: number): number {
    const back = this.back
    const from = at - this.split
    if (this.tagAt < from) this.tagAt = orEnd(this.tagFrom(back, back.indexOf('<', from)), back)
    let found = this.tagAt
    if (this.mode > BlockMode.Decoded) return this.skipInput(at, from, found)
    if (this.mode === BlockMode.Decoded) {
      if (this.referenceAt < from) this.referenceAt = orEnd(back.indexOf('&', from), back)
      found = Math.min(found, this.referenceAt)
    }
    const next = found + this.split
    if (next - at < this.stretch && found !== back.length) this.stretch = Math.min(LONGEST_STRETCH, this.stretch << 1)
    if (next > at) this.addText(at, next)
    return next
  }

  /** The same in a parameter's value, whose next tag may begin at `tag`. */
  private skipInput(at: number, from: number, tag: number): number {
    const end = Math.max(from, this.endOfPlain(this.mode, this.back, tag))
    if (end === from) return at
    const next = end + this.split
    this.input(asInput(this.mode, this.back.slice(from, end)), at, next)
    return next
  }

  /** Where the next `<` stands that may begin a tag, by the first two characters of its name; -1 if none does. */
  protected findTag(text: string): number {
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

  /** The same, from a `<` on that was found. */
  private tagFrom(text: string, less: number): number {
    let at = less
    while (at !== -1 && !this.mayBegin(text, at)) at = text.indexOf('<', at + 1)
    return at
  }

  private mayBegin(text: string, less: number): boolean {
    const at = nameAt(text, less)
    const roles = at === less + 1 ? this.counted & OPENERS : this.counted >>> CLOSERS
    const left = text.length - at
    if (left === 0) return at === less + 1 || roles !== 0
    const first = text.charCodeAt(at)
    // Nothing behind it yet counts as NUL, which stands for any.
    const second = left === 1 ? BlockTrigger.Any : text.charCodeAt(at + 1)
    return first < 128 && second < 128 && ((this.session.tags.fronts[(first << BlockTrigger.FirstShift) | second] as number) & roles) !== 0
  }

  private keep(from: number): void {
    this.offset += from
    if (this.clip !== 0) this.clip = Math.max(0, this.clip - from)
    const size = this.split + this.back.length
    this.held = from === size ? '' : this.slice(from, size)
  }

  private addText(from: number, to: number): void {
    if (from === this.textTo) {
      this.textTo = to
      return
    }
    this.sendText()
    this.runFrom = this.textFrom = from
    this.textTo = to
  }

  private addCharacter(character: string, from: number, to: number): void {
    if (from !== this.textTo) {
      this.sendText()
      this.runFrom = this.textFrom = from
    }
    this.text += this.slice(this.textFrom, from) + character
    this.textFrom = this.textTo = to
  }

  private sendText(): void {
    const to = this.textTo
    if (to < 0) return
    const verbatim = this.slice(this.textFrom, to)
    const text = this.text === '' ? verbatim : this.text + verbatim
    this.text = ''
    this.textTo = -1
    this.content(text, this.runFrom, to)
  }

  private tell(origin: number, count: number): void {
    const { records } = blockBorder
    for (let at = 0, end = count * 3; at < end; at += 3) {
      const word = records[at] as number
      const from = origin + (records[at + 1] as number)
      const to = origin + (records[at + 2] as number)
      const op = word & BlockBits.OpMask
      if (op === BlockOp.Text) {
        this.addText(from, to)
        continue
      }
      if (op === BlockOp.Character) {
        this.addCharacter(String.fromCodePoint(word >>> BlockBits.CharacterCodeShift), from, to)
        continue
      }
      this.sendText()
      switch (op) {
        case BlockOp.Start:
          this.started((word >>> BlockBits.StartKindShift) & BlockBits.StartKindMask, word >>> BlockBits.StartDepthShift)
          break
        case BlockOp.String: {
          const inside = from === to ? '' : escapeJson(this.slice(from, to))
          const before = (word & BlockBits.StringIsFirst) === 0 ? '' : '"'
          const after = (word & BlockBits.StringIsLast) === 0 ? '' : '"'
          this.input(before + inside + after, from, to)
          break
        }
        case BlockOp.Raw:
          this.input(this.slice(from, to), from, to)
          break
        case BlockOp.Complete:
          this.completed((word & BlockBits.CompleteIsIncomplete) !== 0, (word & BlockBits.CompleteIsError) !== 0)
          break
        case BlockOp.Name:
          this.named((word & BlockBits.NameIsPresent) === 0 ? undefined : this.slice(from, to), from, to)
          break
        case BlockOp.Key:
          this.parameter(this.slice(from, to), (word & BlockBits.KeyIsFirst) !== 0, from, to)
          break
        case BlockOp.InputEnd:
          this.input((word & BlockBits.InputEndIsEmpty) === 0 ? '}' : '{}', from, to)
          break
        case BlockOp.ResultId:
          this.answers(this.slice(from, to))
          break
        case BlockOp.Stray:
          this.stray(this.slice(from, to), from, to)
          break
        case BlockOp.Markup:
          this.markup(this.slice(from, to), from, to)
          break
      }
    }
  }

  /** Refuses a call from inside one of this parser's own callbacks. */
  protected requireIdle(place: string): void {
    if (this.isBusy) throw new ParseError('reentrant', `${place} was called from inside a callback of the same parser; call it after processChunk or flush has returned`)
  }
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

const ESCAPED = /["\\\u0000-\u001f]/
const ALL_ESCAPED = /["\\\u0000-\u001f]/g

/** Up to this length a loop over the characters costs less than calling a regular expression. */
const SHORT = 12

/** Text of a value as it stands in the call's input, by the mode that covers it. */
export function asInput(mode: number, text: string): string {
  return mode === BlockMode.Json ? text : escapeJson(text)
}

/** Text as the inside of a JSON string. Half a surrogate pair stays as it is, since its other half may come with the next chunk. */
export function escapeJson(text: string): string {
  if (!hasEscaped(text)) return text
  const quoted = JSON.stringify(text)
  // It writes half a pair as an escape; the search may find what only looks like one, and the slow way is right for that too.
  return quoted.indexOf('\\ud') === -1 ? quoted.slice(1, -1) : text.replace(ALL_ESCAPED, (character) => JSON.stringify(character).slice(1, -1))
}

/** Whether text has to change on its way into a JSON string. */
export function hasEscaped(text: string): boolean {
  if (text.length > SHORT) return ESCAPED.test(text)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c) return true
  }
  return false
}
