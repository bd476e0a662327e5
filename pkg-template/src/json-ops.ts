// What a record says of JSON. The numbers are those of `JsonOp` in src/json/op.rs.

export const OBJECT = 1
export const ARRAY = 2
export const CLOSE = 3
export const PIECE = 4
export const KEY_PIECE = 5
export const CHARACTER = 6
export const KEY_CHARACTER = 7
export const END = 8
export const KEY_END = 9
export const NUMBER = 10
export const WORD = 11
export const FAULT = 12

/** What is heard of a JSON text, token by token. */
export interface JsonTeller {
  /** A container opens. */
  open(isObject: boolean): void
  /** The innermost container closes. */
  close(): void
  /** A piece of a key or of a string, decoded. */
  piece(text: string, isKey: boolean): void
  /** That key or string is whole. */
  end(isKey: boolean): void
  /** A number, as it is written. */
  number(digits: string): void
  /** A word that is a value. */
  word(value: true | false | null): void
}

/** By the numbers of `Literal` in src/json/state.rs. */
const WORDS = [false, true, null] as const

/** Tells a record; `text` is the text at its place. */
export function tellJson(word: number, text: string, teller: JsonTeller): void {
  switch (word & 0xff) {
    case OBJECT:
      teller.open(true)
      break
    case ARRAY:
      teller.open(false)
      break
    case CLOSE:
      teller.close()
      break
    case PIECE:
      if (text !== '') teller.piece(text, false)
      break
    case KEY_PIECE:
      if (text !== '') teller.piece(text, true)
      break
    case CHARACTER:
      teller.piece(String.fromCodePoint(word >>> 8), false)
      break
    case KEY_CHARACTER:
      teller.piece(String.fromCodePoint(word >>> 8), true)
      break
    case END:
      if (text !== '') teller.piece(text, false)
      teller.end(false)
      break
    case KEY_END:
      if (text !== '') teller.piece(text, true)
      teller.end(true)
      break
    case NUMBER:
      teller.number(text)
      break
    case WORD:
      teller.word(WORDS[word >>> 8] as true | false | null)
      break
  }
}
