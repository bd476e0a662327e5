// The characters that end what a mode covers.

/** Up to this length a loop over the characters costs less than a regular expression. */
const SHORT = 24

/** So many sets are kept: those of the built-in formats, and some of a program's own. */
const MOST = 200

const made = new Map<string, CharacterSet>()

/** The set of some characters, which is made once: a regular expression costs more than a parser. */
export function characterSetOf(characters: string): CharacterSet {
  let stops = made.get(characters)
  if (stops === undefined) {
    if (made.size >= MOST) made.clear()
    made.set(characters, (stops = new CharacterSet(characters)))
  }
  return stops
}

/** A set of characters to look for, and up to two pairs of them, whose first counts at the text's end. */
export class CharacterSet {
  private readonly isStop = new Uint8Array(128)
  private readonly pattern: RegExp
  private readonly only: string | undefined
  private readonly isAscii: boolean
  private readonly isEmpty: boolean
  private readonly hasPairs: boolean
  private readonly pair: string
  private readonly otherPair: string

  constructor(characters: string, pairs = '') {
    this.pair = pairs.slice(0, 2)
    this.otherPair = pairs.slice(2)
    this.hasPairs = pairs !== ''
    for (const character of characters) this.isStop[character.charCodeAt(0)] = 1
    this.isAscii = /^[\0-\x7f]*$/.test(characters)
    this.isEmpty = characters === ''
    this.only = characters.length === 1 ? characters : undefined
    const escaped = Array.from(characters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    this.pattern = characters === '' ? /$^/ : new RegExp(`[${escaped.join('')}]`)
  }

  /** Whether a text has one of them. */
  areIn(text: string): boolean {
    if (this.hasPairs) {
      if (this.hasPair(text)) return true
      if (this.isEmpty) return false
    }
    if (this.only !== undefined) return text.includes(this.only)
    if (text.length > SHORT || !this.isAscii) return this.pattern.test(text)
    const { isStop } = this
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit < 128 && isStop[unit] === 1) return true
    }
    return false
  }

  private hasPair(text: string): boolean {
    const { pair, otherPair } = this
    const last = text.charCodeAt(text.length - 1)
    if (last === pair.charCodeAt(0) || text.includes(pair)) return true
    return otherPair !== '' && (last === otherPair.charCodeAt(0) || text.includes(otherPair))
  }
}
