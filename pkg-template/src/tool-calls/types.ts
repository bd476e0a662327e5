// What the tool-call parser takes and gives.
//
// Source: spec/tool_call.md. Shapes of the parts are those of `LanguageModelV2StreamPart`
// and its successors in `@ai-sdk/provider`; only what is read is named here, so that
// parts of any version fit.

import type { Repair } from '../arguments/repairs.js'
import type { Transform } from '../platform.js'

export type { FormatRepair, Repair } from '../arguments/repairs.js'

/**
 * A tool that may be called. Provider tools (of another `type`) are passed over.
 *
 * @example
 * ```ts
 * import { type Tool, morphXmlProtocol, parseToolCalls } from 'tokenweir/tool-calls'
 *
 * const add: Tool = { name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }
 * console.log(parseToolCalls('<add><a>1</a></add>', { protocol: morphXmlProtocol(), tools: [add] }).length) // 1
 * ```
 */
export interface Tool {
  /** The name by which it is called. */
  readonly name: string
  /** `function`, which is also meant where it is absent. */
  readonly type?: string
  /** What it does, for the model. */
  readonly description?: string | undefined
  /** JSON schema of the arguments. What it says is kept: the object must not be changed later. */
  readonly inputSchema?: unknown
  /** Arguments as they may be, for the model: `[{ input: { city: 'Seoul' } }]`. */
  readonly inputExamples?:
    | ReadonlyArray<{
        /** The arguments. */
        readonly input: unknown
      }>
    | undefined
}

/**
 * A part of a stream, of any kind.
 *
 * @example
 * ```ts
 * import { type StreamPart, ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const finish: StreamPart = { type: 'finish' }
 * console.log(new ToolCallParser({ protocol: hermesProtocol(), tools: [] }).write(finish)) // [ { type: 'finish' } ]
 * ```
 */
export interface StreamPart {
  /** The part's kind. */
  readonly type: string
}

/**
 * A piece of text is open under its `id`. One is open at a time.
 *
 * @example
 * ```ts
 * import type { TextStartPart } from 'tokenweir/tool-calls'
 *
 * const part: TextStartPart = { type: 'text-start', id: 'txt-1' }
 * console.log(part.id) // txt-1
 * ```
 */
export interface TextStartPart {
  /** The part's kind. */
  readonly type: 'text-start'
  /** Id of the text. */
  readonly id: string
  /** What the provider said of the text. */
  readonly providerMetadata?: unknown
}

/**
 * More of the open text. It is empty only where the provider's was, or to carry what the provider said.
 *
 * @example
 * ```ts
 * import { type TextDeltaPart, ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const part: TextDeltaPart = { type: 'text-delta', id: 'txt-1', delta: 'Hello' }
 * console.log(new ToolCallParser({ protocol: hermesProtocol(), tools: [] }).write(part).length) // 2
 * ```
 */
export interface TextDeltaPart {
  /** The part's kind. */
  readonly type: 'text-delta'
  /** Id of the text. */
  readonly id: string
  /** The text. */
  readonly delta: string
  /** What the provider said of the text. */
  readonly providerMetadata?: unknown
}

/**
 * The open text has ended.
 *
 * @example
 * ```ts
 * import type { TextEndPart } from 'tokenweir/tool-calls'
 *
 * const part: TextEndPart = { type: 'text-end', id: 'txt-1' }
 * console.log(part.type) // text-end
 * ```
 */
export interface TextEndPart {
  /** The part's kind. */
  readonly type: 'text-end'
  /** Id of the text. */
  readonly id: string
  /** What the provider said of the text. */
  readonly providerMetadata?: unknown
}

/**
 * Reasoning begins, which the model wrote between `<think>` and `</think>`. It is not searched for calls.
 *
 * @example
 * ```ts
 * import { type ReasoningStartPart, ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const [part] = new ToolCallParser({ protocol: hermesProtocol(), tools: [] }).text('<think>Hm')
 * const isStart = (part: { type: string } | undefined): part is ReasoningStartPart => part?.type === 'reasoning-start'
 * console.log(isStart(part)) // true
 * ```
 */
