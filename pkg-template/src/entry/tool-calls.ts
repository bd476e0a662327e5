/**
 * Only the tool-call parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export type { FormatId } from '../generated/format-ids.js'
export type { ReasoningOption } from '../formats/readable.js'
export type { FormatSource } from '../tool-calls/format-source.js'
export { parseReply, type ParsedReply, type ReplyProblem } from '../tool-calls/parse-reply.js'
export { hermesProtocol, morphXmlProtocol } from '../tool-calls/protocols.js'
export { ToolCallParser, parseToolCalls, restoreToolCallStream, toolCallStream } from '../tool-calls/stream.js'
export type { StreamEnd } from '../finish-reason.js'
export type { Snapshot } from '../journal.js'
export type { ToolCallParserClass, ToolCallSource, ToolCallTransform } from '../tool-calls/stream.js'
export type {
  AnyTools,
  ArgsOf,
  DynamicToolCall,
  GeneratedContentOf,
  StaticToolCall,
  StreamPartOf,
  TypedToolCall,
} from '../tool-calls/tool-set.js'
export type { CallToRun, DynamicCall, KnownCall } from '../tool-calls/to-run.js'
export type { FunctionTool, GivenTools, ToolSet } from '../schema/tool-list.js'
export type * from '../tool-calls/types.js'
export { warm } from '../wasm/start.js'
