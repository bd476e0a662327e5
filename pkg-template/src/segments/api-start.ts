// Which starts of segments are those of an API's tool calls. Their content is
// JSON in any case, or the decoded text of a file; the events look like those of
// tools in text, which a state of the user's own may have read.

import type { SegmentEvent } from './types.js'

const starts = new WeakSet<SegmentEvent>()

/** Remembers that a segment is an API's tool call. */
export function markApiStart(start: SegmentEvent): void {
  starts.add(start)
}

/** Whether a segment that starts is an API's tool call. */
export function isApiStart(start: SegmentEvent): boolean {
  return starts.has(start)
}