export interface ReasoningStartPart {
  /** The part's kind. */
  readonly type: 'reasoning-start'
  /** Id of the reasoning. */
  readonly id: string
}

/**
 * More of it; never empty.
 *
 * @example
 * ```ts
 * import { type ReasoningDeltaPart, ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const show = ({ delta }: ReasoningDeltaPart) => console.log(delta)
 * for (const part of new ToolCallParser({ protocol: hermesProtocol(), tools: [] }).text('<think>Hm')) {
 *   if (part.type === 'reasoning-delta') show(part) // Hm
 * }
 * ```
 */
export interface ReasoningDeltaPart {
  /** The part's kind. */
  readonly type: 'reasoning-delta'
  /** Id of the reasoning. */
  readonly id: string
  /** The text; never empty. */
  readonly delta: string
}

/**
 * The reasoning has ended.
 *
 * @example
 * ```ts
 * import type { ReasoningEndPart } from 'tokenweir/tool-calls'
 *
 * const part: ReasoningEndPart = { type: 'reasoning-end', id: 'r-1' }
 * console.log(part.id) // r-1
 * ```
 */
export interface ReasoningEndPart {
  /** The part's kind. */
  readonly type: 'reasoning-end'
  /** Id of the reasoning. */
  readonly id: string
}

/**
 * A call begins; `id` is the `toolCallId` of its `tool-call`.
 *
 * @example
 * ```ts
 * import type { ToolInputStartPart } from 'tokenweir/tool-calls'
 *
 * const part: ToolInputStartPart = { type: 'tool-input-start', id: 'call_1', toolName: 'add' }
 * console.log(part.toolName) // add
 * ```
 */
export interface ToolInputStartPart {
  /** The part's kind. */
  readonly type: 'tool-input-start'
  /** Id of the call. */
  readonly id: string
  /** The tool that is called. */
  readonly toolName: string
}

/**
 * More of its arguments; never empty. All of a call's deltas joined are its `input`.
 *
 * @example
 * ```ts
 * import { type ToolCallStreamPart, ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const parser = new ToolCallParser({ protocol: hermesProtocol(), tools: [] })
 * const parts: ToolCallStreamPart[] = parser.text('<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>')
 * console.log(parts.map((part) => (part.type === 'tool-input-delta' ? part.delta : '')).join('')) // {"a":1}
 * ```
 */
export interface ToolInputDeltaPart {
  /** The part's kind. */
  readonly type: 'tool-input-delta'
  /** Id of the call. */
  readonly id: string
  /** A piece of JSON text; never empty. */
  readonly delta: string
}

/**
 * Its arguments have ended; without a `tool-call` after it the call failed.
 *
 * @example
 * ```ts
 * import type { ToolInputEndPart } from 'tokenweir/tool-calls'
 *
 * const part: ToolInputEndPart = { type: 'tool-input-end', id: 'call_1' }
 * console.log(part.id) // call_1
 * ```
 */
export interface ToolInputEndPart {
  /** The part's kind. */
  readonly type: 'tool-input-end'
  /** Id of the call. */
  readonly id: string
}

/**
 * A finished call.
 *
 * @example
 * ```ts
 * import { type ToolCallPart, hermesProtocol, parseToolCalls } from 'tokenweir/tool-calls'
 *
 * const run = ({ toolName, input }: ToolCallPart) => console.log(toolName, JSON.parse(input))
 * const text = '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>'
 * for (const part of parseToolCalls(text, { protocol: hermesProtocol(), tools: [] }))
 *   if (part.type === 'tool-call') run(part)
 * ```
 * ```text
 * add { a: 1 }
 * ```
 */
export interface ToolCallPart {
  /** The part's kind. */
  readonly type: 'tool-call'
  /** Id of the call. */
  readonly toolCallId: string
  /** The tool that is called. */
  readonly toolName: string
  /** The arguments as JSON. */
  readonly input: string
}

/**
 * What a tool-call parser makes from text.
 *
 * @example
 * ```ts
 * import { type ToolCallStreamPart, ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const parser = new ToolCallParser({ protocol: hermesProtocol(), tools: [] })
 * const parts: ToolCallStreamPart[] = parser.text('Hello')
 * for (const part of parts) if (part.type === 'text-delta') console.log(part.delta) // Hello
 * ```
 */
