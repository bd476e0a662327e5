// `LlmStreamingResponseHandler`: an answer whose calls are the API's alone.
//
// Source: AutoByteus since May 2026, whose text parsers are gone; facts/peers-today.md, 2. As there, calls end, and are
// invoked, when the stream does, so that an answer that hit its limit calls nothing. Differences: a call that was cut
// off
// is not invoked, arguments are read with the repairs of tool calls, and exceptions of callbacks are thrown.

import { requireString } from '../errors.js'
import { type OptionTable, checkOptions, elsewhere, flag, text } from '../options.js'
import { Journal, type KeepTextOptions, type Snapshot } from '../journal.js'
import { LISTENERS, StreamingResponseHandler, type StreamingResponseHandlerOptions, handlerKind } from './handler.js'
import { turn } from './options.js'
import type { AutobyteusSegmentEvent, ResponseChunk, ToolInvocation } from './types.js'

/**
 * What an `LlmStreamingResponseHandler` is given.
 *
 * @example
 * ```ts
 * import { LlmStreamingResponseHandler, type LlmStreamingResponseHandlerOptions } from 'tokenweir/autobyteus'
 *
 * const options: LlmStreamingResponseHandlerOptions = {
 *   turnId: 'turn_1',
 *   toolCallsEnabled: true,
 *   onSegmentEvent: ({ turn_id: turn }) => console.log(turn),
 * }
 * new LlmStreamingResponseHandler(options).feed('Hello')
 * ```
 * ```text
 * turn_1
 * turn_1
 * ```
 */
export interface LlmStreamingResponseHandlerOptions
  extends Pick<
    StreamingResponseHandlerOptions<'autobyteus'>,
    'onSegmentEvent' | 'onToolInvocation' | 'onError' | 'onRepair' | 'schemas' | 'keepEvents'
  > {
  /** The id of the turn, which all events and invocations have. */
  turnId: string
  /** False: calls are passed over. */
  toolCallsEnabled: boolean
  /** What ids begin with that no provider gave. @defaultValue `''` */
  segmentIdPrefix?: string | undefined
}

const NATIVE = handlerKind('llm-response-handler', 'LlmStreamingResponseHandler')
const PLACE = NATIVE.place
const OPTIONS = {
  turnId: [turn],
  toolCallsEnabled: [flag],
  segmentIdPrefix: [text],
  ...LISTENERS,
  schemas: [elsewhere],
} satisfies OptionTable<LlmStreamingResponseHandlerOptions>

/**
 * The handler of AutoByteus since May 2026: the content is text as it is, and the calls are those of the API. Its
 * events are AutoByteus' own, with `turn_id`. The text is one segment; calls end, and are invoked, at `finalize`.
 *
 * A call whose arguments were cut off is not invoked. One whose arguments came to their end but are not a JSON object
 * is invoked with `{}` and `argumentsParseError`, which is null for all others: never run the tool if it is a text.
 *
 * @example
 * ```ts
 * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
 *
 * const handler = new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true })
 * handler.feed({
 *   content: 'Looking.',
 *   tool_calls: [{ index: 0, call_id: 'a', name: 'read', arguments_delta: '{"path": "a"}' }],
 * })
 * handler.feed({ tool_calls: [{ index: 1, call_id: 'b', name: 'list', arguments_delta: '["a"]' }] })
 * handler.finalize()
 * for (const { id, arguments: given, argumentsParseError } of handler.getAllInvocations())
 *   console.log(id, given, argumentsParseError)
 * ```
 * ```text
 * a { path: 'a' } null
 * b {} the arguments are not a JSON object
 * ```
 */
export class LlmStreamingResponseHandler {
  readonly #handler: StreamingResponseHandler<'autobyteus'>

  /** @throws TypeError for an unknown option, one that is missing, or one of a wrong type, naming it. */
  constructor(options: LlmStreamingResponseHandlerOptions) {
    this.#handler = handlerOf(options)
  }

