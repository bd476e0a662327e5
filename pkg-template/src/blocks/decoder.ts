// Decodes the records of the block machine. Pieces of content that follow each
// other come out as one.

import { type BlockRecords, decodeBlock } from '../generated/block-records.js'
import { BlockBits, BlockMode, BlockOp, Declared } from '../generated/ops.js'
import type { Decoder, Reader } from '../reader.js'
import { tagIn } from './fast-path.js'
import { escapeJson } from './json-text.js'

/** Receives blocks. Places are UTF-16 code units from the start of the stream. */
export interface BlockHandler extends BlockRecords {
  /** A piece of content of the open block. */
  content(text: string, from: number, to: number): void
  /** A piece of the open tool call's input: of a string's inside, or of JSON. `isJson`: the latter begins. */
  input(piece: string, from: number, to: number, isJson?: boolean): void
  /** The open tool call's name, as it is written. */
  named(name: string | undefined, from: number, to: number): void
  /**
   * How the parameter that began last, or the element of that name in the open tool call, is declared, by the numbers
   * of `Declared`. `isOpener`: whether a parameter of that name may begin in the value that is open; `Unknown` if not.
   */
  declared(element: string | undefined, isOpener: boolean): number
  /** All records of a chunk were passed on. */
  settle(): void
}

/** Decodes the records of one stream. */
export class BlockDecoder implements Decoder {
  readonly modes = []
  // Content that was not passed on yet: `text`, then the text at hand from
  // `textFrom` to `textTo`; read from `runFrom` on. Nothing when `textTo` is negative.
  private text = ''
  private runFrom = 0
  private textFrom = 0
  private textTo = -1
  /** The name of an element that may be a parameter, once it was read. */
  private element: string | undefined
  /** Whether it stands in a value. */
  private isOpener = false

  /** Whether nothing is passed on. */
  isMuted = false

  constructor(
    private readonly handler: BlockHandler,
    private readonly fronts: Uint8Array,
  ) {}

  answer(): number {
    const { element } = this
    this.element = undefined
    return this.isMuted ? Declared.Unknown : this.handler.declared(element, this.isOpener)
  }

  settle(_: number, text: Reader): void {
    this.flush(text)
    if (!this.isMuted) this.handler.settle()
  }

  end(text: Reader): void {
    this.settle(0, text)
  }

  skip(mode: number, chunk: string, from: number, text: Reader): number {
    if (mode !== BlockMode.Text) return from
    const to = tagIn(chunk, from, this.fronts, text.flags)
    const start = text.end - chunk.length
    if (to > from) this.addText(start + from, start + to, text)
    return to
  }

  record(word: number, from: number, to: number, text: Reader): void {
    const op = word & BlockBits.OpMask
    if (op === BlockOp.Text) return this.addText(from, to, text)
    if (op === BlockOp.Character)
      return this.addCharacter(String.fromCodePoint(word >>> BlockBits.CharacterCodeShift), from, to, text)
    this.flush(text)
    if (this.isMuted) return
    const { handler } = this
    const start = text.offset + from
    const end = text.offset + to
    switch (op) {
      case BlockOp.String: {
        const inside = from === to ? '' : escapeJson(text.slice(from, to))
        const opened = (word & BlockBits.StringIsFirst) === 0 ? inside : '"' + inside
        return handler.input((word & BlockBits.StringIsLast) === 0 ? opened : opened + '"', start, end)
      }
      case BlockOp.Raw:
        return handler.input(text.slice(from, to), start, end, true)
      case BlockOp.Boolean:
        return handler.input((word & BlockBits.BooleanValue) === 0 ? 'false' : 'true', start, end)
      case BlockOp.Name:
        return handler.named((word & BlockBits.NameIsPresent) === 0 ? undefined : text.slice(from, to), start, end)
      case BlockOp.Element:
        this.element = text.slice(from, to)
        this.isOpener = (word & BlockBits.ElementIsOpener) !== 0
        return
    }
    decodeBlock(op, word, from, to, text, handler)
  }

  private addText(from: number, to: number, text: Reader): void {
    if (from !== this.textTo) {
      this.flush(text)
      this.runFrom = this.textFrom = from
    }
    this.textTo = to
  }

  private addCharacter(character: string, from: number, to: number, text: Reader): void {
    if (from !== this.textTo) {
      this.flush(text)
      this.runFrom = this.textFrom = from
    }
    this.text += text.slice(this.textFrom, from) + character
    this.textFrom = this.textTo = to
  }

  private flush(text: Reader): void {
    const to = this.textTo
    if (to < 0) return
    const verbatim = text.slice(this.textFrom, to)
    const content = this.text === '' ? verbatim : this.text + verbatim
    this.text = ''
    this.textTo = -1
    if (!this.isMuted) this.handler.content(content, text.offset + this.runFrom, text.offset + to)
  }
}