export type ToolCallStreamPart =
  | TextStartPart
  | TextDeltaPart
  | TextEndPart
  | ReasoningStartPart
  | ReasoningDeltaPart
  | ReasoningEndPart
  | ToolInputStartPart
  | ToolInputDeltaPart
  | ToolInputEndPart
  | ToolCallPart

/**
 * What a part of the text cites, in a format with citations (Cohere's). It comes where the cited text ends, whose
 * markers are removed.
 *
 * @example
 * ```ts
 * import { parseReply } from 'tokenweir/tool-calls'
 *
 * const reply = '<|START_RESPONSE|>It is <co>sunny</co: 0:[1]>.<|END_RESPONSE|>'
 * for (const part of parseReply(reply, { format: 'cohere', prefill: '' }).parts) {
 *   if (part.type === 'source') console.log(JSON.stringify(part.providerMetadata.tokenweir))
 *   // → {"start":6,"end":11,"sources":[{"call":0,"results":[1]}]}
 * }
 * ```
 */
export interface CitationPart {
  /** What it is: a source of the AI SDK. */
  readonly type: 'source'
  /** Its kind. */
  readonly sourceType: 'document'
  /** Made of its place: `citation-6-11`. */
  readonly id: string
  /** The results of tools are text. */
  readonly mediaType: 'text/plain'
  /** What names the sources, as it was written: `0:[1]`. */
  readonly title: string
  /** Where the cited text stands, and what it cites. */
  readonly providerMetadata: {
    /** What only this package says. */
    readonly tokenweir: {
      /** Where the cited text begins in all text of the reply, in UTF-16 code units. */
      readonly start: number
      /** Where it ends. */
      readonly end: number
      /** The results that it cites. */
      readonly sources: ReadonlyArray<{
        /** The number of the call. */
        readonly call: number
        /** The numbers of its results. */
        readonly results: readonly number[]
      }>
    }
  }
}

/**
 * A part of the AI SDK that is neither text, reasoning nor a call.
 *
 * @example
 * ```ts
 * import { type OtherPart, ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const part: OtherPart = { type: 'raw' }
 * console.log(new ToolCallParser({ protocol: hermesProtocol(), tools: [] }).write(part).length) // 1
 * ```
 */
export interface OtherPart {
  /** The part's kind. */
  readonly type:
    | 'stream-start'
    | 'response-metadata'
    | 'finish'
    | 'error'
    | 'raw'
    | 'source'
    | 'file'
    | 'tool-result'
    | 'tool-approval-request'
}

/**
 * A part that is not text, and passes as it is. `Part` is what goes into the parser; where nothing more is known of it
 * than that it has a type, it is a part of the AI SDK.
 *
 * @example
 * ```ts
 * import { type PassedPart, ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const finish: PassedPart<{ type: 'finish'; finishReason: string }> = { type: 'finish', finishReason: 'stop' }
 * for (const part of new ToolCallParser({ protocol: hermesProtocol(), tools: [] }).write(finish)) {
 *   if (part.type === 'finish') console.log(part.finishReason) // stop
 * }
 * ```
 */
export type PassedPart<Part extends StreamPart> = string extends Part['type']
  ? OtherPart
  : Exclude<Part, Pick<ToolCallStreamPart, 'type'>>

/**
 * What `parseGeneratedText` gives: text, reasoning and calls in their order. Neighbouring text is one. A format with
 * citations gives `CitationPart`s, too.
 *
 * @example
 * ```ts
 * import { type GeneratedContent, hermesProtocol, parseToolCalls } from 'tokenweir/tool-calls'
 *
 * const content: GeneratedContent[] = parseToolCalls('Hello', { protocol: hermesProtocol(), tools: [] })
 * console.log(content) // [ { type: 'text', text: 'Hello' } ]
 * ```
 */
