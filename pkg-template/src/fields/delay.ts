// With `completion: 'order'` records wait until the text could be closed after
// them: before that the reference can't read it, and doesn't know of them.

import { FieldBit, FieldBits, FieldMode, FieldOp } from '../generated/ops.js'
import type { Decoder, Reader } from '../reader.js'
import type { FieldDecoder, RecordText } from './decoder.js'
import type { Emitter } from './emitter.js'

/** A record, with its text. */
interface Waiting {
  readonly word: number
  readonly text: string
}

/** Passes records on to the decoder when the text could be closed. */
export class Delay implements Decoder {
  readonly modes
  private waiting: Waiting[] = []
  /** Where in it the candidate begins that was not passed on yet; -1 if there is none. */
  private candidateAt = -1
  /**
   * Whether the text could be closed after the last chunk: a chunk that is more of a string changes nothing in that.
   */
  private isClosable = false

  constructor(
    private readonly decoder: FieldDecoder,
    private readonly emitter: Emitter,
  ) {
    this.modes = decoder.modes
  }

  plain(mode: number, chunk: string, from: number): void {
    if (this.isClosable && this.waiting.length === 0) this.decoder.plain(mode, chunk, from)
    else if (mode === FieldMode.String) this.waiting.push({ word: FieldOp.Piece, text: chunk })
  }

  record(word: number, from: number, to: number, text: Reader): void {
    switch (word & FieldBits.OpMask) {
      case FieldOp.Candidate:
        this.candidateAt = this.waiting.length
        break
      case FieldOp.Confirm:
      case FieldOp.Fallback:
      case FieldOp.Thought:
        this.candidateAt = -1
        break
      case FieldOp.Drop:
        if (this.candidateAt === -1) break
        // What was not passed on is as if it had not been there.
        this.waiting.length = this.candidateAt
        this.candidateAt = -1
        return
      case FieldOp.Fault:
        return this.decoder.record(word, from, to, text)
    }
    this.waiting.push({ word, text: text.slice(from, to) })
  }

  /** The reference takes the first object, whatever its keys are. */
  answer(): number {
    return FieldBit.KeyAgrees
  }

  settle(from: number, text: Reader): void {
    this.isClosable = (text.flags & FieldBit.Closable) !== 0
    if (!this.isClosable) return
    if (this.waiting.length > 0) this.passOn()
    this.decoder.settle(from, text)
  }

  /** What waits at the end of the stream was never whole. */
  end(text: Reader): void {
    if (this.emitter.document === undefined) this.passOn()
    this.decoder.end(text)
  }

  private passOn(): void {
    const { waiting, decoder } = this
    this.waiting = []
    const kept = new KeptText()
    for (const { word, text } of waiting) {
      kept.text = text
      decoder.record(word, 0, text.length, kept)
    }
    if (this.candidateAt !== -1) this.candidateAt = 0
  }
}

/** A record's text, which is no longer at hand. */
class KeptText implements RecordText {
  readonly offset = 0
  readonly isAtEnd = false
  text = ''

  slice(): string {
    return this.text
  }
}
