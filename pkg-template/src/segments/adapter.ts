// Makes tool invocations of segments: what tool a segment calls, and with what.
//
// Where the arguments come from, the first that holds:
//
//     metadata.arguments                  a sentinel's header, an object or its JSON text
//     a state of the user's own           its metadata arguments, and the content
//     a row of the tool syntax registry   the same: write_file, run_bash …
//     metadata.tool_name                  the content, as JSON or XML
//     nothing                             the content: the calls in a JSON value
//
// Source: seeds/000, "Tool Syntax Mapping" and "Tool Invocation IDs"; spec/segment.md.
// Differences: a segment that the end of the stream cut off makes no invocation;
// what is wrong is told by `onError`, not logged.

import { describe, requireFunction, requireOptions } from '../errors.js'
import { Joined } from '../joined.js'
import { engine } from '../wasm/engine.js'
import { isApiStart } from './api-start.js'
import { CallFault } from './call-fault.js'
import { contentPlaceOf } from './content-place.js'
import { isCutOff } from './cut-off.js'
import { type CallArguments, type ToolCall, jsonCalls, objectIn } from './json-calls.js'
import { isRecord, own, put } from '../own.js'
import { checkJsonProfile } from './profiles.js'
import { type CheckedState, type StateTable, checkStates, stateOf } from './states.js'
import { type SyntaxRow, syntaxRowOf } from './tool-syntax.js'
import { Typing, type WrittenField } from './typed.js'
import type { JsonProfile, JsonSchema, SegmentError, SegmentEvent, SegmentStart, SegmentValue, ToolInvocation, ToolState } from './types.js'
import { xmlArguments } from './xml-arguments.js'

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
  /** JSON schemas of the tools' arguments, by the tool's exact name. Arguments written as XML get their types; JSON has them already. */
  schemas?: { readonly [toolName: string]: JsonSchema } | undefined
  /** What arguments are called in JSON tools. @defaultValue `'default'` */
  jsonProfile?: JsonProfile | undefined
  /** The tool states of the parser that the events are from. */
  toolStates?: { readonly [toolName: string]: ToolState | null } | undefined
  /**
   * Is told why a tool is not called: `missing-argument`, `missing-name`, `bad-arguments`.
   * `raw` is the segment's content, and `span` its place; `[0, 0]` if the events are copies
   * without spans, which don't know it. An exception thrown here reaches the caller
   * of `processEvent`; what that call would have returned comes from the next one.
   */
  onError?: ((error: SegmentError) => void) | undefined
}

const OPTIONS = ['schemas', 'jsonProfile', 'toolStates', 'onError']
const PLACE = 'ToolInvocationAdapter'

/** Segments that are no tools. Any other type is one. */
const NO_TOOLS: readonly string[] = ['text', 'reasoning']

/** A tool's segment that has begun. */
interface OpenTool {
  readonly type: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** Where its content stands, if events carry spans. */
  place: [from: number, to: number] | undefined
  /** Whether it is an API's: then no state has read it, and its content is JSON. */
  readonly isApiCall: boolean
  readonly content: Joined
}

