// The JSON reader's tokens with strings whole and with their places.
import { type JsonFault, type JsonHandler, readJson } from '../json/read.js'

/** What is heard of a text. `start` and `end` are UTF-16 code units from its start; a string's are those of its quotes. */
export interface TokenTeller {
  /** A container opens. */
  open(isObject: boolean, start: number, end: number): void
  /** The innermost container closes. */
  close(start: number, end: number): void
  /** A key or a string. */
  string(text: string, isKey: boolean, start: number, end: number): void
  /** A number, as it is written. */
  number(digits: string, start: number, end: number): void
  /** A word that is a value. */
  word(value: true | false | null, start: number, end: number): void
}

/** Tells the tokens of a text, and gives back why it can't be read on. */
export function readTokens(text: string, rules: number, teller: TokenTeller): JsonFault | undefined {
  return readJson(text, rules, new Strings(text, teller)).fault
}

/** Whether there is a quote at a place. */
export function isQuote(text: string, at: number): boolean {
  return text[at] === '"' || text[at] === "'"
}

/** Puts the pieces of strings together. */
class Strings implements JsonHandler {
  private string = ''
  private start: number | undefined
  /** The end of the last token. */
  private behind = 0

  constructor(
    private readonly text: string,
    private readonly teller: TokenTeller,
  ) {}

  open(isObject: boolean, start: number, end: number): void {
    this.behind = end
    this.teller.open(isObject, start, end)
  }

  close(start: number, end: number): void {
    this.behind = end
    this.teller.close(start, end)
  }

  piece(text: string, _isKey: boolean, start: number): void {
    this.start ??= start
    this.string += text
  }

  end(isKey: boolean, end: number): void {
    const string = this.string
    const inside = this.start ?? end
    this.string = ''
    this.start = undefined
    // In `"a"b` the quote before the word is that of the string.
    const isQuoted = inside > this.behind && isQuote(this.text, inside - 1)
    this.behind = isQuoted ? end + 1 : end
    this.teller.string(string, isKey, isQuoted ? inside - 1 : inside, this.behind)
  }

  number(digits: string, start: number, end: number): void {
    this.behind = end
    this.teller.number(digits, start, end)
  }

  word(value: true | false | null, start: number, end: number): void {
    this.behind = end
    this.teller.word(value, start, end)
  }
}
