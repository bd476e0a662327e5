// What the middleware takes of the AI SDK and gives to it.
//
// Source: `LanguageModelV2`, `V3` and `V4` of `@ai-sdk/provider`, that is `ai` 5,
// 6 and 7. Only what is read here is named, and what is given back has the type
// that came in, so that one middleware fits all three and nothing is imported.

import type { FormattedResult, StreamPart, ToolCallOptions, ToolCallProtocol } from '../tool-calls/types.js'
import type { DebugOptions, DebugSummary } from './debug.js'

/** A part of a message, of any kind. */
export interface PromptPart {
  readonly type: string
}

/** A message of a prompt. */
export interface PromptMessage {
  readonly role: string
  readonly content: string | readonly PromptPart[]
}

/** A tool of a request: a function, or one that the provider has itself (`provider-defined` in AI SDK 5, `provider` later). */
export interface RequestTool {
  readonly type: string
  readonly name: string
}

/** Which tool is to be called. */
export interface ToolChoice {
  /** `auto`, `none`, `required` or `tool`. */
  readonly type: string
  readonly toolName?: string
}

/** A request to a model: `LanguageModelV2CallOptions` and its successors. */
export interface CallParams {
  readonly prompt: readonly PromptMessage[]
  readonly tools?: readonly RequestTool[] | undefined
  readonly toolChoice?: ToolChoice | undefined
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined
}

/** What a model's `doStream` gives. */
export interface StreamResult {
  readonly stream: ReadableStream<any>
}

/** What a model's `doGenerate` gives. */
export interface GenerateResult {
  readonly content: readonly StreamPart[]
  /** A word in AI SDK 5, `{ unified, raw }` later. */
  readonly finishReason: unknown
  readonly usage: unknown
}

/** A protocol, or what makes one for each request. */
export type ProtocolSource = ToolCallProtocol | (() => ToolCallProtocol)

/** Writes a tool's result into the prompt: as text, or as parts of a user's message. */
export type ToolResponsePromptTemplate = (result: FormattedResult) => string | readonly PromptPart[]

/**
 * Where the description of the tools goes. `first`: in front of the system
 * message that begins the prompt; without one, as a system message of its own at
 * the beginning. `last`: behind the last system message; without one, as a system
 * message at the end, which some providers refuse.
 */
export type Placement = 'first' | 'last'

/** What `transformParams` needs. */
export interface PromptOptions {
  readonly protocol: ProtocolSource
  /** The system prompt around the tools' description. */
  readonly toolSystemPromptTemplate: (tools: string) => string
  /** Writes results instead of the protocol's `formatToolResponse`. */
  readonly toolResponsePromptTemplate?: ToolResponsePromptTemplate | undefined
  /** @defaultValue 'first' */
  readonly placement?: Placement | undefined
}

/** What `createToolMiddleware` takes. */
export interface ToolMiddlewareOptions extends PromptOptions {
  /** For every request; a request's own `providerOptions.toolCallMiddleware` win. */
  readonly options?: ToolCallOptions | undefined
  /** What is printed; wins over the environment's `DEBUG_PARSER_MW`. */
  readonly debug?: DebugOptions | undefined
}

/** What a request may say in `providerOptions.toolCallMiddleware`. */
export interface ToolCallMiddlewareOptions extends ToolCallOptions {
  /** The answer's text and its calls are written into it, at the answer's end. */
  readonly debugSummary?: DebugSummary | undefined
  /** `true` is `onMalformed: 'text'`, `false` is `onMalformed: 'drop'`. */
  readonly emitRawToolCallTextOnError?: boolean | undefined
  /** The tools as they were before another middleware changed their schemas: what `originalToolsSchema.encode` gives. */
  readonly originalTools?: readonly OriginalTool[] | undefined
  /** Set by `transformParams`; whatever it is in a request is passed over. @internal */
  readonly toolChoice?: ToolChoice | undefined
}

/** A tool's name, and its schema as JSON: nothing on the way to the parser can change that. */
export interface OriginalTool {
  readonly name: string
  readonly inputSchema: string
}

/**
 * A middleware for `wrapLanguageModel` of `ai` 5, 6 and 7. None of them reads the
 * two versions: they are there for the types.
 */
export interface ToolMiddleware {
  readonly specificationVersion: 'v3'
  readonly middlewareVersion: 'v2'
  /** Puts the tools into the system prompt, and calls and results into text. */
  readonly transformParams: <Params extends CallParams>(arg: { readonly params: Params }) => Promise<Params>
  /** Reads the calls of a whole answer. */
  readonly wrapGenerate: <Result extends GenerateResult>(arg: { readonly doGenerate: () => PromiseLike<Result>; readonly params: CallParams }) => Promise<Result>
  /** Reads the calls of an answer while it comes. */
  readonly wrapStream: <Streamed extends StreamResult, Generated extends GenerateResult>(arg: {
    readonly doStream: () => PromiseLike<Streamed>
    readonly doGenerate: () => PromiseLike<Generated>
    readonly params: CallParams
  }) => Promise<Streamed>
}
