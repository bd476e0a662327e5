// The events of a chunk, until all of it was read.
//
// Only then user code runs (transforms of tool states, `onError`), so that what it throws leaves the parser intact: the
// events of the chunk come with the next call.

import { ParseError, describe } from '../errors.js'
import { CallFault } from './call-fault.js'
import type { Settings } from './options.js'
import { type Aside, LONGEST_ASIDE, otherArguments } from './other-arguments.js'
import type { CheckedState } from './states.js'
import type { SegmentContent, SegmentEnd, SegmentError, SegmentErrorCode, SegmentEvent } from './types.js'

/** A tool that has ended, with arguments besides its content. */
interface EndedTool {
  readonly end: SegmentEnd
  readonly aside: Aside
  readonly type: string
  readonly span: [number, number]
  readonly raw: string
}

/** Events, and what is done before they are given out. */
export class SegmentEvents {
  private list: SegmentEvent[] | undefined
  errors: SegmentError[] = []
  transforms: { readonly event: SegmentContent; readonly state: CheckedState }[] = []
  /** `errors`: how many there were before the tool's end. */
  private tools: { readonly tool: EndedTool; readonly errors: number }[] = []

  constructor(private readonly settings: Settings) {}

  /** Most chunks make one event, and an array of one costs less than an empty one that grows. */
  add(event: SegmentEvent): void {
    if (this.list === undefined) this.list = [event]
    else this.list.push(event)
  }

  /** A tool ends that gets its other arguments once all of the chunk was read. */
  endTool(tool: EndedTool): void {
    const { aside, type, span } = tool
    const errors = this.errors.length
    if (aside.size <= LONGEST_ASIDE) this.tools.push({ tool, errors })
    else {
      const message =
        `${type} opened at ${span[0]} has more than ${LONGEST_ASIDE} characters ` +
        `besides its content: it is not called`
      this.fail(tool, 'call-too-long', message, errors)
    }
  }

  /** Runs the user's code, and gives the events. If that throws, they come with the next call. */
  give(): SegmentEvent[] {
    if (this.tools.length > 0) this.addArguments()
    if (this.transforms.length > 0 || this.errors.length > 0) this.runUserCode()
    const events = this.list ?? []
    this.list = undefined
    return events
  }

  /** A tool is not called. Its error is the one at an index. */
  private fail({ end, span, raw }: EndedTool, code: SegmentErrorCode, message: string, at: number): void {
    end.payload.error = code
    if (this.settings.onError !== undefined)
      this.errors.splice(at, 0, { code, message, span, raw, segmentId: end.segment_id })
  }

  /** Adds the other arguments, besides the content, to the ends of tools. */
  private addArguments(): void {
    const { tools } = this
    this.tools = []
    // From the last on, so that the places of the others stay.
    for (const { tool, errors } of tools.reverse()) {
      const { end, aside, type } = tool
      const rest = otherArguments(aside.text.toString(), aside.emitted)
      if (!(rest instanceof CallFault)) {
        if (rest !== '') end.payload.arguments = rest
      } else if (end.payload.incomplete !== true && end.payload.error === undefined)
        this.fail(tool, rest.code as SegmentErrorCode, `${type} is not called: ${rest.message}`, errors)
    }
  }

  private runUserCode(): void {
    const { transforms, errors, settings } = this
    this.transforms = []
    this.errors = []
    let failure: { readonly error: unknown } | undefined
    for (const { event, state } of transforms) {
      try {
        event.payload.delta = transformed(state, event.payload.delta)
      } catch (cause) {
        failure ??= { error: stateFailed(state, cause) }
      }
    }
    if (transforms.length > 0 && !settings.spans)
      this.list = this.list?.filter((event) => event.type !== 'SEGMENT_CONTENT' || event.payload.delta !== '')
    for (const error of errors) {
      try {
        settings.onError?.(error)
      } catch (thrown) {
        failure ??= { error: thrown }
      }
    }
    if (failure !== undefined) throw failure.error
  }
}

function transformed(state: CheckedState, delta: string): string {
  const changed: unknown = state.transform?.(delta)
  if (typeof changed !== 'string')
    throw new TypeError(`transform must return a string, but returned ${describe(changed)}`)
  return changed
}

function stateFailed(state: CheckedState, cause: unknown): ParseError {
  const said = cause instanceof Error ? cause.message : String(cause)
  return new ParseError('state-failed', `tool state ${JSON.stringify(state.name)}: transform threw: ${said}`, { cause })
}
