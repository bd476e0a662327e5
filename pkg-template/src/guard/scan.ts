// Guards a text that comes in chunks: what is out is certain, whatever follows.
//
//     It is sk-12ab…
//           |   |
//           |   at        the next unit
//           from          all before is out; here a candidate begins, if there is one
//
// Candidates are threads of the automaton. Those before a match that was found have priority over it, so it counts when
// they have ended without a match of their own; then reading goes on at its end. Where there is a match in any case,
// and what stands for it is known, this is out before.
//
// A candidate that is too long is redacted: what stands for it is out, and all units that it goes on with are lost. If
// it ends as a match, reading starts anew; else also what began inside of it may be a match that goes on.

import type { Node } from './node.js'
import { MOST_NODES, type Program, REDACTED } from './program.js'
import { type Match, Step, type Thread } from './step.js'
import type { Stopped } from './types.js'
import { NONE } from './units.js'

/** So many failures are kept. */
const MOST_FAILURES = 100_000

/** Reads one text. */
export class Scan {
  /** What ended the text, if a stop did. */
  stopped: Stopped | undefined
  readonly #program: Program
  /** The text from `#base` on: what is still needed of it. */
  #text = ''
  #base = 0
  #at = 0
  #from = 0
  #threads: readonly Thread[] = []
  #match: Match | undefined
  /** Whether what stands for the oldest candidate is out. */
  #isShown = false
  /** Whether the threads are those of a candidate that is too long; what is before `#floor` is lost. */
  #isLost = false
  #floor = 0
  /** Nodes and places from which nothing matches: reading again needn't try them. */
  readonly #failures = new Set<number>()
  #out = ''

  constructor(program: Program) {
    this.#program = program
  }

