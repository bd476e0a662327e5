/**
 * Tool calls as middleware for the AI SDK, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from './tool-calls.js'
export { protocolFor } from '../tool-calls/format-protocol.js'
export { RJSON } from '../rjson/rjson.js'
export { DebugTap, getDebugLevel } from '../ai-sdk/debug.js'
export type { DebugLevel, DebugOptions, DebugStyle, DebugSummary } from '../ai-sdk/debug.js'
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
  yamlXmlToolMiddleware,
} from '../ai-sdk/ready-made.js'
export { createToolMiddleware } from '../ai-sdk/middleware.js'
export {
  gemmaSystemPromptTemplate,
  hermesSystemPromptTemplate,
  morphXmlSystemPromptTemplate,
} from '../ai-sdk/templates.js'
export { toolCallOptions, type ToolCallProviderOptions } from '../ai-sdk/options.js'
export { toolChoiceStream, type ToolChoiceStreamOptions } from '../ai-sdk/tool-choice.js'
export { transformParams } from '../ai-sdk/transform-params.js'
export { wrapGenerate, type WrapGenerateOptions } from '../ai-sdk/wrap-generate.js'
export { wrapStream, type WrapStreamOptions } from '../ai-sdk/wrap-stream.js'
export type * from '../ai-sdk/types.js'
export { warm } from '../wasm/start.js'
