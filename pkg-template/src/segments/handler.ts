// `StreamingResponseHandler`: a whole answer of a model, with its reasoning and
// its API's tool calls, as one sequence of segment events and invocations.
//
// Source: seeds/000, "StreamingResponseHandler"; spec/segment.md. Differences
// from AutoByteus, which swallows what callbacks throw, and reports API calls
// and reasoning in other classes, at the end of the stream.

import { Journal, type KeepTextOptions, type Kind, type Snapshot } from '../journal.js'
import { SegmentState, aboutOf } from './segment-state.js'
import { ParseError, requireString } from '../errors.js'
import { type OptionTable, callback, checkOptions, elsewhere, flag } from '../options.js'
import { type StreamEnd, endedByItself } from '../finish-reason.js'
import { segmentBorder } from '../wasm/borders.js'
import type { CallOutlet } from './api-call.js'
import { repairsOf } from './json-calls.js'
import { EventObjects, styled } from './autobyteus-events.js'
import { ApiCalls } from './api-calls.js'
import { SegmentIds } from './ids.js'
import { Invoker } from './invoker.js'
import { contentOf, endOf, startOf } from './make-events.js'
import { type Settings, settingsOf } from './options.js'
import { type ReadChunk, readChunk } from './response-chunk.js'
import { SegmentEmitter } from './emitter.js'
import { readSchemas, schemasOf } from './tool-list.js'
import type {
  JsonSchema,
  ResponseChunk,
  SegmentConfig,
  SegmentEndPayload,
  SegmentError,
  SegmentEvent,
  SegmentEventStyle,
  SegmentRepair,
  StyledSegmentEvent,
  ToolInvocation,
} from './types.js'

/**
 * What a `StreamingResponseHandler` can be given.
 *
 * @example
 * ```ts
 * import { StreamingResponseHandler, type StreamingResponseHandlerOptions } from 'tokenweir/segments'
 *
 * const options: StreamingResponseHandlerOptions = {
 *   onSegmentEvent: (event) => console.log(event.type),
 *   config: { strategy: 'xml' },
 * }
 * new StreamingResponseHandler(options).feed('Hello')
 * ```
 * ```text
 * SEGMENT_START
 * SEGMENT_CONTENT
 * ```
 */
export interface StreamingResponseHandlerOptions<Style extends SegmentEventStyle = 'plain'> {
  /** Is called for each event. */
  onSegmentEvent?: ((event: StyledSegmentEvent<Style>) => void) | undefined
  /** Is called for each tool to call, after the END of its segment. */
  onToolInvocation?: ((invocation: ToolInvocation) => void) | undefined
  /** Is called with what is wrong with the text, or with a call. @defaultValue `config.onError` */
  onError?: ((error: SegmentError) => void) | undefined
  /** Is called with what was tolerated in the JSON of a call, before `onToolInvocation`. */
  onRepair?: ((repairs: readonly SegmentRepair[], invocation: ToolInvocation) => void) | undefined
  /** How the content is read. */
  config?: SegmentConfig<Style> | undefined
  /**
   * Schemas of tools by their names, as those of `ToolInvocationAdapter`: they give the arguments that are written as
   * XML their types.
   */
  schemas?: { readonly [toolName: string]: JsonSchema | object } | undefined
  /**
   * False: `getAllEvents` and `getAllInvocations` give nothing, and memory doesn't grow with the stream. @defaultValue
   * `true`
   */
  keepEvents?: boolean | undefined
}

/**
 * How `LlmStreamingResponseHandler` reads.
 *
 * @internal
 */
export interface NativeOnly {
  /** The class. */
  readonly place: string
  /** Whether calls are read at all. They end, and are invoked, when the stream does, and text goes on around them. */
  readonly toolCallsEnabled: boolean
  readonly journal: Journal
}

type Listeners<Style extends SegmentEventStyle> = Pick<
  StreamingResponseHandlerOptions<Style>,
  'onSegmentEvent' | 'onToolInvocation' | 'onError' | 'onRepair'
>

