/**
 * The names that programs of AutoByteus use, on the segment parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export { ParseError } from '../errors.js'
export { ToolInvocationAdapter, type ToolInvocationAdapterOptions } from '../segments/adapter.js'
export type { AnySegmentEvent } from '../segments/autobyteus-events.js'
export { detectApiToolCallTextLeak, type ApiToolCallTextLeak } from '../segments/call-text-leak.js'
export { decodeXmlEntitiesOnce } from '../segments/command-arguments.js'
export { StreamingResponseHandler, type StreamingResponseHandlerOptions } from '../segments/handler.js'
export { LlmStreamingResponseHandler, type LlmStreamingResponseHandlerOptions } from '../segments/llm-handler.js'
export { StreamingParser, extractSegments } from '../segments/parser.js'
export { SegmentEventType, SegmentType } from '../segments/segment-names.js'
export { registerXmlToolParsingState, unregisterXmlToolParsingState } from '../segments/states.js'
export { getToolSyntaxSpec, type ToolSyntaxSpec } from '../segments/tool-syntax.js'
export type * from '../segments/types.js'
export type { KeepTextOptions, Snapshot } from '../journal.js'
export type { SourceOptions, TextSource } from '../sources.js'
export { warm } from '../wasm/start.js'
