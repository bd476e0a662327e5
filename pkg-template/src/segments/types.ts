// What goes in and out of the segment parser.
//
// Source: seeds/000, "Segment Events"; spec/segment.md. Names and shapes of
// events are AutoByteus' own.

import type { SegmentEventType, SegmentType } from './segment-names.js'

/**
 * A value of JSON.
 *
 * @example
 * ```ts
 * import { StreamingResponseHandler, type SegmentValue } from 'tokenweir/segments'
 *
 * const handler = new StreamingResponseHandler({ config: { strategy: 'json' } })
 * handler.feed('{"tool": {"function": "add", "parameters": {"a": [1, 2]}}}')
 * const a: SegmentValue | undefined = handler.getAllInvocations()[0]?.arguments['a']
 * console.log(a) // [ 1, 2 ]
 * ```
 */
export type SegmentValue = string | number | boolean | null | SegmentValue[] | { [key: string]: SegmentValue }

/**
 * What is known of a segment at its start: `tool_name`, `path`, the header of a sentinel.
 *
 * @example
 * ```ts
 * import { StreamingParser, type SegmentMetadata } from 'tokenweir/segments'
 *
 * const [start] = new StreamingParser().feed('<write_file path="a.txt">x')
 * const metadata: SegmentMetadata | undefined = start?.type === 'SEGMENT_START' ? start.payload.metadata : undefined
 * console.log(metadata) // { path: 'a.txt' }
 * ```
 */
export type SegmentMetadata = { [key: string]: SegmentValue }

/**
 * A segment begins.
 *
 * @example
 * ```ts
 * import { type SegmentStart, StreamingParser } from 'tokenweir/segments'
 *
 * const open = (event: SegmentStart) => console.log(event.segment_id, event.segment_type, event.payload.metadata)
 * for (const event of new StreamingParser().feed('<write_file path="a.txt">x'))
 *   if (event.type === 'SEGMENT_START') open(event)
 * ```
 * ```text
 * seg_1 write_file { path: 'a.txt' }
 * ```
 */
export interface SegmentStart {
  /** A segment begins. */
  type: 'SEGMENT_START'
  /** Prefix and number, from `seg_1` on; the id of an API call where its provider gave one. */
  segment_id: string
  /** The segment's kind. */
  segment_type: SegmentType | (string & {})
  /** What is known of it. */
  payload: {
    /** The tool's name, a path and so on; absent if there is nothing to say. */
    metadata?: SegmentMetadata
    /**
     * True: this is a call by the provider's API of a tool that has a tool state too, so that its content
     * is the arguments' JSON, and not what the state would make of it. Absent otherwise.
     */
    api?: true
  }
  /** With `turnId`: that. */
  turnId?: string
  /** With `spans`: where it begins, in UTF-16 code units from the start of the stream. */
  span?: [start: number, end: number]
}

/**
 * More of a segment's content.
 *
 * @example
 * ```ts
 * import { type SegmentContent, StreamingParser } from 'tokenweir/segments'
 *
 * const append = ({ segment_id, payload }: SegmentContent) => console.log(segment_id, payload.delta)
 * for (const event of new StreamingParser().feed('Hello')) if (event.type === 'SEGMENT_CONTENT') append(event)
 * ```
 * ```text
 * seg_1 Hello
 * ```
 */
export interface SegmentContent {
  /** A segment has more content. */
  type: 'SEGMENT_CONTENT'
  /** The id that its start had. */
  segment_id: string
  /** It has none. */
  segment_type?: undefined
  /** What is new. */
  payload: {
    /** The text; never empty. */
    delta: string
  }
  /** With `turnId`: that. */
  turnId?: string
  /** With `spans`: what it was read from, in UTF-16 code units. */
  span?: [start: number, end: number]
}

/**
 * What is said at the end of a segment. It is `{}`, except for what decides whether and with what a tool is invoked: so
 * a copy of the event is as good as the event itself.
 *
 * @example
 * ```ts
 * import { type SegmentEndPayload, StreamingParser } from 'tokenweir/segments'
 *
 * const end = new StreamingParser().feedAndFinalize('<run_bash>rm -rf b').at(-1)
 * const payload: SegmentEndPayload | undefined = end?.type === 'SEGMENT_END' ? end.payload : undefined
 * console.log(payload) // { incomplete: true }
 * ```
 */
