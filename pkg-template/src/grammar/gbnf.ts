// Prints a tree in GBNF, the notation of llama.cpp.
//
// A rule is a name and what stands for it. What is the same in several places is one rule. A text without markers is an
// automaton, a rule for each state, whose last part is the next state: llama.cpp keeps no stack for that.
//
// Source: llama.cpp, grammars/README.md.

import { type Place, SPACES, placesOf } from './markers.js'
import type { Chars, Free, Quoted, Rule, Tree } from './tree.js'

/** More repetitions than this are written as groups: llama.cpp refuses 2,000. */
const MOST_TIMES = 1_000

/** How strongly parts of an expression hold together. */
type Level = 'atom' | 'all' | 'any'

/**
 * A tree as a grammar whose first rule is `root`. `isAscii`: for an engine that reads no class with other characters;
 * where one would be left out, all are.
 */
export function gbnfText(tree: Tree, isAscii = false): string {
  return new Gbnf(isAscii).text(tree)
}

class Gbnf {
  constructor(private readonly isAscii: boolean) {}

  /** Names by what they stand for, in the order of the grammar. */
  readonly #names = new Map<string, string>()
  readonly #taken = new Set(['root'])
  /** Names of automata by their rules without the name, and their rules. */
  readonly #automata = new Map<string, string>()
  readonly #more: string[] = []
  /** Expressions of texts without markers that were made. */
  readonly #frees = new Map<string, string>()
  /** Names of rules that are known, or whose expression is being written. */
  readonly #rules = new Map<Rule, string>()
  /** Marks of rules in their own expressions, and the names that they get. */
  readonly #marks = new Map<string, string>()