/** The options that every handler has. */
export const LISTENERS = {
  onSegmentEvent: [callback],
  onToolInvocation: [callback],
  onError: [callback],
  onRepair: [callback],
  keepEvents: [flag],
} satisfies Partial<OptionTable<StreamingResponseHandlerOptions>>

const OPTIONS = {
  ...LISTENERS,
  config: [elsewhere],
  schemas: [elsewhere],
} satisfies OptionTable<StreamingResponseHandlerOptions>

/** A handler; `place` is its class. */
export function handlerKind(parser: string, place: string): Kind {
  const hearers = ['onSegmentEvent', 'onToolInvocation', 'onError', 'onRepair', 'config.onError']
  return { parser, place, text: 'feed', calls: ['finalize', 'giveUp'], hearers }
}

const HANDLER = handlerKind('response-handler', 'StreamingResponseHandler')

/**
 * Turns what a model sends into segments and tool invocations: content, in which tools are found, reasoning, and the
 * tool calls of a provider's API.
 *
 * Text that may still become markup is held back; everything else comes out with the chunk that brought it. Where the
 * text was cut makes no difference. No text is ever refused, and a tool that the stream ends in is not invoked.
 *
 * Callbacks come in order, events before what they lead to. One may use other handlers, but not this one. If one
 * throws, all that is left of the chunk is still emitted and kept, and then the first error itself is thrown from
 * `feed`.
 *
 * @example
 * ```ts
 * import { StreamingResponseHandler } from 'tokenweir/segments'
 *
 * const handler = new StreamingResponseHandler({
 *   onSegmentEvent: (event) => event.type === 'SEGMENT_CONTENT' && console.log(event.segment_id, event.payload.delta),
 *   onToolInvocation: ({ name, arguments: given }) => console.log(name, given),
 * })
 * for (const chunk of ['Look:<run_', 'bash>ls</run_bash>']) handler.feed(chunk)
 * handler.finalize()
 * ```
 * ```text
 * seg_1 Look:
 * seg_2 ls
 * run_bash { command: 'ls' }
 * ```
 */
export class StreamingResponseHandler<Style extends SegmentEventStyle = 'plain'> {
  readonly #journal: Journal
  readonly #native: NativeOnly | undefined
  readonly #settings: Settings
  readonly #keepsEvents: boolean
  readonly #listeners: Listeners<Style>
  readonly #ids: SegmentIds
  readonly #emitter: SegmentEmitter
  readonly #calls: ApiCalls
  readonly #invoker: Invoker
  readonly #state: SegmentState
  #isBusy = false
  /** What the call that is running gave, and the first error in it. */
  #emitted: StyledSegmentEvent<Style>[] | undefined
  #failure: { error: unknown } | undefined

  /**
   * @throws TypeError for an unknown option, or an option of a wrong type, naming it.
   */
  constructor(options?: StreamingResponseHandlerOptions<Style>)
  /** @internal */
  constructor(options: StreamingResponseHandlerOptions<Style> | undefined, native: NativeOnly)
  constructor(options?: StreamingResponseHandlerOptions<Style>, native?: NativeOnly) {
    const place = native?.place ?? 'StreamingResponseHandler'
    this.#native = native
    checkOptions(place, options, OPTIONS)
    const { onSegmentEvent, onToolInvocation, onError, onRepair, config, schemas, keepEvents = true } = options ?? {}
    segmentBorder.requireReady(place)
    const settings = settingsOf(`${place}: config`, config)
    this.#journal = native?.journal ?? Journal.of(HANDLER, options)
    this.#settings = settings
    this.#keepsEvents = keepEvents
    this.#listeners = {
      onSegmentEvent,
      onToolInvocation,
      onError: onError ?? settings.onError,
      onRepair: onRepair && ((repairs, invocation) => this.#call(() => onRepair(repairs, invocation))),
    }
    this.#ids = new SegmentIds(settings.prefix)
    // Without a listener the emitter needn't keep the text of what may be wrong.
    const isHeard = this.#listeners.onError !== undefined
    const onFault = isHeard ? (error: SegmentError) => void this.#state.late.push(error) : undefined
    this.#emitter = new SegmentEmitter({ ...settings, onError: onFault }, this.#ids, new Map())
    const given = {
      ...settings,
      waits: native !== undefined,
      schemas: schemasOf(settings.tools, schemas === undefined ? {} : readSchemas(`${place}: schemas`, schemas)),
    }
    this.#calls = new ApiCalls(given, this.#outlet)
    const { error } = this.#outlet
    this.#invoker = new Invoker({ ...given, place, onError: error, onRepair: this.#listeners.onRepair })
    const objects = settings.hasObjects ? new EventObjects(settings.turnId) : undefined
    this.#state = new SegmentState(this.#emitter, this.#ids, objects, this.#invoker, this.#calls)
  }