export interface SegmentEndPayload {
  /** The segment was cut off by the end of the stream: a tool is not invoked. */
  incomplete?: true
  /** The argument that would be the content, if it was never written; an empty one was. */
  missing?: string
  /**
   * The arguments besides the metadata and the content, as they were written: `<arg>` elements, or the JSON object of
   * an API call without its path and its content.
   */
  arguments?: string
  /**
   * Why this is not a call, if the parser itself could say so; it was reported by `onError`. With `failed`: what the
   * program said.
   */
  error?: SegmentErrorCode | (string & {})
  /**
   * The program gave up the stream while the segment was open (`interrupt`, `finalizeInterrupted`): a tool is not
   * invoked.
   */
  interrupted?: true
  /** Why it did, with `interrupted`. */
  reason?: string
  /**
   * The stream failed while the segment was open (`finalizeFailed`), or its calls were given up
   * (`finalizeOutputLimited`): a tool is not invoked.
   */
  failed?: true
  /**
   * The metadata of the segment's START again, if it has some: with `eventStyle: 'autobyteus'`, `interrupted` and
   * `failed`, and after a `native_context` that came later.
   */
  metadata?: SegmentMetadata
  /** As `ToolInvocation.argumentsParseError`, of a call of an API. */
  argumentsParseError?: string
  /** With `turnId` and `eventStyle: 'autobyteus'`: a command was CDATA, so its references are text. */
  literal?: true
}

/**
 * A segment is over.
 *
 * @example
 * ```ts
 * import { type SegmentEnd, StreamingParser } from 'tokenweir/segments'
 *
 * const close = ({ segment_id }: SegmentEnd) => console.log('end of', segment_id)
 * for (const event of new StreamingParser().feedAndFinalize('Hello')) if (event.type === 'SEGMENT_END') close(event)
 * ```
 * ```text
 * end of seg_1
 * ```
 */
export interface SegmentEnd {
  /** A segment is over. */
  type: 'SEGMENT_END'
  /** The id that its start had. */
  segment_id: string
  /** It has none. */
  segment_type?: undefined
  /** `{}`, unless the segment was cut off, or there is more to know about a tool. */
  payload: SegmentEndPayload
  /** With `turnId`: that. */
  turnId?: string
  /** With `spans`: where it ends, in UTF-16 code units. */
  span?: [start: number, end: number]
}

/**
 * With `spans` only: text that isn't content, so that the spans of contents and markup tile the stream.
 *
 * @example
 * ```ts
 * import { type SegmentMarkup, StreamingParser } from 'tokenweir/segments'
 *
 * const show = ({ payload, span }: SegmentMarkup) => console.log(payload.delta, span)
 * for (const event of new StreamingParser({ spans: true }).feed('<run_bash>ls</run_bash>'))
 *   if (event.type === 'MARKUP') show(event)
 * ```
 * ```text
 * <run_bash> [ 0, 10 ]
 * </run_bash> [ 12, 23 ]
 * ```
 */
export interface SegmentMarkup {
  /** Text that isn't content. */
  type: 'MARKUP'
  /** The segment that it belongs to; null for what belongs to none. */
  segment_id: string | null
  /** It has none. */
  segment_type?: undefined
  /** What was written. */
  payload: {
    /** The text; never empty. */
    delta: string
  }
  /** With `turnId`: that. */
  turnId?: string
  /** Where it stands, in UTF-16 code units from the start of the stream. */
  span: [start: number, end: number]
}

/**
 * What happened in a stream.
 *
 * @example
 * ```ts
 * import { type SegmentEvent, StreamingParser } from 'tokenweir/segments'
 *
 * const name = (event: SegmentEvent) => (event.type === 'SEGMENT_START' ? event.segment_type : event.type)
 * console.log(new StreamingParser().feedAndFinalize('Hello').map(name)) // [ 'text', 'SEGMENT_CONTENT', 'SEGMENT_END' ]
 * ```
 */
export type SegmentEvent = SegmentStart | SegmentContent | SegmentEnd | SegmentMarkup

