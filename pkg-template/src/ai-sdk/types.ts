// The types that the middleware shares with the AI SDK.
//
// Source: `LanguageModelV2`, `V3` and `V4` of `@ai-sdk/provider`, that is `ai` 5,
// 6 and 7. Only what is read here is named, and what is given back has the type
// that came in, so that one middleware fits all three and nothing is imported.

import type { FormatId } from '../generated/format-ids.js'
import type { AnyFormat, Format } from '../formats/types.js'
import type { FormattedResult, StreamPart, ToolCallOptions, ToolCallProtocol } from '../tool-calls/types.js'
import type { DebugOptions, DebugSummary } from './debug.js'
import type { Readable } from '../platform.js'

/**
 * A part of a message, of any kind.
 *
 * @example
 * ```ts
 * import type { PromptPart } from 'tokenweir/ai-sdk'
 *
 * const text = { type: 'text', text: 'Hello' }
 * const parts: PromptPart[] = [text]
 * console.log(parts.length) // 1
 * ```
 */
export interface PromptPart {
  /** `text`, `tool-call`, `tool-result` and so on. */
  readonly type: string
}

/**
 * A message of a prompt.
 *
 * @example
 * ```ts
 * import type { PromptMessage } from 'tokenweir/ai-sdk'
 *
 * const message: PromptMessage = { role: 'user', content: [{ type: 'text' }] }
 * console.log(message.role) // user
 * ```
 */
export interface PromptMessage {
  /** `system`, `user`, `assistant` or `tool`. */
  readonly role: string
  /** A text, or parts. */
  readonly content: string | readonly PromptPart[]
}

/**
 * A tool of a request: a function, or one that the provider has itself (`provider-defined` in AI SDK 5, `provider`
 * later).
 *
 * @example
 * ```ts
 * import type { RequestTool } from 'tokenweir/ai-sdk'
 *
 * const tool: RequestTool = { type: 'function', name: 'stop' }
 * console.log(tool.name) // stop
 * ```
 */
export interface RequestTool {
  /** `function`, or the kind of a tool of the provider. */
  readonly type: string
  /** The name by which it is called. */
  readonly name: string
}

/**
 * Which tool is to be called.
 *
 * @example
 * ```ts
 * import { type ToolChoice, hermesProtocol, transformParams } from 'tokenweir/ai-sdk'
 *
 * const toolChoice: ToolChoice = { type: 'none' }
 * const params = { prompt: [], tools: [{ type: 'function', name: 'stop' }], toolChoice }
 * const made = await transformParams({
 *   params,
 *   protocol: hermesProtocol(),
 *   toolSystemPromptTemplate: (tools) => tools,
 * })
 * console.log(made.prompt, made.tools) // [] undefined
 * ```
 */
export interface ToolChoice {
  /** `auto`, `none`, `required` or `tool`. */
  readonly type: string
  /** The tool, where `type` is `tool`. */
  readonly toolName?: string
}

/**
 * The form that an answer should have.
 *
 * @example
 * ```ts
 * import { type ResponseFormat, hermesProtocol, transformParams } from 'tokenweir/ai-sdk'
 *
 * const responseFormat: ResponseFormat = { type: 'json', schema: { type: 'object' } }
 * const params = { prompt: [], tools: [{ type: 'function', name: 'stop' }], responseFormat }
 * const made = await transformParams({
 *   params,
 *   protocol: hermesProtocol(),
 *   toolSystemPromptTemplate: (tools) => tools,
 * })
 * console.log(made.responseFormat) // undefined
 * ```
 */
export interface ResponseFormat {
  /** `text` or `json`. */
  readonly type: string
  /** JSON schema of the answer. */
  readonly schema?: unknown
  /** What the answer is called, for the model. */
  readonly name?: string | undefined
  /** What it is, for the model. */
  readonly description?: string | undefined
}

/**
 * A request to a model: `LanguageModelV2CallOptions` and its successors.
 *
 * @example
 * ```ts
 * import { type CallParams, hermesToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * const params: CallParams = {
 *   prompt: [{ role: 'user', content: 'Stop.' }],
 *   tools: [{ type: 'function', name: 'stop' }],
 * }
 * const { prompt } = await hermesToolMiddleware.transformParams({ params })
 * console.log(prompt.map(({ role }) => role)) // [ 'system', 'user' ]
 * ```
 */
