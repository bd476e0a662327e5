// One step of the threads: they consume a unit, each where its node leads.
//
// Threads are in order of priority: those that began earlier come first, then the order of the rules, then that of a
// backtracking search. Of two at one node only the first counts, since both have the same future; after a thread that
// matches, none of a lower priority does.
//
// Source: Russ Cox, "Regular Expression Matching: the Virtual Machine Approach", Pike's machine.

import type { Node, Replace } from './node.js'
import { NONE, isIn } from './units.js'

/** A node that a search is at, and where it began. */
export interface Thread {
  readonly node: Node
  readonly start: number
}

export interface Match {
  readonly start: number
  readonly end: number
  readonly replace: Replace
}

let steps = 0

/** A step over a unit at a place; over none at the end of the text. */
export class Step {
  /** Where the threads are after it. */
  readonly threads: Thread[] = []
  /** What was found in it: before its unit, or after it. */
  match: Match | undefined
  readonly #number = ++steps

  constructor(
    private readonly at: number,
    private readonly previous: number,
    private readonly unit: number,
  ) {}

  /** Moves threads, unless one before them has matched. */
  move(threads: readonly Thread[]): this {
    for (const { node, start } of threads) if (this.enter(node, start)) break
    return this
  }

  /** Goes on from a node, after the unit as far as that doesn't depend on the next one. Returns whether it matches. */
  enter(first: Node | undefined, start: number, isAfter = false): boolean {
    const stack = [first]
    const mark = isAfter ? 'after' : 'before'
    while (stack.length > 0) {
      const node = stack.pop()
      if (node === undefined || node[mark] === this.#number) continue
      node[mark] = this.#number
      const { holds, edges, branches, next } = node
      if (node.isSplit) stack.push(node.other, next)
      else if (isAfter && (edges ?? branches ?? node.looksAhead)) this.threads.push({ node, start })
      else if (holds !== undefined) {
        if (isAfter ? holds(this.unit, NONE) : holds(this.previous, this.unit)) stack.push(next)
      } else if (edges ?? branches) {
        if (this.enter(after(node, this.unit), start, true)) return true
      } else {
        this.match = { start, end: this.at + Number(isAfter), replace: node.replace }
        return true
      }
    }
    return false
  }
}

/** Where a unit leads from a node. */
export function after({ edges, branches, next }: Node, unit: number): Node | undefined {
  return branches === undefined ? (isIn(edges ?? [], unit) ? next : undefined) : branches.get(unit)
}