/**
 * What events look like: plain JSON with `type`, or objects as AutoByteus' own, with `event_type` and `toDict()`.
 *
 * @example
 * ```ts
 * import { type SegmentEventStyle, StreamingParser } from 'tokenweir/segments'
 *
 * const eventStyle: SegmentEventStyle = 'autobyteus'
 * console.log(new StreamingParser({ eventStyle }).feed('Hello').length) // 2
 * ```
 */
export type SegmentEventStyle = 'plain' | 'autobyteus'

/**
 * An event in the shape of AutoByteus' class `SegmentEvent`: see `SegmentConfig.eventStyle`.
 *
 * @example
 * ```ts
 * import { type AutobyteusSegmentEvent, StreamingParser } from 'tokenweir/segments'
 *
 * const show = (event: AutobyteusSegmentEvent) => console.log(JSON.stringify(event.toDict()))
 * const parser = new StreamingParser({ eventStyle: 'autobyteus' })
 * for (const event of parser.feedAndFinalize('<write_file path="a">x</write_file>')) show(event)
 * ```
 * ```text
 * {"type":"SEGMENT_START","segment_id":"seg_1","payload":{"metadata":{"path":"a"}},"segment_type":"write_file"}
 * {"type":"SEGMENT_CONTENT","segment_id":"seg_1","payload":{"delta":"x"}}
 * {"type":"SEGMENT_END","segment_id":"seg_1","payload":{"metadata":{"path":"a"}}}
 * ```
 */
export interface AutobyteusSegmentEvent {
  /** What happened. */
  readonly event_type: SegmentEventType
  /** With `turnId`: that. */
  readonly turn_id?: string | undefined
  /** Prefix and number, from `seg_1` on; the id of an API call where its provider gave one. */
  readonly segment_id: string
  /** What the segment is, on its START. */
  readonly segment_type?: SegmentType | (string & {}) | undefined
  /** `metadata` of a START and its END, `delta` of a CONTENT, and what else an END says. */
  readonly payload: SegmentStart['payload'] & Partial<SegmentContent['payload']> & SegmentEndPayload
  /** The event as plain JSON, with `type`. */
  toDict(): (SegmentStart | SegmentContent | SegmentEnd) & {
    /** With `turnId`: that. */
    turn_id?: string
  }
}

/**
 * The events of a style.
 *
 * @example
 * ```ts
 * import { StreamingParser, type StyledSegmentEvent } from 'tokenweir/segments'
 *
 * const seen: StyledSegmentEvent<'autobyteus'>[] = new StreamingParser({ eventStyle: 'autobyteus' }).feed('Hello')
 * console.log(seen.map(({ event_type }) => event_type)) // [ 'SEGMENT_START', 'SEGMENT_CONTENT' ]
 * ```
 */
export type StyledSegmentEvent<Style extends SegmentEventStyle = 'plain'> = Style extends 'autobyteus'
  ? AutobyteusSegmentEvent
  : SegmentEvent

/**
 * What reads JSON tools in place of `jsonProfile`, as AutoByteus' parsing strategies do.
 *
 * @example
 * ```ts
 * import { type JsonToolParser, StreamingResponseHandler } from 'tokenweir/segments'
 *
 * // {"tool": "add", "with": [1, 2]}
 * const jsonToolParser: JsonToolParser = {
 *   parse(json) {
 *     const { tool, with: numbers }: { tool: string; with: number[] } = JSON.parse(json)
 *     return [{ name: tool, arguments: { numbers } }]
 *   },
 * }
 * const handler = new StreamingResponseHandler({ config: { strategy: 'json', jsonToolParser } })
 * handler.feed('{"tool": "add", "with": [1, 2]}')
 * console.log(handler.getAllInvocations()[0]?.arguments) // { numbers: [ 1, 2 ] }
 * ```
 */
export interface JsonToolParser {
  /**
   * Returns the calls in a JSON text, with their arguments as objects; none if it has none (`missing-name`).
   * What it throws reaches the caller of `feed` or `processEvent`; the text calls nothing then.
   */
  parse(json: string): ReadonlyArray<{
    /** The tool. */
    readonly name: string
    /** What it is called with. */
    readonly arguments: Readonly<Record<string, unknown>>
  }>
}

