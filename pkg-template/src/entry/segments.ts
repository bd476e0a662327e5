/**
 * Only the segment parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export { ParseError } from '../errors.js'
export type { StreamEnd } from '../finish-reason.js'
export { ToolInvocationAdapter } from '../segments/adapter.js'
export type { Snapshot, KeepTextOptions } from '../journal.js'
export type { ToolInvocationAdapterOptions } from '../segments/adapter.js'
export type { AnySegmentEvent } from '../segments/autobyteus-events.js'
export { streamingResponseHandlerFor, type HandlerFactoryOptions } from '../segments/factory.js'
export { StreamingResponseHandler, type StreamingResponseHandlerOptions } from '../segments/handler.js'
export { SegmentStream, StreamingParser, extractSegments, parseSegments } from '../segments/parser.js'
export { SegmentEventType, SegmentType } from '../segments/segment-names.js'
export { registerXmlToolParsingState, unregisterXmlToolParsingState } from '../segments/states.js'
export {
  registerToolSyntax,
  toolSyntaxOf,
  unregisterToolSyntax,
  type ToolSyntax,
} from '../segments/tool-syntax.js'
export type * from '../segments/types.js'
export type { SourceOptions, TextSource } from '../sources.js'
export { warm } from '../wasm/start.js'
