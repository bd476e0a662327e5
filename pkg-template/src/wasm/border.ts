// One instance of the WebAssembly, and what it shares with JavaScript.
//
// For each kind of parser the machine at work lies in one place in wasm memory
// (a `Desk`). To claim a desk puts a parser's machine there and takes the last
// one's away, so that a parser is a plain object with nothing to free. Nothing
// in wasm allocates, so memory doesn't grow and the views below stay valid.
//
// There are two borders: blocks have one of their own (blocks.ts), so that they
// can also run on the small build that knows blocks alone; all else has the
// other (engine.ts). Both may stand on one instance.

import { BlockBits, BlockOp } from '../generated/ops.js'
import { ParseError } from '../errors.js'
import { isHighHalf, isLowHalf } from '../surrogates.js'
import type { Instance } from './guard.js'

/** Longest stretch of text of one call, in UTF-16 code units. */
export const LONGEST_STRETCH = 16_384

/** Stretches up to this length are written by a loop; longer ones by `TextEncoder`, whose call costs more and whose characters cost less. */
const LOOP = 20

/** Of what a call returns: the number of records. */
export const COUNT = 0x3ff
/** Whether a declaration, about the first key, or about a tool is asked for. */
export const ASKS = 0x400

/** Of what a call returns: the mode. */
export function modeOf(packed: number): number {
  return (packed >>> 11) & 7
}

/**
 * More turns than a loop takes for a stream of so many units: each may be read, asked about, and read again as
 * often as the bounds in ARCHITECTURE.md let it.
 */
export function turnsFor(units: number): number {
  return 262_144 + 16 * units
}

/** `next` of the last call's outcome: where to read on, from the start of what was held. */
export const NEXT = 0
/** `held_from`: where what is held begins. */
export const HELD_FROM = 1

const encoder = new TextEncoder()

/** What every build exports: src/wasm/batch.rs, and character references. */
export interface BorderExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly input_pointer: () => number
  readonly input_size: () => number
  readonly records_pointer: () => number
  readonly records_size: () => number
  readonly outcome_pointer: () => number
  readonly decode_references: (length: number, isAscii: number) => number
}

/** The border to one instance. */
export class Border<Exports extends BorderExports> {
  /** Missing until `attach`. */
  declare instance: Instance<BorderExports>
  /** What the instance exports; missing until `attach`. */
  declare exports: Exports
  /** Where text is written. */
  input: Uint8Array = new Uint8Array(0)
  /** Records of the last call: three words each. */
  records: Int32Array = new Int32Array(0)
  /** Outcome of the last call. */
  outcome: Int32Array = new Int32Array(0)
  isReady = false
  /** Why there is no instance. */
  trouble: ParseError | undefined

  /** Stands on an instance from now on; does nothing if it stands on one. */
  attach(instance: Instance<Exports>): void {
    if (this.isReady) return
    const { exports } = instance
    this.instance = instance
    this.exports = exports
    this.input = this.bytes(exports.input_pointer(), exports.input_size())
    this.records = this.words(exports.records_pointer(), exports.records_size() * 12)
    this.outcome = this.words(exports.outcome_pointer(), 8)
    this.isReady = true
  }

  /** Refuses what needs an instance before there is one, and once it has failed. */
  requireReady(place: string): void {
    if (this.isReady) return this.instance.requireWhole()
    const { trouble } = this
    if (trouble) throw new ParseError(trouble.code, `${place}: ${trouble.message}`, { cause: trouble.cause })
    throw new ParseError('not-initialised', `${place}: the WebAssembly is not there yet; with tokenweir/slim, await init(source) first, or import tokenweir instead`)
  }

  /**
   * Counts the turns of a loop that goes on until the machine has read all, from `turnsFor` down. A machine
   * that doesn't get on has failed.
   */
  turn(left: number): number {
    if (left > 0) return left - 1
    throw this.instance.fail(new Error('it reads at one place for ever'))
  }

  /** Words in wasm memory; the size is in bytes. */
  words(pointer: number, size: number): Int32Array {
    return new Int32Array(this.exports.memory.buffer, pointer, size >> 2)
  }