  /**
   * Goes on from a snapshot, in any process: what comes next gives the events and invocations that it would have given
   * the handler that the snapshot is of. Options that are data are in the snapshot; functions, and what has some in it,
   * are given again.
   *
   * @throws TypeError that names the option, if one is missing that the other handler had and that is no data, or one
   * is not the snapshot's; ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { StreamingResponseHandler } from 'tokenweir/segments'
   *
   * const before = new StreamingResponseHandler()
   * before.feed('<run_bash>l')
   * const stored = JSON.stringify(before.snapshot())
   *
   * const after = StreamingResponseHandler.restore(JSON.parse(stored))
   * after.feed('s</run_bash>')
   * console.log(after.getAllInvocations()[0]?.arguments) // { command: 'ls' }
   * ```
   */
  static restore<Style extends SegmentEventStyle = 'plain'>(
    snapshot: Snapshot,
    options?: StreamingResponseHandlerOptions<Style>,
  ): StreamingResponseHandler<Style> {
    const make = (whole: object) => new StreamingResponseHandler<Style>(whole)
    return StreamingResponseHandler.restoreAs(HANDLER, snapshot, options, make, (made) => made)
  }

  /** @internal `handlerOf`: the handler in what is made. */
  static restoreAs<Made, Style extends SegmentEventStyle>(
    kind: Kind,
    snapshot: Snapshot,
    options: object | undefined,
    make: (options: object) => Made,
    targetOf: (made: Made) => StreamingResponseHandler<Style>,
  ): Made {
    return Journal.restore(kind, snapshot, options, {
      make,
      targetOf,
      aboutOf: (made) => aboutOf(targetOf(made).#settings),
      forget: (made) => targetOf(made).#state.forget(),
    })
  }

  /**
   * What the handler has read, between two chunks, as plain JSON: for `StreamingResponseHandler.restore`.
   *
   * It has all text and calls so far. With `keepText: false`, `getAllEvents` and `getAllInvocations` of the restored
   * handler begin at the restore.
   *
   * @throws ParseError `reentrant` from inside a callback of this handler; TypeError for an unknown
   * option.
   * @example
   * ```ts
   * import { StreamingResponseHandler } from 'tokenweir/segments'
   *
   * const handler = new StreamingResponseHandler()
   * handler.feed('Hello')
   * const again = StreamingResponseHandler.restore(handler.snapshot({ keepText: false }))
   * console.log(again.getAllEvents().length) // 0
   * ```
   */
  snapshot(options?: KeepTextOptions): Snapshot {
    return this.#journal.snapshot(this.#isBusy, options, aboutOf(this.#settings))
  }

  /**
   * Reads a chunk: calls the callbacks in order, and returns the same events.
   *
   * A string is content. Of an object reasoning is read first, then content, then tool calls. It must have one of the
   * keys of `ResponseChunk`; others are passed over.
   *
   * @throws TypeError if the chunk is neither, has none of these keys, or a field has a wrong type; nothing of it is
   *   read then.
   * @throws ParseError `finished` after `finalize`, `reentrant` from inside a callback of this handler.
   * @throws what a callback threw first.
   * @example
   * ```ts
   * import { StreamingResponseHandler } from 'tokenweir/segments'
   *
   * const handler = new StreamingResponseHandler()
   * for (const event of handler.feed({ reasoning: 'hm', content: 'Hello' })) console.log(event.type, event.segment_id)
   * ```
   * ```text
   * SEGMENT_START seg_1
   * SEGMENT_CONTENT seg_1
   * SEGMENT_END seg_1
   * SEGMENT_START seg_2
   * SEGMENT_CONTENT seg_2
   * ```
   */
  feed(chunk: string | ResponseChunk): StyledSegmentEvent<Style>[] {
    const place = `${this.#place}.feed`
    const read = typeof chunk === 'string' ? chunk : readChunk(place, chunk)
    this.#requireIdle(place)
    if (this.#state.isFinalized)
      throw new ParseError('finished', `${place} was called after finalize: call reset() before a new stream`)
    // Of what is kept each piece is an event.
    if (typeof chunk !== 'string') this.#journal.call('feed', chunk)
    else if (this.#keepsEvents) this.#journal.readApart(chunk)
    else this.#journal.read(chunk)
    this.#isBusy = true
    try {
      if (typeof read === 'string') this.#readContent(read)
      else this.#readChunk(read)
    } catch (error) {
      this.#failure ??= { error }
    }
    return this.#leave()
  }

  #readChunk({ content, reasoning, toolCalls }: ReadChunk): void {
    if (reasoning !== undefined) this.#readReasoning(reasoning)
    if (content !== undefined) this.#readContent(content)
    if (this.#native?.toolCallsEnabled === false) return
    for (const delta of toolCalls) this.#calls.read(delta)
  }

  /**
   * Ends the stream: pending text comes out, and open segments end. What is cut off is reported to `onError`. A second
   * call gives nothing. After a reply that did not end on its own, by `end.reason`, it is `finalizeInterrupted`.
   *
   * @throws ParseError `reentrant` from inside a callback of this handler; what a callback threw first.
   * @example
   * ```ts
   * import { StreamingResponseHandler } from 'tokenweir/segments'
   *
   * const handler = new StreamingResponseHandler({ onError: ({ code }) => console.log(code) })
   * handler.feed('<run_bash>ls')
   * console.log(handler.finalize().map(({ type }) => type), handler.getAllInvocations())
   * ```
   * ```text
   * unterminated
   * [ 'SEGMENT_END' ] []
   * ```
   */
  finalize(end?: StreamEnd): StyledSegmentEvent<Style>[] {
    if (!endedByItself(end?.reason)) return this.finalizeInterrupted(end?.reason as string)
    this.#requireIdle(`${this.#place}.finalize`)
    this.#journal.call('finalize')
    this.#state.isFinalized = true
    return this.#end(() => {
      this.#endReasoning({ incomplete: true })
      // A second time too: it gives what is left where a tool state threw.
      this.#emitContent(() => this.#emitter.finalize())
      this.#calls.finish()
    })
  }

  /**
   * Ends the stream because the program gives it up: pending text comes out, and what is open ends with
   * `{ interrupted: true, reason }` and the metadata of its START. Nothing of it is invoked. After the stream's end it
   * gives nothing.
   *
   * @throws TypeError if the reason is not a string; otherwise as `finalize`.
   * @example
   * ```ts
   * import { StreamingResponseHandler } from 'tokenweir/segments'
   *
   * const handler = new StreamingResponseHandler()
   * handler.feed('<run_bash>rm -rf b')
   * console.log(handler.finalizeInterrupted('stop')[0]?.payload, handler.getAllInvocations())
   * // → { interrupted: true, reason: 'stop' } []
   * ```
   */
  finalizeInterrupted(reason: string): StyledSegmentEvent<Style>[] {
    requireString(`${this.#place}.finalizeInterrupted`, reason)
    return this.giveUp('finalizeInterrupted', { interrupted: true, reason })
  }

  /**
   * Ends the stream because it failed: as `finalizeInterrupted` does, with `{ failed: true, error }`.
   *
   * @throws TypeError if the error is not a string; otherwise as `finalize`.
   * @example
   * ```ts
   * import { StreamingResponseHandler } from 'tokenweir/segments'
   *
   * const handler = new StreamingResponseHandler()
   * handler.feed('Hel')
   * console.log(handler.finalizeFailed('connection lost')[0]?.payload) // { failed: true, error: 'connection lost' }
   * ```
   */
  finalizeFailed(error: string): StyledSegmentEvent<Style>[] {
    requireString(`${this.#place}.finalizeFailed`, error)
    return this.giveUp('finalizeFailed', { failed: true, error })
  }

  /** @internal Gives the stream up. With `keepsText` text ends as it always does. */
  giveUp(method: string, payload: SegmentEndPayload, keepsText = false): StyledSegmentEvent<Style>[] {
    this.#requireIdle(`${this.#place}.${method}`)
    if (this.#state.isFinalized) return []
    this.#journal.call('giveUp', method, payload, keepsText)
    this.#state.isFinalized = true
    return this.#end(() => {
      this.#endReasoning(keepsText ? {} : { ...payload })
      this.#emitContent(() => (keepsText ? this.#emitter.finalize() : this.#emitter.abandon(payload)))
      this.#calls.abandon(payload)
    })
  }