/**
 * A segment as a whole: see `extractSegments`.
 *
 * @example
 * ```ts
 * import { type Segment, StreamingParser, extractSegments } from 'tokenweir/segments'
 *
 * const segments: Segment[] = extractSegments(new StreamingParser().feedAndFinalize('Hello'))
 * console.log(segments) // [ { id: 'seg_1', type: 'text', content: 'Hello', metadata: {} } ]
 * ```
 */
export interface Segment {
  /** The id in its events. */
  id: string
  /** The segment's kind. */
  type: SegmentType | (string & {})
  /** Its deltas, joined. */
  content: string
  /** What its start knew of it; `{}` if that was nothing. */
  metadata: SegmentMetadata
}

/**
 * What is wrong with a text, or with what was read from it.
 *
 * @example
 * ```ts
 * import { type SegmentError, StreamingParser } from 'tokenweir/segments'
 *
 * const onError = ({ code, span, raw }: SegmentError) => console.log(code, span, raw)
 * new StreamingParser({ onError }).feedAndFinalize('<run_bash>ls') // unterminated [ 0, 12 ] <run_bash>ls
 * ```
 */
export interface SegmentError {
  /**
   * Stable, kebab-case: `unterminated`, `bad-tag`, `bad-header`, `missing-arguments`, `missing-name`, `bad-arguments`,
   * `unexpected-text`, `call-too-long`, `unknown-tool`.
   */
  code: SegmentErrorCode
  /** What is wrong, where, and what to do. */
  message: string
  /** The place, in UTF-16 code units from the start of the stream; of an API call, of its arguments. */
  span: [start: number, end: number]
  /** The text there. */
  raw: string
  /** The segment, if there is one. */
  segmentId: string | null
}

/**
 * The codes of `SegmentError`.
 *
 * @example
 * ```ts
 * import { type SegmentErrorCode, StreamingParser } from 'tokenweir/segments'
 *
 * const codes: SegmentErrorCode[] = []
 * new StreamingParser({ onError: ({ code }) => codes.push(code) }).feedAndFinalize('<run_bash>ls')
 * console.log(codes) // [ 'unterminated' ]
 * ```
 */
export type SegmentErrorCode =
  | 'unterminated'
  | 'bad-tag'
  | 'bad-header'
  | 'missing-arguments'
  | 'missing-name'
  | 'bad-arguments'
  | 'unexpected-text'
  | 'call-too-long'
  | 'unknown-tool'

/**
 * What was tolerated in the JSON of a call: see `onRepair`.
 *
 * @example
 * ```ts
 * import { type SegmentRepair, StreamingResponseHandler } from 'tokenweir/segments'
 *
 * const onRepair = (repairs: readonly SegmentRepair[]) => console.log(repairs)
 * new StreamingResponseHandler({ config: { strategy: 'json' }, onRepair }).feed(
 *   "{'tool': {'function': 'stop', 'parameters': {'now': True,}}}",
 * )
 * ```
 * ```text
 * [ 'trailing-comma', 'single-quotes', 'python-word' ]
 * ```
 */
export type SegmentRepair =
  | 'comment'
  | 'trailing-comma'
  | 'single-quotes'
  | 'unquoted-key'
  | 'bare-word'
  | 'leading-zero'
  | 'kept-escape'
  | 'json5-whitespace'
  | 'raw-control'
  | 'python-word'

/**
 * A tool to call.
 *
 * @example
 * ```ts
 * import { StreamingResponseHandler, type ToolInvocation } from 'tokenweir/segments'
 *
 * const run = ({ id, name, arguments: given }: ToolInvocation) => console.log(id, name, given)
 * new StreamingResponseHandler({ onToolInvocation: run }).feed('<run_bash>ls</run_bash>')
 * ```
 * ```text
 * seg_1 run_bash { command: 'ls' }
 * ```
 */
export interface ToolInvocation {
  /** The id of its segment. Further calls of one segment have `.2`, `.3` and so on after it. */
  id: string
  /** The tool. */
  name: string
  /** Its arguments. */
  arguments: Record<string, SegmentValue>
  /** The provider's id of an API call. */
  callId?: string
  /** With `turnId`: that. */
  turnId?: string
  /**
   * Only with `turnId` and `eventStyle: 'autobyteus'`, where every invocation has it: null, or why an API call's
   * arguments, which came to their end, are not a JSON object. Then `arguments` is `{}` and says nothing: don't run the
   * tool, answer with this text.
   */
  argumentsParseError?: string | null
  /** What the provider said of an API call besides (`native_context`), for the next request. */
  nativeToolCallContext?: Record<string, SegmentValue>
}