export type GeneratedContent =
  | {
      /** The part's kind. */
      readonly type: 'text'
      /** The text. */
      readonly text: string
    }
  | {
      /** The part's kind. */
      readonly type: 'reasoning'
      /** What the model wrote between `<think>` and `</think>`. */
      readonly text: string
    }
  | ToolCallPart

/**
 * Why a segment is not a call.
 *
 * @example
 * ```ts
 * import { type DropReason, hermesProtocol, parseToolCalls } from 'tokenweir/tool-calls'
 *
 * const reasons: DropReason[] = []
 * parseToolCalls('<tool_call>{"name": "add"', {
 *   protocol: hermesProtocol(),
 *   tools: [],
 *   options: { onError: (message, metadata) => metadata && reasons.push(metadata.dropReason) },
 * })
 * console.log(reasons) // [ 'unfinished-tool-call' ]
 * ```
 */
export type DropReason =
  | 'malformed-tool-call-body'
  | 'unfinished-tool-call'
  | 'malformed-nested-tool-call'
  | 'unresolved-tool-name'
  | 'call-too-long'
  | 'inside-reasoning'
  | 'missing-arguments'
  | 'call-in-thinking'
  | 'missing-call'
  | 'repeated-id'
  | 'unknown-content'
  | 'other-reply'
  | 'made-up-turn'
  | 'interrupted'
  | 'foreign-message'
  | 'missing-opener'

/**
 * What is known of a segment that is not a call.
 *
 * @example
 * ```ts
 * import { type ToolCallErrorMetadata, hermesProtocol, parseToolCalls } from 'tokenweir/tool-calls'
 *
 * const show = ({ toolCall, dropReason }: ToolCallErrorMetadata) => console.log(dropReason, toolCall)
 * const onError = (message: string, metadata?: ToolCallErrorMetadata) => metadata && show(metadata)
 * parseToolCalls('<tool_call>{"arguments": {}}</tool_call>', {
 *   protocol: hermesProtocol(),
 *   tools: [],
 *   options: { onError },
 * })
 * ```
 * ```text
 * unresolved-tool-name <tool_call>{"arguments": {}}</tool_call>
 * ```
 */
export interface ToolCallErrorMetadata {
  /** The segment's original text, its tags included; of a native call in a reply, its arguments. */
  readonly toolCall: string
  /** The tool, where its name was read. */
  readonly toolName?: string
  /** The id that the call was given, where its parts were emitted. */
  readonly toolCallId?: string
  /** Why it is not a call. */
  readonly dropReason: DropReason
  /** What was wrong, where it is known more closely. */
  readonly error?: unknown
}

/**
 * Is called with what went wrong. What it throws is swallowed, and logged once to the console.
 *
 * @example
 * ```ts
 * import { type OnError, hermesProtocol, parseToolCalls } from 'tokenweir/tool-calls'
 *
 * const onError: OnError = (message, metadata) => console.log(metadata?.dropReason)
 * parseToolCalls('<tool_call>{oh}</tool_call>', { protocol: hermesProtocol(), tools: [], options: { onError } })
 * ```
 * ```text
 * malformed-tool-call-body
 * ```
 */
export type OnError = (message: string, metadata?: ToolCallErrorMetadata & Readonly<Record<string, unknown>>) => void

/**
 * How calls are read from text.
 *
 * @example
 * ```ts
 * import { type ToolCallOptions, hermesProtocol, parseToolCalls } from 'tokenweir/tool-calls'
 *
 * const options: ToolCallOptions = { onMalformed: 'drop', generateId: (kind) => `${kind}-1` }
 * const text = '<tool_call>{oh}</tool_call><tool_call>{"name": "stop", "arguments": {}}</tool_call>'
 * const [call] = parseToolCalls(text, { protocol: hermesProtocol(), tools: [], options })
 * console.log(call?.type === 'tool-call' && [call.toolCallId, call.toolName]) // [ 'call-1', 'stop' ]
 * ```
 */
