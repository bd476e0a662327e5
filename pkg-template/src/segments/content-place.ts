// Where a segment's content stands, by its END: an adapter that is handed the
// event can name the place, and the event looks as the contract has it.

import type { SegmentEvent } from './types.js'

const places = new WeakMap<SegmentEvent, readonly [from: number, to: number]>()

/** Remembers where the content of the segment that ends stands. */
export function placeContent(end: SegmentEvent, from: number, to: number): void {
  places.set(end, [from, to])
}

/** Where it stands, in UTF-16 code units from the start of the stream, if the event is from a parser here. */
export function contentPlaceOf(end: SegmentEvent): readonly [from: number, to: number] | undefined {
  return places.get(end)
}
