// Events as objects of AutoByteus, for programs that read `event_type` and call `toDict`.
//
// Source: AutoByteus 1.4.4, `SegmentEvent`; spec/world.md, 7.9; since May 2026 `turn_id`. As there, an END repeats
// the metadata of its START. Differences: it also has what decides about an invocation
// (`incomplete`, `missing`, `arguments`, `error`), so that copies of events carry it.

import { own } from '../own.js'
import { writtenArguments } from '../schema/written-fitter.js'
import { CallFault } from './call-fault.js'
import { asCommand } from './command-arguments.js'
import type {
  AutobyteusSegmentEvent,
  SegmentContent,
  SegmentEnd,
  SegmentEvent,
  SegmentMetadata,
  SegmentStart,
} from './types.js'
import { xmlFields } from './xml-arguments.js'

/**
 * An event of either style; a copy of either.
 *
 * @example
 * ```ts
 * import { type AnySegmentEvent, StreamingParser, extractSegments } from 'tokenweir/segments'
 *
 * const events: AnySegmentEvent[] = new StreamingParser().feedAndFinalize('Hello')
 * console.log(extractSegments(events)[0]?.content) // Hello
 * ```
 */
export type AnySegmentEvent = SegmentEvent | Omit<AutobyteusSegmentEvent, 'toDict'>

export class EventObject implements AutobyteusSegmentEvent {
  constructor(
    readonly event_type: AutobyteusSegmentEvent['event_type'],
    readonly turn_id: string | undefined,
    readonly segment_id: string,
    readonly segment_type: AutobyteusSegmentEvent['segment_type'],
    readonly payload: AutobyteusSegmentEvent['payload'],
  ) {}

  toDict(): ReturnType<AutobyteusSegmentEvent['toDict']> {
    const { event_type: type, turn_id, segment_id, segment_type, payload } = this
    return {
      type,
      ...(turn_id === undefined ? {} : { turn_id }),
      segment_id,
      payload,
      ...(segment_type === undefined ? {} : { segment_type }),
    } as ReturnType<AutobyteusSegmentEvent['toDict']>
  }
}

/** Makes the objects of one stream. */
export class EventObjects {
  /** What the starts of open segments knew. */
  private readonly metadata = new Map<string, SegmentMetadata>()

  constructor(private readonly turnId: string | undefined) {}

  /** The objects of events. Markup, which AutoByteus does not have, has no object. */
  of(events: readonly SegmentEvent[]): AutobyteusSegmentEvent[] {
    return events.flatMap((event) => (event.type === 'MARKUP' ? [] : [this.#objectOf(event)]))
  }

  reset(): void {
    this.metadata.clear()
  }

  #objectOf(event: SegmentStart | SegmentContent | SegmentEnd): EventObject {
    const { type, segment_id: id, payload } = event
    if (type === 'SEGMENT_START') {
      const { metadata } = event.payload
      if (metadata !== undefined) this.metadata.set(id, metadata)
      return new EventObject(type, this.turnId, id, event.segment_type, payload)
    }
    const metadata = type === 'SEGMENT_END' ? this.metadata.get(id) : undefined
    if (metadata === undefined) return new EventObject(type, this.turnId, id, undefined, payload)
    this.metadata.delete(id)
    return new EventObject(type, this.turnId, id, undefined, {
      metadata: { ...metadata, ...timeoutOf(metadata, event.payload) },
      ...payload,
    })
  }
}

/** The timeout of a command that is in an argument: its END has it as if it were in the metadata. */
function timeoutOf({ tool_name }: SegmentMetadata, payload: object): SegmentMetadata {
  const written = String(own(payload, 'arguments') ?? '')
  const fields = tool_name === 'run_bash' && written !== '' ? xmlFields(written, false) : []
  if (fields instanceof CallFault) return {}
  const { timeout_seconds } = asCommand(writtenArguments(fields, undefined, true))
  return timeout_seconds === undefined ? {} : { timeout_seconds }
}

/** The events of a style, with their turn: plain ones get it, objects are made with it. */
export function styled(
  events: SegmentEvent[],
  objects: EventObjects | undefined,
  turnId: string | undefined,
): Array<SegmentEvent | AutobyteusSegmentEvent> {
  if (objects !== undefined) return objects.of(events)
  if (turnId !== undefined) for (const event of events) event.turnId = turnId
  return events
}

/** The turn of an event of AutoByteus, or of its dict. */
export function turnOf(event: AnySegmentEvent): string | undefined {
  const turn: unknown = own(event, 'turn_id')
  return typeof turn === 'string' && turn !== '' ? turn : undefined
}

/** An event by our own names, whichever style it is in. */
export function plainEvent(event: AnySegmentEvent): SegmentEvent {
  if ('type' in event || !('event_type' in event)) return event as SegmentEvent
  const { event_type: type, segment_id, segment_type, payload } = event
  return { type, segment_id, segment_type, payload } as SegmentEvent
}
