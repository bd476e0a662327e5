// The public names of the AI SDK middleware. Those that are only for programs of @ai-sdk-tool/parser stay until 1.0, as
// in
// `tokenweir/ai-sdk-tool-parser`: aliases (`jsonMixProtocol`, `xmlToolMiddleware`), questions to parts
// (`isToolCallContent`,
// `isToolResultPart`, `hasInputProperty`, `getPotentialStartIndex`), `isProtocolFactory`,
// `createDynamicIfThenElseSchema`,
// `extractOnErrorOption`, `isToolChoiceActive`, `isToolChoiceNone`, packed tools (`originalToolsSchema` and its
// functions) and
// what prints (`logRawChunk`, `logParsedChunk`, `logParsedSummary`).
export * from './tool-calls.js'
export { protocolFor } from '../tool-calls/format-protocol.js'
export { RJSON } from '../rjson/rjson.js'
export { DebugTap, getDebugLevel, logParsedChunk, logParsedSummary, logRawChunk } from '../ai-sdk/debug.js'
export type { DebugLevel, DebugOptions, DebugStyle, DebugSummary } from '../ai-sdk/debug.js'
export { hasInputProperty, isToolCallContent, isToolResultPart } from '../ai-sdk/guards.js'
export {
  kExaone2Protocol,
  qwen3CoderProtocol,
  uiTarsXmlProtocol,
  yamlXmlProtocol,
} from '../ai-sdk/format-protocols.js'
export type { YamlXmlProtocolOptions } from '../ai-sdk/format-protocols.js'
export {
  gemmaToolMiddleware,
  hermesToolMiddleware,
  kExaone2ToolMiddleware,
  morphXmlToolMiddleware,
  qwen3CoderToolMiddleware,
  uiTarsToolMiddleware,
  xmlToolMiddleware,
  yamlXmlToolMiddleware,
} from '../ai-sdk/ready-made.js'
export { createToolMiddleware } from '../ai-sdk/middleware.js'
export {
  decodeOriginalTools,
  encodeOriginalTools,
  extractToolNamesFromOriginalTools,
  originalToolsSchema,
} from '../ai-sdk/original-tools.js'
export { isProtocolFactory } from '../ai-sdk/protocol-source.js'
export { extractOnErrorOption, isToolChoiceActive, isToolChoiceNone } from '../ai-sdk/request.js'
export {
  gemmaSystemPromptTemplate,
  hermesSystemPromptTemplate,
  morphXmlSystemPromptTemplate,
} from '../ai-sdk/templates.js'
export { createDynamicIfThenElseSchema } from '../ai-sdk/tool-choice-schema.js'
export { toolCallOptions, type ToolCallProviderOptions } from '../ai-sdk/tool-call-options.js'
export { toolChoiceStream, type ToolChoiceStreamOptions } from '../ai-sdk/tool-choice.js'
export { transformParams } from '../ai-sdk/transform-params.js'
export { wrapGenerate, type WrapGenerateOptions } from '../ai-sdk/wrap-generate.js'
export { wrapStream, type WrapStreamOptions } from '../ai-sdk/wrap-stream.js'
export type * from '../ai-sdk/types.js'
