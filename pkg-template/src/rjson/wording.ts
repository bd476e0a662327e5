// The sentences about a text that can't be read, and the error that has them.
//
// Where a text can't be read is known from the reader alone. The text at that
// place is looked at only to say what was found there.
import type { JsonFault } from '../json/read.js'

/** Most of the text that a sentence shows, in UTF-16 code units. */
const LONGEST_EXCERPT = 40

const EXPECTED: Readonly<Record<Exclude<JsonFault['place'], 'after'>, string>> = {
  value: 'a value',
  element: 'a value',
  'first-element': "a value or ']'",
  key: 'a key',
  'first-key': "a key or '}'",
  colon: "':'",
  string: 'the end of a string',
  number: 'a number that JSON has',
  word: 'true, false or null',
  comment: 'a comment',
}

/** After a value. */
const AFTER: Readonly<Record<JsonFault['inside'], string>> = {
  text: 'the end of the text',
  array: "',' or ']'",
  object: "',' or '}'",
}

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
    const { text } = this
    switch (code) {
      case 'bad-escape':
        return this.unexpected(
          code,
          at,
          'an escape that JSON has',
          `character: ${nameOf(text, at + 1)} after a backslash`,
        )
      case 'raw-control':
        return this.unexpected(code, at, 'its escape', `character: ${nameOf(text, at)} inside a string`)
      case 'too-deep':
        return this.unexpected(code, at, 'an end of the nesting after 512 levels')
      case 'too-long':
        return this.unexpected(code, at, 'a shorter one', 'token: a number of more than 4,096 characters')
      case 'end-of-text':
        return this.unexpected(code, at, place === 'comment' ? 'the end of a comment' : expectation(place, inside))
      case 'unexpected':
      case 'missing-value': {
        // The place is where the number or the word begins.
        const isRun = place === 'number' || place === 'word'
        return this.unexpected(code, at, expectation(place, inside), isRun ? `token: ${this.runAt(at)}` : undefined)
      }
    }
  }

  /** Something was found where something else was expected. */
  unexpected(code: string, at: number, expected: string, found = this.tokenAt(at)): RjsonWarning {
    return this.warning(code, at, `Unexpected ${found}, where ${expected} was expected`)
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
  return place === 'after' ? AFTER[inside] : EXPECTED[place]
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

/**
 * What was wrong at one place of the text.
 *
 * @example
 * ```ts
 * import { RjsonError, type RjsonWarning, parse } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const show = ({ code, line, offset }: RjsonWarning) => console.log(code, line, offset)
 * try {
 *   parse('{a: 1 b: 2}', { tolerant: true })
 * } catch (error) {
 *   if (error instanceof RjsonError) error.warnings?.forEach(show)
 * }
 * ```
 * ```text
 * missing-comma 1 6
 * ```
 */
export interface RjsonWarning {
  /**
   * Stable, kebab-case: `duplicate-key`, `missing-comma`, `doubled-comma`, `missing-key`, or the reader's
   * (`unexpected`, `end-of-text`, `bad-escape`, …).
   */
  readonly code: string
  /** A sentence that says what was found, what was expected, and on which line. */
  readonly message: string
  /** The line, from 1 on. */
  readonly line: number
  /** Where it is, in UTF-16 code units from the start of the text. */
  readonly offset: number
}

/**
 * A text that rjson couldn't read. It is a `SyntaxError`, by name too.
 *
 * @example
 * ```ts
 * import { RjsonError, parse } from 'tokenweir/ai-sdk-tool-parser'
 *
 * try {
 *   parse('{a: 1 b: 2}', { tolerant: true })
 * } catch (error) {
 *   if (error instanceof RjsonError) console.log(error.code, error.line, error.offset, error.obj)
 * }
 * ```
 * ```text
 * missing-comma 1 6 { a: 1, b: 2 }
 * ```
 */
export class RjsonError extends SyntaxError {
  /** What was wrong first: the code of that warning. */
  readonly code: string
  /** The line of what was wrong first, from 1 on. */
  readonly line: number
  /** The place of what was wrong first, in UTF-16 code units from the start of the text. */
  readonly offset: number
  /** What could be read. With `tolerant` only. */
  declare readonly obj?: unknown
  /** All that was wrong, in the order of the text. With `tolerant` only. */
  declare readonly warnings?: readonly RjsonWarning[]

  /** @internal */
  constructor(first: RjsonWarning, tolerated?: { obj: unknown; warnings: readonly RjsonWarning[] }) {
    const count = tolerated?.warnings.length ?? 1
    super(count === 1 ? first.message : `${count} parse warnings, the first: ${first.message}`)
    this.code = first.code
    this.line = first.line
    this.offset = first.offset
    if (tolerated) Object.assign(this, tolerated)
  }
}