  /** @internal The tools that all calls of the API name. */
  get calledTools(): string[] {
    return this.#calls.names
  }

  /**
   * Starts a new stream, with the same options: ids begin anew, and events and invocations are forgotten.
   *
   * @throws ParseError `reentrant` from inside a callback of this handler.
   * @example
   * ```ts
   * import { StreamingResponseHandler } from 'tokenweir/segments'
   *
   * const handler = new StreamingResponseHandler()
   * handler.feed('<run_bash>ls</run_bash>')
   * handler.reset()
   * console.log(handler.getAllEvents().length) // 0
   * ```
   */
  reset(): void {
    this.#requireIdle(`${this.#place}.reset`)
    this.#state.reset()
    this.#journal.clear()
  }

  /**
   * Whether the stream is over.
   *
   * @example
   * ```ts
   * import { StreamingResponseHandler } from 'tokenweir/segments'
   *
   * const handler = new StreamingResponseHandler()
   * handler.finalize()
   * console.log(handler.isFinalized) // true
   * ```
   */
  get isFinalized(): boolean {
    return this.#state.isFinalized
  }

  /**
   * Gives all events since the start of the stream, in a new array; none with `keepEvents: false`.
   *
   * @example
   * ```ts
   * import { StreamingResponseHandler } from 'tokenweir/segments'
   *
   * const handler = new StreamingResponseHandler()
   * handler.feed('Hello')
   * handler.finalize()
   * console.log(handler.getAllEvents().map(({ type }) => type))
   * // → [ 'SEGMENT_START', 'SEGMENT_CONTENT', 'SEGMENT_END' ]
   * ```
   */
  getAllEvents(): StyledSegmentEvent<Style>[] {
    return this.#state.events.slice() as StyledSegmentEvent<Style>[]
  }