/**
 * A JSON schema.
 *
 * @example
 * ```ts
 * import { type JsonSchema, StreamingResponseHandler } from 'tokenweir/segments'
 *
 * const add: JsonSchema = { type: 'object', properties: { a: { type: 'number' } } }
 * const handler = new StreamingResponseHandler({
 *   schemas: { add },
 *   onToolInvocation: (call) => console.log(call.arguments),
 * })
 * handler.feed('<tool name="add"><arguments><arg name="a">1</arg></arguments></tool>') // { a: 1 }
 * ```
 */
export type JsonSchema = { readonly [keyword: string]: unknown } | boolean

/**
 * How arguments of a tool of one's own are read: one row of the table that has `write_file` and `run_bash` in it.
 *
 * @example
 * ```ts
 * import { StreamingParser, type ToolState, extractSegments } from 'tokenweir/segments'
 *
 * const note: ToolState = { segmentType: 'note', contentArg: 'text', startWhen: ['title'] }
 * const text = '<tool name="note"><arg name="title">Shop</arg><arg name="text">milk</arg></tool>'
 * const [segment] = extractSegments(new StreamingParser({ toolStates: { note } }).feedAndFinalize(text))
 * console.log(segment?.type, segment?.content, segment?.metadata) // note milk { tool_name: 'note', title: 'Shop' }
 * ```
 */
export interface ToolState {
  /** What its segments are. @defaultValue `'tool_call'` */
  segmentType?: SegmentType | (string & {})
  /** The argument whose text is the segment's content. Without it the content is everything between the tags. */
  contentArg?: string
  /** Arguments without which the segment doesn't begin. They are metadata too. */
  startWhen?: readonly string[]
  /** Arguments that go to the metadata if they come before the start. */
  metadataArgs?: readonly string[]
  /**
   * What may come before the content, so that `</arg>` can be in it. At most 64 bytes of UTF-8; only with `endMarker`.
   */
  startMarker?: string
  /** What then comes after it. */
  endMarker?: string
  /** Changes each delta of the content. */
  transform?(delta: string): string
}

/**
 * How JSON tools look: a provider's way, or how they begin.
 *
 * @example
 * ```ts
 * import { type JsonProfile, StreamingResponseHandler } from 'tokenweir/segments'
 *
 * const jsonProfile: JsonProfile = 'openai'
 * const handler = new StreamingResponseHandler({
 *   config: { strategy: 'json', jsonProfile },
 *   onToolInvocation: ({ name }) => console.log(name),
 * })
 * handler.feed('{"tool_calls": [{"function": {"name": "add", "arguments": "{}"}}]}') // add
 * ```
 */
export type JsonProfile = 'openai' | 'gemini' | 'default' | readonly string[]

/**
 * The ways to find segments.
 *
 * @example
 * ```ts
 * import { type SegmentStrategy, StreamingParser, extractSegments } from 'tokenweir/segments'
 *
 * const strategy: SegmentStrategy = 'json'
 * const events = new StreamingParser({ strategy }).feedAndFinalize('{"tool": {"function": "add"}}')
 * console.log(extractSegments(events).map(({ type }) => type)) // [ 'tool_call' ]
 * ```
 */
export type SegmentStrategy = 'xml' | 'json' | 'sentinel' | 'api_tool_call' | 'native'

/**
 * The markers that can be looked for.
 *
 * @example
 * ```ts
 * import { type SegmentMarker, StreamingParser, extractSegments } from 'tokenweir/segments'
 *
 * const strategyOrder: SegmentMarker[] = ['xml_tag', 'json_tool']
 * const events = new StreamingParser({ strategyOrder }).feedAndFinalize(
 *   '<run_bash>ls</run_bash>{"tool": {"function": "add"}}',
 * )
 * console.log(extractSegments(events).map(({ type }) => type)) // [ 'run_bash', 'tool_call' ]
 * ```
 */
