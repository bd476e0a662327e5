// The only decoder of field records.

import { decodeField } from '../generated/field-records.js'
import { FIELD_STOPS, FieldBit, FieldBits, FieldMode, FieldOp, JsonContainer } from '../generated/ops.js'
import { numberAs } from '../json/digits.js'
import { wordOf } from '../json/decoder.js'
import type { Decoder, Reader } from '../reader.js'
import type { Outline } from '../schema/outline.js'
import { CharacterSet } from '../character-set.js'
import type { Completion } from './completion.js'
import type { Emitter } from './emitter.js'
import { Forbidden } from './forbidden.js'
import type { Settings } from './options.js'

const MODES = FIELD_STOPS.map((stops) => (stops === '' ? undefined : { stops: new CharacterSet(stops) }))

/** What decoding a record takes of the text at hand. */
export type RecordText = Pick<Reader, 'slice' | 'offset' | 'isAtEnd'>

/** Calls an emitter, and its fields, with what records say. Their places count from the start of the stream. */
export class FieldDecoder implements Decoder {
  readonly modes = MODES
  private readonly key = new Key()
  private readonly fields: Completion
  private readonly forbidden: Forbidden | undefined

  /** `keys`: a document has one of these; undefined where any key fits. `schema`: one that may forbid keys. */
  constructor(
    private readonly emitter: Emitter,
    private readonly keys: Settings['keys'],
    schema: Outline | undefined,
    private readonly bigNumbers: Settings['bigNumbers'],
  ) {
    this.fields = emitter.fields
    this.forbidden = schema && new Forbidden(schema)
  }

  plain(mode: number, chunk: string, from: number): void {
    if (mode === FieldMode.String && this.forbidden?.isInside !== true)
      this.fields.plain(chunk, from, from + chunk.length)
  }

  record(word: number, start: number, end: number, text: RecordText): void {
    const { emitter, fields } = this
    const from = text.offset + start
    const to = text.offset + end
    if (this.forbidden !== undefined && this.isLeftOut(this.forbidden, word)) return
    const op = word & FieldBits.OpMask
    switch (op) {
      case FieldOp.Text:
        return fields.wholeText(text.slice(start, end), from, to)
      case FieldOp.Piece:
        return fields.text(text.slice(start, end), from, to)
      case FieldOp.Character:
        return fields.text(String.fromCodePoint(word >>> FieldBits.CharacterCodeShift), from, to)
      case FieldOp.Key:
      case FieldOp.KeyPiece:
      case FieldOp.KeyCharacter:
        fields.tree.key = this.key.add(word, start, end, text)
        if (!this.key.isOpen && this.forbidden?.forbids(fields.tree.key) === true) emitter.forbid(this.key.from, to)
        return
      case FieldOp.Number:
        return fields.scalar(numberAs(text.slice(start, end), this.bigNumbers), from, to, !text.isAtEnd)
      case FieldOp.CutNumber:
        return fields.scalar(numberAs(text.slice(start, end), this.bigNumbers), from, to, false)
      case FieldOp.Word:
        // At the end of the stream nothing shows that it is whole.
        return fields.scalar(wordOf(word >>> FieldBits.WordLiteralShift), from, to, !text.isAtEnd)
      case FieldOp.Push:
        return fields.push(word >>> FieldBits.PushContainerShift === JsonContainer.Array)
      case FieldOp.Pop:
        return fields.pop()
      case FieldOp.Candidate:
        this.key.isOpen = false
        this.forbidden?.begin()
        return emitter.candidate(from)
    }
    decodeField(op, word, start, end, text, emitter)
  }

  /** Whether a record is part of a member that the schema forbids. */
  private isLeftOut(forbidden: Forbidden, word: number): boolean {
    const op = word & FieldBits.OpMask
    const isOfKey = op === FieldOp.Key || op === FieldOp.KeyPiece || op === FieldOp.KeyCharacter
    return isOfKey
      ? forbidden.isDeep
      : forbidden.takes(op, word >>> FieldBits.PushContainerShift === JsonContainer.Array)
  }

  /** The only question: whether the last key is one of the schema's, and what its value can't be. */
  answer(): number {
    return this.key.answer(this.keys)
  }

  settle(from: number, text: Reader): void {
    this.fields.settle(from, text)
  }

  end(text: Reader): void {
    this.emitter.finish(text.offset + text.end)
  }
}

class Key {
  /** Whether more of it comes. */
  isOpen = false
  /** Where it begins, from the start of the stream. */
  from = 0
  private text = ''

  /** Adds what a record has of it, and gives what there is. */
  add(word: number, start: number, end: number, text: RecordText): string {
    const op = word & FieldBits.OpMask
    const piece =
      op === FieldOp.KeyCharacter
        ? String.fromCodePoint(word >>> FieldBits.KeyCharacterCodeShift)
        : text.slice(start, end)
    if (!this.isOpen) this.from = text.offset + start
    this.text = this.isOpen ? this.text + piece : piece
    this.isOpen = op !== FieldOp.Key
    return this.text
  }

  /** What is said of it; any may be where nothing says otherwise. */
  answer(keys: Settings['keys']): number {
    return keys === undefined ? FieldBit.KeyAgrees : (keys.get(this.text) ?? 0)
  }
}
