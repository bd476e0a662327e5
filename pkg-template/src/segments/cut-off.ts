// Which ends of segments came because the stream ended. The events look alike,
// as the contract has it, and a tool that was cut off must not be called.

import type { SegmentEvent } from './types.js'

const ends = new WeakSet<SegmentEvent>()

/** Remembers that a segment's end is the end of the stream. */
export function markCutOff(end: SegmentEvent): void {
  ends.add(end)
}

/** Whether a segment ended because the stream did. */
export function isCutOff(end: SegmentEvent): boolean {
  return ends.has(end)
}
