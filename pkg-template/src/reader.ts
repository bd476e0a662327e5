// The one loop: feeds a machine with text, stretch by stretch, and passes its
// records to a decoder. Streams and whole texts take the same way. `Reader` has the
// loop, and is all that whole texts need; `StreamReader` has what is pending between
// the chunks of a stream.
//
// Text in which nothing can happen never crosses: by the mode that the machine
// left, a chunk without the characters that end it is more of the same. Records
// name places in the text at hand, which is the pending text and the chunk after
// it. The pending text may be long (a tool call that may yet fail), so only its
// end is joined with each chunk, and all of it when something far back is emitted.

import { Nothing, Packed } from './generated/ops.js'
import type { SavedClass } from './snapshot/saved.js'
import type { Stops } from './stops.js'
import { isHighHalf, isLowHalf } from './surrogates.js'
import { type Border, HELD_FROM, LONGEST_STRETCH, NEXT, turnsFor } from './wasm/border.js'
import { type Session, askOf, flagsOf, modeOf } from './wasm/machine.js'

/** Length of the stretch after a question. */
const FIRST_STRETCH = 256

/** The mode of all machines in which a chunk has to be read. */
const READ = Nothing.Read

/** What no call gives. */
const NOT_RUN = -1

/** Up to this length a chunk costs less to read than to look for what in it needs no reading. */
const SMALL = 64

/** So much of the pending text's end is kept apart from the rest: what is read again is mostly there. */
const TAIL = 8_192

/** And so much of that: a token that a chunk cuts begins there, and is joined with each chunk until it ends. */
const NEAR = 256

/** So much that was emitted, or is white space, is read later. */
const LONGEST_LATER = 240

/** No stream is so long: loops that the machine's state could keep going end by it. */
const FURTHEST = 2 ** 40

const LINE_FEED = 0x0a

/** Of what a call gives: whether there is a question, or more text is needed. */
const UNDECIDED = (Packed.AskMask << Packed.AskShift) | Packed.Waits

/** What a chunk may be without being read. */
export interface Mode {
  /** What ends it; if it is left out, all has to be read. */
  readonly stops: Stops | undefined
  /** Whether its text stays pending though it is emitted. */
  readonly isPending?: boolean
  /** What has to be read now; other text is emitted, and read when there is more of it. */
  readonly closers?: Stops | undefined
  /** Of that, the white space at its end, from a line end on, is not emitted, and the rest not read. */
  readonly keepsSpace?: boolean
}

/** A mode whose text may be passed over. */
interface PlainMode extends Mode {
  readonly stops: Stops
}

/** Turns the records of one machine into calls of an emitter. */
export interface Decoder {
  /** By the machine's numbers; a chunk in any other mode has to be read. */
  readonly modes: readonly (Mode | undefined)[]
  /** Whether half a surrogate pair goes out as it comes, and doesn't wait for its other half. */
  readonly splitsPairs?: boolean
  /** Length of the first stretch. @defaultValue the longest */
  readonly firstStretch?: number
  /**
   * Length of the next, where `isDecided` says whether all that was read is decided. @defaultValue twice as long as the
   * last
   */
  nextStretch?(text: Reader, isDecided: boolean): number
  /** How much of the chunk from `from` on needs no reading, in a mode; gives the place after it. */
  skip?(mode: number, chunk: string, from: number, text: Reader): number
  /** A chunk that the mode covers, `from` units from the start of the stream. */
  plain?(mode: number, chunk: string, from: number): void
  /** A record, and its place in the text at hand. */
  record(word: number, from: number, to: number, text: Reader): void
  /** The records of a call were passed on, and `text.flags` are those of the machine. */
  after?(text: Reader): void
  /** Answers a question, by the machine's numbers: the number of the answer, and what it carries. */
  answer?(ask: number, text: Reader): number | readonly [answer: number, detail: Uint8Array]
  /** A chunk was read; the text at hand is pending from `from` on. */
  settle?(from: number, text: StreamReader): void
  /** The stream has ended; the text at hand is the last. */
  end?(text: StreamReader): void
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
  /** Up to where the text at hand was read, and how many units crossed so far. */
  at = 0
  crossed = 0
  /** Whether the stream ends, and whether the records are those of its end. */
  isEnding = false
  isAtEnd = false
  /** The text at hand is what is pending, and from `base` on the chunk. */
  protected chunk = ''
  protected base = 0
  protected isStopped = false
  protected readonly border: Border

