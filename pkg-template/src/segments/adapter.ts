// `ToolInvocationAdapter`: tool invocations from segment events, which may have come
// from anywhere. How they are made is in invoker.ts.

import { Journal, type Kind, type Snapshot } from '../journal.js'
import { type OptionTable, callback, checkOptions, elsewhere, flag, resolveOptions } from '../options.js'
import { segmentBorder } from '../wasm/borders.js'
import type { AnySegmentEvent } from './autobyteus-events.js'
import { Invoker } from './invoker.js'
import { isJsonToolParser, jsonParser } from './options.js'
import { checkJsonProfile } from './profiles.js'
import { checkStates } from './states.js'
import { knownTools, readSchemas, schemasOf } from './tool-list.js'
import type {
  JsonProfile,
  JsonSchema,
  JsonToolParser,
  SegmentError,
  SegmentRepair,
  ToolInvocation,
  ToolList,
  ToolState,
} from './types.js'

/**
 * What a `ToolInvocationAdapter` can be given.
 *
 * @example
 * ```ts
 * import { ToolInvocationAdapter, type ToolInvocationAdapterOptions } from 'tokenweir/segments'
 *
 * const options: ToolInvocationAdapterOptions = {
 *   schemas: { add: { type: 'object', properties: { a: { type: 'number' } } } },
 *   onError: ({ code }) => console.log(code),
 * }
 * const adapter = new ToolInvocationAdapter(options)
 * console.log(adapter.processEvent({ type: 'SEGMENT_END', segment_id: 'seg_1', payload: {} })) // null
 * ```
 */
export interface ToolInvocationAdapterOptions {
  /**
   * Schemas of the tools' arguments, by the tool's exact name: JSON schemas, or those of a library that gives its JSON
   * schema (Zod 4, ArkType). Arguments written as XML get their types; JSON has them already.
   */
  schemas?: { readonly [toolName: string]: JsonSchema | object } | undefined
  /** What arguments are called in JSON tools. @defaultValue `'default'` */
  jsonProfile?: JsonProfile | undefined
  /** What reads JSON tools in place of `jsonProfile`. */
  jsonToolParser?: JsonToolParser | undefined
  /** The tool states of the parser that the events are from. */
  toolStates?: { readonly [toolName: string]: ToolState | null } | undefined
  /**
   * The tools that may be called, as `SegmentConfig.tools` has them; another one is `unknown-tool`. Their schemas
   * count, unless `schemas` has others.
   */
  tools?: ToolList | undefined
  /** Tools that the stream ended in are invoked too, if their arguments are whole. @defaultValue `false` */
  acceptUnterminated?: boolean | undefined
  /**
   * Called with the reason why a tool is not called: `missing-arguments`, `missing-name`, `bad-arguments`,
   * `unknown-tool`. `raw` is the segment's content, and `span` its place; `[0, 0]` if the events have no spans. An
   * exception thrown here reaches the caller of `processEvent`; what that call would have returned comes from the next
   * one.
   */
  onError?: ((error: SegmentError) => void) | undefined
  /**
   * Called with what was tolerated in the JSON of a call, before its invocation is returned. What it throws is treated
   * as what `onError` throws.
   */
  onRepair?: ((repairs: readonly SegmentRepair[], invocation: ToolInvocation) => void) | undefined
}

const OPTIONS = {
  schemas: [elsewhere, {}],
  jsonProfile: [checkJsonProfile, 'default'],
  jsonToolParser: [jsonParser],
  toolStates: [elsewhere],
  tools: [elsewhere],
  acceptUnterminated: [flag, false],
  onError: [callback],
  onRepair: [callback],
} satisfies OptionTable<ToolInvocationAdapterOptions>
const PLACE = 'ToolInvocationAdapter'
const KIND: Kind = {
  parser: 'invocation-adapter',
  place: PLACE,
  text: 'processEventAll',
  calls: [],
  hearers: ['onError', 'onRepair'],
}

/**
 * Makes tool invocations from segment events.
 *
 * An invocation has the id of its segment, so that what was streamed and what is to be run belong together. A tool is
 * invoked at its segment's end, and not if the end of the stream cut the segment off. All that is needed is in the
 * events, so copies of them (by JSON, by `structuredClone`) do as well.
 *
 * @example
 * ```ts
 * import { StreamingParser, ToolInvocationAdapter } from 'tokenweir/segments'
 *
 * const parser = new StreamingParser()
 * const adapter = new ToolInvocationAdapter()
 * for (const event of parser.feedAndFinalize('<run_bash>ls</run_bash>')) {
 *   for (const { id, name, arguments: given } of adapter.processEventAll(event)) console.log(id, name, given)
 * }
 * ```
 * ```text
 * seg_1 run_bash { command: 'ls' }
 * ```
 */
export class ToolInvocationAdapter {
  readonly #invoker: Invoker
  readonly #journal: Journal