export type SegmentMarker = 'xml_tag' | 'json_tool' | 'sentinel'

/**
 * How a stream is read.
 *
 * @example
 * ```ts
 * import { type SegmentConfig, StreamingParser, extractSegments } from 'tokenweir/segments'
 *
 * const config: SegmentConfig = { strategy: 'xml', segmentIdPrefix: 'turn1_', fences: 'text' }
 * const [segment] = extractSegments(new StreamingParser(config).feedAndFinalize('Write `<run_bash>`'))
 * console.log(segment?.id, segment?.content) // turn1_seg_1 Write `<run_bash>`
 * ```
 */
export interface SegmentConfig<Style extends SegmentEventStyle = 'plain'> {
  /**
   * The way to find segments. @defaultValue the environment variable `AUTOBYTEUS_STREAM_PARSER` where there is one,
   * else `'xml'`
   */
  strategy?: SegmentStrategy
  /** The markers to look for. The earliest in the text wins. @defaultValue the strategy's own */
  strategyOrder?: readonly SegmentMarker[]
  /** False: all is text. @defaultValue `true` */
  parseToolCalls?: boolean
  /** What ids begin with. @defaultValue `''` */
  segmentIdPrefix?: string
  /** How JSON tools look. @defaultValue `'default'` */
  jsonProfile?: JsonProfile
  /** Tool states for this parser alone, by tool name; `null` makes a tool generic. */
  toolStates?: { readonly [toolName: string]: ToolState | null }
  /**
   * The tools that the model was given. What calls another one is text, and an API call of another
   * one is `unknown-tool`; the tools of `toolStates` count as given. Names are compared without regard
   * to the case of ASCII letters, except in API calls. @defaultValue any tool may be called
   */
  tools?: ToolList | undefined
  /** `'text'`: markup in Markdown fences and inline code is text. @defaultValue `'parse'` */
  fences?: 'parse' | 'text'
  /**
   * Reasoning in the text, between `<think>` and `</think>` or `<thinking>` and `</thinking>`: segments of type
   * `reasoning` (`'parts'`), left in the text with its tags (`'text'`), or text like any other, so that tools in it are
   * invoked (`'search'`).
   * @defaultValue `'parts'`
   */
  reasoning?: 'parts' | 'text' | 'search'
  /**
   * A tool that the stream ends in is invoked all the same, if its arguments are whole; its END is `incomplete`
   * nevertheless. @defaultValue `false`
   */
  acceptUnterminated?: boolean
  /**
   * Most text that is buffered of an undecided call: of a tool that waits for its path, and of an API call's
   * arguments. In UTF-16 code units; a longer one isn't called, `call-too-long`. @defaultValue 16_777_216
   */
  maxPending?: number
  /** Events carry spans, and markup is emitted. Only in the style `plain`. @defaultValue `false` */
  spans?: boolean
  /** What events look like: `'autobyteus'` for programs that were written for AutoByteus. @defaultValue `'plain'` */
  eventStyle?: Style
  /**
   * The id of the turn, which all events have: `turnId`, in the style `autobyteus` `turn_id`. Together with that style
   * it also makes calls be those of AutoByteus since May 2026: a command's references are decoded, arguments written as
   * XML that come again are lists, `background` is left out, and invocations have `argumentsParseError`.
   */
  turnId?: string | undefined
  /**
   * What reads JSON tools that name no tool at their start, in place of `jsonProfile`. It is the handler's, and the
   * adapter's; a parser makes no calls.
   */
  jsonToolParser?: JsonToolParser
  /** Is called with what is wrong with the text. */
  onError?(error: SegmentError): void
}

/**
 * A piece of an API's tool call.
 *
 * @example
 * ```ts
 * import { StreamingResponseHandler, type ToolCallDelta } from 'tokenweir/segments'
 *
 * const deltas: ToolCallDelta[] = [
 *   { index: 0, callId: 'call_1', name: 'add' },
 *   { index: 0, argumentsDelta: '{"a": 1}' },
 * ]
 * const handler = new StreamingResponseHandler({
 *   onToolInvocation: ({ name, arguments: given }) => console.log(name, given),
 * })
 * for (const delta of deltas) handler.feed({ toolCalls: [delta] })
 * handler.finalize()
 * ```
 * ```text
 * add { a: 1 }
 * ```
 */
