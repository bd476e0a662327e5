// Decodes the records of JSON.

import { JsonBits, JsonOp, JsonWord } from '../generated/ops.js'

/** Receives a JSON text, token by token; `start` and `end` are the token's place in it. */
export interface JsonHandler {
  /** A container opens. */
  open(isObject: boolean, start: number, end: number): void
  /** The innermost container closes. */
  close(start: number, end: number): void
  /** A piece of a key or of a string, decoded. */
  piece(text: string, isKey: boolean, start: number, end: number): void
  /** That key or string is whole; `end` is before its closing quote. */
  end(isKey: boolean, end: number): void
  /** A number, as it is written. */
  number(digits: string, start: number, end: number): void
  /** A word that is a value. */
  word(value: true | false | null, start: number, end: number): void
}

/** Passes a record to a handler; `text` is the text at its place. */
export function decodeJson(word: number, text: string, start: number, end: number, handler: JsonHandler): void {
  switch (word & JsonBits.OpMask) {
    case JsonOp.Object:
      handler.open(true, start, end)
      break
    case JsonOp.Array:
      handler.open(false, start, end)
      break
    case JsonOp.Close:
      handler.close(start, end)
      break
    case JsonOp.Piece:
      if (text !== '') handler.piece(text, false, start, end)
      break
    case JsonOp.KeyPiece:
      if (text !== '') handler.piece(text, true, start, end)
      break
    case JsonOp.Character:
      handler.piece(String.fromCodePoint(word >>> JsonBits.CharacterCodeShift), false, start, end)
      break
    case JsonOp.KeyCharacter:
      handler.piece(String.fromCodePoint(word >>> JsonBits.CharacterCodeShift), true, start, end)
      break
    case JsonOp.End:
      if (text !== '') handler.piece(text, false, start, end)
      handler.end(false, end)
      break
    case JsonOp.KeyEnd:
      if (text !== '') handler.piece(text, true, start, end)
      handler.end(true, end)
      break
    case JsonOp.Number:
      handler.number(text, start, end)
      break
    case JsonOp.Word:
      handler.word(wordOf(word >>> JsonBits.WordLiteralShift), start, end)
      break
  }
}

/** A word that is a value, by its number. */
export function wordOf(word: number): true | false | null {
  return word === JsonWord.Null ? null : word === JsonWord.True
}
