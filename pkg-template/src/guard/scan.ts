// Guards a text that comes in chunks: what is out is certain, whatever follows.
//
//     It is sk-12ab…
//           |   |
//           |   at        the next unit
//           start         a candidate begins here, if there is one; all before `from` is out
//
// A candidate is a search that began at a place. It ends as a match or as none; then the next one begins, at the match's
// end or a unit later. Where there is a match in any case, and what stands for it is known, this is out before.
//
// A candidate that is too long is redacted: what stands for it is out, and all units that it goes on with are lost. If
// it ends as a match, reading starts anew; else also what began inside of it may be a match that goes on.

import { type Program, REDACTED, type State } from './program.js'
import type { Replace } from './node.js'
import type { Stopped } from './types.js'
import { NONE } from './units.js'

/** So many failures are kept, of places so far from each other. */
const EVERY = 16
const MOST_FAILURES = 100_000

/** Reads one text. */
export class Scan {
  /** What ended the text, if a stop did. */
  stopped: Stopped | undefined
  readonly #program: Program
  /** The text from `#base` on: what is still needed of it. */
  #text = ''
  #base = 0
  #from = 0
  #start = 0
  #at = 0
  #state: State
  /** Where the candidate matches, as far as is known. */
  #match: { readonly end: number; readonly replace: Replace } | undefined
  /** Whether what stands for the candidate is out; whether it is too long. */
  #isShown = false
  #isLost = false
  /** States and places of candidates that failed: another one that gets there fails, too. */
  readonly #failures = new Set<string>()
  #out = ''

  constructor(program: Program) {
    this.#program = program
    this.#state = program.next(undefined, NONE)
  }

  /** Takes a chunk, and returns what is certain. */
  push(chunk: string): string {
    if (this.stopped === undefined) this.#text += chunk
    this.#read()
    if (this.stopped === undefined && !this.#isLost) this.#giveCertain()
    const first = Math.max(this.#start, this.#isLost ? this.#from - this.#program.longest : this.#openEnd)
    // The unit before is looked at.
    if (first > this.#base) this.#text = this.#slice(first - 1)
    this.#base = Math.max(this.#base, first - 1)
    return this.#take()
  }

  /** Ends the text, and returns the rest. */
  end(): string {
    this.#read(true)
    if (this.stopped === undefined) this.#give(this.#at)
    return this.#take()
  }

  /** How many units wait. */
  get pending(): number {
    return this.stopped === undefined ? this.#at - Math.max(this.#from, this.#openEnd) : 0
  }

  #read(isEnd = false): void {
    while (this.stopped === undefined) {
      const unit = this.#unitAt(this.#at)
      if (unit === NONE && (!isEnd || this.#isLost || this.#start === this.#at)) return
      const state = this.#program.next(this.#state, unit)
      if (state.end !== undefined)
        this.#match = { end: this.#at + Number(state.isAfter), replace: state.end.replace }
      const end = this.#match?.end ?? 0
      if (state.nodes.length > 0 && (this.#isLost || this.#isNew(state))) {
        this.#state = state
        this.#at++
        if (this.#isLost) this.#from = this.#at
        else this.#limit()
      } else if (!this.#isLost) this.#decide()
      else if (end < this.#at) this.#restart(Math.max(this.#start + 1, this.#from - this.#program.longest))
      else {
        this.#from = end
        this.#restart(end)
      }
    }
  }

  /** Whether no candidate has failed from here, as far as is known. */
  #isNew({ id }: State): boolean {
    const { size } = this.#failures
    if (this.#at % EVERY > 0) return true
    if (size > MOST_FAILURES) this.#failures.clear()
    return this.#failures.add(`${id} ${this.#at}`).size !== size
  }

  /** Loses the candidate if it is too long. */
  #limit(): void {
    const { nodes } = this.#state
    const at = this.#at
    if (at - Math.max(this.#start, this.#openEnd) <= this.#program.longest) return
    this.#give(this.#start)
    if (nodes.some(({ replace }) => replace === undefined)) return this.#stop(at)
    const replace = nodes[0]?.replace
    if (!this.#isShown) this.#out += typeof replace === 'string' ? replace : REDACTED
    this.#failures.clear()
    this.#from = at
    this.#isLost = true
  }

  /** The candidate is over: its match counts, if it has one. */
  #decide(): void {
    const start = this.#start
    if (this.#match === undefined) return this.#restart(start + 1)
    const { end, replace } = this.#match
    this.#give(start)
    if (replace === undefined) return this.#stop(end)
    const isOut = this.#isShown || end <= this.#from
    this.#from = Math.max(this.#from, end)
    this.#restart(end)
    if (isOut) return
    const said = typeof replace === 'string' ? replace : replace(this.#slice(start, end))
    if (typeof said !== 'string') throw new TypeError(`replace must return a string, but returned ${typeof said}`)
    this.#out += said
  }

  #stop(end: number): void {
    this.stopped = { reason: 'stop', text: this.#slice(this.#start, end), offset: this.#start }
  }

  /** Begins a candidate. */
  #restart(place: number): void {
    this.#state = this.#program.next(undefined, this.#unitAt(place - 1))
    this.#match = undefined
    this.#isShown = false
    this.#isLost = false
    this.#at = place
    this.#start = place
  }

  /** Gives what is certain of the text so far. */
  #giveCertain(): void {
    const replace = this.#state.nodes[0]?.replace
    this.#give(this.#start)
    if (this.#isShown || this.#start < this.#from || this.#start === this.#at || typeof replace !== 'string') return
    this.#isShown = this.#openEnd > 0 || this.#program.isSure(this.#state)
    if (this.#isShown) this.#out += replace
  }

  /** The text before a place is not redacted. */
  #give(to: number): void {
    this.#out += this.#slice(this.#from, to)
    this.#from = Math.max(this.#from, to)
  }

  #take(): string {
    const taken = this.#out
    this.#out = ''
    return taken
  }

  /** Where the candidate matches, if all that may still change is that it ends later; else 0. */
  get #openEnd(): number {
    const { end = 0, replace } = this.#match ?? {}
    return typeof replace === 'string' && this.#state.nodes.every((node) => node.replace === replace) ? end : 0
  }

  #slice(from: number, to = Infinity): string {
    return this.#text.slice(Math.max(0, from - this.#base), Math.max(0, to - this.#base))
  }

  #unitAt(at: number): number {
    return at < this.#base || at - this.#base >= this.#text.length ? NONE : this.#text.charCodeAt(at - this.#base)
  }
}
