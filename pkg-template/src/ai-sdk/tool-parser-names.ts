// What `@ai-sdk-tool/parser` 5 exports besides what the middleware of `tokenweir/ai-sdk` has: for the entry of its name
// alone.
//
// Source: facts/peers-today.md, 4.

import { resultValue } from '../formats/results.js'
import { describeTools, writeResults } from '../formats/write.js'
import type { FormatId } from '../generated/format-ids.js'
import { checkOptions } from '../options.js'
import { isRecord, own } from '../own.js'
import { coerceBySchema } from '../rxml/coerce-by-schema.js'
import { toJson } from '../schema/to-json.js'
import { formatMorphResponse } from '../tool-calls/format.js'
import { hermesWith, morphWith } from '../tool-calls/protocols.js'
import type {
  FormattedResult,
  HermesProtocolOptions,
  MorphXmlProtocolOptions,
  Tool,
  ToolCallOptions,
  ToolCallProtocol,
} from '../tool-calls/types.js'
import { type DebugOptions, getDebugLevel, logOf } from './debug.js'
import { kExaone2Protocol, qwen3CoderProtocol, systemPromptTemplateFor } from './format-protocols.js'
import { decodeOriginalTools } from './original-tools.js'
import { joinTexts, textPart } from './prompt.js'
import { isProtocolFactory } from './protocol-source.js'
import { uiTarsToolMiddleware } from './ready-made.js'
import { mediaOf } from './result-media.js'
import { SAFE, morphXmlToolMiddleware } from './tool-parser-middlewares.js'
import type { PromptMessage, PromptPart, ToolMiddleware } from './types.js'

/** The key in `providerOptions`. */
const KEY = 'toolCallMiddleware'

/**
 * `qwen3CoderProtocol` under its other name.
 *
 * @example
 * ```ts
 * import { Qwen3CoderToolParser, qwen3CoderProtocol } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(Qwen3CoderToolParser === qwen3CoderProtocol) // true
 * ```
 */
export const Qwen3CoderToolParser = qwen3CoderProtocol

/**
 * `kExaone2Protocol` under its other name.
 *
 * @example
 * ```ts
 * import { KExaone2ToolParser, kExaone2Protocol } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(KExaone2ToolParser === kExaone2Protocol) // true
 * ```
 */
export const KExaone2ToolParser = kExaone2Protocol

/**
 * `isProtocolFactory` under its other name.
 *
 * @example
 * ```ts
 * import { hermesProtocol, isTCMProtocolFactory } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(isTCMProtocolFactory(hermesProtocol)) // true
 * ```
 */
export const isTCMProtocolFactory = isProtocolFactory

/**
 * `coerceBySchema` of `tokenweir/ai-sdk-tool-parser` under another name.
 *
 * @example
 * ```ts
 * import { coerce } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(coerce('5', { type: 'number' })) // 5
 * ```
 */
export const coerce = coerceBySchema

/**
 * Returns a text as a part of a regular expression that matches just this text.
 *
 * @example
 * ```ts
 * import { escapeRegExp } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(escapeRegExp('a.b*')) // a\.b\*
 * ```
 */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/**
 * Returns the middleware's options in a request's `providerOptions`; an empty object if there are none.
 *
 * @example
 * ```ts
 * import { getToolCallMiddlewareOptions } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(getToolCallMiddlewareOptions({ toolCallMiddleware: { onMalformed: 'drop' } })) // { onMalformed: 'drop' }
 * ```
 */
