// The arguments of a tool besides its content and what was emitted with its start:
//
//     <tool name="write_file"><arg name="path">a</arg><arg name="content">|</arg><arg name="append">true</arg></tool>
//                                                                              '<arg name="append">true</arg>'
//
// They are passed on as written: the invoker gives them values,
// by the tool's schema.
//
// Source: spec/world.md, 7.1 and 7.2.

import { Joined } from '../joined.js'
import type { CallFault } from './call-fault.js'
import { asciiLower } from './states.js'
import { type Element, elementTree } from './elements.js'

/** Most markup that is kept of a tool, in UTF-16 code units. */
export const LONGEST_ASIDE = 1_048_576

/** The markup of a tool without its content: its other arguments are in it. */
export interface Aside {
  readonly text: Joined
  /** The arguments that are emitted otherwise, in lower case. */
  readonly emitted: ReadonlySet<string>
  /** How long the markup is. What is longer than may be kept isn't in `text`. */
  size: number
}

/** What stands before a tool's content. */
export function asideOf(emitted: readonly string[], ahead: string): Aside {
  const aside = { text: new Joined(), emitted: new Set(emitted.map(asciiLower)), size: 0 }
  keepAside(aside, ahead)
  return aside
}

/** Adds markup that follows. */
export function keepAside(aside: Aside, markup: string): void {
  aside.size += markup.length
  if (aside.size <= LONGEST_ASIDE) aside.text.add(markup)
}

/**
 * The arguments in the markup of a tool without its content, except those whose names, in lower
 * case, were emitted. One that was never closed is there with its opening tag alone.
 */
export function otherArguments(markup: string, emitted: ReadonlySet<string>): string | CallFault {
  const found: string[] = []
  // Not recursive: only these two kinds of elements are looked into, at most as deep as `elementTree` reads.
  const root = elementTree(markup)
  const fault = root.faultOf(false)
  if (fault !== undefined) return fault
  const waiting: Element[] = [root]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const abandoned = new Set(place.abandoned)
    const inner: Element[] = []
    for (const child of [...place.children, ...abandoned].sort((a, b) => a.from - b.from)) {
      const isOpen = abandoned.has(child)
      if (child.kind === 'arg' && !emitted.has(asciiLower(child.name)))
        found.push(markup.slice(child.from, isOpen ? child.inner.from : child.to))
      else if (!isOpen && (child.kind === 'arguments' || asciiLower(child.name) === 'tool')) inner.push(child)
    }
    waiting.push(...inner.reverse())
  }
  return found.join('')
}
