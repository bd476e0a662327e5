// What all rules are compiled into, stops first: one automaton, whose order is theirs.
//
// Neighbouring strings share a trie. One that has an earlier string at its beginning never matches; so what goes on
// after the end of a string is of earlier rules, and comes first.

import { describe } from '../errors.js'
import { isRecord } from '../own.js'
import { type OptionTable, checkOptions, elsewhere, must } from '../options.js'
import { type Make, type Node, type Replace, type Shape, leaves, nodeOf } from './node.js'
import { buildPattern } from './pattern.js'
import { Step, after } from './step.js'
import type { GuardOptions, Rule } from './types.js'
import { LINE_END, NONE, WORD, edgesOf } from './units.js'

const list = must('an array', Array.isArray)
const GUARD = {
  redact: [list],
  stop: [list],
  longest: [must('a number from 1', (value) => typeof value === 'number' && value >= 1)],
} satisfies OptionTable<GuardOptions>
const RULE = {
  find: [elsewhere],
  replace: [must('a string or a function', (value) => /^(string|function)$/.test(typeof value))],
} satisfies OptionTable<Rule>

export const REDACTED = '[redacted]'

/** There are fewer nodes than this. */
export const MOST_NODES = 100_000
/** So many states are looked at to find out what must come. */
const MOST_STATES = 1_000

/** All rules. */
export class Program {
  readonly longest: number
  /** Where every match begins. */
  readonly start: Node | undefined
  readonly #first: readonly Node[]
  /** Where units begin that differ in what they lead to. */
  readonly #edges: ReadonlySet<number>

  constructor(longest: number, entries: readonly Node[], edges: ReadonlySet<number>) {
    this.longest = longest
    this.start = entries.reduceRight<Node | undefined>(
      (other, next) => nodeOf(0, '', { isSplit: true, next, other }),
      undefined,
    )
    this.#first = leaves(this.start)
    this.#edges = edges
  }

  /** Whether a match may begin with a unit. */
  canStart(unit: number): boolean {
    return this.#first.some((node) => after(node, unit) !== undefined)
  }

  /** Whether one of some nodes leads to a match, whatever follows. Their last unit was `previous`. */
  isSure(nodes: readonly Node[], previous: number): boolean {
    const units = [NONE, ...this.#edges, ...edgesOf(WORD), ...edgesOf(LINE_END)]
    const seen = new Map([['', { nodes, previous }]])
    for (const { nodes, previous } of seen.values()) {
      for (const unit of units) {
        const step = new Step(0, previous, unit)
        if (nodes.some((node) => step.enter(node, 0))) continue
        const next = step.threads.map(({ node }) => node)
        if (unit === NONE || next.length === 0 || seen.size > MOST_STATES) return false
        seen.set([unit, ...next.map(({ id }) => id)].join(), { nodes: next, previous: unit })
      }
    }
    return true
  }
}

/** @throws TypeError for an option or a pattern that is wrong; `more` are other options */
export function compile(place: string, options: GuardOptions, more: OptionTable<object> = {}): Program {
  checkOptions(place, options ?? null, { ...GUARD, ...more }, '.')
  const { redact = [], stop = [], longest = 4096 } = options
  const rules = new Rules()
  for (const [at, find] of stop.entries()) rules.add(`${place}.stop[${at}]`, find, undefined)
  for (const [at, rule] of redact.entries()) {
    const name = `${place}.redact[${at}]`
    if (typeof rule === 'string' || isPattern(rule) || !isRecord(rule)) rules.add(name, rule, REDACTED)
    else {
      checkOptions(name, rule, RULE, '.')
      rules.add(`${name}.find`, rule.find, rule.replace ?? REDACTED)
    }
  }
  return new Program(longest, rules.entries, rules.edges)
}

/** Builds the automaton, rule by rule. */
class Rules {
  readonly entries: Node[] = []
  /** Where units begin that differ in what they lead to. */
  readonly edges = new Set([0])
  #nodes = 0
  /** That of the strings just before. */
  #trie: Node | undefined

  add(name: string, find: unknown, replace: Replace): void {
    const make = (shape: Shape) => this.#make(name, replace, shape)
    if (find === '') throw nothingError(name, "''")
    if (typeof find === 'string') this.#addString(find, replace, make)
    else if (isPattern(find)) this.#addPattern(name, find, make)
    else throw new TypeError(`${name} must be a string or a regular expression, but is ${describe(find)}`)
  }

  #addString(find: string, replace: Replace, make: Make): void {
    // Stops and other strings have a trie each.
    if (this.#trie === undefined || (this.#trie.replace === undefined) !== (replace === undefined)) {
      this.#trie = make({ branches: new Map() })
      this.entries.push(this.#trie)
    }
    grow(this.#trie, find, make, this.edges)
  }

  #addPattern(name: string, find: RegExp, make: Make): void {
    this.#trie = undefined
    const nothing = make({})
    const entry = buildPattern(name, find, make)(make({}), nothing)
    if (leaves(entry).includes(nothing)) throw nothingError(name, String(find))
    if (entry !== undefined) this.entries.push(entry)
  }

  #make(name: string, replace: Replace, shape: Shape): Node {
    if (++this.#nodes >= MOST_NODES)
      throw new TypeError(`${name} is too large: counts such as {1,1000} are written out`)
    for (const edge of shape.edges ?? []) this.edges.add(edge)
    return nodeOf(this.#nodes, replace, shape)
  }
}

function nothingError(name: string, find: string): TypeError {
  return new TypeError(`${name} must not match nothing at all, as ${find} does`)
}

/** Adds a string to a trie, unless an earlier one is at its beginning. */
function grow(trie: Node, find: string, make: Make, edges: Set<number>): void {
  const path: Node[] = []
  let node = trie
  for (let at = 0; at < find.length; at++) {
    const unit = find.charCodeAt(at)
    const next = node.branches?.get(unit)
    if (next !== undefined && next.branches === undefined) return
    const isLast = at === find.length - 1
    const to = isLast ? make({}) : (next ?? make({ branches: new Map() }))
    node.branches?.set(unit, isLast && next !== undefined ? make({ isSplit: true, next, other: to }) : to)
    edges.add(unit).add(unit + 1)
    path.push(node)
    node = to
  }
  // What of several strings comes is not known.
  for (const one of path) if (one.replace !== node.replace) one.replace = String
}

/** Whether a value is a regular expression, of any realm. */
function isPattern(value: unknown): value is RegExp {
  return {}.toString.call(value) === '[object RegExp]'
}