  text(tree: Tree): string {
    const root = this.#print(tree)[0]
    const rules = [...this.#names].map(([expression, name]) => `${name} ::= ${expression}`)
    const lines = [`root ::= ${root}`, ...rules, ...this.#more]
    return lines.join('\n').replaceAll(/\0\d+\0/g, (mark) => this.#marks.get(mark) ?? '')
  }

  #print(tree: Tree): readonly [expression: string, level: Level] {
    switch (tree.kind) {
      case 'text':
        return [quoted(tree.text), 'atom']
      case 'all':
        return [tree.of.map((part) => this.#in(part, 'all')).join(' '), 'all']
      case 'any': {
        const ways = [...new Set(tree.of.filter((way) => !isEmpty(way)).map((way) => this.#in(way, 'any')))]
        const [first = ''] = ways
        if (tree.of.some(isEmpty)) return [`(${ways.join(' | ')})?`, 'atom']
        return ways.length === 1 ? [`(${first})`, 'atom'] : [ways.join(' | '), 'any']
      }
      case 'many':
        return this.#many(tree.of, tree.min, tree.max)
      case 'several': {
        const one = this.#named('call', this.#print(tree.of)[0])
        return [`${one} (${this.#in(tree.join, 'all')} ${one})*`, 'all']
      }
      case 'chars':
        return [this.#class(tree), 'atom']
      case 'free':
        return [this.#free(tree), 'atom']
      case 'json':
        return this.#print(tree.tree())
      default:
        return [this.#rule(tree), 'atom']
    }
  }

  /** A part in something that holds together as strongly. */
  #in(tree: Tree, level: Level): string {
    const [expression, own] = this.#print(tree)
    return own === 'any' && level !== 'any' ? `(${expression})` : expression
  }

  #many(of: Tree, min: number, max: number | undefined): readonly [string, Level] {
    if (max === 0) return ['""', 'atom']
    const [expression, level] = this.#print(of)
    const isSingle = level === 'atom' && !['many', 'text', 'any', 'free'].includes(of.kind)
    const one = isSingle || (of.kind === 'text' && [...of.text].length === 1) ? expression : `(${expression})`
    return [Math.max(min, max ?? 0) <= MOST_TIMES ? one + times(min, max) : `(${repeated(one, min, max)})`, 'atom']
  }

  #rule(rule: Rule): string {
    const known = this.#rules.get(rule)
    if (known !== undefined) return known
    const mark = `\0${this.#rules.size}\0`
    this.#rules.set(rule, mark)
    const [expression] = this.#print(rule.of())
    const name = this.#named(rule.name, expression)
    this.#marks.set(mark, name)
    this.#rules.set(rule, name)
    return name
  }

  /** The name of an expression: the one it has, or a new one. */
  #named(wanted: string, expression: string): string {
    let name = this.#names.get(expression)
    if (name === undefined) this.#names.set(expression, (name = this.#unused(wanted)))
    return name
  }

  #unused(wanted: string): string {
    const plain = wanted.replaceAll(/[^a-zA-Z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'part'
    let name = plain
    for (let number = 2; this.#taken.has(name); number++) name = `${plain}-${number}`
    this.#taken.add(name)
    return name
  }

  /** Characters. */
  #class(characters: Chars): string {
    const { isNot, ranges } = characters
    if (!this.isAscii || !isNot || ranges.every(([, last]) => last <= '\x7f')) return classOf(characters)
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
    return inClass(ascii.filter((one) => !ranges.some(([first, last]) => first <= one && one <= last)))
  }

  /** A text without markers. */
  #free(given: Free): string {
    const { without: markers } = given
    const free = !this.isAscii
      ? given
      : { ...given, without: markers.map((one) => one.replace(/^[^\0-\x7f]+(?=.)/u, '')) }
    const key = JSON.stringify(free)
    const known = this.#frees.get(key)
    if (known !== undefined) return known
    const expression = this.#freeOf(free)
    this.#frees.set(key, expression)
    return expression
  }

  #freeOf(free: Free): string {
    const places = placesOf(free)
    if (places === undefined) return without(free)
    const [first] = places
    if (places.length === 1 && free.quoted === undefined && first?.mayEnd === true)
      return `${this.#class(but(first.not))}*`
    const rules = (front: string) => {
      const nameOf = (at: number) => (at === 0 ? front : `${front}-s${at}`)
      return places.map((place, at) => `${nameOf(at)} ::= ${this.#place(free, places, place, nameOf)}`)
    }
    // Its rules have its name in them, so that it comes first.
    const same = rules('').join()
    let front = this.#automata.get(same)
    if (front === undefined) {
      front = this.#unused(free.quoted === undefined ? 'free' : 'inside')
      this.#automata.set(same, front)
      this.#more.push(...rules(front))
    }
    return front
  }

  #place(
    free: Free,
    places: readonly Place[],
    { next, others, not, mayEnd }: Place,
    nameOf: (at: number) => string,
  ): string {
    const { quoted: string } = free
    const barred = string === undefined ? but(not) : but([...not, string.quote, '\\'], true)
    const ways = [
      ...(others === undefined ? [] : [`${this.#class(barred)} ${nameOf(others)}`]),
      ...[...next].map(
        ([to, some]) => `${some.length === 1 ? quoted(some[0] as string) : inClass(some)} ${nameOf(to)}`,
      ),
      ...(string === undefined ? [] : escapesOf(string, places[0]?.not ?? [], nameOf(0))),
    ]
    if (ways.length === 0) return '""'
    return mayEnd ? `(${ways.join(' | ')})?` : ways.join(' | ')
  }
}

/** Escapes in a string: no marker begins with what stands in them. */
function escapesOf({ escapes, numbers }: Quoted, begins: readonly string[], then: string): readonly string[] {
  const letters = [...escapes].filter((letter) => !begins.includes(letter))
  const digits = [...'0123456789abcdefABCDEF'].filter((digit) => !begins.includes(digit))
  const hexadecimal = digits.length === 22 ? '[0-9a-fA-F]' : inClass(digits)
  return [
    `"\\\\" ${inClass(letters)} ${then}`,
    ...numbers
      .filter(([letter]) => !begins.includes(letter))
      .map(([letter, count]) => `${quoted(`\\${letter}`)} ${hexadecimal}{${count}} ${then}`),
  ]
}

/** A text that is too long for that: it has no character with which a marker begins. */
function without({ without: markers, notFirst, skipsSpace, notLast, min, max }: Free): string {
  const firsts = [...new Set(markers.map((marker) => [...marker][0] as string))]
  const inside = notInClass(firsts)
  if (notFirst.length + notLast.length === 0) return `(${repeated(inside, min, max)})`
  const ends = [
    notInClass([...firsts, ...notFirst, ...notLast, ...(skipsSpace ? SPACES : [])]),
    notInClass([...firsts, ...notLast]),
  ]
  const [first = '', last = ''] = ends
  const most = max === undefined ? undefined : Math.max(0, max - 2)
  const longer = `${first} ${repeated(inside, Math.max(0, min - 2), most)} ${last}`
  const ways = [...(min < 1 ? ['""'] : []), ...(min < 2 ? [first] : []), ...(max === 1 ? [] : [longer])]
  return `(${ways.join(' | ')})`
}

const isEmpty = (tree: Tree) => tree.kind === 'text' && tree.text === ''

/** A part so many times, in groups if these are many. */
function repeated(one: string, min: number, max: number | undefined): string {
  if (Math.max(min, max ?? 0) <= MOST_TIMES) return max === 0 ? '""' : one + times(min, max)
  const least = min === 0 ? [] : [min <= MOST_TIMES ? one + times(min, min) : groups(one, min)]
  return [...least, ...(max === undefined ? [`${one}*`] : max === min ? [] : [upTo(one, max - min)])].join(' ')
}

function times(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (max === 1) return min === 0 ? '?' : ''
  return min === max ? `{${min}}` : `{${min},${max}}`
}

/** So many. */
function groups(one: string, count: number): string {
  const rest = count % 100
  return `(${one}{100}){${Math.floor(count / 100)}}${rest === 0 ? '' : ` ${one}{${rest}}`}`
}

/** None to so many. */
function upTo(one: string, count: number): string {
  if (count <= MOST_TIMES) return `${one}{0,${count}}`
  return `(${one}{100}){0,${Math.floor(count / 100) - 1}} ${one}{0,${100 + (count % 100)}}`
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\' }

function quoted(of: string): string {
  return `"${of.replaceAll(/["\\]|[\0-\x1f\x7f]/g, (character) => ESCAPES[character] ?? hex(character))}"`
}

const inClass = (characters: readonly string[]) =>
  classOf({ kind: 'chars', isNot: false, ranges: characters.map((one) => [one, one]) })
const notInClass = (characters: readonly string[]) => classOf(but(characters))

/** Any character but some. */
const but = (characters: readonly string[], hasNoControls = false): Chars => ({
  kind: 'chars',
  isNot: true,
  ranges: [
    ...(hasNoControls ? [['\0', '\x1f'] as const] : []),
    ...[...new Set(characters)].map((one) => [one, one] as const),
  ],
})

function classOf({ isNot, ranges }: Chars): string {
  if (isNot && ranges.length === 0) return '[^\\u0000]'
  const inside = ranges.map(([first, last]) =>
    first === last ? inBrackets(first) : `${inBrackets(first)}-${inBrackets(last)}`,
  )
  return `[${isNot ? '^' : ''}${inside.join('')}]`
}

function inBrackets(character: string): string {
  if (character === '[' || character === ']') return `\\${character}`
  if (/[-^\0-\x1f\x7f]/.test(character)) return ESCAPES[character] ?? hex(character)
  return character === '\\' ? '\\\\' : character
}

/** Of four digits: xgrammar takes `\\x` with as many as there are. */
function hex(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
