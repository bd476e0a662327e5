// What is saved of segments, besides what differs from a new parser (snapshot/state.ts): which
// tool states and which API calls are being read, which are made again before their
// state is set.

import { ENGINE } from '../generated/ops.js'
import { Joined } from '../joined.js'
import { count, flag, json, list, maybe, shape, text } from '../snapshot/checks.js'
import { type Saving, type Snapshot, makeSnapshot, openSnapshot } from '../snapshot/registry.js'
import type { SavedClass } from '../snapshot/saved.js'
import type { ApiCallShape } from './api-call.js'
import type { ApiCalls } from './api-calls.js'
import { type AnySegmentEvent, EventObject, type EventObjects } from './autobyteus-events.js'
import type { SegmentEmitter } from './emitter.js'
import type { SegmentIds } from './ids.js'
import type { Invoker } from './invoker.js'
import type { SegmentError, ToolInvocation } from './types.js'

const saving = (parser: string, place: string): Saving => ({
  parser,
  place,
  layout: ENGINE,
  classes: { Joined, EventObject },
})

export const PARSER = saving('segments', 'StreamingParser')
export const HANDLER = saving('response-handler', 'StreamingResponseHandler')
export const NATIVE = saving('llm-response-handler', 'LlmStreamingResponseHandler')
export const ADAPTER = saving('invocation-adapter', 'ToolInvocationAdapter')

/** Most calls that may be open in a snapshot. */
const MOST_CALLS = 4_096

/** What a snapshot may leave out. */
class Kept {
  static get saved(): SavedClass {
    return { fields: { events: json, invocations: json } }
  }
  events: AnySegmentEvent[] = []
  invocations: ToolInvocation[] = []
}

/** The state of a parser, of a handler or of an adapter, which have different parts of it. */
export class SegmentState {
  static get saved(): SavedClass {
    return { fields: { reasoning: maybe(text), late: json } }
  }
  isFinalized = false
  /** The open segment of reasoning, and how much reasoning there was. */
  reasoning: string | undefined
  reasoned = 0
  /** Errors in the content that come after the events of their chunk. */
  late: SegmentError[] = []
  kept = new Kept()

  constructor(
    readonly emitter: SegmentEmitter | undefined,
    readonly ids: SegmentIds | undefined,
    readonly objects: EventObjects | undefined,
    readonly invoker?: Invoker,
    readonly calls?: ApiCalls,
  ) {}

  /** The start of a new stream. */
  reset(): void {
    this.ids?.reset()
    this.emitter?.reset()
    this.objects?.reset()
    this.calls?.forget()
    this.invoker?.reset()
    this.isFinalized = false
    this.reasoning = undefined
    this.reasoned = 0
    this.late = []
    this.kept = new Kept()
  }
}

interface StateShape {
  readonly states: readonly string[]
  readonly calls: readonly ApiCallShape[]
}

const isStateShape = shape<StateShape>({
  states: list(text),
  calls: list(shape<ApiCallShape>({ place: count, name: text, isRead: flag })),
})

/** Saves a state; `fresh` is that of a new parser, and `about` what else has to be the same. */
export function saveSegments(
  saving: Saving,
  live: SegmentState,
  fresh: SegmentState,
  options: object,
  about: unknown,
  keepText = true,
): Snapshot {
  const made: StateShape = { states: live.emitter?.states ?? [], calls: live.calls?.list() ?? [] }
  const omitted = keepText ? [] : [live.kept]
  try {
    fresh.emitter?.prepare(made.states)
    fresh.calls?.prepare(made.calls)
    return makeSnapshot(saving, { live, fresh, options, shape: made, about: JSON.stringify(about), keepText, omitted })
  } finally {
    live.calls?.unlist()
  }
}

/** Opens a snapshot, makes a parser by its options, and sets its state, which `stateOf` gives. */
export function restoreSegments<Made>(
  saving: Saving,
  snapshot: unknown,
  given: object | undefined,
  make: (options: object) => Made,
  stateOf: (made: Made) => readonly [state: SegmentState, about: unknown],
): Made {
  const opened = openSnapshot<object>(saving, snapshot, given)
  const { states, calls } = opened.shape(
    (value) => isStateShape(value) && (value as StateShape).calls.length <= MOST_CALLS,
  ) as StateShape
  const made = make(opened.options)
  const [state, about] = stateOf(made)
  const missing = state.emitter?.prepare(states)
  if (missing !== undefined)
    throw new TypeError(
      `${saving.place}.restore: the snapshot needs the tool state ${JSON.stringify(missing)}, which is not ` +
        `registered here`,
    )
  state.calls?.prepare(calls)
  opened.into(state, JSON.stringify(about))
  state.calls?.unlist()
  return made
}
