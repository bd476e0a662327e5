// What all rules are compiled into, stops first: one automaton, whose order is theirs. A search goes through its
// states, which are made when a text leads to them: so a thousand strings cost what one costs.
//
// The nodes of a state are in order of priority: the order of the rules, then that of a backtracking search. Of two
// paths to a node only the first counts, since both have the same future; after a match, nothing of a lower priority
// does.
//
// Source: Russ Cox, "Regular Expression Matching: the Virtual Machine Approach", Pike's machine, and "Regular
// Expression Matching in the Wild", its states as a cache.

import { describe } from '../errors.js'
import { type OptionTable, checkOptions, elsewhere, must } from '../options.js'
import { isRecord } from '../own.js'
import type { Make, Node, Replace, Take } from './node.js'
import { buildPattern } from './pattern.js'
import type { GuardOptions, Rule } from './types.js'
import { LINE_END, NONE, WORD, edgesOf, isIn } from './units.js'

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

/** So many nodes a rule may have, so many of them and so many moves are kept, and so many states are looked at. */
const MOST_NODES = 100_000
const MOST_KEPT = 1_000_000
const MOST_STATES = 1_000

/** Where a search is after a unit. */
interface State {
  readonly id: number
  /** The nodes that the next unit decides about. Without any the search is over. */
  readonly nodes: readonly Node[]
  /** A unit like the last one, as assertions see it. */
  readonly last: number
  /** Where a match ends: after the last unit, or before it. */
  readonly end: Node | undefined
  readonly isAfter: boolean
  /** Whether a match of the first rule comes, whatever follows. */
  isSure?: boolean
}

/** All rules. */
export interface Program {
  readonly longest: number
  /** Where a state leads with a unit; without a state, where a search begins after it. */
  next(state: State | undefined, unit: number): State
  /** Whether a match of the first rule, or one with the same replacement, comes whatever follows. */
  isSure(state: State): boolean
}

/** The first unit that assertions don't tell from one, as the unit before them. */
const alike = (unit: number) =>
  [LINE_END, WORD].map((atom) => edgesOf(atom)).find((edges) => isIn(edges, unit))?.[0] ?? Math.min(unit, 0)

/** A node that is reached, and whether the unit was taken. */
type Path = readonly [node: Node | undefined, isAfter: boolean]

/** `units`: where units begin that differ in what they lead to. */
function programOf(longest: number, entries: readonly Node[], units: ReadonlySet<number>): Program {
  const states = new Map<string, State>()
  const moves = new Map<number, State>()
  let made = 0
  let kept = 0

  const stateOf = (nodes: readonly Node[], unit: number, end?: Node, isAfter = false): State => {
    const last = alike(unit)
    const key = [last, end?.id, isAfter, ...nodes.map(({ id }) => id)].join()
    let state = states.get(key)
    if (state === undefined) {
      kept += nodes.length
      state = { id: ++made, nodes, last, end, isAfter }
      states.set(key, state)
    }
    return state
  }

  const follow = (from: State | undefined, unit: number): State => {
    const { last = NONE } = from ?? {}
    const passed = from?.nodes.filter(({ passes }) => passes?.(last, unit))
    const paths =
      passed?.map(({ next, consumes }): Path => [next, consumes === true]) ?? entries.map((node): Path => [node, true])
    paths.reverse()
    const seen = [new Set<Node>(), new Set<Node>()]
    const nodes: Node[] = []
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const [node, isAfter] = path
      const been = seen[Number(isAfter)]
      if (node === undefined || been?.has(node)) continue
      been?.add(node)
      const { next, other, passes } = node
      if (node.isSplit) paths.push([other, isAfter], [next, isAfter])
      else if (passes === undefined) return stateOf(nodes, unit, node, isAfter)
      else if (isAfter && node.looksBack !== true) nodes.push(node)
      else if (passes(isAfter ? unit : last, unit)) paths.push([next, isAfter || node.consumes === true])
    }
    return stateOf(nodes, unit)
  }

  const next = (state: State | undefined, unit: number): State => {
    const move = (state?.id ?? 0) * 0x2_0000 + unit
    let to = moves.get(move)
    if (to === undefined) {
      if (++kept > MOST_KEPT) {
        states.clear()
        moves.clear()
        kept = 0
      }
      const last = alike(unit)
      to = state !== undefined || last === unit ? follow(state, unit) : next(undefined, last)
      moves.set(move, to)
    }
    return to
  }

  const look = ({ nodes, last }: State): boolean => {
    const other = nodes.findIndex(({ replace }) => replace !== nodes[0]?.replace)
    const seen = new Set([stateOf(nodes.slice(0, other < 0 ? undefined : other), last)])
    for (const state of seen)
      for (const unit of units) {
        const to = next(state, unit)
        if (to.end !== undefined) continue
        if (to.nodes.length === 0 || seen.size > MOST_STATES) return false
        seen.add(to)
      }
    return true
  }

  return { longest, next, isSure: (state) => (state.isSure ??= look(state)) }
}

/** @throws TypeError for an option or a pattern that is wrong; `more` are other options */
export function compile(place: string, options: GuardOptions, more: OptionTable<object> = {}): Program {
  checkOptions(place, options ?? null, { ...GUARD, ...more }, '.')
  const { redact = [], stop = [], longest = 4096 } = options
  const entries: Node[] = []
  const units = new Set([NONE, 0, ...edgesOf(WORD), ...edgesOf(LINE_END)])
  let made = 0
  const add = (name: string, find: unknown, replace: Replace) => {
    const before = made
    const make: Make = (shape) => {
      if (++made - before > MOST_NODES)
        throw new TypeError(`${name} is too large: counts such as {1,1000} are written out`)
      return { ...shape, id: made, replace }
    }
    const take: Take = (edges, next) => {
      for (const edge of edges) units.add(edge)
      return make({ passes: (_, unit) => isIn(edges, unit), consumes: true, next })
    }
    const nothing = make({})
    let entry: Node | undefined = nothing
    if (isPattern(find)) entry = buildPattern(name, find, make, take)(make({}), nothing)
    else if (typeof find !== 'string')
      throw new TypeError(`${name} must be a string or a regular expression, but is ${describe(find)}`)
    else for (let at = find.length; at-- > 0; ) entry = take([find.charCodeAt(at), find.charCodeAt(at) + 1], entry)
    const passed = new Set([entry])
    for (const node of passed) if (node?.consumes !== true) passed.add(node?.next).add(node?.other)
    if (passed.has(nothing))
      throw new TypeError(`${name} must not match nothing at all, as ${String(find) || "''"} does`)
    if (entry !== undefined) entries.push(entry)
  }
  for (const [at, find] of stop.entries()) add(`${place}.stop[${at}]`, find, undefined)
  for (const [at, rule] of redact.entries()) {
    const name = `${place}.redact[${at}]`
    if (typeof rule === 'string' || isPattern(rule) || !isRecord(rule)) add(name, rule, REDACTED)
    else {
      checkOptions(name, rule, RULE, '.')
      add(`${name}.find`, rule.find, rule.replace ?? REDACTED)
    }
  }
  return programOf(longest, entries, units)
}

/** Whether a value is a regular expression, of any realm. */
function isPattern(value: unknown): value is RegExp {
  return {}.toString.call(value) === '[object RegExp]'
}