  constructor(
    protected readonly session: Session,
    protected readonly decoder: Decoder,
  ) {
    this.border = session.border
  }

  /** Reads a whole text, from one place to another; all of it stays at hand. The machine must keep it pending. */
  readText(text: string, from = 0, to = text.length): void {
    const { border } = this.session
    const outer = border.enter()
    try {
      this.chunk = to === text.length ? text : text.slice(0, to)
      this.readFrom(from, 0)
      this.isEnding = true
      if (!this.isStopped) this.finishFrom()
    } finally {
      border.leave(outer)
      this.session.restart()
    }
  }

  /** From within `record` or `after`: nothing more is read of a whole text. */
  stop(): void {
    this.isStopped = true
  }

  /** Where the text at hand ends. */
  get end(): number {
    return this.base + this.chunk.length
  }

  /** A piece of the text at hand. */
  slice(from: number, to: number): string {
    return this.chunk.slice(from, to)
  }

  /**
   * Reads the text at hand from `at` on; what is before it and after `origin` was read before. `packed` is what the
   * first call gave, if it was made.
   */
  protected readFrom(at: number, origin: number, packed = NOT_RUN): void {
    const { session, decoder } = this
    const { border } = session
    const size = this.end
    let longest = decoder.firstStretch ?? LONGEST_STRETCH
    let turns = turnsFor(this.offset + size)
    let to = size
    let ask = 0
    let waits = false
    while ((at < size && !waits) || ask !== 0) {
      turns = border.turn(turns)
      if (packed === NOT_RUN) {
        if (at < this.base) this.gather()
        if (decoder.skip !== undefined && at === origin) {
          at = origin = this.base + decoder.skip(this.mode, this.chunk, at - this.base, this)
          if (at === size) break
          longest = decoder.firstStretch ?? longest
        }
        to = Math.min(size, at + longest)
        // Between the halves of a surrogate pair no stretch ends.
        const from = this.startOfPart(at)
        const part = this.partFrom(from)
        if (to < size && isHighHalf(part.charCodeAt(to - 1 - from))) to--
        packed = session.run(part, at - from, to - from, at - origin)
        this.crossed += to - at
      }
      this.at = at = origin + (border.outcome[NEXT] as number)
      const pendingFrom = origin + (border.outcome[HELD_FROM] as number)
      waits = to === size && (packed & Packed.Waits) !== 0
      ask = askOf(packed)
      this.take(packed, origin)
      // What is waited for has to be read, whatever it is.
      if (waits) this.mode = READ
      if (this.isStopped) return
      origin = pendingFrom
      packed = NOT_RUN
      if (ask !== 0) this.answer(ask)
      // What comes after a question was written in vain.
      if (at < size)
        longest =
          decoder.nextStretch?.(this, at === origin) ??
          (ask !== 0 ? FIRST_STRETCH : Math.min(LONGEST_STRETCH, longest * 2))
    }
    this.keepFrom(origin, at)
  }

