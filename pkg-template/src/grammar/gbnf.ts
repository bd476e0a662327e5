// Prints a tree in GBNF, the notation of llama.cpp.
//
// A rule is a name and what stands for it. What is the same in several places is one rule. A text without markers is an
// automaton, a rule for each state, whose last part is the next state: llama.cpp keeps no stack for that.
//
// Source: llama.cpp, grammars/README.md.

import { automatonOf } from './automaton.js'
import { Rules, classOf, times } from './printer.js'
import { type Chars, type Free, type Tree, all, chars, many } from './tree.js'

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

  readonly #rules = new Rules('root', '-')
  /** Automata by their texts and their places. */
  readonly #automata = new Map<string, Tree>()

  text(tree: Tree): string {
    const root = this.#print(tree)[0]
    const rules = [...this.#rules.names].map(([expression, name]) => `${name} ::= ${expression}`)
    return this.#rules.text([`root ::= ${root}`, ...rules.reverse()])
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
        const one = this.#rules.named('call', this.#print(tree.of)[0])
        return [`${one} (${this.#in(tree.join, 'all')} ${one})*`, 'all']
      }
      case 'chars':
        return [this.#class(tree), 'atom']
      case 'free':
        return this.#print(this.#automaton(tree))
      case 'json':
        return this.#print(tree.tree())
      default:
        return [this.#rules.rule(tree, () => this.#print(tree.of())[0]), 'atom']
    }
  }

  /** A part in something that holds together as strongly. */
  #in(tree: Tree, level: Level): string {
    const [expression, own] = this.#print(tree)
    return own === 'any' && level !== 'any' ? `(${expression})` : expression
  }

  #many(of: Tree, min: number, max: number | undefined): readonly [string, Level] {
    if (Math.max(min, max ?? 0) > MOST_TIMES) return [`(${this.#print(inGroups(of, min, max))[0]})`, 'atom']
    const [expression, level] = this.#print(of)
    const isSingle = level === 'atom' && !/[?*+}]$|^".{2,}"$/.test(expression)
    return [(isSingle ? expression : `(${expression})`) + times(min, max), 'atom']
  }

  /** Characters. */
  #class(characters: Chars): string {
    const { isNot, ranges } = characters
    if (!this.isAscii || !isNot || ranges.every(([, last]) => last <= '\x7f')) return inBrackets(characters)
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
    return inBrackets(chars(...ascii.filter((one) => !ranges.some(([first, last]) => first <= one && one <= last))))
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

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\' }

function quoted(of: string): string {
  return `"${of.replaceAll(/["\\]|[\0-\x1f\x7f]/g, (character) => ESCAPES[character] ?? hex(character))}"`
}

const inBrackets = (of: Chars) => classOf(of, '[^\\u0000]', escaped)

function escaped(character: string): string {
  if (character === '[' || character === ']') return `\\${character}`
  if (/[-^\0-\x1f\x7f]/.test(character)) return ESCAPES[character] ?? hex(character)
  return character === '\\' ? '\\\\' : character
}

/** Of four digits: xgrammar takes `\\x` with as many as there are. */
function hex(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