  /**
   * Gives all invocations since the start of the stream, in a new array; none with `keepEvents: false`.
   *
   * @example
   * ```ts
   * import { StreamingResponseHandler } from 'tokenweir/segments'
   *
   * const handler = new StreamingResponseHandler()
   * handler.feed('<run_bash>ls</run_bash>')
   * console.log(handler.getAllInvocations().map(({ name }) => name)) // [ 'run_bash' ]
   * ```
   */
  getAllInvocations(): ToolInvocation[] {
    return this.#state.invocations.slice()
  }

  get #place(): string {
    return this.#native?.place ?? 'StreamingResponseHandler'
  }

  #requireIdle(place: string): void {
    if (this.#isBusy)
      throw new ParseError(
        'reentrant',
        `${place} was called from inside a callback of the same handler: call it after the callback has returned`,
      )
  }

  /** What ends the stream. Chunks are read without a function for each: it would cost a third of their time. */
  #end(read: () => void): StyledSegmentEvent<Style>[] {
    this.#isBusy = true
    this.#call(read)
    return this.#leave()
  }

  #leave(): StyledSegmentEvent<Style>[] {
    const emitted = this.#emitted ?? []
    const failure = this.#failure
    this.#emitted = undefined
    this.#failure = undefined
    this.#isBusy = false
    if (failure !== undefined) throw failure.error
    return emitted
  }

  #readContent(text: string): void {
    if (text === '') return
    this.#calls.settle()
    this.#endReasoning()
    this.#emitContent(() => this.#emitter.feed(text))
  }

  /** Emits what was read of the content, and the tools in it. */
  #emitContent(read: () => readonly SegmentEvent[]): void {
    try {
      this.#take(read())
    } catch (error) {
      // A tool state of the user's threw: the events come with the next call, and then what is wrong with them.
      this.#failure ??= { error }
    }
  }

  #take(events: readonly SegmentEvent[]): void {
    const { places } = this.#emitter
    for (const event of events) {
      this.#emit(event)
      if (event.type === 'SEGMENT_CONTENT' && this.#invoker.isIdle) continue
      const id = event.segment_id ?? ''
      const place = event.type === 'SEGMENT_END' ? places?.get(id) : undefined
      if (place !== undefined) places?.delete(id)
      // It calls user code, such as `jsonToolParser`.
      try {
        for (const invocation of this.#invoker.take(event, place)) this.#invoke(invocation)
      } catch (error) {
        this.#failure ??= { error }
      }
    }
    const { late } = this.#state
    if (late.length === 0) return
    this.#state.late = []
    for (const error of late) this.#outlet.error(error)
  }

  #readReasoning(text: string): void {
    if (text === '') return
    const state = this.#state
    const from = state.reasoned
    state.reasoned += text.length
    if (state.reasoning === undefined) {
      this.#emitContent(() => this.#emitter.endText())
      state.reasoning = this.#ids.next()
      this.#emit(startOf(state.reasoning, 'reasoning', undefined, this.#span(from, from)))
    }
    this.#emit(contentOf(state.reasoning, text, this.#span(from, state.reasoned)))
  }

  /** `payload`: what is said at its end; nothing, if something follows it. */
  #endReasoning(payload: SegmentEndPayload = {}): void {
    const { reasoning, reasoned } = this.#state
    if (reasoning === undefined) return
    this.#emit(endOf(reasoning, this.#span(reasoned, reasoned), payload))
    this.#state.reasoning = undefined
  }

  #span(from: number, to: number): [number, number] | undefined {
    return this.#settings.spans ? [from, to] : undefined
  }

  #emit(event: SegmentEvent): void {
    const given = styled([event], this.#state.objects, this.#settings.turnId)[0] as StyledSegmentEvent<Style>
    if (this.#keepsEvents) this.#state.events.push(given)
    // An array of one costs less than an empty one that grows.
    if (this.#emitted === undefined) this.#emitted = [given]
    else this.#emitted.push(given)
    try {
      this.#listeners.onSegmentEvent?.(given)
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  #invoke(invocation: ToolInvocation): void {
    if (this.#keepsEvents) this.#state.invocations.push(invocation)
    this.#call(() => this.#listeners.onToolInvocation?.(invocation))
  }

  /** Does what calls the user's code. What is thrown first is thrown when all of the chunk was emitted. */
  #call(callback: () => void): void {
    try {
      callback()
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  /** Receives API calls. They make their invocations themselves: theirs are JSON whatever states their tools have. */
  readonly #outlet: CallOutlet = {
    beforeStart: () => {
      this.#endReasoning()
      if (this.#native === undefined) this.#emitContent(() => this.#emitter.endText())
    },
    idFor: (callId) => (callId === '' ? undefined : this.#ids.take(callId)) ?? this.#ids.next(),
    event: (event) => this.#emit(event),
    invocation: (invocation, rules) => {
      if (rules !== 0) this.#listeners.onRepair?.(repairsOf(rules), invocation)
      this.#invoke(invocation)
    },
    error: (error) => this.#call(() => this.#listeners.onError?.(error)),
  }
}
