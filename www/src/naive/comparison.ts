// Both readings of a stream: a regular expression on the accumulated text, and
// tokenweir. Each is shown when it changes.

import type { Emitted, Role } from '../emitted'
import { type Naive, shownRanges, stripped } from './strip'
import { TakenBack } from './taken-back'

/** A part of what the expression shows that is not for the reader, or that may not be. */
export interface Wrong {
  readonly at: number
  readonly text: string
  readonly role: Role
}

/** The expression reads everything again at each chunk, so it is given no more than this. */
export const MOST_COMPARED = 20_000

export class Comparison {
  readonly naive = new TakenBack()
  readonly ours = new TakenBack()
  /** Whether the text was longer than what is compared. */
  isCutOff = false

  constructor(readonly expression: Naive | undefined) {}

  /** Takes all text so far. */
  read(text: string): void {
    this.isCutOff = text.length > MOST_COMPARED
    if (!this.isCutOff && this.expression !== undefined) this.naive.show(stripped(this.expression, text))
  }

  /** What the expression shows although tokenweir hides it, or has not decided yet. */
  wrong(emitted: Emitted): Wrong[] {
    if (this.isCutOff || this.expression === undefined) return []
    const text = emitted.text.slice(0, emitted.fed)
    const wrong: Wrong[] = []
    let at = 0
    for (const { from, to } of shownRanges(this.expression, text)) {
      for (const run of emitted.runs(from, to)) {
        if (run.role !== 'visible') wrong.push({ at: at + run.from - from, text: text.slice(run.from, run.to), role: run.role })
      }
      at += to - from
    }
    return wrong
  }

  /** Takes what tokenweir shows of it. */
  show(visible: string): void {
    if (!this.isCutOff) this.ours.show(visible)
  }
}
