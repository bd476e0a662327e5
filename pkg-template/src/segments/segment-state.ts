// The state of a parser, of a handler or of an adapter of segments, which have different parts of it.

import type { About } from '../journal.js'
import type { ApiCalls } from './api-calls.js'
import type { AnySegmentEvent, EventObjects } from './autobyteus-events.js'
import type { SegmentEmitter } from './emitter.js'
import type { SegmentIds } from './ids.js'
import type { Invoker } from './invoker.js'
import type { Settings } from './options.js'
import { registeredStates } from './states.js'
import type { SegmentError, ToolInvocation } from './types.js'

/** The state of one stream. */
export class SegmentState {
  isFinalized = false
  /** The open segment of reasoning, and how much reasoning there was. */
  reasoning: string | undefined
  reasoned = 0
  /** Errors in the content that come after the events of their chunk. */
  late: SegmentError[] = []
  events: AnySegmentEvent[] = []
  invocations: ToolInvocation[] = []

  constructor(
    readonly emitter: SegmentEmitter,
    readonly ids: SegmentIds,
    readonly objects: EventObjects | undefined,
    readonly invoker?: Invoker,
    readonly calls?: ApiCalls,
  ) {}

  /** The start of a new stream. */
  reset(): void {
    this.ids.reset()
    this.emitter.reset()
    this.objects?.reset()
    this.calls?.forget()
    this.invoker?.reset()
    this.isFinalized = false
    this.reasoning = undefined
    this.reasoned = 0
    this.late = []
    this.forget()
  }

  /** Forgets what it has kept for who asks for all of it. */
  forget(): void {
    this.events = []
    this.invocations = []
  }
}

/** What segments are read by that is in no option: the environment, and what was registered. */
export function aboutOf({ machine }: Settings): About {
  return { about: JSON.stringify([machine, registeredStates()]) }
}