export function getToolCallMiddlewareOptions(
  providerOptions: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> {
  const options = own(providerOptions, KEY)
  return isRecord(options) ? options : {}
}

/**
 * Returns `providerOptions` with other options of the middleware; those that are not given stay, and so do other
 * providers'.
 *
 * @example
 * ```ts
 * import { mergeToolCallMiddlewareOptions } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const given = { openai: { user: 'ada' }, toolCallMiddleware: { coerce: false } }
 * console.log(JSON.stringify(mergeToolCallMiddlewareOptions(given, { onMalformed: 'drop' })))
 * ```
 * ```text
 * {"openai":{"user":"ada"},"toolCallMiddleware":{"coerce":false,"onMalformed":"drop"}}
 * ```
 */
export function mergeToolCallMiddlewareOptions(
  providerOptions: Readonly<Record<string, unknown>> | undefined,
  overrides: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return { ...providerOptions, [KEY]: { ...getToolCallMiddlewareOptions(providerOptions), ...overrides } }
}

/**
 * Unpacks the tools that `transformParams` wrote into `providerOptions`.
 *
 * @example
 * ```ts
 * import { decodeOriginalToolsFromProviderOptions } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const packed = { toolCallMiddleware: { originalTools: [{ name: 'stop', inputSchema: '{"type":"object"}' }] } }
 * console.log(decodeOriginalToolsFromProviderOptions(packed).map(({ name }) => name)) // [ 'stop' ]
 * ```
 */
export function decodeOriginalToolsFromProviderOptions(
  providerOptions: Readonly<Record<string, unknown>> | undefined,
  options?: Pick<ToolCallOptions, 'onError'>,
): Tool[] {
  return decodeOriginalTools(getToolCallMiddlewareOptions(providerOptions)['originalTools'], options)
}

/**
 * Lists the provider's tools that were left out of a request. This package leaves none out: the list is what a
 * middleware of `@ai-sdk-tool/parser` wrote.
 *
 * @example
 * ```ts
 * import { getDroppedProviderTools } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(getDroppedProviderTools({ toolCallMiddleware: { droppedProviderTools: ['web_search'] } }))
 * // → [ 'web_search' ]
 * ```
 */
export function getDroppedProviderTools(providerOptions: Readonly<Record<string, unknown>> | undefined): string[] {
  const dropped = getToolCallMiddlewareOptions(providerOptions)['droppedProviderTools']
  return Array.isArray(dropped) ? dropped.filter((name) => typeof name === 'string') : []
}

/**
 * What `logParseFailure` prints.
 *
 * @example
 * ```ts
 * import { type ParseFailure, logParseFailure } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const failure: ParseFailure = { phase: 'stream', reason: 'no name' }
 * logParseFailure(failure, { level: 'parse', log: (text) => console.log(text) }) // stream: no name
 * ```
 */
export interface ParseFailure {
  /** Where it failed: `generated-text` or `stream`. */
  readonly phase: string
  /** Why. */
  readonly reason: string
  /** The text that could not be read. */
  readonly snippet?: string | undefined
  /** What was thrown. */
  readonly error?: unknown
}

/**
 * Prints that a call could not be read, at the debug level `parse`. The middleware reports failures to `onError`, too.
 *
 * @throws TypeError for options that don't exist or have the wrong type
 * @example
 * ```ts
 * import { logParseFailure } from 'tokenweir/ai-sdk-tool-parser'
 *
 * logParseFailure({ phase: 'stream', reason: 'no name' }, { level: 'parse', log: (text) => console.log(text) })
 * // → stream: no name
 * ```
 */
export function logParseFailure({ phase, reason, snippet, error }: ParseFailure, options?: DebugOptions): void {
  if (getDebugLevel(options) !== 'parse') return
  const said = [`${phase}: ${reason}`, snippet, error].filter((part) => part !== undefined)
  logOf('logParseFailure', options)(said.map(String).join('\n'))
}

/**
 * Writes a result for Hermes, with the tool's name: `<tool_response>{"name":…,"content":…}</tool_response>`.
 *
 * @example
 * ```ts
 * import { formatToolResponseAsHermes } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const result = {
 *   type: 'tool-result',
 *   toolCallId: 'call_1',
 *   toolName: 'add',
 *   output: { type: 'json', value: 3 },
 * } as const
 * console.log(formatToolResponseAsHermes(result)) // <tool_response>{"name":"add","content":3}</tool_response>
 * ```
 */
export function formatToolResponseAsHermes(result: FormattedResult): string {
  return `<tool_response>${toJson({ name: result.toolName, content: resultValue(result) ?? null })}</tool_response>`
}

/**
 * Writes a result for Qwen3-Coder.
 *
 * @example
 * ```ts
 * import { formatToolResponseAsQwen3CoderXml } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const result = {
 *   type: 'tool-result',
 *   toolCallId: 'call_1',
 *   toolName: 'add',
 *   output: { type: 'json', value: 3 },
 * } as const
 * console.log(formatToolResponseAsQwen3CoderXml(result))
 * ```
 * ```text
 * <tool_response>
 * 3
 * </tool_response>
 * ```
 */
export function formatToolResponseAsQwen3CoderXml(result: FormattedResult): string {
  return writeResults([result], { format: 'qwen3-coder' })
}

/**
 * Writes a result for K-EXAONE 2.
 *
 * @example
 * ```ts
 * import { formatToolResponseAsKExaone2 } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const result = {
 *   type: 'tool-result',
 *   toolCallId: 'call_1',
 *   toolName: 'add',
 *   output: { type: 'json', value: 3 },
 * } as const
 * console.log(formatToolResponseAsKExaone2(result)) // <tool_result>3</tool_result>
 * ```
 */
export function formatToolResponseAsKExaone2(result: FormattedResult): string {
  return writeResults([result], { format: 'k-exaone' })
}

/**
 * Writes a result for models that write calls in YAML, with the tool's name.
 *
 * @example
 * ```ts
 * import { formatToolResponseAsYaml } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const result = {
 *   type: 'tool-result',
 *   toolCallId: 'call_1',
 *   toolName: 'add',
 *   output: { type: 'json', value: 3 },
 * } as const
 * console.log(formatToolResponseAsYaml(result).includes('<tool_name>add</tool_name>')) // true
 * ```
 */
export function formatToolResponseAsYaml(result: FormattedResult): string {
  return writeResults([result], { format: 'yaml-xml' })
}

/**
 * Writes a result as XML, with the tool's name.
 *
 * @example
 * ```ts
 * import { morphFormatToolResponseAsXml } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const result = {
 *   type: 'tool-result',
 *   toolCallId: 'call_1',
 *   toolName: 'add',
 *   output: { type: 'json', value: 3 },
 * } as const
 * console.log(morphFormatToolResponseAsXml(result))
 * // → <tool_response><tool_name>add</tool_name><result>3</result></tool_response>
 * ```
 */
export function morphFormatToolResponseAsXml(result: FormattedResult): string {
  return formatMorphResponse(result)
}

/** What makes a formatter of results; it takes no options. */
const maker =
  (place: string, format: (result: FormattedResult) => string) =>
  (options?: object): ((result: FormattedResult) => string) => {
    checkOptions(place, options, {})
    return format
  }

/**
 * Makes `formatToolResponseAsHermes`. It has no options: the middleware sends the files of results itself
 * (`toolResultMedia`).
 *
 * @throws TypeError for an option.
 * @example
 * ```ts
 * import { createHermesToolResponseFormatter } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const format = createHermesToolResponseFormatter()
 * console.log(format({ toolName: 'add', output: { type: 'text', value: '3' } }))
 * // → <tool_response>{"name":"add","content":"3"}</tool_response>
 * ```
 */
export const createHermesToolResponseFormatter: (options?: object) => (result: FormattedResult) => string =
  /* @__PURE__ */ maker('createHermesToolResponseFormatter', formatToolResponseAsHermes)

/**
 * Makes `morphFormatToolResponseAsXml`. It has no options.
 *
 * @throws TypeError for an option.
 * @example
 * ```ts
 * import { createMorphXmlToolResponseFormatter } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const format = createMorphXmlToolResponseFormatter()
 * console.log(format({ toolName: 'add', output: { type: 'text', value: '3' } }).includes('<result>3</result>')) // true
 * ```
 */
export const createMorphXmlToolResponseFormatter: (options?: object) => (result: FormattedResult) => string =
  /* @__PURE__ */ maker('createMorphXmlToolResponseFormatter', morphFormatToolResponseAsXml)

/**
 * Makes `formatToolResponseAsQwen3CoderXml`. It has no options.
 *
 * @throws TypeError for an option.
 * @example
 * ```ts
 * import { createQwen3CoderXmlToolResponseFormatter } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const format = createQwen3CoderXmlToolResponseFormatter()
 * console.log(format({ toolName: 'add', output: { type: 'text', value: '3' } }).split('\n'))
 * // → [ '<tool_response>', '3', '</tool_response>' ]
 * ```
 */
export const createQwen3CoderXmlToolResponseFormatter: (options?: object) => (result: FormattedResult) => string =
  /* @__PURE__ */ maker('createQwen3CoderXmlToolResponseFormatter', formatToolResponseAsQwen3CoderXml)

/**
 * Makes `formatToolResponseAsKExaone2`. It has no options.
 *
 * @throws TypeError for an option.
 * @example
 * ```ts
 * import { createKExaone2ToolResponseFormatter } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const format = createKExaone2ToolResponseFormatter()
 * console.log(format({ toolName: 'add', output: { type: 'text', value: '3' } })) // <tool_result>3</tool_result>
 * ```
 */
export const createKExaone2ToolResponseFormatter: (options?: object) => (result: FormattedResult) => string =
  /* @__PURE__ */ maker('createKExaone2ToolResponseFormatter', formatToolResponseAsKExaone2)

/**
 * Makes a `toolResponsePromptTemplate` that writes only what a tool gave, without tags: its text, and its files as
 * parts.
 *
 * @throws TypeError for an option.
 * @example
 * ```ts
 * import { createUserContentToolResponseTemplate } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const template = createUserContentToolResponseTemplate()
 * console.log(template({ toolName: 'add', output: { type: 'json', value: 3 } })) // [ { type: 'text', text: '3' } ]
 * ```
 */
export function createUserContentToolResponseTemplate(options?: object): (result: FormattedResult) => PromptPart[] {
  checkOptions('createUserContentToolResponseTemplate', options, {})
  return (result) => {
    const value = resultValue(result) ?? null
    return [textPart(typeof value === 'string' ? value : toJson(value)), ...mediaOf(result.output).files]
  }
}

/**
 * What `toolRoleContentToUserTextMessage` takes.
 *
 * @example
 * ```ts
 * import { type ToolRoleContent, toolRoleContentToUserTextMessage } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const result = { type: 'tool-result', toolName: 'add', output: 3 }
 * const content: ToolRoleContent = {
 *   toolContent: [result],
 *   toolResponsePromptTemplate: ({ toolName }) => `${toolName} is done`,
 * }
 * console.log(toolRoleContentToUserTextMessage(content).content) // [ { type: 'text', text: 'add is done' } ]
 * ```
 */
export interface ToolRoleContent {
  /** The parts of a message of the role `tool`. */
  readonly toolContent: readonly PromptPart[]
  /** Writes one result. */
  readonly toolResponsePromptTemplate: (result: FormattedResult) => string | readonly PromptPart[]
}

/**
 * Makes a user's message of a tool's: its results, written by the template. Parts that are not results are left out;
 * texts that stand next to each other become one, on lines of their own.
 *
 * @example
 * ```ts
 * import { formatToolResponseAsHermes, toolRoleContentToUserTextMessage } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const toolContent = [
 *   { type: 'tool-result', toolCallId: 'call_1', toolName: 'add', output: { type: 'json', value: 3 } },
 * ]
 * console.log(
 *   toolRoleContentToUserTextMessage({ toolContent, toolResponsePromptTemplate: formatToolResponseAsHermes }).role,
 * )
 * // → user
 * ```
 */
export function toolRoleContentToUserTextMessage({
  toolContent,
  toolResponsePromptTemplate: template,
}: ToolRoleContent): PromptMessage {
  const results = toolContent.filter(({ type }) => type === 'tool-result')
  const written = results.flatMap((part) => {
    const text = template(part as unknown as FormattedResult)
    return typeof text === 'string' ? [textPart(text)] : text
  })
  return { role: 'user', content: joinTexts(written) }
}

/** The prompt of a format around tools; none without tools. */
function promptOf(format: FormatId, tools: string | readonly Tool[]): string {
  const described = typeof tools === 'string' ? tools : tools.length === 0 ? '' : describeTools(tools, { format })
  return described === '' ? '' : systemPromptTemplateFor(format)(described)
}

/**
 * Writes a system prompt for Qwen3-Coder's calls, around the tools or their description; nothing without tools.
 *
 * @example
 * ```ts
 * import { qwen3coderSystemPromptTemplate } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(qwen3coderSystemPromptTemplate('{"name": "stop"}').includes('<function=get_weather>')) // true
 * ```
 */
export function qwen3coderSystemPromptTemplate(tools: string | readonly Tool[]): string {
  return promptOf('qwen3-coder', tools)
}

/**
 * Writes a system prompt for K-EXAONE 2's calls, around the tools or their description; nothing without tools.
 *
 * @example
 * ```ts
 * import { kExaone2SystemPromptTemplate } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(kExaone2SystemPromptTemplate([{ name: 'stop' }]).includes('"stop"')) // true
 * ```
 */
export function kExaone2SystemPromptTemplate(tools: string | readonly Tool[]): string {
  return promptOf('k-exaone', tools)
}

/**
 * Writes a system prompt for calls in YAML, around the tools or their description; nothing without tools.
 *
 * @example
 * ```ts
 * import { yamlXmlSystemPromptTemplate } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(yamlXmlSystemPromptTemplate('{"name": "stop"}').includes('<get_weather>')) // true
 * ```
 */
export function yamlXmlSystemPromptTemplate(tools: string | readonly Tool[]): string {
  return promptOf('yaml-xml', tools)
}

/**
 * The middlewares of `@ai-sdk-tool/parser/community`. Those of Sijawara are `morphXmlToolMiddleware`, with its prompt.
 *
 * @example
 * ```ts
 * import { community, morphXmlToolMiddleware } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(community.sijawaraConciseXmlToolMiddleware === morphXmlToolMiddleware) // true
 * ```
 */
export const community: {
  /** For calls as XML elements. */
  readonly sijawaraConciseXmlToolMiddleware: ToolMiddleware
  /** For calls as XML elements. */
  readonly sijawaraDetailedXmlToolMiddleware: ToolMiddleware
  /** For UI-TARS. */
  readonly uiTarsToolMiddleware: ToolMiddleware
} = {
  sijawaraConciseXmlToolMiddleware: morphXmlToolMiddleware,
  sijawaraDetailedXmlToolMiddleware: morphXmlToolMiddleware,
  uiTarsToolMiddleware,
}

/**
 * Finds where in a text `searched` begins, or may begin when more text arrives: the place of a whole occurrence, else
 * of the longest ending that `searched` begins with, in UTF-16 code units. `null` if there is neither, and for an empty
 * `searched`.
 *
 * Source: the function of that name in `@ai-sdk-tool/parser`.
 *
 * @example
 * ```ts
 * import { getPotentialStartIndex } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(getPotentialStartIndex('abc<to', '<tool_call>')) // 3
 * console.log(getPotentialStartIndex('abc', '<tool_call>')) // null
 * ```
 */
export function getPotentialStartIndex(text: string, searched: string): number | null {
  if (searched === '') return null
  const whole = text.indexOf(searched)
  if (whole >= 0) return whole
  for (let length = Math.min(text.length, searched.length - 1); length > 0; length--) {
    if (text.endsWith(searched.slice(0, length))) return text.length - length
  }
  return null
}

/**
 * `hermesProtocol` of `tokenweir/ai-sdk`, but a call is dropped, and `onError` hears of it, where a name at any depth
 * of its arguments is `__proto__`, `constructor` or `prototype`.
 *
 * @example
 * ```ts
 * import { hermesProtocol } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const text = '<tool_call>{"name": "stop", "arguments": {"constructor": 1}}</tool_call>'
 * console.log(hermesProtocol().parseGeneratedText({ text, tools: [] })) // []
 * ```
 */
export function hermesProtocol(options: HermesProtocolOptions = {}): Required<ToolCallProtocol> {
  return hermesWith(SAFE, options)
}

/**
 * `morphXmlProtocol` of `tokenweir/ai-sdk`, but it drops calls as `hermesProtocol` here does.
 *
 * @example
 * ```ts
 * import { morphXmlProtocol } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const text = '<stop><constructor>1</constructor></stop>'
 * console.log(morphXmlProtocol().parseGeneratedText({ text, tools: [{ name: 'stop' }] })) // []
 * ```
 */
export function morphXmlProtocol(options: MorphXmlProtocolOptions = {}): Required<ToolCallProtocol> {
  return morphWith(SAFE, options)
}

/**
 * Makes what `hermesProtocol` makes; its older name.
 *
 * @example
 * ```ts
 * import { jsonMixProtocol } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(jsonMixProtocol().parseGeneratedText({ text: 'Hello', tools: [] }).length) // 1
 * ```
 */
export const jsonMixProtocol = hermesProtocol
