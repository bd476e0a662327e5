// One instance of the WebAssembly, and what it shares with JavaScript.
//
// Nothing in wasm allocates, so memory doesn't grow and the views below stay valid.
//
// There are several (borders.ts), which may stand on one instance.

import { encoder } from '../platform.js'
import { ParseError } from '../errors.js'
import { isHighHalf, isLowHalf } from '../surrogates.js'
import type { Instance } from './guard.js'

/** Longest stretch of text of one call, in UTF-16 code units. */
export const LONGEST_STRETCH = 16_384

/**
 * Stretches up to this length are written by a loop; longer ones by `TextEncoder`, whose call costs more and whose
 * characters cost less.
 */
const LOOP = 20

/**
 * More turns than a loop takes for a stream of so many units: each may be read, asked about, and read again as
 * often as the bounds in docs/internals/bounds.md let it.
 */
export function turnsFor(units: number): number {
  return 262_144 + 16 * units
}

/** `next` of the last call's outcome: where to read on, from the start of what was pending. */
export const NEXT = 0
/** `held_from`: where the pending text begins. */
export const HELD_FROM = 1

/** What every build exports: src/wasm/batch.rs. */
export interface BorderExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly input_pointer: () => number
  readonly input_size: () => number
  readonly records_pointer: () => number
  readonly records_size: () => number
  readonly outcome_pointer: () => number
}

/** What makes an instance, when it is needed: start.ts. */
export interface Starter {
  /** How many borders stand on it. */
  readonly breadth: number
  /** Makes it now. */
  start(): void
  /** Makes it in the background; rejects with what `start` throws. */
  warm(): Promise<void>
}

/** The border to one instance. */
export class Border<Exports extends BorderExports = BorderExports> {
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
  /** What it will stand on. */
  engine: Starter | undefined

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

  /** Makes an instance, if there is none; refuses where it can't be made, and once it has failed. */
  requireReady(place: string): void {
    if (this.isReady) return this.instance.requireWhole()
    try {
      this.engine?.start()
    } catch (error) {
      if (!(error instanceof ParseError)) throw error
      throw new ParseError(error.code, `${place}: ${error.message}`, { cause: error.cause })
    }
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
   * Before a parser reads, and emits what the records say: a callback may feed another parser of this instance, by
   * whichever border, whose records overwrite these. Returns those of the parser that is emitting now, for `leave`.
   */
  enter(): Int32Array | undefined {
    if (!this.isReady) this.requireReady('tokenweir')
    return this.instance.emitting++ === 0 ? undefined : this.records.slice(0, this.instance.words)
  }

  /** After it. */
  leave(outer: Int32Array | undefined): void {
    const { instance } = this
    instance.emitting--
    if (outer === undefined) return
    this.records.set(outer)
    instance.words = outer.length
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

  /** Writes text into wasm memory as UTF-8; half a surrogate pair alone is three bytes. Returns how many bytes. */
  write(data: string, from: number, to: number): number {
    const { input } = this
    let length = 0
    if (to - from > LOOP) {
      length = encoder().encodeInto(data.slice(from, to), input).written
      // It writes half a surrogate pair as U+FFFD: what the text ends with stays what it is, since the other half may
      // follow.
      const last = data.charCodeAt(to - 1)
      if (!isHighHalf(last)) return length
      input[length - 3] = 0xe0 | (last >> 12)
      input[length - 2] = 0x80 | ((last >> 6) & 0x3f)
      input[length - 1] = 0x80 | (last & 0x3f)
      return length
    }
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
