// The four events, with their keys in the order of the contract.
//
// Source: seeds/000, "Segment Events".

import type {
  SegmentContent,
  SegmentEnd,
  SegmentEndPayload,
  SegmentMarkup,
  SegmentMetadata,
  SegmentStart,
} from './types.js'

/** A place in a stream, in UTF-16 code units; `undefined` where spans weren't asked for. */
export type EventSpan = [start: number, end: number] | undefined

/** A segment begins. */
export function startOf(
  id: string,
  type: string,
  metadata: SegmentMetadata | undefined,
  span: EventSpan,
): SegmentStart {
  const event: SegmentStart = {
    type: 'SEGMENT_START',
    segment_id: id,
    segment_type: type,
    payload: metadata === undefined ? {} : { metadata },
  }
  if (span !== undefined) event.span = span
  return event
}

export function contentOf(id: string, delta: string, span: EventSpan): SegmentContent {
  const event: SegmentContent = { type: 'SEGMENT_CONTENT', segment_id: id, payload: { delta } }
  if (span !== undefined) event.span = span
  return event
}

/** A segment is over. */
export function endOf(id: string, span: EventSpan, payload: SegmentEndPayload = {}): SegmentEnd {
  const event: SegmentEnd = { type: 'SEGMENT_END', segment_id: id, payload }
  if (span !== undefined) event.span = span
  return event
}

/** Text that isn't content. */
export function markupOf(id: string | null, delta: string, span: [start: number, end: number]): SegmentMarkup {
  return { type: 'MARKUP', segment_id: id, payload: { delta }, span }
}
