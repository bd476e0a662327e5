// Prints a tree in GBNF, the notation of llama.cpp.
//
// A rule is a name and what stands for it. What is the same in several places is one rule. A text without markers is an
// automaton, a rule for each state, whose last part is the next state: llama.cpp keeps no stack for that.
//
// Source: llama.cpp, grammars/README.md.

import { automatonOf } from './automaton.js'
import { type Chars, type Free, type Rule, type Tree, all, chars, many } from './tree.js'

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
  /** Automata by their texts and their places. */
  readonly #automata = new Map<string, Tree>()
  /** Names of rules that are known, or whose expression is being written. */
  readonly #rules = new Map<Rule, string>()
  /** Marks of rules in their own expressions, and the names that they get. */
  readonly #marks = new Map<string, string>()

  text(tree: Tree): string {
    const root = this.#print(tree)[0]
    const rules = [...this.#names].reverse().map(([expression, name]) => `${name} ::= ${expression}`)
    return [`root ::= ${root}`, ...rules].join('\n').replaceAll(/\0\d+\0/g, (mark) => this.#marks.get(mark) ?? '')
  }

  #print(tree: Tree): readonly [expression: string, level: Level] {
    switch (tree.kind) {
      case 'text':
        return [quoted(tree.text), 'atom']
      case 'all':
        return [tree.of.map((part) => this.#in(part, 'all')).join(' '), 'all']
      case 'any': {
        const ways = [...new Set(tree.of.filter((way) => !isEmpty(way)).map((way) => this.#in(way, 'any')))]
        if (tree.of.some(isEmpty)) return [`(${ways.join(' | ')})?`, 'atom']
        return ways.length === 1 ? [`(${ways[0]})`, 'atom'] : [ways.join(' | '), 'any']
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
        return this.#print(this.#automaton(tree))
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
    if (Math.max(min, max ?? 0) > MOST_TIMES) return [`(${this.#print(inGroups(of, min, max))[0]})`, 'atom']
    const [expression, level] = this.#print(of)
    const isSingle = level === 'atom' && !/[?*+}]$|^".{2,}"$/.test(expression)
    return [(isSingle ? expression : `(${expression})`) + times(min, max), 'atom']
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
    return classOf(chars(...ascii.filter((one) => !ranges.some(([first, last]) => first <= one && one <= last))))
  }

  /** A text without markers. The same automaton is the same rule. */
  #automaton(free: Free): Tree {
    const without = free.without.map((one) => (this.isAscii ? one.replace(/^[^\0-\x7f]+(?=.)/u, '') : one))
    const key = JSON.stringify(free)
    const known = this.#automata.get(key)
    if (known !== undefined) return known
    const [places, tree] = automatonOf({ ...free, without })
    const same = this.#automata.get(places) ?? tree
    this.#automata.set(key, same).set(places, same)
    return same
  }
}

const isEmpty = (tree: Tree) => tree.kind === 'text' && tree.text === ''

/** A part so many times, in groups. */
function inGroups(of: Tree, min: number, max: number | undefined): Tree {
  const group = many(of, 100, 100)
  const [groups, more] = [Math.floor(min / 100), (max ?? 0) - min]
  const least =
    min <= MOST_TIMES ? many(of, min, min) : all(many(group, groups, groups), many(of, min % 100, min % 100))
  if (max === undefined) return all(least, many(of))
  if (more <= MOST_TIMES) return all(least, many(of, 0, more))
  return all(least, many(group, 0, Math.floor(more / 100) - 1), many(of, 0, 100 + (more % 100)))
}

function times(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (max === 1) return min === 0 ? '?' : ''
  return min === max ? `{${min}}` : `{${min},${max}}`
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\' }

function quoted(of: string): string {
  return `"${of.replaceAll(/["\\]|[\0-\x1f\x7f]/g, (character) => ESCAPES[character] ?? hex(character))}"`
}

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
