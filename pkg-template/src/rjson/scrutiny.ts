// What the reader lets pass and rjson doesn't, or only with a warning.
import { isQuote, type TokenHandler, marksBetween } from './tokens.js'
import { expectation, type Wording, type RjsonWarning } from './wording.js'

/** A key without quotes that a value would be. */
const looksLikeValue = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)$/

/** Where a token is: after an opening bracket, a key, or a value. */
type Place = 'first' | 'colon' | 'after'

/** Passes tokens on, and warns of invalid keys and of commas and keys that are missing or superfluous. */
export class Scrutiny implements TokenHandler {
  /** Whether each open container is an object. */
  private readonly around: boolean[] = []
  private place: Place = 'first'
  private lastEnd = 0

  constructor(
    private readonly text: string,
    private readonly isTolerant: boolean,
    private readonly wording: Wording,
    private readonly warn: (warning: RjsonWarning) => void,
    private readonly next: TokenHandler,
  ) {}

  open(isObject: boolean, start: number, end: number): void {
    this.before('value', start)
    this.next.open(isObject, start, end)
    this.around.push(isObject)
    this.go('first', end)
  }

  close(start: number, end: number): void {
    this.before('end', start)
    this.next.close(start, end)
    this.around.pop()
    this.go('after', end)
  }

  string(text: string, isKey: boolean, start: number, end: number): void {
    this.before(isKey ? 'key' : 'value', start)
    if (isKey && looksLikeValue.test(text) && !isQuote(this.text, start)) {
      this.warn(this.wording.unexpected('unexpected', start, expectation('key', 'object')))
    }
    this.next.string(text, isKey, start, end)
    this.go(isKey ? 'colon' : 'after', end)
  }

  number(digits: string, start: number, end: number): void {
    this.before('value', start)
    this.next.number(digits, start, end)
    this.go('after', end)
  }

  word(value: true | false | null, start: number, end: number): void {
    this.before('value', start)
    this.next.word(value, start, end)
    this.go('after', end)
  }

  private go(place: Place, lastEnd: number): void {
    this.place = place
    this.lastEnd = lastEnd
  }

  /** Looks at the text before a token. */
  private before(token: 'key' | 'value' | 'end', start: number): void {
    const isObject = this.around.at(-1)
    if (!this.isTolerant || isObject === undefined || this.place === 'colon') return
    const inside = isObject ? 'object' : 'array'
    const { commas, colon } = marksBetween(this.text, this.lastEnd, start)
    const isAfter = this.place === 'after'
    if (isAfter && token !== 'end' && commas.length === 0) {
      this.warn(this.wording.unexpected('missing-comma', colon ?? start, expectation('after', inside)))
    }
    const [first, later] = isObject ? (['first-key', 'key'] as const) : (['first-element', 'element'] as const)
    const instead = expectation(isAfter ? later : first, inside)
    for (const comma of commas.slice(isAfter ? 1 : 0))
      this.warn(this.wording.unexpected('doubled-comma', comma, instead))
    if (isObject && token === 'value') this.warn(this.wording.unexpected('missing-key', colon ?? start, instead))
  }
}
