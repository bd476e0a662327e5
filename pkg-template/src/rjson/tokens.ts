// The JSON reader's tokens with strings whole and with their places, and the text between two of them. The
// reader has accepted it, so its parts are only separated.
import { type JsonFault, type JsonHandler, readJson } from '../json/read.js'

/**
 * Receives the tokens of a text. `start` and `end` are UTF-16 code units from its start; a string's are those of its
 * quotes.
 */
export interface TokenHandler {
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

/** Emits the tokens of a text; returns why it can't be read further, if so. */
export function readTokens(text: string, rules: number, handler: TokenHandler): JsonFault | undefined {
  return readJson(text, rules, new Strings(text, handler)).fault
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
  private lastEnd = 0

  constructor(
    private readonly text: string,
    private readonly handler: TokenHandler,
  ) {}

  open(isObject: boolean, start: number, end: number): void {
    this.lastEnd = end
    this.handler.open(isObject, start, end)
  }

  close(start: number, end: number): void {
    this.lastEnd = end
    this.handler.close(start, end)
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
    const isQuoted = inside > this.lastEnd && isQuote(this.text, inside - 1)
    this.lastEnd = isQuoted ? end + 1 : end
    this.handler.string(string, isKey, isQuoted ? inside - 1 : inside, this.lastEnd)
  }

  number(digits: string, start: number, end: number): void {
    this.lastEnd = end
    this.handler.number(digits, start, end)
  }

  word(value: true | false | null, start: number, end: number): void {
    this.lastEnd = end
    this.handler.word(value, start, end)
  }
}

const COMMENT = String.raw`\/\*[^]*?\*\/|\/\/[^\n\r\u2028\u2029]*`
const parts = new RegExp(`${COMMENT}|[,:]`, 'g')
const notLayout = new RegExp(`${COMMENT}|[^\\t\\n\\r ,:]`, 'g')

/** The commas and colons between two places of a text. */
export function marksBetween(
  text: string,
  from: number,
  to: number,
): { readonly commas: readonly number[]; readonly colon: number | undefined } {
  const commas: number[] = []
  let colon: number | undefined
  for (const { 0: part, index } of text.slice(from, to).matchAll(parts)) {
    if (part === ',') commas.push(from + index)
    else if (part === ':') colon = from + index
  }
  return { commas, colon }
}

/**
 * Layout as JSON has it, of the same length: comments and other white space except line ends become spaces, and so do
 * commas that are `trailing`.
 */
export function asJsonLayout(layout: string, trailing: boolean): string {
  if (layout === '' || layout === ' ' || layout === ':') return layout
  const plain = layout.replace(notLayout, (part) => part.replace(/[^\n\r]/g, ' '))
  return trailing ? plain.replaceAll(',', ' ') : plain
}