/**
 * Makes tool invocations of segment events.
 *
 * An invocation has the id of its segment, so that what was streamed and what is
 * to be run belong together. A tool is invoked at its segment's end, and not if
 * the end of the stream cut the segment off.
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
  readonly #schemas: { readonly [toolName: string]: JsonSchema }
  readonly #typings = new Map<string, Typing>()
  readonly #profile: JsonProfile
  readonly #states: StateTable | undefined
  readonly #onError: ((error: SegmentError) => void) | undefined
  readonly #open = new Map<string, OpenTool>()
  /** What is made and not yet returned. */
  #made: ToolInvocation[] = []

  /** @throws TypeError if an option doesn't exist or has the wrong type. */
  constructor(options?: ToolInvocationAdapterOptions) {
    engine.requireReady(PLACE)
    requireOptions(PLACE, options, OPTIONS)
    const { schemas = {}, jsonProfile = 'default', toolStates, onError } = options ?? {}
    requireSchemas(`${PLACE}.schemas`, schemas)
    requireFunction(`${PLACE}.onError`, onError)
    this.#schemas = schemas
    this.#profile = checkJsonProfile(`${PLACE}.jsonProfile`, jsonProfile)
    this.#states = checkStates(PLACE, toolStates)
    this.#onError = onError
  }

  /**
   * Takes an event; returns the first invocation that it completes. Of JSON with several calls in it `processEventAll` returns all.
   *
   * @throws TypeError if it is no event; what `onError` threw.
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
  processEvent(event: SegmentEvent): ToolInvocation | null {
    return this.processEventAll(event)[0] ?? null
  }

  /**
   * Takes an event; returns the invocations that it completes. Events of segments whose start
   * was not seen are passed over; a start with the id of an open segment takes its place.
   *
   * @throws TypeError if it is no event; what `onError` threw.
   * @example
   * ```ts
   * import { StreamingParser, ToolInvocationAdapter } from 'tokenweir/segments'
   *
   * const events = new StreamingParser({ strategy: 'json' }).feedAndFinalize('[{"tool": {"function": "a"}}, {"tool": {"function": "b"}}]')
   * const adapter = new ToolInvocationAdapter()
   * console.log(events.flatMap((event) => adapter.processEventAll(event)).map(({ id, name }) => [id, name])) // [ [ 'seg_2', 'a' ], [ 'seg_4', 'b' ] ]
   * ```
   */
  processEventAll(event: SegmentEvent): ToolInvocation[] {
    if (typeof event !== 'object' || event === null) throw new TypeError(`${PLACE} takes a segment event, but got ${describe(event)}`)
    switch (event.type) {
      case 'SEGMENT_START':
        this.#start(requireId(event))
        break
      case 'SEGMENT_CONTENT': {
        const delta: unknown = event.payload?.delta
        const tool = this.#open.get(requireId(event).segment_id)
        if (tool === undefined || typeof delta !== 'string') break
        if (event.span !== undefined) tool.place = [tool.content.isEmpty ? event.span[0] : (tool.place ?? event.span)[0], event.span[1]]
        tool.content.add(delta)
        break
      }
      case 'SEGMENT_END':
        this.#end(requireId(event))
        break
      case 'MARKUP':
        break
    }
    const made = this.#made
    this.#made = []
    return made
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
   * const end = events.pop()!
   * for (const event of events) adapter.processEvent(event)
   * adapter.reset()
   * console.log(adapter.processEvent(end)) // null
   * ```
   */
  reset(): void {
    this.#open.clear()
    this.#made = []
  }

  #start(event: SegmentStart): void {
    const { segment_id: id, segment_type: type } = event
    this.#open.delete(id)
    if (NO_TOOLS.includes(type)) return
    const metadata: unknown = event.payload?.metadata
    this.#open.set(id, { type, metadata: isRecord(metadata) ? metadata : {}, place: event.span, isApiCall: isApiStart(event), content: new Joined() })
  }

  #end(event: SegmentEvent & { segment_id: string }): void {
    const id = event.segment_id
    const tool = this.#open.get(id)
    this.#open.delete(id)
    if (tool === undefined || isCutOff(event)) return
    const content = tool.content.toString()
    const errors: SegmentError[] = []
    for (const [at, call] of this.#callsOf(tool, content).entries()) {
      if (call instanceof CallFault) {
        const [from, to] = contentPlaceOf(event) ?? tool.place ?? [0, 0]
        errors.push({ code: call.code, message: `${nameOf(tool) ?? tool.type}: ${call.message}`, span: [from, to], raw: content, segmentId: id })
      } else this.#made.push({ id: at === 0 ? id : `${id}.${at + 1}`, name: call.name, arguments: call.arguments })
    }
    for (const error of errors) this.#onError?.(error)
  }

  #callsOf(tool: OpenTool, content: string): ReadonlyArray<ToolCall | CallFault> {
    const { type, metadata } = tool
    const name = nameOf(tool)
    const header = type === 'tool_call' ? headerArguments(own(metadata, 'arguments'), content) : undefined
    if (header !== undefined) return [name === undefined ? NO_NAME : header instanceof CallFault ? header : { name, arguments: header }]
    const state = name === undefined || tool.isApiCall ? undefined : stateOf(name, this.#states)
    if (name !== undefined && state != null && hasRead(state, tool)) return [{ name, arguments: this.#stateArguments(name, state, metadata, content) }]
    const row = syntaxRowOf(type)
    if (row !== undefined) return [rowCall(row, metadata, content)]
    const isJson = tool.isApiCall || /^\s*[[{]/.test(content)
    if (name === undefined) return isJson ? jsonCalls(content, this.#profile) : [NO_NAME]
    const given = isJson ? (objectIn(content) ?? new CallFault('bad-arguments', 'the arguments are no JSON object')) : xmlArguments(content, this.#typing(name))
    return [given instanceof CallFault ? given : { name, arguments: given }]
  }

  /** Texts of a state's arguments are typed as those of any other XML tool. */
  #stateArguments(name: string, state: CheckedState, metadata: OpenTool['metadata'], content: string): CallArguments {
    const texts: Array<readonly [name: string, value: unknown]> = state.metadataArgs.map((argument) => [argument, own(metadata, argument)])
    texts.push([state.contentArg as string, content])
    const given: CallArguments = {}
    const written: WrittenField[] = []
    for (const [argument, value] of texts) {
      if (value === undefined) continue
      put(given, argument, value as SegmentValue)
      if (typeof value === 'string') written.push({ name: argument, text: value, list: undefined, fields: undefined })
    }
    for (const [argument, value] of Object.entries(this.#typing(name)?.arguments(written) ?? {})) put(given, argument, value)
    return given
  }

  #typing(name: string): Typing | undefined {
    if (!Object.hasOwn(this.#schemas, name)) return undefined
    let typing = this.#typings.get(name)
    if (typing === undefined) this.#typings.set(name, (typing = new Typing(this.#schemas[name] as JsonSchema)))
    return typing
  }
}

const NO_NAME = new CallFault('missing-name', 'the tool call names no tool')

/** The tool that the segment's start names. */
function nameOf({ metadata }: OpenTool): string | undefined {
  const names = [own(metadata, 'tool_name'), own(metadata, 'name')]
  return names.find((name): name is string => typeof name === 'string' && name.trim() !== '')
}

/** The arguments that a sentinel's header has, if it has some; where they are empty the content may have them. */
function headerArguments(written: unknown, content: string): CallArguments | CallFault | undefined {
  if (written === undefined || written === null) return undefined
  const given = typeof written === 'string' ? (written.trim() === '' ? {} : objectIn(written)) : written
  if (!isRecord(given)) return new CallFault('bad-arguments', 'the arguments in the header are no JSON object')
  return Object.keys(given).length === 0 && content.trim() !== '' ? undefined : ({ ...given } as CallArguments)
}

/** Whether a segment is one of a state: a sentinel may name the same tool. */
function hasRead(state: CheckedState, { type, metadata }: OpenTool): boolean {
  return state.contentArg !== undefined && state.segmentType === type && state.startWhen.every((name) => own(metadata, name) !== undefined)
}

function rowCall(row: SyntaxRow, metadata: OpenTool['metadata'], content: string): ToolCall | CallFault {
  const { toolName, contentArgument, metadataArguments, required } = row
  const given: CallArguments = {}
  // The required ones first, as one would write them.
  for (const name of new Set([...required, ...metadataArguments, ...(contentArgument === undefined ? [] : [contentArgument])])) {
    const value = name === contentArgument ? contentOf(row, metadata, content) : own(metadata, name)
    if (required.includes(name) && !isText(value)) return new CallFault('missing-argument', `there is no ${name} to call ${toolName} with`)
    if (value !== undefined && value !== null) put(given, name, value as SegmentValue)
  }
  return { name: toolName, arguments: given }
}

/** The content, or what a header has in its place. */
function contentOf({ contentArgument, contentAliases, required }: SyntaxRow, metadata: OpenTool['metadata'], content: string): string {
  const isMissing = content === '' || (required.includes(contentArgument as string) && !isText(content))
  const instead = isMissing ? contentAliases.map((name) => own(metadata, name)).find((value) => typeof value === 'string' && value !== '') : undefined
  return instead === undefined ? content : (instead as string)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function requireId<Event extends SegmentEvent>(event: Event): Event & { segment_id: string } {
  if (typeof event.segment_id !== 'string') throw new TypeError(`${PLACE}: segment_id of an event must be a string, but is ${describe(event.segment_id)}`)
  return event as Event & { segment_id: string }
}

function requireSchemas(place: string, schemas: unknown): void {
  if (!isRecord(schemas)) throw new TypeError(`${place} must be an object of JSON schemas by tool name, but is ${describe(schemas)}`)
  for (const [name, schema] of Object.entries(schemas)) {
    const row = `${place}[${JSON.stringify(name)}]`
    if (typeof schema !== 'boolean' && !isRecord(schema)) throw new TypeError(`${row} must be a JSON schema, but is ${describe(schema)}`)
    if (isRecord(schema) && '~standard' in schema) throw new TypeError(`${row} must be a JSON schema, but is a library's schema; pass the JSON schema that the library makes of it`)
  }
}