  /** Takes a chunk, and returns what is certain. */
  push(chunk: string): string {
    if (this.stopped === undefined) this.#text += chunk
    this.#read()
    if (this.stopped === undefined && !this.#isLost) this.#giveCertain()
    this.#forget()
    return this.#take()
  }

  /** Ends the text, and returns the rest. */
  end(): string {
    for (;;) {
      this.#read()
      if (this.#isLost || this.stopped !== undefined) break
      this.#match = this.#move(NONE).match ?? this.#match
      if (this.#match === undefined) break
      this.#decide(this.#match)
    }
    if (this.stopped === undefined) this.#give(this.#at)
    return this.#take()
  }

  /** How many units wait. */
  get pending(): number {
    return this.stopped === undefined ? this.#at - Math.max(this.#from, this.#floor, this.#openEnd) : 0
  }

  #read(): void {
    while (this.#at - this.#base < this.#text.length && this.stopped === undefined) {
      const unit = this.#unitAt(this.#at)
      if (this.#threads.length === 0 && !this.#program.canStart(unit)) this.#at++
      else if (this.#isLost) this.#stepLost(unit)
      else this.#step(unit)
    }
  }

  #step(unit: number): void {
    const before = this.#match
    const step = this.#move(unit)
    if (step.match === undefined && before === undefined) step.enter(this.#program.start, this.#at)
    this.#at++
    this.#match = step.match ?? before
    const isWaiting = before !== undefined && step.match === undefined
    this.#threads = isWaiting ? step.threads.filter(({ node }) => this.#isNew(node)) : step.threads
    const [first] = this.#threads
    if (first !== undefined) this.#limit(first.start)
    else if (this.#match !== undefined) this.#decide(this.#match)
  }

  /**
   * Whether a thread that may take precedence over the match is somewhere for the first time. If it does, reading goes
   * on after it; if not, it has failed, and fails again when that text is read again.
   */
  #isNew({ id }: Node): boolean {
    const { size } = this.#failures
    if (size > MOST_FAILURES) this.#failures.clear()
    return this.#failures.add(this.#at * MOST_NODES + id).size !== size
  }

  /** Goes on with a candidate that is too long. */
  #stepLost(unit: number): void {
    const step = this.#move(unit)
    this.#threads = step.threads
    this.#match = step.match ?? this.#match
    const end = this.#match?.end ?? 0
    if (this.#threads.length > 0) this.#floor = ++this.#at
    else if (end < this.#at) this.#restart(Math.max(this.#from, this.#floor - this.#program.longest))
    else {
      this.#floor = end
      this.#restart(end)
    }
  }

  #move(unit: number): Step {
    return new Step(this.#at, this.#unitAt(this.#at - 1), unit).move(this.#threads)
  }

  /** Loses the oldest candidate if it is too long. */
  #limit(start: number): void {
    const { longest } = this.#program
    const at = this.#at
    if (at - start <= longest || at - this.#openEnd <= longest) return
    const candidate = this.#threads.filter((thread) => thread.start === start)
    this.#give(start)
    if (candidate.some(({ node }) => node.replace === undefined)) return this.#stop(start, at)
    const replace = candidate[0]?.node.replace
    if (!this.#isShown) this.#out += typeof replace === 'string' ? replace : REDACTED
    const next = this.#match?.start === start ? this.#match.end : start + 1
    this.#restart(at)
    this.#failures.clear()
    this.#floor = at
    this.#from = next
    this.#threads = candidate
    this.#isLost = true
  }

  /** A match counts. */
  #decide({ start, end, replace }: Match): void {
    this.#give(start)
    if (replace === undefined) return this.#stop(start, end)
    const isOut = this.#isShown || end <= this.#floor
    this.#restart(end)
    if (isOut) return
    const said = typeof replace === 'string' ? replace : replace(this.#slice(start, end))
    if (typeof said !== 'string') throw new TypeError(`replace must return a string, but returned ${typeof said}`)
    this.#out += said
  }

  #stop(start: number, end: number): void {
    this.stopped = { reason: 'stop', text: this.#slice(start, end), offset: start }
  }

  #restart(place: number): void {
    this.#threads = []
    this.#match = undefined
    this.#isShown = false
    this.#isLost = false
    this.#at = place
    this.#from = place
  }

  /** Gives what is certain of the text so far. */
  #giveCertain(): void {
    const start = this.#oldest
    this.#give(start)
    const replace = this.#threads[0]?.node.replace
    if (this.#isShown || start < this.#floor || typeof replace !== 'string') return
    const nodes: Node[] = []
    for (const { start: from, node } of this.#threads) {
      if (from > start || node.replace !== replace) break
      nodes.push(node)
    }
    this.#isShown = this.#openEnd > 0 || this.#program.isSure(nodes, this.#unitAt(this.#at - 1))
    if (this.#isShown) this.#out += replace
  }

  /** The text before a place is not redacted. */
  #give(to: number): void {
    this.#out += this.#slice(Math.max(this.#from, this.#floor), to)
    this.#from = to
  }

  #take(): string {
    const taken = this.#out
    this.#out = ''
    return taken
  }

  /** Forgets the text that is needed no more; the unit before the rest is. */
  #forget(): void {
    const { longest } = this.#program
    const first = this.#isLost ? Math.max(this.#from, this.#floor - longest) : Math.max(this.#oldest, this.#openEnd)
    if (first - 1 <= this.#base) return
    this.#text = this.#slice(first - 1)
    this.#base = first - 1
  }

  /** Where the oldest candidate begins. */
  get #oldest(): number {
    return this.#threads[0]?.start ?? this.#at
  }

  /** Where the oldest candidate matches, if all that may still change is that it ends later; else 0. */
  get #openEnd(): number {
    const match = this.#match
    const oldest = this.#oldest
    if (match?.start !== oldest || typeof match.replace !== 'string') return 0
    return this.#threads.every(({ start, node }) => start > oldest || node.replace === match.replace) ? match.end : 0
  }

  #slice(from: number, to = Infinity): string {
    return this.#text.slice(Math.max(0, from - this.#base), Math.max(0, to - this.#base))
  }

  #unitAt(at: number): number {
    return at < this.#base ? NONE : this.#text.charCodeAt(at - this.#base)
  }
}
