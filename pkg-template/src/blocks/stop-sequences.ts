// Where a text stops: the first of several sequences, as the text arrives.
//
// An Aho-Corasick automaton over code units. At each unit it knows the longest ending
// that begins a sequence; that much is pending, and nothing else. The earliest sequence
// wins, and of those that begin there the longest: so a match waits while a longer one
// may begin at its place or before it.
//
// Source: spec/world.md, 5.7.

import { LastEvents, type Parsed } from '../parsed.js'
import type { BlockEmission } from './types.js'

/**
 * Where a reply stops.
 *
 * @example
 * ```ts
 * import { type StopOptions, visibleText } from 'tokenweir/blocks'
 *
 * const options: StopOptions = { stopSequences: ['\nAlice:'] }
 * for await (const text of visibleText(['Hello.\nAli', 'ce: Hi!'], options)) console.log(text) // Hello.
 * ```
 */
export interface StopOptions {
  /**
   * Sequences that end the reply; at most 1,024 of at most 256 UTF-16 code units. A possible beginning of one is
   * buffered. At a match the text before it is emitted, the open block is completed and a `stop` event is emitted;
   * what follows is ignored until `resetForNewIteration`, or `flush` and then `push`. The earliest match counts, and
   * the longest that begins there.
   */
  stopSequences?: readonly string[] | undefined
  /**
   * Where they count: `text`: in visible text alone, so that a name inside thinking or a tool call stops nothing;
   * `anywhere`: in all of the text as it is written, tags included. @defaultValue 'text'
   */
  stopIn?: 'text' | 'anywhere' | undefined
}

/** A sequence that was found, in units from where the search began. */
export interface StopMatch {
  readonly sequence: string
  readonly start: number
  readonly end: number
}

const ROOT = 0

/** What is known after some units of a text: a state for each beginning of a sequence. */
class Automaton {
  /** The state after a state and a unit, where a sequence goes on so. */
  readonly #next = new Map<number, number>()
  /**
   * Of each state: its length, its longest shorter ending, the longest sequence that ends here, and whether one goes
   * on.
   */
  readonly depths = [0]
  readonly shorter = [ROOT]
  readonly matched: Array<string | undefined> = [undefined]
  readonly goesOn = [true]

  constructor(sequences: readonly string[]) {
    const edges: Array<Array<readonly [unit: number, to: number]>> = [[]]
    for (const sequence of sequences) {
      let state = ROOT
      for (let at = 0; at < sequence.length; at++) {
        const unit = sequence.charCodeAt(at)
        let to = this.after(state, unit)
        if (to === undefined) {
          to = this.depths.length
          this.#next.set(keyOf(state, unit), to)
          edges[state]?.push([unit, to])
          edges.push([])
          this.depths.push(at + 1)
          this.shorter.push(ROOT)
          this.matched.push(undefined)
          this.goesOn[state] = true
          this.goesOn.push(false)
        }
        state = to
      }
      this.matched[state] = sequence
    }
    // By length, so that the shorter endings of a state are known before it.
    const queue = [ROOT]
    for (const state of queue) {
      for (const [unit, to] of edges[state] as ReadonlyArray<readonly [number, number]>) {
        let ending = this.shorter[state] as number
        while (ending !== ROOT && this.after(ending, unit) === undefined) ending = this.shorter[ending] as number
        const found = state === ROOT ? ROOT : (this.after(ending, unit) ?? ROOT)
        this.shorter[to] = found
        this.matched[to] ??= this.matched[found]
        queue.push(to)
      }
    }
  }

  after(state: number, unit: number): number | undefined {
    return this.#next.get(keyOf(state, unit))
  }
}

function keyOf(state: number, unit: number): number {
  return state * 0x1_0000 + unit
}

/** Searches one text, piece by piece. */
export class StopSearch {
  /** Units read so far. */
  at = 0
  /** Moves of the automaton so far, at most two a unit. */
  steps = 0
  private state = ROOT
  private found: StopMatch | undefined
  private readonly automaton: Automaton

  constructor(sequences: readonly string[]) {
    this.automaton = new Automaton(sequences)
  }

  /** From where on what was read may be a sequence or its beginning. */
  get pendingFrom(): number {
    const from = this.at - (this.automaton.depths[this.state] as number)
    return this.found === undefined ? from : Math.min(from, this.found.start)
  }

  /** Reads more, up to the match that counts. */
  read(text: string): StopMatch | undefined {
    const { depths, shorter, matched, goesOn } = this.automaton
    for (let place = 0; place < text.length; place++) {
      const unit = text.charCodeAt(place)
      let state = this.state
      let next = this.automaton.after(state, unit)
      this.steps++
      while (next === undefined && state !== ROOT) {
        state = shorter[state] as number
        next = this.automaton.after(state, unit)
        this.steps++
      }
      this.state = next ?? ROOT
      this.at++
      const start = this.at - (depths[this.state] as number)
      // A longer match, or an earlier one, is no longer possible.
      if (this.found !== undefined && start > this.found.start) return this.found
      const sequence = matched[this.state]
      if (sequence === undefined) continue
      const found = { sequence, start: this.at - sequence.length, end: this.at }
      if (this.found === undefined || found.start <= this.found.start) this.found = found
      if (!goesOn[this.state]) return this.found
    }
    return undefined
  }

  /** The text has ended: the match that waited, if one did. */
  finish(): StopMatch | undefined {
    return this.found
  }

  /** A new text. */
  reset(): void {
    this.at = 0
    this.state = ROOT
    this.found = undefined
  }
}

/** Emissions up to a stop sequence: nothing comes after one. */
export function untilStop<Emission extends BlockEmission | { readonly kind: 'reset' }>(
  emissions: readonly Emission[],
): Parsed<Emission> {
  const isStopped = emissions.some((emission) => emission.kind === 'blockEvent' && emission.event.event === 'stop')
  return isStopped ? new LastEvents(emissions) : emissions
}
