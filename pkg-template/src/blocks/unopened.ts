// A closing tag of thinking that nothing opened: the text before it was thinking, since the prompt's template had
// opened it.

import type { ReclassifyEvent } from './types.js'

/** Reports the first one of each reply. */
export class Unopened {
  /** Where the text begins that may turn out to be thinking. */
  from = 0
  hasReported = false

  constructor(private readonly isReported: boolean) {}

  /** What to emit for a tag at a place, if anything. */
  at(to: number): ReclassifyEvent | undefined {
    if (!this.isReported || this.hasReported) return undefined
    this.hasReported = true
    return this.from < to ? { event: 'reclassify', as: 'thinking', from: this.from, to } : undefined
  }

  /** Thinking that was opened ends at a place. */
  thinkingEnded(at: number): void {
    this.from = at
  }

  /** A reply begins at a place. */
  startReply(at: number): void {
    this.from = at
    this.hasReported = false
  }
}