export interface ToolCallOptions {
  /** Whether arguments are emitted while they come, as `tool-input-start`, `-delta` and `-end`. @defaultValue true */
  readonly toolInputDeltas?: boolean
  /**
   * What is emitted for a segment that is not a call: its original text (`text`), nothing (`drop`), or a `tool-call`
   * with its raw payload (`invalid-call`), which the AI SDK reports and hands to its repair hook. One that was cut off
   * is never a call.
   * @defaultValue 'text'
   */
  readonly onMalformed?: 'text' | 'drop' | 'invalid-call'
  /** Receives a call of a tool that is not in `tools`. Without tools all are known. @defaultValue 'call' */
  readonly unknownTools?: 'call' | 'text'
  /** Whether arguments get the types of the tool's schema. @defaultValue true */
  readonly coerce?: boolean
  /**
   * Makes the ids of calls, of reasoning, and of texts that the source gives none. Where it throws or gives none, the
   * id is a random one, and that is logged once to the console. @defaultValue `call_` and 24 random letters and digits
   * for calls, 16 for the others
   */
  readonly generateId?: (kind: 'call' | 'text' | 'reasoning') => string
  /**
   * What is made of reasoning in the text, between `<think>` or `<thinking>` and its closing tag: parts of type
   * `reasoning-start`, `-delta` and `-end` (`parts`), or the text as it was written (`text`). Either way it is not
   * searched for calls. `search` takes it for text like any other.
   *
   * An opening tag counts at the start of the reply, at the start of a line, and directly after a call or other
   * reasoning, but not in a fence of Markdown. Reasoning that is never closed goes on to the end.
   * @defaultValue 'parts'
   */
  readonly reasoning?: 'parts' | 'text' | 'search'
  /** Whether the stream starts inside reasoning, since the chat template has opened it. @defaultValue false */
  readonly startWithThinking?: boolean
  /** `'text'`: calls and reasoning in Markdown code, in fences or inline, are text. @defaultValue `'parse'` */
  readonly fences?: 'parse' | 'text'
  /** Longest segment, in UTF-16 code units. A longer one is not a call. @defaultValue 16_777_216 */
  readonly maxPending?: number
  /** Is called for segments that are not calls. */
  readonly onError?: OnError | undefined
  /** Is called with the tolerated errors of a call, before its `tool-call` comes. */
  readonly onRepair?:
    | ((repairs: readonly Repair[], call: { readonly toolCallId: string; readonly toolName: string }) => void)
    | undefined
  /** Schemas to use instead of the tools' own, by tool name. */
  readonly originalToolSchemas?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Options of a protocol: the defaults of each parser that it makes.
 *
 * @example
 * ```ts
 * import { type ProtocolOptions, morphXmlProtocol } from 'tokenweir/tool-calls'
 *
 * const options: ProtocolOptions = { generateId: () => 'call_1' }
 * const [call] = morphXmlProtocol(options).parseGeneratedText({ text: '<stop/>', tools: [{ name: 'stop' }] })
 * console.log(call?.type === 'tool-call' && call.toolCallId) // call_1
 * ```
 */
export type ProtocolOptions = Omit<ToolCallOptions, 'onError' | 'onRepair' | 'originalToolSchemas'>

/**
 * Options of `hermesProtocol`.
 *
 * @example
 * ```ts
 * import { type HermesProtocolOptions, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const options: HermesProtocolOptions = { toolCallStart: '[call]', toolCallEnd: '[/call]' }
 * const text = '[call]{"name": "stop", "arguments": {}}[/call]'
 * console.log(
 *   hermesProtocol(options)
 *     .parseGeneratedText({ text, tools: [] })
 *     .map(({ type }) => type),
 * )
 * // → [ 'tool-call' ]
 * ```
 */
export interface HermesProtocolOptions extends ProtocolOptions {
  /** The tag before a call, at most 128 bytes of UTF-8. @defaultValue '<tool_call>' */
  readonly toolCallStart?: string
  /** The tag after it, at most 128 bytes of UTF-8. @defaultValue '</tool_call>' */
  readonly toolCallEnd?: string
  /** What is written before a result. @defaultValue '<tool_response>' */
  readonly toolResponseStart?: string
  /** What is written after it. @defaultValue '</tool_response>' */
  readonly toolResponseEnd?: string
}

/**
 * Options of `morphXmlProtocol`.
 *
 * @example
 * ```ts
 * import { type MorphXmlProtocolOptions, morphXmlProtocol } from 'tokenweir/tool-calls'
 *
 * const options: MorphXmlProtocolOptions = { linePrefixed: true }
 * const text = 'get_weather\n<city>Seoul</city>'
 * const [call] = morphXmlProtocol(options).parseGeneratedText({ text, tools: [{ name: 'get_weather' }] })
 * console.log(call?.type === 'tool-call' && call.input) // {"city":"Seoul"}
 * ```
 */
export interface MorphXmlProtocolOptions extends ProtocolOptions {
  /**
   * Whether a tool's name on a line of its own is a call too, as Devstral writes it: the elements
   * after it are its arguments, and anything else after the last of them ends it.
   * @defaultValue false
   */
  readonly linePrefixed?: boolean
}

/**
 * A finished call, as it is written back into a prompt.
 *
 * @example
 * ```ts
 * import { type FormattedCall, hermesProtocol, morphXmlProtocol } from 'tokenweir/tool-calls'
 *
 * const call: FormattedCall = { toolName: 'add', input: { a: 1 } }
 * console.log(hermesProtocol().formatToolCall(call)) // <tool_call>{"name":"add","arguments":{"a":1}}</tool_call>
 * console.log(morphXmlProtocol().formatToolCall(call)) // <add><a>1</a></add>
 * ```
 */
export interface FormattedCall {
  /** The tool that was called. */
  readonly toolName: string
  /** The arguments: a JSON text, or a value. */
  readonly input: unknown
  /** Id of the call. */
  readonly toolCallId?: string
}

/**
 * A result, as it is written into a prompt.
 *
 * @example
 * ```ts
 * import { type FormattedResult, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const result: FormattedResult = { toolName: 'add', result: 3 }
 * console.log(hermesProtocol().formatToolResponse(result))
 * // → <tool_response>{"toolName":"add","result":3}</tool_response>
 * ```
 */
export interface FormattedResult {
  /** The tool that gave it. */
  readonly toolName: string
  /** Id of the call that it answers. */
  readonly toolCallId?: string
  /** The AI SDK's `{ type, value }`, or any value. */
  readonly output?: unknown
  /** The result, where there is no `output`. */
  readonly result?: unknown
}

/**
 * How calls are written in text. Yours is an object with these methods, or a function that makes one.
 *
 * @example
 * ```ts
 * import { type ToolCallProtocol, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const hermes = hermesProtocol()
 * const brief: ToolCallProtocol = {
 *   formatTools: ({ tools }) => `Tools: ${tools.map(({ name }) => name).join(', ')}`,
 *   formatToolCall: (call) => hermes.formatToolCall(call),
 *   parseGeneratedText: (arg) => hermes.parseGeneratedText(arg),
 *   createStreamParser: (arg) => hermes.createStreamParser(arg),
 * }
 * console.log(brief.formatTools({ tools: [{ name: 'stop' }], toolSystemPromptTemplate: (tools) => tools }))
 * // → Tools: stop
 * ```
 */
export interface ToolCallProtocol {
  /** The tools, described for the system prompt. */
  formatTools(arg: { tools: readonly Tool[]; toolSystemPromptTemplate: (tools: string) => string }): string
  /** A call that was made, for the prompt. */
  formatToolCall(call: FormattedCall): string
  /** A call's result, for the prompt. Needed only where results are written. */
  formatToolResponse?(result: FormattedResult): string
  /** Text and calls of a whole answer. */
  parseGeneratedText(arg: {
    text: string
    tools: readonly Tool[]
    options?: ToolCallOptions
    /** Why the reply ended, as the AI SDK has it. @defaultValue it ended on its own */
    finishReason?: unknown
  }): GeneratedContent[]
  /** A stream from the model's parts to parts with calls. */
  createStreamParser(arg: { tools: readonly Tool[]; options?: ToolCallOptions }): Transform<any, any>
  /** The original text of each segment of a whole answer that is a call. */
  extractToolCallSegments?(arg: { text: string; tools: readonly Tool[] }): string[]
}
