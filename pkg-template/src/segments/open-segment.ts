// The segment that is open.

import { Joined } from '../joined.js'
import type { Aside } from './other-arguments.js'
import type { CheckedState } from './states.js'
import type { SegmentEnd, SegmentMetadata } from './types.js'

/** The open segment; of one that has ended, what its errors say of it. */
export class OpenSegment {
  /** Undefined if no segment is open. */
  id: string | undefined
  type = ''
  isText = false
  /** The user's tool state that reads it. */
  state: CheckedState | undefined
  /** What its START knew. */
  metadata: SegmentMetadata | undefined
  /** Where it began with its markup, and for `onError` its text from there on. */
  begins = 0
  readonly raw = new Joined()
  /** Where its content stands. */
  contentFrom = 0
  contentTo = 0
  /** Whether the markup before its content opens CDATA, and whether its content is that. */
  isAfterCdata = false
  isLiteral = false
  isMissing = false
  /** The markup around its content, if it is a tool with arguments. */
  aside: Aside | undefined
  /** The END that came last. */
  end: SegmentEnd | undefined

  /** Markup or content of a new one stands there. */
  begin(at: number): void {
    this.begins = at
    this.raw.clear()
  }

  /** Whether it has no content yet. */
  get isEmpty(): boolean {
    return this.contentFrom === this.contentTo
  }
}
