// Both readings of a stream: a regular expression on the accumulated text, and
// tokenweir. Each is shown when it changes.

import { type Naive, stripped } from './strip'
import { TakenBack } from './taken-back'

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

  /** Takes what tokenweir shows of it. */
  show(visible: string): void {
    if (!this.isCutOff) this.ours.show(visible)
  }
}