  protected answer(ask: number): void {
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
      const size = this.takeAll()
      const packed = session.finish(size)
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

  // What only streams have: pending text, which is in several parts.

  /** Makes one text of all that is at hand, since it is read again. */
  protected gather(): void {}

  /** Where the shortest part of the text at hand begins that has a place in it. */
  protected startOfPart(_at: number): number {
    return 0
  }

  /** That part, up to the end. */
  protected partFrom(_start: number): string {
    return this.chunk
  }

  /** All that is pending is the text at hand; gives its length. */
  protected takeAll(): number {
    return this.end
  }

  /** Keeps the text at hand from `origin` on; what is after `to` was not read. */
  protected keepFrom(_origin: number, _to: number): void {}
}

/** Feeds one machine with the chunks of a stream. */
export class StreamReader extends Reader {
  static get saved(): SavedClass {
    return {
      skips: [
        'origin',
        'at',
        'crossed',
        'isAtEnd',
        'chunk',
        'base',
        'isStopped',
        'plain',
        'border',
        'modes',
        'splitsPairs',
        'minds',
        'settles',
        'small',
        'longest',
        'defers',
      ],
      isSound: ({ head, tail, near, pendingRead, mode, modes, offset, half, later, emitted }: StreamReader) =>
        pendingRead === head.length + tail.length + near.length &&
        (modes.length === 0 || mode < modes.length) &&
        offset < FURTHEST &&
        half.length < 2 &&
        later.length <= LONGEST_LATER &&
        emitted <= later.length,
      wake: (reader: StreamReader) => reader.findPlain(),
    }
  }
  private head = ''
  private tail = ''
  private near = ''
  /** The end of the pending text that was not read, since more is needed to say what it is. */
  private rest = ''
  /** Half a surrogate pair that a chunk ended in: its other half comes with the next one. */
  half = ''
  /** Text that is read with the next, since only what follows it can be more than content. */
  private later = ''
  /** How much of that, and of the text at hand once it is read, was emitted. */
  emitted = 0
  /** Units that were emitted without being read, and that the machine doesn't know of. */
  private passed = 0
  /** How much of the pending text was read. */
  private pendingRead = 0
  /** The mode, where nothing is pending and a chunk may be plain text. */
  private plain: PlainMode | undefined
  /** Whether any mode has text that is read later. */
  private readonly defers: boolean
  // What the decoder says of itself, since V8 reads it here sooner than in one of many shapes.
  private readonly modes: Decoder['modes']
  private readonly splitsPairs: boolean
  private readonly minds: boolean
  private readonly settles: boolean
  /** Up to this length a chunk is small. */
  private readonly small: number

  /** `longest`: how much is kept of a call that is not decided yet, in UTF-16 code units. */
  constructor(
    session: Session,
    decoder: Decoder,
    private readonly longest = Infinity,
  ) {
    super(session, decoder)
    this.modes = decoder.modes
    this.splitsPairs = decoder.splitsPairs === true
    this.defers = decoder.modes.some((mode) => mode?.closers !== undefined)
    this.minds = decoder.after !== undefined
    this.settles = decoder.settle !== undefined
    this.small = decoder.skip === undefined ? FIRST_STRETCH : SMALL
  }

  /** Reads a chunk. */
  read(chunk: string): void {
    this.border.instance.requireWhole()
    const { plain } = this
    if (
      plain === undefined ||
      chunk === '' ||
      chunk.length > this.longest ||
      plain.stops.areIn(chunk) ||
      isHighHalf(chunk.charCodeAt(chunk.length - 1))
    ) {
      if (plain === undefined && this.pendingRead > 0 && this.isMore(chunk)) return
      if (this.defers && this.putsOff(chunk)) return
      const part = this.later === '' ? chunk : this.takeLater(chunk)
      if (this.isSmall(part, plain)) this.readSmall(part)
      else this.readAny(part)
      return
    }
    // Kept short, since most chunks are plain text.
    const { offset, decoder } = this
    this.chunk = chunk
    this.base = 0
    decoder.plain?.(this.mode, chunk, offset)
    if (this.settles) decoder.settle?.(chunk.length, this)
    this.offset = offset + chunk.length
    this.passed += chunk.length
  }

  /** Keeps a chunk that is more of what is pending; whether it is that. The same as `readNext` does, sooner. */
  private isMore(chunk: string): boolean {
    const mode = this.modes[this.mode]
    if (mode === undefined || mode.isPending !== true) return false
    const pending = this.pendingRead
    const isPlain =
      chunk !== '' &&
      this.rest === '' &&
      this.half === '' &&
      pending + chunk.length <= this.longest &&
      !isHighHalf(chunk.charCodeAt(chunk.length - 1)) &&
      mode.stops !== undefined &&
      !mode.stops.areIn(chunk)
    if (!isPlain) return false
    const { decoder } = this
    this.base = pending
    this.chunk = chunk
    decoder.plain?.(this.mode, chunk, this.offset + pending)
    if (this.settles) decoder.settle?.(0, this)
    this.addToEnd(chunk)
    return true
  }