  /**
   * Goes on from a snapshot, in any process. Options that are data are in the snapshot; functions are given again.
   *
   * @throws as `StreamingResponseHandler.restore` does.
   * @example
   * ```ts
   * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
   *
   * const before = new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true })
   * before.feed('Hel')
   * const after = LlmStreamingResponseHandler.restore(JSON.parse(JSON.stringify(before.snapshot())))
   * console.log(after.feed('lo').map(({ payload }) => payload)) // [ { delta: 'lo' } ]
   * ```
   */
  static restore(
    snapshot: Snapshot,
    options?: Partial<LlmStreamingResponseHandlerOptions>,
  ): LlmStreamingResponseHandler {
    const make = (whole: object) => new LlmStreamingResponseHandler(whole as LlmStreamingResponseHandlerOptions)
    return StreamingResponseHandler.restoreAs(NATIVE, snapshot, options, make, (made) => made.#handler)
  }

  /**
   * What the handler has read, between two chunks, as plain JSON: for `LlmStreamingResponseHandler.restore`.
   *
   * @throws as `StreamingResponseHandler.snapshot` does.
   * @example
   * ```ts
   * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
   *
   * console.log(new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true }).snapshot().parser)
   * // → llm-response-handler
   * ```
   */
  snapshot(options?: KeepTextOptions): Snapshot {
    return this.#handler.snapshot(options)
  }

  /**
   * Reads a chunk: calls the callbacks in order, and returns the same events. A string is content.
   *
   * @throws as `StreamingResponseHandler.feed` does.
   * @example
   * ```ts
   * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
   *
   * const handler = new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true })
   * console.log(handler.feed({ content: '<run_bash>' })[1]?.payload) // { delta: '<run_bash>' }
   * ```
   */
  feed(chunk: string | ResponseChunk): AutobyteusSegmentEvent[] {
    return this.#handler.feed(chunk)
  }

  /**
   * Ends the answer: the text ends, then the calls. Each is invoked if its arguments are whole. A second call gives
   * nothing.
   *
   * @throws as `StreamingResponseHandler.finalize` does.
   * @example
   * ```ts
   * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
   *
   * const handler = new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true })
   * handler.feed({ tool_calls: [{ index: 0, call_id: 'a', name: 'now', arguments_delta: '{}' }] })
   * handler.finalize()
   * console.log(handler.getAllInvocations()[0]?.name) // now
   * ```
   */
  finalize(): AutobyteusSegmentEvent[] {
    return this.#handler.finalize()
  }

  /**
   * Ends the answer because the program gives it up: the text and all calls that have begun end with
   * `{ interrupted: true, reason }`. Nothing is invoked.
   *
   * @throws as `StreamingResponseHandler.finalizeInterrupted` does.
   * @example
   * ```ts
   * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
   *
   * const handler = new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true })
   * handler.feed('Hel')
   * console.log(handler.finalizeInterrupted('stop')[0]?.payload) // { interrupted: true, reason: 'stop' }
   * ```
   */
  finalizeInterrupted(reason: string): AutobyteusSegmentEvent[] {
    return this.#handler.finalizeInterrupted(reason)
  }

  /**
   * Ends the answer because it failed: as `finalizeInterrupted` does, with `{ failed: true, error }`.
   *
   * @throws as `StreamingResponseHandler.finalizeFailed` does.
   * @example
   * ```ts
   * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
   *
   * const handler = new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true })
   * handler.feed('Hel')
   * console.log(handler.finalizeFailed('gone')[0]?.payload) // { failed: true, error: 'gone' }
   * ```
   */
  finalizeFailed(error: string): AutobyteusSegmentEvent[] {
    return this.#handler.finalizeFailed(error)
  }

  /**
   * Ends an answer that its limit cut off: the text is kept, and ends as it always does; all calls are given up, whole
   * ones too, and end with `{ failed: true, error }`. Returns the tools that they name. After the stream's end it
   * returns none.
   *
   * @throws TypeError if the error is not a string; otherwise as `finalize`.
   * @example
   * ```ts
   * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
   *
   * const handler = new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true })
   * handler.feed({ tool_calls: [{ index: 0, call_id: 'a', name: 'read', arguments_delta: '{"path": "a' }] })
   * console.log(handler.finalizeOutputLimited('the output limit was reached')) // [ 'read' ]
   * ```
   */
  finalizeOutputLimited(error: string): string[] {
    requireString(`${PLACE}.finalizeOutputLimited`, error)
    const names = this.isFinalized ? [] : this.#handler.calledTools
    this.#handler.giveUp('finalizeOutputLimited', { failed: true, error }, true)
    return names
  }

  /**
   * Whether the answer is over.
   *
   * @example
   * ```ts
   * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
   *
   * console.log(new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true }).isFinalized) // false
   * ```
   */
  get isFinalized(): boolean {
    return this.#handler.isFinalized
  }

  /**
   * Gives all events since the start of the answer, in a new array; none with `keepEvents: false`.
   *
   * @example
   * ```ts
   * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
   *
   * const handler = new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true })
   * handler.feed('Hello')
   * console.log(handler.getAllEvents().map(({ turn_id: turn }) => turn)) // [ 'turn_1', 'turn_1' ]
   * ```
   */
  getAllEvents(): AutobyteusSegmentEvent[] {
    return this.#handler.getAllEvents()
  }

  /**
   * Gives all invocations since the start of the answer, in a new array; none with `keepEvents: false`.
   *
   * @example
   * ```ts
   * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
   *
   * console.log(new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true }).getAllInvocations())
   * // → []
   * ```
   */
  getAllInvocations(): ToolInvocation[] {
    return this.#handler.getAllInvocations()
  }

  /**
   * Starts a new answer, with the same options.
   *
   * @throws as `StreamingResponseHandler.reset` does.
   * @example
   * ```ts
   * import { LlmStreamingResponseHandler } from 'tokenweir/autobyteus'
   *
   * const handler = new LlmStreamingResponseHandler({ turnId: 'turn_1', toolCallsEnabled: true })
   * handler.finalize()
   * handler.reset()
   * console.log(handler.isFinalized) // false
   * ```
   */
  reset(): void {
    this.#handler.reset()
  }
}

function handlerOf(options: LlmStreamingResponseHandlerOptions): StreamingResponseHandler<'autobyteus'> {
  checkOptions(PLACE, options, OPTIONS, '.')
  const {
    turnId,
    toolCallsEnabled,
    segmentIdPrefix = '',
    ...rest
  } = (options ?? {}) as LlmStreamingResponseHandlerOptions
  // These two must be given.
  turn(`${PLACE}.turnId`, turnId)
  flag(`${PLACE}.toolCallsEnabled`, toolCallsEnabled)
  const config = {
    turnId,
    segmentIdPrefix,
    eventStyle: 'autobyteus',
    strategy: 'native',
    parseToolCalls: false,
  } as const
  const journal = Journal.of(NATIVE, options)
  return new StreamingResponseHandler({ ...rest, config }, { place: PLACE, toolCallsEnabled, journal })
}
