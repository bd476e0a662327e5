// What a record says of JSON. The numbers are those of `JsonOp` in src/json/op.rs.

export const OBJECT = 1
const ARRAY = 2
const CLOSE = 3
const PIECE = 4
const KEY_PIECE = 5
const CHARACTER = 6
const KEY_CHARACTER = 7
const END = 8
export const KEY_END = 9
const NUMBER = 10
const WORD = 11
export const FAULT = 12

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

/** By the numbers of `Literal` in src/json/state.rs. */
const WORDS = [false, true, null] as const

/** Tells a record; `text` is the text at its place. */
export function tellJson(word: number, text: string, start: number, end: number, teller: JsonTeller): void {
  switch (word & 0xff) {
    case OBJECT:
      teller.open(true, start, end)
      break
    case ARRAY:
      teller.open(false, start, end)
      break
    case CLOSE:
      teller.close(start, end)
      break
    case PIECE:
      if (text !== '') teller.piece(text, false, start, end)
      break
    case KEY_PIECE:
      if (text !== '') teller.piece(text, true, start, end)
      break
    case CHARACTER:
      teller.piece(String.fromCodePoint(word >>> 8), false, start, end)
      break
    case KEY_CHARACTER:
      teller.piece(String.fromCodePoint(word >>> 8), true, start, end)
      break
    case END:
      if (text !== '') teller.piece(text, false, start, end)
      teller.end(false, end)
      break
    case KEY_END:
      if (text !== '') teller.piece(text, true, start, end)
      teller.end(true, end)
      break
    case NUMBER:
      teller.number(text, start, end)
      break
    case WORD:
      teller.word(WORDS[word >>> 8] as true | false | null, start, end)
      break
  }
}