  /** Emits a chunk that is content whatever stands in it, to be read later; whether it is that. */
  private putsOff(chunk: string): boolean {
    const mode = this.modes[this.mode]
    const { closers, keepsSpace } = mode ?? {}
    if (closers === undefined || chunk === '' || this.pending !== this.later.length - this.emitted) return false
    const { decoder, offset, later } = this
    const size = later.length + chunk.length
    if (
      size > LONGEST_LATER ||
      size > this.longest ||
      closers.areIn(chunk) ||
      isHighHalf(chunk.charCodeAt(chunk.length - 1))
    )
      return false
    this.plain = undefined
    this.base = 0
    if (keepsSpace !== true) {
      this.chunk = chunk
      decoder.plain?.(this.mode, chunk, offset + later.length)
      this.later = later + chunk
      this.emitted = size
      return true
    }
    const text = later + chunk
    const end = startOfLastSpace(text)
    this.chunk = text
    if (end > 0) decoder.plain?.(this.mode, text.slice(0, end), offset)
    this.later = text.slice(end)
    this.offset = offset + end
    this.passed += end
    if (end === size) this.findPlain()
    return true
  }

  /** What is read later, with a chunk after it, to be read now. */
  private takeLater(chunk: string): string {
    const { later } = this
    this.later = ''
    if (later.length + chunk.length <= this.longest) return later + chunk
    this.readPart(later)
    return chunk
  }

  /** Reads now what is read later. */
  private readLater(): void {
    if (this.later !== '') this.readPart(this.takeLater(''))
  }

  /** A chunk may be plain text, if the mode has it and nothing is pending. */
  private findPlain(): void {
    const mode = this.modes[this.mode]
    this.plain = mode?.stops !== undefined && this.later === '' && this.pending === 0 ? (mode as PlainMode) : undefined
  }

  /** Whether a chunk, which is not plain text, is read by one call, and nothing is to be known before it. */
  private isSmall(chunk: string, plain: PlainMode | undefined): boolean {
    const { length } = chunk
    if (
      length === 0 ||
      length > this.small ||
      this.pendingRead + length > this.longest ||
      this.rest !== '' ||
      this.border.instance.emitting !== 0
    )
      return false
    // What is pending and was emitted may go on, unless `isMore` has just found what ends it.
    if (
      plain === undefined &&
      this.modes[this.mode]?.isPending === true &&
      (this.defers || this.pendingRead === 0 || isHighHalf(chunk.charCodeAt(length - 1)))
    )
      return false
    return this.splitsPairs || (this.half === '' && !isHighHalf(chunk.charCodeAt(length - 1)))
  }

  /** Reads a chunk which the machine mostly takes whole: then this is all, and the same as the loop's one turn. */
  private readSmall(chunk: string): void {
    const { session, border, decoder, pendingRead: pending } = this
    if (this.passed > 0) this.passOn()
    const packed = session.run(chunk, 0, chunk.length, pending)
    const { outcome } = border
    const end = pending + chunk.length
    if ((packed & UNDECIDED) !== 0 || outcome[NEXT] !== end) return this.readPart(chunk, packed)
    const from = outcome[HELD_FROM] as number
    this.base = pending
    this.chunk = chunk
    this.at = end
    this.crossed += chunk.length
    if ((packed & Packed.Count) === 0) {
      this.mode = modeOf(packed)
      this.flags = flagsOf(packed)
      if (this.minds) decoder.after?.(this)
    } else {
      const { instance } = border
      instance.emitting++
      try {
        this.take(packed, 0)
      } finally {
        instance.emitting--
      }
    }
    if (this.settles) decoder.settle?.(from, this)
    this.offset += from
    this.emitted = 0
    this.keep(from, end)
    this.findPlain()
  }

  private readAny(chunk: string): void {
    if (this.splitsPairs || (this.half === '' && !isHighHalf(chunk.charCodeAt(chunk.length - 1))))
      return this.readWithin(chunk)
    const whole = this.half + chunk
    const end = isHighHalf(whole.charCodeAt(whole.length - 1)) ? whole.length - 1 : whole.length
    this.half = whole.slice(end)
    this.readWithin(whole.slice(0, end))
  }

