// The public names of the segment parser. Those that are AutoByteus' alone stay until 1.0, as in
// `tokenweir/autobyteus`:
// `LlmStreamingResponseHandler`, `decodeXmlEntitiesOnce`, `detectApiToolCallTextLeak`, `getToolSyntaxSpec`.
export { ParseError } from '../errors.js'
export type { StreamEnd } from '../finish-reason.js'
export { ToolInvocationAdapter } from '../segments/adapter.js'
export type { Snapshot, KeepTextOptions } from '../snapshot/snapshot.js'
export type { ToolInvocationAdapterOptions } from '../segments/adapter.js'
export type { AnySegmentEvent } from '../segments/autobyteus-events.js'
export { detectApiToolCallTextLeak, type ApiToolCallTextLeak } from '../segments/call-text-leak.js'
export { decodeXmlEntitiesOnce } from '../segments/command-arguments.js'
export { streamingResponseHandlerFor, type HandlerFactoryOptions } from '../segments/factory.js'
export { StreamingResponseHandler, type StreamingResponseHandlerOptions } from '../segments/handler.js'
export { LlmStreamingResponseHandler, type LlmStreamingResponseHandlerOptions } from '../segments/llm-handler.js'
export { SegmentStream, StreamingParser, extractSegments, parseSegments } from '../segments/parser.js'
export { SegmentEventType, SegmentType } from '../segments/segment-names.js'
export { registerXmlToolParsingState, unregisterXmlToolParsingState } from '../segments/states.js'
export {
  getToolSyntaxSpec,
  registerToolSyntax,
  toolSyntaxOf,
  unregisterToolSyntax,
  type ToolSyntax,
  type ToolSyntaxSpec,
} from '../segments/tool-syntax.js'
export type * from '../segments/types.js'
export type { SourceOptions, TextSource } from '../sources.js'
