// Prints a tree in GBNF, the notation of llama.cpp.
//
// A rule is a name and what stands for it. What is the same in several places is one rule. A text without markers is an
// automaton, a rule for each state, whose last part is the next state: llama.cpp keeps no stack for that.
//
// Source: llama.cpp, grammars/README.md.

import { type State, statesOf } from './markers.js'
import type { Chars, Free, Rule, Tree } from './tree.js'

/** More repetitions than this are written as groups: llama.cpp refuses 2,000. */
const MOST_TIMES = 1_000

/** How strongly parts of an expression hold together. */
type Level = 'atom' | 'all' | 'any'

/** A tree as a grammar whose first rule is `root`. */
export function gbnfText(tree: Tree): string {
  return new Gbnf().text(tree)
}

class Gbnf {
  /** Names by what they stand for, in the order of the grammar. */
  readonly #names = new Map<string, string>()
  readonly #taken = new Set(['root'])
  /** Names of automata by their rules without the name, and their rules. */
  readonly #automata = new Map<string, string>()
  readonly #more: string[] = []
  /** Names of rules that are known, or whose expression is being written. */
  readonly #rules = new Map<Rule, string>()
  /** Marks of rules in their own expressions, and the names that they get. */
  readonly #marks = new Map<string, string>()

  text(tree: Tree): string {
    const root = this.#print(tree)[0]
    const rules = [...this.#names].map(([expression, name]) => `${name} ::= ${expression}`)
    const lines = [`root ::= ${root}`, ...rules, ...this.#more]
    return `${lines.join('\n').replaceAll(/\0\d+\0/g, (mark) => this.#marks.get(mark) ?? '')}\n`
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
      case 'chars':
        return [classOf(tree), 'atom']
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
    const isSingle = level === 'atom' && (of.kind !== 'many' && of.kind !== 'text' && of.kind !== 'any')
    const one = isSingle || (of.kind === 'text' && [...of.text].length === 1) ? expression : `(${expression})`
    const most = Math.max(min, max ?? 0)
    if (most <= MOST_TIMES) return [one + times(min, max), 'atom']
    const least = min <= MOST_TIMES ? one + times(min, min) : groups(one, min)
    const more = max === undefined ? `${one}*` : max === min ? '' : upTo(one, max - min)
    return [`(${[min === 0 ? '' : least, more].filter((part) => part !== '').join(' ')})`, 'atom']
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

  /** A text without markers. */
  #free(free: Free): string {
    const states = statesOf(free)
    const { quoted: string, notFirst } = free
    if (states.length === 1 && string === undefined && notFirst === '') return `${notInClass(states[0]?.never ?? [])}*`
    const expressions = (front: string) => {
      const first = notFirst === '' ? 0 : -1
      const nameOf = (at: number) => (at === first ? front : `${front}-s${at}`)
      const all = states.map((_, at) => `${nameOf(at)} ::= ${this.#state(free, states, at, nameOf)}`)
      return notFirst === '' ? all : [`${front} ::= ${begun(states, notFirst, nameOf)}`, ...all]
    }
    // Its rules have its name in them, so that it comes first.
    const same = expressions('').join()
    let front = this.#automata.get(same)
    if (front === undefined) {
      front = this.#unused(string === undefined ? 'free' : 'inside')
      this.#automata.set(same, front)
      this.#more.push(...expressions(front))
    }
    return front
  }

  #state(free: Free, states: readonly State[], at: number, nameOf: (at: number) => string): string {
    const { quoted: string } = free
    const { next, never, mayEnd } = states[at] as State
    const base = string === undefined ? [] : [string.quote, '\\']
    const byState = new Map<number, string[]>()
    for (const [character, to] of next) byState.set(to, [...(byState.get(to) ?? []), character])
    const ways = [
      `${notInClass([...next.keys(), ...never, ...base], string !== undefined)} ${nameOf(0)}`,
      ...[...byState].map(([to, some]) => `${some.length === 1 ? quoted(some[0] as string) : inClass(some)} ${nameOf(to)}`),
      ...(string === undefined ? [] : this.#escapes(free, states, nameOf)),
    ]
    return mayEnd ? `(${ways.join(' | ')})?` : ways.join(' | ')
  }

  /** Escapes in a string; a marker may begin with the letter of one, and with its digits there are none. */
  #escapes({ quoted: string }: Free, states: readonly State[], nameOf: (at: number) => string): readonly string[] {
    if (string === undefined) return []
    const [first] = states
    const begins = (character: string) => first?.next.has(character) === true || first?.never.includes(character) === true
    const plain = [...string.escapes].filter((character) => !begins(character))
    const hasDigits = ![...'0123456789abcdefABCDEF'].some(begins)
    return [
      `"\\\\" ${inClass(plain)} ${nameOf(0)}`,
      ...(hasDigits ? string.numbers : [])
        .filter(([letter]) => !begins(letter))
        .map(([letter, digits]) => `${quoted(`\\${letter}`)} [0-9a-fA-F]{${digits},${digits}} ${nameOf(0)}`),
    ]
  }
}

const SPACES = [' ', '\t', '\n', '\r']

/** The first state of a text that doesn't begin with some characters, after white space. */
function begun(states: readonly State[], notFirst: string, nameOf: (at: number) => string): string {
  const { next = new Map<string, number>(), never = [] } = states[0] ?? {}
  const barred = [...notFirst, ...SPACES]
  const front = nameOf(-1)
  const ways = [
    `${inClass(SPACES)} ${front}`,
    ...[...next].filter(([one]) => !barred.includes(one)).map(([one, to]) => `${quoted(one)} ${nameOf(to)}`),
    `${notInClass([...barred, ...next.keys(), ...never])} ${nameOf(0)}`,
  ]
  return `(${ways.join(' | ')})?`
}

const isEmpty = (tree: Tree) => tree.kind === 'text' && tree.text === ''

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
const notInClass = (characters: readonly string[], hasNoControls = false) =>
  classOf({
    kind: 'chars',
    isNot: true,
    ranges: [...(hasNoControls ? [['\0', '\x1f'] as const] : []), ...[...new Set(characters)].map((one) => [one, one] as const)],
  })

function classOf({ isNot, ranges }: Chars): string {
  if (isNot && ranges.length === 0) return '[\\x00-\\U0010FFFF]'
  const inside = ranges.map(([first, last]) => (first === last ? inBrackets(first) : `${inBrackets(first)}-${inBrackets(last)}`))
  return `[${isNot ? '^' : ''}${inside.join('')}]`
}

function inBrackets(character: string): string {
  if (character === '[' || character === ']') return `\\${character}`
  if (/[-^\0-\x1f\x7f]/.test(character)) return ESCAPES[character] ?? hex(character)
  return character === '\\' ? '\\\\' : character
}

function hex(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