  /** A run of text has ended: what is pending outside a call isn't part of a tag. */
  settle(): void {
    this.readLater()
    if (this.pending === 0) return
    this.session.border.reading(() => {
      this.takeHalf()
      if (this.pending === 0 || this.isInCall()) return
      this.passOn()
      this.plain = undefined
      for (let turns = turnsFor(this.offset + this.pending); ; turns = this.border.turn(turns)) {
        const size = this.takeAll()
        this.take(this.session.settle(size), 0)
        const { outcome } = this.border
        const next = outcome[NEXT] as number
        if (next === size) {
          this.offset += size
          return this.keep(size, size)
        }
        // What may have been more is all there is, and is searched again.
        this.readFrom(next, outcome[HELD_FROM] as number)
      }
    })
  }

  /** The end of the stream. */
  finish(): void {
    this.isEnding = true
    this.readLater()
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
  restart(): void {
    this.session.restart()
    this.forget()
    this.offset = 0
    this.flags = 0
    this.isEnding = false
  }

  /** Whether a call has begun that is not decided yet. */
  isInCall(): boolean {
    return this.session.isInCall()
  }

  /** The pending text, which is then no longer pending: it goes out without being read again. */
  takePending(): string {
    this.readLater()
    this.takeAll()
    const text = this.slice(0, this.base)
    this.offset += this.base
    this.forgetText()
    return text
  }

  /** How many units are pending. */
  get pending(): number {
    return this.pendingWhole + this.half.length + this.later.length - this.emitted
  }

  /** The same without half a surrogate pair, which no bound counts: where the text was cut makes no difference. */
  private get pendingWhole(): number {
    return this.pendingRead + this.rest.length
  }

  /** A piece of the text at hand. */
  override slice(from: number, to: number): string {
    const { base, near } = this
    if (from >= base) return this.chunk.slice(from - base, to - base)
    const nearFrom = base - near.length
    if (from < nearFrom) {
      const start = this.startOfPart(from)
      return this.partFrom(start).slice(from - start, to - start)
    }
    // Not joined first, since V8 would have to copy both.
    return to <= base
      ? near.slice(from - nearFrom, to - nearFrom)
      : near.slice(from - nearFrom) + this.chunk.slice(0, to - base)
  }

  /** Reads a chunk that ends with a character, up to where a call would be too long, and gives that up. */
  private readWithin(chunk: string): void {
    if (this.pendingWhole + chunk.length <= this.longest) return this.readPart(chunk)
    const { border } = this.session
    let rest = chunk
    // Each turn reads a unit at least, or gives up what the turn before it read.
    for (
      let turns = turnsFor(rest.length);
      rest !== '' && this.pendingWhole + rest.length > this.longest;
      turns = border.turn(turns)
    ) {
      let room = this.longest - this.pendingWhole
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

  private readPart(chunk: string, packed = NOT_RUN): void {
    this.readNext(chunk, packed)
    this.emitted = 0
    this.findPlain()
  }

  /** `packed` is what the call that reads it gave, if it was made. */
  private readNext(chunk: string, packed: number): void {
    const { decoder, offset } = this
    const mode = this.modes[this.mode]
    const pending = this.pendingRead
    this.base = pending
    if (
      packed === NOT_RUN &&
      this.emitted === 0 &&
      mode?.stops !== undefined &&
      (pending === 0 || mode.isPending === true) &&
      !mode.stops.areIn(chunk)
    ) {
      this.chunk = chunk
      if (chunk !== '') decoder.plain?.(this.mode, chunk, offset + pending)
      const { isPending = false } = mode
      decoder.settle?.(isPending ? 0 : pending + chunk.length, this)
      if (isPending) {
        this.addToEnd(chunk)
      } else {
        this.offset = offset + chunk.length
        this.passed += chunk.length
      }
      return
    }
    this.chunk = this.rest + chunk
    const { border } = this
    const outer = border.enter()
    try {
      this.passOn()
      this.readFrom(pending, 0, packed)
    } finally {
      border.leave(outer)
    }
  }

  /** The call that is pending is too long. */
  private giveUp(): void {
    const { border } = this.session
    const size = this.takeAll()
    const packed = this.session.giveUp(size)
    const next = border.outcome[NEXT] as number
    const pendingFrom = border.outcome[HELD_FROM] as number
    this.take(packed, 0)
    // What may end the call is read again.
    if (next < size) return this.readFrom(next, pendingFrom)
    this.offset += pendingFrom
    this.keep(pendingFrom, size)
  }

  private takeHalf(): void {
    const { half } = this
    if (half === '') return
    this.half = ''
    // No text of any mode: its other half doesn't come.
    this.mode = READ
    this.readWithin(half)
  }

  /** All that is pending is the text at hand; gives its length. */
  protected override takeAll(): number {
    const { rest } = this
    this.rest = ''
    this.addToEnd(rest)
    this.chunk = ''
    return (this.base = this.pendingRead)
  }

  /** Informs the machine of units that it didn't read. */
  private passOn(): void {
    if (this.passed > 0) this.session.pass(this.passed)
    this.passed = 0
  }

  /** Forgets all that is pending. */
  forget(): void {
    this.mode = READ
    this.plain = undefined
    this.forgetText()
    this.passed = 0
  }

  private forgetText(): void {
    this.head = this.tail = this.near = this.chunk = this.rest = this.half = this.later = ''
    this.base = this.emitted = 0
    this.pendingRead = 0
  }

  /** Makes one text of all that is at hand, since it is read again. */
  protected override gather(): void {
    this.chunk = this.head + this.tail + this.near + this.chunk
    this.head = this.tail = this.near = ''
    this.base = this.pendingRead = 0
  }

  protected override keepFrom(origin: number, to: number): void {
    this.decoder.settle?.(origin, this)
    this.offset += origin
    const { end } = this
    this.rest = to < end ? this.slice(to, end) : ''
    this.keep(origin, to)
  }

  /** Keeps the text at hand from `origin` up to `to`. */
  private keep(origin: number, to: number): void {
    if (origin === 0 && to >= this.base) {
      this.addToEnd(to === this.end ? this.chunk : this.chunk.slice(0, to - this.base))
      return
    }
    const text = origin === to ? '' : this.slice(origin, to)
    this.head = this.tail = this.near = ''
    this.pendingRead = 0
    if (text !== '') this.addToEnd(text)
  }

  private addToEnd(text: string): void {
    this.near += text
    this.pendingRead += text.length
    if (this.near.length > 2 * NEAR) this.fold()
  }

  /**
   * Cuts what is far off, which V8 makes one text for that: to read there again later costs no walk through its pieces.
   */
  private fold(): void {
    const nearFrom = this.near.length - NEAR
    this.tail += this.near.slice(0, nearFrom)
    this.near = this.near.slice(nearFrom)
    if (this.tail.length <= 2 * TAIL) return
    const from = this.tail.length - TAIL
    this.head += this.tail.slice(0, from)
    this.tail = this.tail.slice(from)
  }

  /** Where the shortest part of the text at hand begins that has a place in it. */
  protected override startOfPart(at: number): number {
    if (at >= this.base) return this.base
    const near = this.base - this.near.length
    if (at >= near) return near
    return at >= this.head.length ? this.head.length : 0
  }

  /** That part, up to the end. */
  protected override partFrom(start: number): string {
    if (start === this.base) return this.chunk
    const end = this.near + this.chunk
    if (start === this.base - this.near.length) return end
    return start === 0 ? this.head + this.tail + end : this.tail + end
  }
}

/** Where the white space at a text's end begins that a line end begins; the text's end if there is none. */
function startOfLastSpace(text: string): number {
  let start = text.length
  for (let at = text.length - 1; at >= 0; at--) {
    const unit = text.charCodeAt(at)
    if (unit === LINE_FEED) start = at
    else if (unit !== 0x20 && unit !== 0x09 && unit !== 0x0d) break
  }
  return start
}