  /**
   * Takes options, or a `jsonToolParser` alone, as AutoByteus' adapter does.
   *
   * @throws TypeError if an option doesn't exist or has the wrong type.
   */
  constructor(given?: ToolInvocationAdapterOptions | JsonToolParser) {
    segmentBorder.requireReady(PLACE)
    const options = isJsonToolParser(given) ? { jsonToolParser: given } : given
    checkOptions(PLACE, options, OPTIONS, '.')
    this.#journal = Journal.of(KIND, options)
    const { schemas, toolStates, tools, ...read } = resolveOptions<ToolInvocationAdapterOptions, typeof OPTIONS>(
      OPTIONS,
      options,
    )
    const known = tools === undefined ? undefined : knownTools(`${PLACE}.tools`, tools)
    this.#invoker = new Invoker({
      place: PLACE,
      schemas: schemasOf(known, readSchemas(`${PLACE}.schemas`, schemas)),
      states: checkStates(PLACE, toolStates),
      tools: known,
      ...read,
    })
  }

  /**
   * Goes on from a snapshot, in any process. Options that are data are in the snapshot; functions, and what has some in
   * it, are given again.
   *
   * @throws TypeError that names the option, if one is missing that the other adapter had and that is no data, or one
   * is not the snapshot's; ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { StreamingParser, ToolInvocationAdapter } from 'tokenweir/segments'
   *
   * const events = new StreamingParser().feedAndFinalize('<run_bash>ls</run_bash>')
   * const before = new ToolInvocationAdapter()
   * before.processEvents(events.slice(0, 1))
   * const after = ToolInvocationAdapter.restore(JSON.parse(JSON.stringify(before.snapshot())))
   * console.log(after.processEvents(events.slice(1))[0]?.arguments) // { command: 'ls' }
   * ```
   */
  static restore(snapshot: Snapshot, options?: ToolInvocationAdapterOptions): ToolInvocationAdapter {
    return Journal.restore(KIND, snapshot, options, { make: (whole) => new ToolInvocationAdapter(whole) })
  }

  /**
   * What the adapter has read, between two events, as plain JSON: for `ToolInvocationAdapter.restore`.
   *
   * @example
   * ```ts
   * import { StreamingParser, ToolInvocationAdapter } from 'tokenweir/segments'
   *
   * const adapter = new ToolInvocationAdapter()
   * adapter.processEvents(new StreamingParser().feed('<run_bash>ls'))
   * console.log(ToolInvocationAdapter.restore(adapter.snapshot()).getActiveSegmentIds()) // [ 'seg_1' ]
   * ```
   */
  snapshot(): Snapshot {
    return this.#journal.snapshot(false)
  }

  /**
   * Takes an event; returns the first invocation that it completes. For JSON with several calls `processEventAll`
   * returns all.
   *
   * @throws TypeError if it is not an event; what `onError` threw.
   * @example
   * ```ts
   * import { StreamingParser, ToolInvocationAdapter } from 'tokenweir/segments'
   *
   * const adapter = new ToolInvocationAdapter()
   * for (const event of new StreamingParser().feedAndFinalize('<run_bash>ls</run_bash>')) {
   *   console.log(event.type, adapter.processEvent(event)?.name)
   * }
   * ```
   * ```text
   * SEGMENT_START undefined
   * SEGMENT_CONTENT undefined
   * SEGMENT_END run_bash
   * ```
   */
  processEvent(event: AnySegmentEvent): ToolInvocation | null {
    return this.processEventAll(event)[0] ?? null
  }

  /**
   * Takes an event; returns the invocations that it completes. Events of segments whose start was not seen are passed
   * over; a start with the id of an open segment takes its place.
   *
   * @throws TypeError if it is not an event; what `onError` threw.
   * @example
   * ```ts
   * import { StreamingParser, ToolInvocationAdapter } from 'tokenweir/segments'
   *
   * const events = new StreamingParser({ strategy: 'json' }).feedAndFinalize(
   *   '[{"tool": {"function": "a"}}, {"tool": {"function": "b"}}]',
   * )
   * const adapter = new ToolInvocationAdapter()
   * console.log(events.flatMap((event) => adapter.processEventAll(event)).map(({ id, name }) => [id, name]))
   * // → [ [ 'seg_2', 'a' ], [ 'seg_4', 'b' ] ]
   * ```
   */
  processEventAll(event: AnySegmentEvent): ToolInvocation[] {
    this.#journal.call('processEventAll', event)
    const made = [...this.#invoker.take(event)]
    // All that it knows is what is open.
    if (this.#invoker.isIdle) this.#journal.clear()
    return made
  }

  /**
   * Takes events, in either style; returns all invocations that they complete, in their order.
   *
   * @throws TypeError if one is not an event; what `onError` threw. The events after it are not taken then.
   * @example
   * ```ts
   * import { StreamingParser, ToolInvocationAdapter } from 'tokenweir/segments'
   *
   * const events = new StreamingParser().feedAndFinalize('<run_bash>ls</run_bash> and <run_bash>pwd</run_bash>')
   * console.log(new ToolInvocationAdapter().processEvents(events).map(({ arguments: given }) => given))
   * // → [ { command: 'ls' }, { command: 'pwd' } ]
   * ```
   */
  processEvents(events: Iterable<AnySegmentEvent>): ToolInvocation[] {
    const invocations: ToolInvocation[] = []
    for (const event of events) invocations.push(...this.processEventAll(event))
    return invocations
  }

  /**
   * Returns the ids of the tools' segments that have begun and not ended, in the order of their starts.
   *
   * @example
   * ```ts
   * import { StreamingParser, ToolInvocationAdapter } from 'tokenweir/segments'
   *
   * const adapter = new ToolInvocationAdapter()
   * adapter.processEvents(new StreamingParser().feed('Look: <run_bash>ls'))
   * console.log(adapter.getActiveSegmentIds()) // [ 'seg_2' ]
   * ```
   */
  getActiveSegmentIds(): string[] {
    return this.#invoker.openIds
  }

  /**
   * Forgets the segments that are open.
   *
   * @example
   * ```ts
   * import { StreamingParser, ToolInvocationAdapter } from 'tokenweir/segments'
   *
   * const events = new StreamingParser().feedAndFinalize('<run_bash>ls</run_bash>')
   * const adapter = new ToolInvocationAdapter()
   * for (const event of events.slice(0, -1)) adapter.processEvent(event)
   * adapter.reset()
   * console.log(adapter.processEvents(events.slice(-1))) // []
   * ```
   */
  reset(): void {
    this.#invoker.reset()
    this.#journal.clear()
  }
}
