// The sentences about a text that can't be read.
//
// Where a text can't be read is known from the reader alone. The text at that
// place is looked at only to say what was found there.
import type { JsonFault } from '../json/read.js'
import type { RjsonWarning } from './error.js'

/** Most of the text that a sentence shows, in UTF-16 code units. */
const LONGEST_EXCERPT = 40

/** Describes what is wrong with one text, at ascending places. */
export class Wording {
  private line = 0
  private lineStart = 0
  /** Where the line ends; none was read yet. */
  private lineEnd = -1

  /** `isRelaxed`: words and single quotes are tokens. */
  constructor(
    private readonly text: string,
    private readonly isRelaxed: boolean,
  ) {}

  /** Where the reader stopped. */
  fault({ code, at, place, inside }: JsonFault): RjsonWarning {
    switch (code) {
      case 'bad-escape':
        return this.warning(
          code,
          at,
          `Unexpected character: ${nameOf(this.text, at + 1)} after a backslash, where an escape that JSON has ` +
            `was expected`,
        )
      case 'raw-control':
        return this.warning(
          code,
          at,
          `Unexpected character: ${nameOf(this.text, at)} inside a string, where its escape was expected`,
        )
      case 'too-deep':
        return this.unexpected(code, at, 'an end of the nesting after 512 levels')
      case 'too-long':
        return this.warning(
          code,
          at,
          'Unexpected token: a number of more than 4,096 characters, where a shorter one was expected',
        )
      case 'end-of-text':
        return this.unexpected(code, at, place === 'comment' ? 'the end of a comment' : expectation(place, inside))
      case 'unexpected':
      case 'missing-value':
        // The place is where the number or the word begins.
        if (place === 'number' || place === 'word')
          return this.warning(
            code,
            at,
            `Unexpected token: ${this.runAt(at)}, where ${expectation(place, inside)} was expected`,
          )
        return this.unexpected(code, at, expectation(place, inside))
    }
  }

  /** Something was found where something else was expected. */
  unexpected(code: string, at: number, expected: string): RjsonWarning {
    return this.warning(code, at, `Unexpected ${this.tokenAt(at)}, where ${expected} was expected`)
  }

  /** A key that the object has already. */
  duplicate(key: string, at: number): RjsonWarning {
    return this.warning('duplicate-key', at, `Duplicate key: ${clipped(key)}`)
  }

  private tokenAt(at: number): string {
    const front = this.frontAt(at)
    const first = front.charAt(0)
    if (first === '') return 'token: the end of the text'
    if ('{}[],:'.includes(first)) return `token: '${first}'`
    const number = /^-?\d+(\.\d+)?([eE][-+]?\d+)?/.exec(front)
    if (number) return `token: number ${clipped(number[0])}`
    const word = /^(true|false|null)/.exec(front)
    if (word) return `token: word ${word[0]}`
    const string = (this.isRelaxed ? /^(?:"([^"]*)|'([^']*)|([-$\w+.*?!|&%^/#\\]+))/ : /^"([^"]*)/).exec(front)
    if (string) return `token: string ${JSON.stringify(clipped(string[1] ?? string[2] ?? string[3] ?? ''))}`
    return `character: ${nameOf(this.text, at)}`
  }

  /** The text at a place, up to where a token must end. */
  private runAt(at: number): string {
    return clipped(/^[^\s,:{}[\]"']*/.exec(this.frontAt(at))?.[0] ?? '')
  }

  /** As much of the text as is looked at. */
  private frontAt(at: number): string {
    return this.text.slice(at, at + LONGEST_EXCERPT + 1)
  }

  private warning(code: string, offset: number, sentence: string): RjsonWarning {
    const line = this.lineOf(offset)
    return { code, message: `${sentence} [line ${line}]`, line, offset }
  }

  /** Counts on from the place before, so that many warnings cost one walk. */
  private lineOf(offset: number): number {
    if (offset < this.lineStart) {
      this.line = 0
      this.lineEnd = -1
    }
    while (offset > this.lineEnd) {
      this.line++
      this.lineStart = this.lineEnd + 1
      const end = this.text.indexOf('\n', this.lineStart)
      this.lineEnd = end < 0 ? this.text.length : end
    }
    return this.line
  }
}

export function expectation(place: JsonFault['place'], inside: JsonFault['inside']): string {
  switch (place) {
    case 'value':
    case 'element':
      return 'a value'
    case 'first-element':
      return "a value or ']'"
    case 'key':
      return 'a key'
    case 'first-key':
      return "a key or '}'"
    case 'colon':
      return "':'"
    case 'after':
      return inside === 'text' ? 'the end of the text' : inside === 'array' ? "',' or ']'" : "',' or '}'"
    case 'string':
      return 'the end of a string'
    case 'number':
      return 'a number that JSON has'
    case 'word':
      return 'true, false or null'
    case 'comment':
      return 'a comment'
  }
}

function clipped(text: string): string {
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT - 3)}...` : text
}

/** A character, as its code point where it can't be seen. */
function nameOf(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0
  const character = String.fromCodePoint(code)
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
    ? character
    : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
