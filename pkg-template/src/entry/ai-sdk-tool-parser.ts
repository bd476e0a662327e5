/**
 * The names of `@ai-sdk-tool/parser`, ready immediately after a plain import: those of the middleware, and what only it
 * has, such as relaxed JSON, elements as values, coercion by a JSON schema and YAML.
 *
 * @packageDocumentation
 */
export * from './ai-sdk.js'
export {
  gemmaToolMiddleware,
  hermesToolMiddleware,
  morphXmlToolMiddleware,
  xmlToolMiddleware,
} from '../ai-sdk/tool-parser-middlewares.js'
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
  getPotentialStartIndex,
  getToolCallMiddlewareOptions,
  hermesProtocol,
  isTCMProtocolFactory,
  jsonMixProtocol,
  kExaone2SystemPromptTemplate,
  logParseFailure,
  mergeToolCallMiddlewareOptions,
  morphFormatToolResponseAsXml,
  morphXmlProtocol,
  qwen3coderSystemPromptTemplate,
  toolRoleContentToUserTextMessage,
  yamlXmlSystemPromptTemplate,
} from '../ai-sdk/tool-parser-names.js'
export type { ParseFailure, ToolRoleContent } from '../ai-sdk/tool-parser-names.js'
export { RjsonError, type RjsonWarning } from '../rjson/wording.js'
export type { ParseOptions, Reviver } from '../rjson/parse.js'
export { parse } from '../rjson/parse.js'
export { rjson } from '../rjson/rjson.js'
export { stringify } from '../rjson/stringify.js'
export { transform } from '../rjson/transform.js'
export { coerceBySchema, getSchemaType, schemaIsUnconstrained, unwrapJsonSchema } from '../rxml/coerce-by-schema.js'
export { RXMLCoercionError, RXMLDuplicateStringTagError, RXMLParseError } from '../rxml/parse.js'
export type { RXMLParseOptions } from '../rxml/parse.js'
export { RXML, rxml } from '../rxml/rxml.js'
export type { RXMLStringifyOptions } from '../rxml/stringify.js'
export { RXMLStringifyError } from '../rxml/stringify.js'
export { withYaml } from '../yaml/reader.js'
export { warm } from '../wasm/start.js'
