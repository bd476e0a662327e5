// What a record says of JSON.

import { JSON_WORDS, JsonBits, JsonOp } from './generated/ops.js'

/** What is heard of a JSON text, token by token; `start` and `end` are the token's place in it. */
export interface JsonTeller {
  /** A container opens. */
  open(isObject: boolean, start: number, end: number): void
  /** The innermost container closes. */
  close(start: number, end: number): void
  /** A piece of a key or of a string, decoded. */
  piece(text: string, isKey: boolean, start: number, end: number): void
  /** That key or string is whole; `end` is in front of its closing quote. */
  end(isKey: boolean, end: number): void
  /** A number, as it is written. */
  number(digits: string, start: number, end: number): void
  /** A word that is a value. */
  word(value: true | false | null, start: number, end: number): void
}

/** Tells a record; `text` is the text at its place. */
export function tellJson(word: number, text: string, start: number, end: number, teller: JsonTeller): void {
  switch (word & JsonBits.OpMask) {
    case JsonOp.Object:
      teller.open(true, start, end)
      break
    case JsonOp.Array:
      teller.open(false, start, end)
      break
    case JsonOp.Close:
      teller.close(start, end)
      break
    case JsonOp.Piece:
      if (text !== '') teller.piece(text, false, start, end)
      break
    case JsonOp.KeyPiece:
      if (text !== '') teller.piece(text, true, start, end)
      break
    case JsonOp.Character:
      teller.piece(String.fromCodePoint(word >>> JsonBits.CharacterCodeShift), false, start, end)
      break
    case JsonOp.KeyCharacter:
      teller.piece(String.fromCodePoint(word >>> JsonBits.CharacterCodeShift), true, start, end)
      break
    case JsonOp.End:
      if (text !== '') teller.piece(text, false, start, end)
      teller.end(false, end)
      break
    case JsonOp.KeyEnd:
      if (text !== '') teller.piece(text, true, start, end)
      teller.end(true, end)
      break
    case JsonOp.Number:
      teller.number(text, start, end)
      break
    case JsonOp.Word:
      teller.word(JSON_WORDS[word >>> JsonBits.WordLiteralShift] as true | false | null, start, end)
      break
  }
}
