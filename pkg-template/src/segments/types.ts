// What goes in and out of the segment front-end.
//
// Source: seeds/000, "Segment Events"; spec/segment.md. Names and shapes of
// events are AutoByteus' own.

/** What a segment is. A tool state of your own may name others. */
export type SegmentType = 'text' | 'tool_call' | 'write_file' | 'patch_file' | 'edit_file' | 'run_bash' | 'reasoning'

/** A value of JSON. */
export type SegmentValue = string | number | boolean | null | SegmentValue[] | { [key: string]: SegmentValue }

/** What is known of a segment at its start: `tool_name`, `path`, the header of a sentinel. */
export type SegmentMetadata = { [key: string]: SegmentValue }

/** A segment begins. */
export interface SegmentStart {
  type: 'SEGMENT_START'
  /** Prefix and number, from `seg_1` on; the id of an API call where its provider gave one. */
  segment_id: string
  segment_type: SegmentType | (string & {})
  payload: { metadata?: SegmentMetadata }
  /** With `spans`: where it begins, in UTF-16 code units from the start of the stream. */
  span?: [start: number, end: number]
}

/** More of a segment's content. */
export interface SegmentContent {
  type: 'SEGMENT_CONTENT'
  segment_id: string
  /** Never empty. */
  payload: { delta: string }
  /** With `spans`: what it was read from, in UTF-16 code units. */
  span?: [start: number, end: number]
}

/** A segment is over. That it was cut off by the end of the stream is told by `onError`. */
export interface SegmentEnd {
  type: 'SEGMENT_END'
  segment_id: string
  payload: Record<string, never>
  /** With `spans`: where it ends, in UTF-16 code units. */
  span?: [start: number, end: number]
}

/** With `spans` only: text that is no content, so that the spans of contents and markup tile the stream. */
export interface SegmentMarkup {
  type: 'MARKUP'
  /** The segment that it belongs to; null for what belongs to none. */
  segment_id: string | null
  payload: { delta: string }
  span: [start: number, end: number]
}

/** What happened in a stream. */
export type SegmentEvent = SegmentStart | SegmentContent | SegmentEnd | SegmentMarkup

/** A segment as a whole: see `extractSegments`. */
export interface Segment {
  id: string
  type: SegmentType | (string & {})
  content: string
  metadata: SegmentMetadata
}

/** What is wrong with a text, or with what was made of it. */
export interface SegmentError {
  /** Stable, kebab-case: `unterminated`, `bad-tag`, `bad-header`, `missing-argument`, `missing-name`, `bad-arguments`, `unexpected-text`. */
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

/** The codes of `SegmentError`. */
export type SegmentErrorCode = 'unterminated' | 'bad-tag' | 'bad-header' | 'missing-argument' | 'missing-name' | 'bad-arguments' | 'unexpected-text'

/** A tool to call. */
export interface ToolInvocation {
  /** The id of its segment. Further calls of one segment have `.2`, `.3` and so on behind it. */
  id: string
  name: string
  arguments: Record<string, SegmentValue>
  /** The provider's id of an API call. */
  callId?: string
}

/** A JSON schema. */
export type JsonSchema = { readonly [keyword: string]: unknown } | boolean

/** How arguments of a tool of one's own are read: one row of the table that has `write_file` and `run_bash` in it. */
export interface ToolState {
  /** @defaultValue `'tool_call'` */
  segmentType?: SegmentType | (string & {})
  /** The argument whose text is the segment's content. Without it the content is all that stands between the tags. */
  contentArg?: string
  /** Arguments without which the segment doesn't begin. They are metadata too. */
  startWhen?: readonly string[]
  /** Arguments that go to the metadata if they stand in front of the start. */
  metadataArgs?: readonly string[]
  /** What may bracket the content, so that `</arg>` can be in it. Both or none. */
  startMarker?: string
  endMarker?: string
  /** Changes each delta of the content. */
  transform?(delta: string): string
}

/** How JSON tools look: a provider's way, or how they begin. */
export type JsonProfile = 'openai' | 'gemini' | 'default' | readonly string[]

/** The ways to find segments. */
export type SegmentStrategy = 'xml' | 'json' | 'sentinel' | 'api_tool_call' | 'native'

/** The markers that can be looked for. */
export type SegmentMarker = 'xml_tag' | 'json_tool' | 'sentinel'

/** How a stream is read. */
export interface SegmentConfig {
  /** @defaultValue the environment variable `AUTOBYTEUS_STREAM_PARSER` where there is one, else `'xml'` */
  strategy?: SegmentStrategy
  /** The markers to look for. The earliest in the text wins. @defaultValue the strategy's own */
  strategyOrder?: readonly SegmentMarker[]
  /** False: all is text. @defaultValue `true` */
  parseToolCalls?: boolean
  /** What stands in front of ids. @defaultValue `''` */
  segmentIdPrefix?: string
  /** @defaultValue `'default'` */
  jsonProfile?: JsonProfile
  /** Tool states for this parser alone, by tool name; `null` makes a tool generic. */
  toolStates?: { readonly [toolName: string]: ToolState | null }
  /** `'text'`: markup in Markdown fences and inline code is text. @defaultValue `'parse'` */
  fences?: 'parse' | 'text'
  /** A segment that the stream ends in counts as whole. @defaultValue `false` */
  acceptUnterminated?: boolean
  /** Events carry spans, and markup is told. @defaultValue `false` */
  spans?: boolean
  /** Is told what is wrong with the text. */
  onError?(error: SegmentError): void
}

/** A piece of an API's tool call. */
export interface ToolCallDelta {
  /** Which call of the answer it is. */
  index: number
  /** The provider's id, when it is known. */
  callId?: string | null
  /** The tool, when it is known. */
  name?: string | null
  /** More of the arguments' JSON text. */
  argumentsDelta?: string | null
}

/** What a model sends at once. */
export interface ResponseChunk {
  content?: string | null
  reasoning?: string | null
  toolCalls?: readonly ToolCallDelta[] | null
}
