// What is saved of segments, besides what differs from a new parser (snapshot/state.ts): which
// tool states and which API calls are being read, which are made again before their
// state is set.

import { ENGINE } from '../generated/ops.js'
import { Joined } from '../joined.js'
import { count, flag, json, list, map, maybe, shape, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { Opened, type Saving, type Snapshot, makeSnapshot } from '../snapshot/snapshot.js'
import type { ApiCallShape } from './api-call.js'
import type { ApiCalls } from './api-calls.js'
import { EventObject, type EventObjects } from './autobyteus-events.js'
import type { SegmentEmitter } from './emitter.js'
import type { SegmentIds } from './ids.js'
import type { Invoker } from './invoker.js'

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

/** More calls are not open at the same time. */
const MOST_CALLS = 4_096

/** The state of a parser, of a handler or of an adapter, which have different parts of it. */
export class SegmentState {
  static get saved(): SavedClass {
    return {
      fields: { places: map(text, list(count)), reasoning: maybe(text), late: json, events: json, invocations: json },
    }
  }
  isFinalized = false
  /** Of a handler. */
  places: Map<string, readonly [from: number, to: number]> = new Map()
  reasoning: string | undefined
  reasoned = 0
  late: unknown[] = []
  events: unknown[] = []
  invocations: unknown[] = []

  constructor(
    readonly emitter: SegmentEmitter | undefined,
    readonly ids: SegmentIds | undefined,
    readonly objects: EventObjects | undefined,
    readonly invoker: Invoker | undefined,
    readonly calls: ApiCalls | undefined,
  ) {
    this.reasoning = undefined
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
  try {
    fresh.emitter?.prepare(made.states)
    fresh.calls?.prepare(made.calls)
    return makeSnapshot(saving, { live, fresh, options, shape: made, about: JSON.stringify(about), keepText })
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
): readonly [made: Made, state: SegmentState] {
  const opened = new Opened<object>(saving, snapshot, given)
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
  return [made, state]
}
