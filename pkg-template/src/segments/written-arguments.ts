// The JSON arguments of one API call, as they are written.

import { type CallRecords, decodeCall } from '../generated/call-records.js'
import { CALL_STOPS, CallBits, CallMode, CallOp } from '../generated/ops.js'
import type { Decoder, Mode, Reader } from '../reader.js'
import { StreamReader } from '../stream-reader.js'
import { CharacterSet } from '../character-set.js'
import { callSession } from '../wasm/segments.js'

const IN_STRING: Mode = { stops: new CharacterSet(CALL_STOPS[CallMode.Other]) }

/** Reads the JSON arguments of one call. */
export class WrittenArguments implements Decoder {
  readonly modes: readonly (Mode | undefined)[] = [undefined, IN_STRING, IN_STRING, IN_STRING]
  /** Whether the JSON value is whole. */
  isClosed = false
  /** Whether the text is not a JSON object. */
  isBad = false
  /** Where the value ended, once it is whole; text from there on isn't part of it. */
  endsAt = 0
  private readonly reader: StreamReader

  /** `names`: top-level keys whose strings are emitted, at most two. With none, only the end is looked for. */
  constructor(
    private readonly emitter: CallRecords,
    names: readonly string[],
  ) {
    this.reader = new StreamReader(callSession(names), this)
  }

  read(delta: string): void {
    if (!this.isClosed && !this.isBad) this.reader.read(delta)
  }

  /** The end of the stream: what is pending of a string is emitted. */
  finish(): void {
    this.reader.finish()
  }

  plain(mode: number, chunk: string, from: number): void {
    if (mode !== CallMode.Other) this.emitter.argument(mode - CallMode.First, chunk, from, from + chunk.length)
  }

  record(word: number, from: number, to: number, text: Reader): void {
    const op = word & CallBits.OpMask
    if (op === CallOp.Bad) this.isBad = true
    else if (op !== CallOp.Closed) decodeCall(op, word, from, to, text, this.emitter)
    else {
      this.isClosed = true
      this.endsAt = text.offset + to
    }
  }
}