export interface CallParams {
  /** The messages. */
  readonly prompt: readonly PromptMessage[]
  /** The tools that may be called. */
  readonly tools?: readonly RequestTool[] | undefined
  /** Which of them is to be called. */
  readonly toolChoice?: ToolChoice | undefined
  /** The form of the answer: `{ type: 'json', schema }`, or text. */
  readonly responseFormat?: ResponseFormat | undefined
  /** Options by provider; those of the middleware are in `toolCallMiddleware`. */
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The result of a model's `doStream`.
 *
 * @example
 * ```ts
 * import type { StreamResult } from 'tokenweir/ai-sdk'
 *
 * const doStream = async (): Promise<StreamResult> => ({ stream: new ReadableStream() })
 * console.log(Object.keys(await doStream())) // [ 'stream' ]
 * ```
 */
export interface StreamResult {
  /** The parts of the answer. */
  readonly stream: Readable<any>
}

/**
 * The result of a model's `doGenerate`.
 *
 * @example
 * ```ts
 * import type { GenerateResult } from 'tokenweir/ai-sdk'
 *
 * const result: GenerateResult = { content: [{ type: 'text' }], finishReason: 'stop', usage: {} }
 * console.log(result.content.length) // 1
 * ```
 */
export interface GenerateResult {
  /** The parts of the answer. */
  readonly content: readonly StreamPart[]
  /** Why the answer ended: a word in AI SDK 5, `{ unified, raw }` later. */
  readonly finishReason: unknown
  /** How many tokens it took. */
  readonly usage: unknown
}

/**
 * A protocol, or what makes one for each request.
 *
 * @example
 * ```ts
 * import { type ProtocolSource, createToolMiddleware, hermesProtocol } from 'tokenweir/ai-sdk'
 *
 * const protocol: ProtocolSource = () => hermesProtocol()
 * const middleware = createToolMiddleware({ protocol, toolSystemPromptTemplate: (tools) => tools })
 * console.log(middleware.specificationVersion) // v3
 * ```
 */
export type ProtocolSource = ToolCallProtocol | (() => ToolCallProtocol)

/**
 * Writes a tool's result into the prompt: as text, or as parts of a user's message, or a promise of these. Files of a
 * result whose text it writes come after it (see `toolResultMedia`); where it writes parts, these are all.
 *
 * @example
 * ```ts
 * import { type ToolResponsePromptTemplate, hermesProtocol, transformParams } from 'tokenweir/ai-sdk'
 *
 * const toolResponsePromptTemplate: ToolResponsePromptTemplate = ({ toolName, output }) =>
 *   `${toolName}: ${JSON.stringify(output)}`
 * const result = { type: 'tool-result', toolName: 'add', toolCallId: 'call_1', output: { type: 'json', value: 3 } }
 * const params = { prompt: [{ role: 'tool', content: [result] }] }
 * const made = await transformParams({
 *   params,
 *   protocol: hermesProtocol(),
 *   toolSystemPromptTemplate: (tools) => tools,
 *   toolResponsePromptTemplate,
 * })
 * console.log(made.prompt[0]?.content) // [ { type: 'text', text: 'add: {"type":"json","value":3}' } ]
 * ```
 */
export type ToolResponsePromptTemplate = (
  result: FormattedResult,
) => string | readonly PromptPart[] | PromiseLike<string | readonly PromptPart[]>

/**
 * Where the description of the tools goes. `first`: before the system message that begins the prompt; without one, as a
 * system message of its own at the beginning. `last`: after the last system message; without one, as a system message
 * at the end, which some providers refuse.
 *
 * @example
 * ```ts
 * import { type Placement, hermesProtocol, transformParams } from 'tokenweir/ai-sdk'
 *
 * const placement: Placement = 'last'
 * const params = { prompt: [{ role: 'user', content: 'Stop.' }], tools: [{ type: 'function', name: 'stop' }] }
 * const { prompt } = await transformParams({
 *   params,
 *   protocol: hermesProtocol(),
 *   toolSystemPromptTemplate: (tools) => tools,
 *   placement,
 * })
 * console.log(prompt.map(({ role }) => role)) // [ 'user', 'system' ]
 * ```
 */
export type Placement = 'first' | 'last'

/**
 * The parameters of `transformParams`.
 *
 * @example
 * ```ts
 * import { type PromptOptions, hermesProtocol, transformParams } from 'tokenweir/ai-sdk'
 *
 * const options: PromptOptions = {
 *   protocol: hermesProtocol(),
 *   toolSystemPromptTemplate: (tools) => `Tools:\n${tools}`,
 * }
 * const { prompt } = await transformParams({
 *   ...options,
 *   params: { prompt: [], tools: [{ type: 'function', name: 'stop' }] },
 * })
 * console.log(prompt.map(({ role }) => role)) // [ 'system' ]
 * ```
 */
export interface PromptOptions {
  /** How calls are written. */
  readonly protocol: ProtocolSource
  /** The system prompt around the tools' description, or a promise of it. */
  readonly toolSystemPromptTemplate: (tools: string) => string | PromiseLike<string>
  /** Writes results instead of the protocol's `formatToolResponse`. */
  readonly toolResponsePromptTemplate?: ToolResponsePromptTemplate | undefined
  /** Where the description of the tools goes. @defaultValue 'first' */
  readonly placement?: Placement | undefined
}

/**
 * How the middleware goes about a request, and how calls are read.
 *
 * @example
 * ```ts
 * import { type MiddlewareOptions, createToolMiddleware, hermesProtocol } from 'tokenweir/ai-sdk'
 *
 * const options: MiddlewareOptions = { withoutCall: 'text', toolResultMedia: 'placeholder', coerce: false }
 * const middleware = createToolMiddleware({
 *   protocol: hermesProtocol(),
 *   toolSystemPromptTemplate: (tools) => tools,
 *   options,
 * })
 * console.log(middleware.specificationVersion) // v3
 * ```
 */
export interface MiddlewareOptions extends ToolCallOptions {
  /**
   * How the answer to a tool choice (`required`, or a tool's name) is streamed: generated as a whole and emitted as a
   * stream (`generate`), or streamed and read as without a choice (`stream`), with a sentence in the prompt that asks
   * for a call.
   * @defaultValue 'generate'
   */
  readonly forcedToolChoice?: 'generate' | 'stream' | undefined
  /**
   * How an answer to a tool choice ends that has no call: with its text and a call of the tool `unknown` with `{}`,
   * which no program has (`unknown`), or with its text alone (`text`). Both are reported to `onError`.
   * @defaultValue 'unknown'
   */
  readonly withoutCall?: 'unknown' | 'text' | undefined
  /**
   * Whether a JSON response format (`Output.object`) stays in a request with tools. A model that keeps to it can't
   * write calls, so it is taken out, its schema is put into the prompt, and a warning says so.
   * @defaultValue false
   */
  readonly keepResponseFormat?: boolean | undefined
  /**
   * Where files and images in tool results go: parts of the user's message after the results (`user`), or only
   * their name or media type in the result's text, with a warning (`placeholder`).
   * @defaultValue 'user'
   */
  readonly toolResultMedia?: 'user' | 'placeholder' | undefined
}

/**
 * The options of `createToolMiddleware` with a wire format.
 *
 * @example
 * ```ts
 * import { type FormatMiddlewareOptions, createToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * const options: FormatMiddlewareOptions = { format: 'qwen3-coder', options: { onMalformed: 'drop' } }
 * console.log(typeof createToolMiddleware(options).wrapStream) // function
 * ```
 */
export interface FormatMiddlewareOptions extends Omit<PromptOptions, 'protocol' | 'toolSystemPromptTemplate'> {
  /** The id of a format (docs/formats.md), a format of `tokenweir/formats`, or several by `anyOf`. */
  readonly format: FormatId | Format | AnyFormat
  /** The system prompt around the tools' description. @defaultValue one that shows a call in the format */
  readonly toolSystemPromptTemplate?: PromptOptions['toolSystemPromptTemplate'] | undefined
  /** For every request; a request's own `providerOptions.toolCallMiddleware` win. */
  readonly options?: MiddlewareOptions | undefined
  /** What is printed; wins over the environment's `DEBUG_PARSER_MW`. */
  readonly debug?: DebugOptions | undefined
}

/**
 * The options of `createToolMiddleware`.
 *
 * @example
 * ```ts
 * import { type ToolMiddlewareOptions, createToolMiddleware, morphXmlProtocol } from 'tokenweir/ai-sdk'
 *
 * const options: ToolMiddlewareOptions = {
 *   protocol: morphXmlProtocol(),
 *   toolSystemPromptTemplate: (tools) => `Tools:\n${tools}`,
 *   options: { onMalformed: 'drop' },
 * }
 * console.log(typeof createToolMiddleware(options).wrapStream) // function
 * ```
 */
export interface ToolMiddlewareOptions extends PromptOptions {
  /** For every request; a request's own `providerOptions.toolCallMiddleware` win. */
  readonly options?: MiddlewareOptions | undefined
  /** What is printed; wins over the environment's `DEBUG_PARSER_MW`. */
  readonly debug?: DebugOptions | undefined
}

/**
 * A request's options in `providerOptions.toolCallMiddleware`, in TypeScript by `toolCallOptions`.
 *
 * @example
 * ```ts
 * import { type ToolCallMiddlewareOptions, toolCallOptions } from 'tokenweir/ai-sdk'
 *
 * const options: ToolCallMiddlewareOptions = {
 *   onError: (message) => console.log(message),
 *   emitRawToolCallTextOnError: false,
 * }
 * // What `streamText` and `generateText` take as `providerOptions`.
 * const providerOptions = { toolCallMiddleware: toolCallOptions(options) }
 * console.log(Object.keys(providerOptions)) // [ 'toolCallMiddleware' ]
 * ```
 */
export interface ToolCallMiddlewareOptions extends MiddlewareOptions {
  /** The answer's text and its calls are written into it, at the answer's end. */
  readonly debugSummary?: DebugSummary | undefined
  /** `true` is `onMalformed: 'text'`, `false` is `onMalformed: 'drop'`. */
  readonly emitRawToolCallTextOnError?: boolean | undefined
  /**
   * The tools as they were before another middleware changed their schemas: what `originalToolsSchema.encode` gives.
   */
  readonly originalTools?: readonly OriginalTool[] | undefined
  /** Set by `transformParams`; whatever it is in a request is passed over. @internal */
  readonly toolChoice?: ToolChoice | undefined
  /** Set by `transformParams`, too. @internal */
  readonly promptWarnings?: readonly string[] | undefined
}

/**
 * A tool's name, and its schema as JSON: nothing on the way to the parser can change that.
 *
 * @example
 * ```ts
 * import { type OriginalTool } from 'tokenweir/ai-sdk'
 * import { encodeOriginalTools } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const packed: OriginalTool[] = encodeOriginalTools([{ name: 'stop' }])
 * console.log(packed) // [ { name: 'stop', inputSchema: '{"type":"object"}' } ]
 * ```
 */
export interface OriginalTool {
  /** The tool's name. */
  readonly name: string
  /** Its schema, as JSON text. */
  readonly inputSchema: string
}

/**
 * A middleware for `wrapLanguageModel` of `ai` 5, 6 and 7. None of them reads the two versions: they are there for the
 * types.
 *
 * @example
 * ```ts
 * import { type ToolMiddleware, hermesToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * const middleware: ToolMiddleware = hermesToolMiddleware
 * const { prompt } = await middleware.transformParams({
 *   params: { prompt: [], tools: [{ type: 'function', name: 'stop' }] },
 * })
 * console.log(prompt.map(({ role }) => role)) // [ 'system' ]
 * ```
 */
export interface ToolMiddleware {
  /** For the types of AI SDK 6 and 7. */
  readonly specificationVersion: 'v3'
  /** For the types of AI SDK 5. */
  readonly middlewareVersion: 'v2'
  /** Puts the tools into the system prompt, and calls and results into text. */
  readonly transformParams: <Params extends CallParams>(arg: {
    /** What the request is for. */
    readonly type?: 'generate' | 'stream' | undefined
    readonly params: Params
  }) => Promise<Params>
  /** Reads the calls of a whole answer. */
  readonly wrapGenerate: <Result extends GenerateResult>(arg: {
    readonly doGenerate: () => PromiseLike<Result>
    readonly params: CallParams
  }) => Promise<Result>
  /** Reads the calls of an answer while it streams. */
  readonly wrapStream: <Streamed extends StreamResult, Generated extends GenerateResult>(arg: {
    readonly doStream: () => PromiseLike<Streamed>
    readonly doGenerate: () => PromiseLike<Generated>
    readonly params: CallParams
  }) => Promise<Streamed>
}
