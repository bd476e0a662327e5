// How values are written: JSON, Python's literals, and braces with bare keys.

import { type Layout, jsonText, pythonText } from '../formats/json-text.js'
import {
  HEX,
  NOTHING,
  type Quoted,
  type Tree,
  all,
  any,
  chars,
  charsBut,
  free,
  many,
  optional,
  rule,
  text,
} from './tree.js'

/** A way to write values. */
export interface Notation {
  /** Objects and arrays, between members, and between a key and its value. */
  readonly edge: Tree
  readonly comma: Tree
  readonly colon: Tree
  /** The words for true, false and null. */
  readonly words: readonly [yes: string, no: string, nothing: string]
  /** A string of some length, in characters. */
  string(min: number, max: number | undefined): Tree
  /** A certain string; undefined if it can't be written. */
  quoted(of: string): string | undefined
  /** A declared key. */
  key(name: string): string
  /** Any key but those. */
  otherKey(names: readonly string[]): Tree
}

const DIGIT = chars('09')
const digits = many(DIGIT, 1)

export const INTEGER = rule('integer', () => all(optional(text('-')), any(text('0'), all(chars('19'), many(DIGIT)))))
export const NUMBER = rule('number', () =>
  all(
    optional(text('-')),
    any(text('0'), all(chars('19'), many(DIGIT))),
    optional(all(text('.'), digits)),
    optional(all(chars('e', 'E'), optional(chars('+', '-')), digits)),
  ),
)

/** White space between tokens. */
export const SPACE = rule('space', () => many(chars(' ', '\n', '\t')))

const JSON_QUOTED: Quoted = { quote: '"', escapes: '"\\/bfnrt', numbers: [['u', 4]] }
const pythonQuoted = (quote: string): Quoted => ({
  quote,
  escapes: '\\\'"nrt',
  numbers: [
    ['x', 2],
    ['u', 4],
  ],
})

/** How characters of markup are written where references are read. */
export const REFERENCES: readonly string[] = ['&amp;', '&lt;', '&gt;']

/** JSON in a layout. `without`: markers that its strings don't have. */
export function jsonNotation(layout: Layout, without: readonly string[]): Notation {
  const isOpen = layout === 'indent4'
  const space = layout === 'compact' ? '' : ' '
  return {
    edge: isOpen ? SPACE : text(''),
    comma: isOpen ? all(SPACE, text(','), SPACE) : text(`,${space}`),
    colon: isOpen ? all(SPACE, text(':'), SPACE) : text(`:${space}`),
    words: ['true', 'false', 'null'],
    string: (min, max) => rule('string', () => stringOf(JSON_QUOTED, without, min, max)),
    quoted: (of) => written(JSON.stringify(of), without),
    key: (name) => jsonText(name, layout),
    otherKey: (names) => rule('key', () => otherString(names, JSON_QUOTED, without)),
  }
}

/** Literals of Python. */
export function pythonNotation(without: readonly string[]): Notation {
  return {
    ...jsonNotation('spaced', without),
    words: ['True', 'False', 'None'],
    string: (min, max) =>
      rule('string', () => any(...["'", '"'].map((quote) => stringOf(pythonQuoted(quote), without, min, max)))),
    quoted: (of) => written(pythonText(of), without),
    key: (name) => pythonText(name),
    otherKey: (names) => rule('key', () => otherString(names, pythonQuoted("'"), without)),
  }
}

/** Braces with bare keys, and strings between a format's quotes. */
export function braceNotation(quote: string, without: readonly string[]): Notation {
  return {
    ...jsonNotation('compact', []),
    string: (min, max) => rule('string', () => all(text(quote), free(without, { min, max }), text(quote))),
    quoted: (of) => (without.some((marker) => of.includes(marker)) ? undefined : quote + of + quote),
    key: (name) => name,
    otherKey: (names) => rule('key', () => otherName(names)),
  }
}

/** What markers begin with: where these aren't, no marker is. */
const firstsOf = (without: readonly string[]) => [...new Set(without.map((marker) => [...marker][0] as string))].sort()

/** A string between quotes. With a length, it has no character that a marker begins with, but for its escape. */
function stringOf(quoted: Quoted, without: readonly string[], min: number, max: number | undefined): Tree {
  const quote = text(quoted.quote)
  if (without.some((marker) => marker.length > 1) && min === 0 && max === undefined)
    return all(quote, free(without, { quoted }), quote)
  return all(quote, many(characterOf(quoted, firstsOf(without), min === 0 && max === undefined), min, max), quote)
}

/** A character, or an escape. Half of a pair would count as a character, so that a length leaves it out. */
function characterOf({ quote, escapes, numbers }: Quoted, but: readonly string[], hasHalves: boolean): Tree {
  const plain = charsBut(quote, '\\', '\0\x1f', ...but)
  const numbered = numbers.map(([letter, count]) =>
    all(
      text(`\\${letter}`),
      count === 4 && !hasHalves
        ? any(
            all(chars('09', 'ac', 'ef', 'AC', 'EF'), many(HEX, 3, 3)),
            all(chars('d', 'D'), chars('07'), many(HEX, 2, 2)),
          )
        : many(HEX, count, count),
    ),
  )
  const references = but.includes('&') ? REFERENCES.map(text) : []
  return rule('character', () => any(plain, all(text('\\'), chars(...escapes)), ...numbered, ...references))
}

/** A string between quotes, but these. Until it differs, it has no escape, which could stand for a letter. */
function otherString(names: readonly string[], quoted: Quoted, without: readonly string[]): Tree {
  const quote = text(quoted.quote)
  const rest = rule('rest', () => all(many(characterOf(quoted, firstsOf(without), true)), quote))
  const character = (but: readonly string[]) => charsBut(quoted.quote, '\\', '\0\x1f', ...firstsOf(without), ...but)
  return all(quote, otherThan(names, character, rest, quote, true))
}

const WORD = ['az', 'AZ', '09', '_']
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_']

/** A bare name, but these: of letters, digits and `_`. */
export function otherName(names: readonly string[]): Tree {
  const words = names.filter((name) => /^\w*$/.test(name))
  const character = (but: readonly string[]) =>
    chars(...(but.length === 0 ? WORD : LETTERS.filter((letter) => !but.includes(letter))))
  return otherThan(words, character, many(chars(...WORD)), NOTHING, false)
}

/** A text but these: by its first character it is one of them so far, or another one, and `rest` follows. */
function otherThan(
  names: readonly string[],
  character: (but: readonly string[]) => Tree,
  rest: Tree,
  end: Tree,
  mayEnd: boolean,
): Tree {
  if (names.length === 0 && mayEnd) return rest
  const firsts = [...new Set(names.flatMap((name) => [...name].slice(0, 1)))].sort()
  const longer = (first: string) =>
    names.filter((name) => name.startsWith(first)).map((name) => name.slice(first.length))
  return any(
    ...firsts.map((first) => all(text(first), otherThan(longer(first), character, rest, end, true))),
    ...(mayEnd && !names.includes('') ? [end] : []),
    all(character(firsts), rest),
  )
}

/** A text with references for what is a marker, if that is one character; undefined if it has another. */
function written(of: string, without: readonly string[]): string | undefined {
  const isEscaped = without.includes('&')
  const text = isEscaped
    ? of.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' })[character] ?? '&gt;')
    : of
  return !isEscaped && without.some((marker) => text.includes(marker)) ? undefined : text
}
