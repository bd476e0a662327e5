// The public names of @ai-sdk-tool/parser: those of the middleware, and what only it has.
export * from './ai-sdk.js'
export {
  gemmaToolMiddleware,
  hermesToolMiddleware,
  morphXmlToolMiddleware,
  xmlToolMiddleware,
} from '../ai-sdk/tool-parser-middlewares.js'
export { hermesProtocol, jsonMixProtocol, morphXmlProtocol } from '../ai-sdk/tool-parser-protocols.js'
export { logParsedChunk, logParsedSummary, logRawChunk } from '../ai-sdk/debug.js'
export { hasInputProperty, isToolCallContent, isToolResultPart } from '../ai-sdk/guards.js'
export {
  decodeOriginalTools,
  encodeOriginalTools,
  extractToolNamesFromOriginalTools,
  originalToolsSchema,
} from '../ai-sdk/original-tools.js'
export { isProtocolFactory } from '../ai-sdk/protocol-source.js'
export { extractOnErrorOption, isToolChoiceActive, isToolChoiceNone } from '../ai-sdk/request.js'
export { createDynamicIfThenElseSchema } from '../ai-sdk/tool-choice-schema.js'
export { getPotentialStartIndex } from '../tool-calls/potential-start.js'
export {
  KExaone2ToolParser,
  Qwen3CoderToolParser,
  coerce,
  community,
  createHermesToolResponseFormatter,
  createKExaone2ToolResponseFormatter,
  createMorphXmlToolResponseFormatter,
  createQwen3CoderXmlToolResponseFormatter,
  createUserContentToolResponseTemplate,
  decodeOriginalToolsFromProviderOptions,
  escapeRegExp,
  formatToolResponseAsHermes,
  formatToolResponseAsKExaone2,
  formatToolResponseAsQwen3CoderXml,
  formatToolResponseAsYaml,
  getDroppedProviderTools,
  getToolCallMiddlewareOptions,
  isTCMProtocolFactory,
  kExaone2SystemPromptTemplate,
  logParseFailure,
  mergeToolCallMiddlewareOptions,
  morphFormatToolResponseAsXml,
  qwen3coderSystemPromptTemplate,
  toolRoleContentToUserTextMessage,
  yamlXmlSystemPromptTemplate,
} from '../ai-sdk/tool-parser-names.js'
export type { ParseFailure, ToolRoleContent } from '../ai-sdk/tool-parser-names.js'
export { parse } from '../rjson/parse.js'
export { stringify } from '../rjson/stringify.js'
export { transform } from '../rjson/transform.js'