  /** Bytes in wasm memory. */
  bytes(pointer: number, size: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, pointer, size)
  }

  /**
   * Before a parser reads, and tells what the records say: a callback may feed another parser of this instance, by
   * whichever border, whose records overwrite these. Gives those of the parser that is telling now, for `leave`.
   */
  enter(): Int32Array | undefined {
    return this.instance.telling++ === 0 ? undefined : this.records.slice()
  }

  /** Behind it. */
  leave(outer: Int32Array | undefined): void {
    this.instance.telling--
    if (outer !== undefined) this.records.set(outer)
  }

  /** Both around what reads, where a function more costs nothing that counts. */
  reading<Result>(act: () => Result): Result {
    const outer = this.enter()
    try {
      return act()
    } finally {
      this.leave(outer)
    }
  }

  /** Reads the character references in an attribute's value. May be called while records are told. */
  decodeReferences(value: string): string {
    return this.reading(() => this.decoded(value))
  }

  private decoded(value: string): string {
    let text = ''
    let from = 0
    let turns = turnsFor(value.length)
    do {
      turns = this.turn(turns)
      const length = this.write(value, from, value.length)
      const rest = value.slice(from)
      const count = this.exports.decode_references(length, Number(length === rest.length)) & COUNT
      for (let at = 0; at < count * 3; at += 3) {
        const word = this.records[at] as number
        text += (word & BlockBits.OpMask) === BlockOp.Text ? rest.slice(this.records[at + 1], this.records[at + 2]) : String.fromCodePoint(word >>> BlockBits.CharacterCodeShift)
      }
      from += this.outcome[NEXT] as number
    } while (from < value.length)
    return text
  }

  /** Writes text as `write` does; half a surrogate pair at its end stays what it is, since the other half may follow. */
  writeWhole(data: string, from: number, to: number): number {
    const length = this.write(data, from, to)
    // `TextEncoder` writes half a pair as U+FFFD.
    const last = data.charCodeAt(to - 1)
    if (isHighHalf(last)) {
      const { input } = this
      input[length - 3] = 0xe0 | (last >> 12)
      input[length - 2] = 0x80 | ((last >> 6) & 0x3f)
      input[length - 1] = 0x80 | (last & 0x3f)
    }
    return length
  }

  /** Writes text into wasm memory as UTF-8; half a surrogate pair alone is three bytes. Returns how many bytes. */
  write(data: string, from: number, to: number): number {
    const { input } = this
    if (to - from > LOOP) return encoder.encodeInto(data.slice(from, to), input).written
    let length = 0
    for (let at = from; at < to; at++) {
      const unit = data.charCodeAt(at)
      if (unit < 0x80) {
        input[length++] = unit
      } else if (unit < 0x800) {
        input[length++] = 0xc0 | (unit >> 6)
        input[length++] = 0x80 | (unit & 0x3f)
      } else if (isHighHalf(unit) && at + 1 < to && isLowHalf(data.charCodeAt(at + 1))) {
        const code = 0x10000 + ((unit - 0xd800) << 10) + (data.charCodeAt(++at) - 0xdc00)
        input[length++] = 0xf0 | (code >> 18)
        input[length++] = 0x80 | ((code >> 12) & 0x3f)
        input[length++] = 0x80 | ((code >> 6) & 0x3f)
        input[length++] = 0x80 | (code & 0x3f)
      } else {
        input[length++] = 0xe0 | (unit >> 12)
        input[length++] = 0x80 | ((unit >> 6) & 0x3f)
        input[length++] = 0x80 | (unit & 0x3f)
      }
    }
    return length
  }
}

/** A machine while another is at work. */
export interface Parked {
  /** Room for it, once another was. */
  machine: Int32Array | undefined
  /** Whether it is there, and not at work or at the start of a stream. */
  isPutAway: boolean
}

/** The one place where a kind of machine works. */
export class Desk<Session extends Parked> {
  atWork: Session | undefined
  /** The place in wasm memory. */
  private place: Int32Array | undefined

  /** `find` gives the place; `start` makes the machine there one at the start of the session's stream. */
  constructor(
    private readonly find: () => Int32Array,
    private readonly start: (session: Session) => void,
  ) {}

  /** Makes a session's machine the one at work. */
  claim(session: Session): void {
    const place = (this.place ??= this.find())
    const before = this.atWork
    if (before !== undefined) {
      before.machine ??= new Int32Array(place.length)
      before.machine.set(place)
      before.isPutAway = true
    }
    this.atWork = session
    const { machine, isPutAway } = session
    session.isPutAway = false
    if (machine === undefined || !isPutAway) this.start(session)
    else place.set(machine)
  }

  /** Puts a session's machine back to the start of a stream. */
  restart(session: Session): void {
    if (this.atWork === session) this.atWork = undefined
    session.isPutAway = false
  }
}
