// What the tool-call front-end takes and gives.
//
// Source: spec/tool_call.md. Shapes of the parts are those of `LanguageModelV2StreamPart`
// and its successors in `@ai-sdk/provider`; only what is read is named here, so that
// parts of any version fit.

/** A tool that may be called. Provider tools (of another `type`) are passed over. */
export interface Tool {
  readonly name: string
  readonly type?: string
  readonly description?: string | undefined
  /** JSON schema of the arguments. What it says is kept: the object must not be changed later. */
  readonly inputSchema?: unknown
}

/** A part of a stream, of any kind. */
export interface StreamPart {
  readonly type: string
}

/** A piece of text is open under its `id`. One is open at a time. */
export interface TextStartPart {
  readonly type: 'text-start'
  readonly id: string
  readonly providerMetadata?: unknown
}

/** More of the open text; never empty. */
export interface TextDeltaPart {
  readonly type: 'text-delta'
  readonly id: string
  readonly delta: string
}

/** The open text has ended. */
export interface TextEndPart {
  readonly type: 'text-end'
  readonly id: string
}

/** A call begins; `id` is the `toolCallId` of its `tool-call`. */
export interface ToolInputStartPart {
  readonly type: 'tool-input-start'
  readonly id: string
  readonly toolName: string
}

/** More of its arguments; never empty. All of a call's deltas joined are its `input`. */
export interface ToolInputDeltaPart {
  readonly type: 'tool-input-delta'
  readonly id: string
  readonly delta: string
}

/** Its arguments have ended; without a `tool-call` behind it the call failed. */
export interface ToolInputEndPart {
  readonly type: 'tool-input-end'
  readonly id: string
}

/** A finished call. */
export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  /** The arguments as JSON. */
  readonly input: string
}

/** What a tool-call parser makes of text. */
export type ToolCallStreamPart = TextStartPart | TextDeltaPart | TextEndPart | ToolInputStartPart | ToolInputDeltaPart | ToolInputEndPart | ToolCallPart

/** What `parseGeneratedText` gives: text and calls in their order. Neighbouring text is one. */
export type GeneratedContent = { readonly type: 'text'; readonly text: string } | ToolCallPart

/** Why a segment made no call. */
export type DropReason = 'malformed-tool-call-body' | 'unfinished-tool-call' | 'malformed-nested-tool-call' | 'unresolved-tool-name' | 'call-too-long'

/** What is known of a segment that made no call. */
export interface ToolCallErrorMetadata {
  /** The segment's original text, its tags included. */
  readonly toolCall: string
  readonly toolName?: string
  readonly toolCallId?: string
  readonly dropReason: DropReason
  /** What was wrong, where it is known more closely. */
  readonly error?: unknown
}

/** Hears of what went wrong. What it throws is swallowed, and said once on the console. */
export type OnError = (message: string, metadata?: ToolCallErrorMetadata & Readonly<Record<string, unknown>>) => void

/** How calls are read from text. */
export interface ToolCallOptions {
  /** Whether arguments are told while they come, as `tool-input-start`, `-delta` and `-end`. @defaultValue true */
  readonly toolInputDeltas?: boolean
  /**
   * What becomes of a segment that is no call: its original text (`text`), nothing
   * (`drop`), or a `tool-call` with its raw payload (`invalid-call`), which the AI
   * SDK reports and hands to its repair hook. One that was cut off is never a call.
   * @defaultValue 'text'
   */
  readonly onMalformed?: 'text' | 'drop' | 'invalid-call'
  /** What becomes of a call of a tool that is not in `tools`. Without tools all are known. @defaultValue 'call' */
  readonly unknownTools?: 'call' | 'text'
  /** Whether arguments get the types of the tool's schema. @defaultValue true */
  readonly coerce?: boolean
  /** Makes the ids of calls and texts. @defaultValue `call_` and 24 random letters and digits for calls, 16 for texts */
  readonly generateId?: (kind: 'call' | 'text') => string
  /** Longest segment, in UTF-16 code units. A longer one makes no call. @defaultValue 16_777_216 */
  readonly maxPending?: number
  /** Hears of segments that made no call. */
  readonly onError?: OnError | undefined
  /** Hears which departures from the format a call was read by, before its `tool-call` comes. */
  readonly onRepair?: ((repairs: readonly Repair[], call: { readonly toolCallId: string; readonly toolName: string }) => void) | undefined
  /** Schemas to use instead of the tools' own, by tool name. */
  readonly originalToolSchemas?: Readonly<Record<string, unknown>> | undefined
}

/** A departure from a format that a call was read by. */
export type Repair =
  | 'comment'
  | 'trailing-comma'
  | 'single-quotes'
  | 'unquoted-key'
  | 'bare-word'
  | 'leading-zero'
  | 'line-continuation'
  | 'json5-whitespace'
  | 'raw-control'
  | 'python-word'
  | 'unescaped-quote'
  | 'bad-escape'
  | 'missing-closer'
  | 'parameters'
  | 'encoded-arguments'
  | 'list'
  | 'missing-end-tag'
  | 'missing-close-tag'

/** Options of a protocol: the defaults of each parser that it makes. */
export type ProtocolOptions = Omit<ToolCallOptions, 'onError' | 'onRepair' | 'originalToolSchemas'>

/** Options of `hermesProtocol`. */
export interface HermesProtocolOptions extends ProtocolOptions {
  /** @defaultValue '<tool_call>' */
  readonly toolCallStart?: string
  /** @defaultValue '</tool_call>' */
  readonly toolCallEnd?: string
  /** @defaultValue '<tool_response>' */
  readonly toolResponseStart?: string
  /** @defaultValue '</tool_response>' */
  readonly toolResponseEnd?: string
}

/** A finished call, as it is written back into a prompt. */
export interface FormattedCall {
  readonly toolName: string
  /** The arguments: a JSON text, or a value. */
  readonly input: unknown
  readonly toolCallId?: string
}

/** A result, as it is written into a prompt. */
export interface FormattedResult {
  readonly toolName: string
  readonly toolCallId?: string
  /** The AI SDK's `{ type, value }`, or any value. */
  readonly output?: unknown
  readonly result?: unknown
}

/**
 * How calls are written in text. Yours is an object with these methods, or a
 * function that makes one.
 */
export interface ToolCallProtocol {
  /** The tools, described for the system prompt. */
  formatTools(arg: { tools: readonly Tool[]; toolSystemPromptTemplate: (tools: string) => string }): string
  /** A call that was made, for the prompt. */
  formatToolCall(call: FormattedCall): string
  /** A call's result, for the prompt. */
  formatToolResponse(result: FormattedResult): string
  /** Text and calls of a whole answer. */
  parseGeneratedText(arg: { text: string; tools: readonly Tool[]; options?: ToolCallOptions }): GeneratedContent[]
  /** A stream from the model's parts to parts with calls. */
  createStreamParser(arg: { tools: readonly Tool[]; options?: ToolCallOptions }): TransformStream<any, any>
  /** The original text of each segment of a whole answer that is a call. */
  extractToolCallSegments?(arg: { text: string; tools: readonly Tool[] }): string[]
}