export interface ToolCallDelta {
  /** Which call of the answer it is. */
  index: number
  /** The provider's id, when it is known. */
  callId?: string | null | undefined
  /** `callId`, as AutoByteus names it. */
  call_id?: string | null | undefined
  /** The tool, when it is known. */
  name?: string | null | undefined
  /** More of the arguments' JSON text. */
  argumentsDelta?: string | null | undefined
  /** `argumentsDelta`, as AutoByteus names it. */
  arguments_delta?: string | null | undefined
  /** What the provider says of the call besides, as AutoByteus has it: it is on the invocation. The last one counts. */
  native_context?: Readonly<Record<string, SegmentValue>> | null | undefined
  /** True: nothing of this call follows. One without arguments is invoked with `{}` then. */
  done?: boolean | null
}

/**
 * What a model sends in one chunk.
 *
 * @example
 * ```ts
 * import { type ResponseChunk, StreamingResponseHandler } from 'tokenweir/segments'
 *
 * const chunk: ResponseChunk = { reasoning: 'hm', content: 'Hello' }
 * const handler = new StreamingResponseHandler()
 * console.log(
 *   handler
 *     .feed(chunk)
 *     .filter(({ type }) => type === 'SEGMENT_CONTENT')
 *     .map(({ payload }) => payload),
 * )
 * // → [ { delta: 'hm' }, { delta: 'Hello' } ]
 * ```
 */
export interface ResponseChunk {
  /** Text, in which tools are looked for. */
  content?: string | null
  /** What the model thinks, emitted as a segment of type `reasoning`. */
  reasoning?: string | null
  /** Pieces of the API's own tool calls. */
  toolCalls?: readonly ToolCallDelta[] | null
  /** `toolCalls`, as AutoByteus names it; passed over next to that. */
  tool_calls?: readonly ToolCallDelta[] | null
  /** What the answer cost; passed over. */
  usage?: unknown
  /** Whether it is the last chunk; passed over, since `finalize` says so. */
  isComplete?: boolean | null
  /** `isComplete`, as AutoByteus names it. */
  is_complete?: boolean | null
}

/**
 * A tool as an API takes it. The schema is of its arguments.
 *
 * @example
 * ```ts
 * import { type ToolDefinition, streamingResponseHandlerFor } from 'tokenweir/segments'
 *
 * const add: ToolDefinition = { name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' } } } }
 * const handler = streamingResponseHandlerFor({
 *   provider: 'anthropic',
 *   tools: [add],
 *   onToolInvocation: (call) => console.log(call.arguments),
 * })
 * handler.feed('<tool name="add"><arguments><arg name="a">1</arg></arguments></tool>') // { a: 1 }
 * ```
 */
export type ToolDefinition =
  | {
      /** The tool's name. */
      readonly name: string
      /** The schema, by OpenAI's and Gemini's name. */
      readonly parameters?: unknown
      /** The schema, by the AI SDK's name. */
      readonly inputSchema?: unknown
      /** The schema, by Anthropic's name. */
      readonly input_schema?: unknown
    }
  | {
      /** `function`. */
      readonly type: string
      /** The tool in OpenAI's wrapper. */
      readonly function?: {
        /** The tool's name. */
        readonly name: string
        /** The schema. */
        readonly parameters?: unknown
      }
    }

/**
 * The tools of a model: names and definitions, or schemas and definitions by name.
 *
 * @example
 * ```ts
 * import { type ToolList, streamingResponseHandlerFor } from 'tokenweir/segments'
 *
 * const tools: ToolList = { add: { type: 'object', properties: { a: { type: 'number' } } } }
 * const handler = streamingResponseHandlerFor({
 *   provider: 'anthropic',
 *   tools,
 *   onToolInvocation: (call) => console.log(call.arguments),
 * })
 * handler.feed('<tool name="add"><arguments><arg name="a">1</arg></arguments></tool>') // { a: 1 }
 * ```
 */
export type ToolList = ReadonlyArray<string | ToolDefinition> | { readonly [toolName: string]: JsonSchema | object }
