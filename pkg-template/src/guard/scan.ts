// Guards a text that comes in chunks: what is out is certain, whatever follows.
//
//     It is sk-12ab…
//           |   |
//           |   at        the next unit
//           start         a candidate begins here, if there is one; all before `from` is out
//
// A candidate is a search that began at a place. It ends as a match or as none; then the next one begins, at the
// match's end or a unit later. Where there is a match in any case, and what stands for it is known, this is out before.
//
// A candidate that is too long is redacted: what stands for it is out, and all units that it goes on with are lost. If
// it ends as a match, reading starts anew; else also what began inside of it may be a match that goes on.

import type { Replace } from './node.js'
import { type Program, REDACTED } from './program.js'
import type { Stopped } from './types.js'
import { NONE } from './units.js'

/** So many failures are kept, of places so far from each other. */
const EVERY = 16
const MOST_FAILURES = 100_000

/** Reads one text. */
export interface Scan {
  /** What ended the text, if a stop did. */
  readonly stopped: Stopped | undefined
  /** How many units wait. */
  readonly pending: number
  /** Takes a chunk, and returns what is certain. */
  push(chunk: string): string
  /** Ends the text, and returns the rest. */
  end(): string
}

export function scanBy({ longest, next, isSure }: Program): Scan {
  let stopped: Stopped | undefined
  /** The text from `base` on: what is still needed of it. */
  let text = ''
  let base = 0
  let from = 0
  let start = 0
  let at = 0
  let state = next(undefined, NONE)
  /** Where the candidate matches, as far as is known. */
  let match: { readonly end: number; readonly replace: Replace } | undefined
  /** Whether what stands for the candidate is out; whether it is too long. */
  let isShown = false
  let isLost = false
  /** States and places of candidates that failed: another one that gets there fails, too. */
  const failures = new Set<string>()
  let out = ''

  const slice = (from: number, to = Infinity) => text.slice(Math.max(0, from - base), Math.max(0, to - base))
  const unitAt = (at: number) => (at < base || at - base >= text.length ? NONE : text.charCodeAt(at - base))

  /** Where the candidate matches, if all that may still change is that it ends later; else 0. */
  const openEnd = () => {
    const { end = 0, replace } = match ?? {}
    return typeof replace === 'string' && state.nodes.every((node) => node.replace === replace) ? end : 0
  }

  /** The text before a place is not redacted. */
  const give = (to: number) => {
    out += slice(from, to)
    from = Math.max(from, to)
  }

  const take = () => {
    const taken = out
    out = ''
    return taken
  }

  const stop = (end: number) => {
    stopped = { reason: 'stop', text: slice(start, end), offset: start }
  }

  /** Begins a candidate. */
  const restart = (place: number) => {
    state = next(undefined, unitAt(place - 1))
    match = undefined
    isShown = isLost = false
    at = start = place
  }

  /** The candidate is over: its match counts, if it has one. */
  const decide = () => {
    if (match === undefined) return restart(start + 1)
    const { end, replace } = match
    give(start)
    if (replace === undefined) return stop(end)
    const found = isShown || end <= from ? undefined : slice(start, end)
    from = Math.max(from, end)
    restart(end)
    if (found === undefined) return
    const said = typeof replace === 'string' ? replace : replace(found)
    if (typeof said !== 'string') throw new TypeError(`replace must return a string, but returned ${typeof said}`)
    out += said
  }

  /** Loses the candidate if it is too long. */
  const limit = () => {
    if (at - Math.max(start, openEnd()) <= longest) return
    give(start)
    if (state.nodes.some(({ replace }) => replace === undefined)) return stop(at)
    const replace = state.nodes[0]?.replace
    if (!isShown) out += typeof replace === 'string' ? replace : REDACTED
    failures.clear()
    from = at
    isLost = true
  }

  /** Whether no candidate has failed from a state here, as far as is known. */
  const isNew = (id: number) => {
    if (at % EVERY > 0) return true
    const { size } = failures
    if (size > MOST_FAILURES) failures.clear()
    return failures.add(`${id} ${at}`).size !== size
  }

  const read = (isEnd?: boolean) => {
    while (stopped === undefined) {
      const unit = unitAt(at)
      if (unit === NONE && (isEnd !== true || isLost || start === at)) return
      const to = next(state, unit)
      if (to.end !== undefined) match = { end: at + Number(to.isAfter), replace: to.end.replace }
      const end = match?.end ?? 0
      if (to.nodes.length > 0 && (isLost || isNew(to.id))) {
        state = to
        at++
        if (isLost) from = at
        else limit()
      } else if (!isLost) decide()
      else if (end < at) restart(Math.max(start + 1, from - longest))
      else restart((from = end))
    }
  }

  return {
    get stopped() {
      return stopped
    },
    get pending() {
      return stopped === undefined ? at - Math.max(from, openEnd()) : 0
    },
    push(chunk) {
      if (stopped === undefined) text += chunk
      read()
      if (stopped === undefined && !isLost) {
        const replace = state.nodes[0]?.replace
        give(start)
        if (!isShown && start >= from && start < at && typeof replace === 'string') {
          isShown = openEnd() > 0 || isSure(state)
          if (isShown) out += replace
        }
      }
      const first = Math.max(start, isLost ? from - longest : openEnd()) - 1
      // The unit before is looked at.
      if (first > base) {
        text = slice(first)
        base = first
      }
      return take()
    },
    end() {
      read(true)
      if (stopped === undefined) give(at)
      return take()
    },
  }
}
