// The tools of a request in any form, and the types of their calls.
//
// Tools by name, such as those of `tool()` of the AI SDK, give calls with `args`, which
// have the types of their schemas. A list of tools gives calls without.

import { describe } from '../errors.js'
import { isRecord } from '../own.js'
import type { OfInput } from '../schema/infer.js'
import { type FunctionTool, type ToolSet, readTools } from '../schema/tool-list.js'
import type { GeneratedContent, StreamPart, Tool, ToolCallPart, ToolCallStreamPart } from './types.js'

/**
 * The tools of a request: a list, or by name.
 *
 * @example
 * ```ts
 * import { type AnyTools, parseReply } from 'tokenweir/tool-calls'
 *
 * const tools: AnyTools = [{ name: 'now' }]
 * console.log(parseReply('<now/>', { format: 'morph-xml', tools }).toolCalls.length) // 1
 * ```
 */
export type AnyTools = ReadonlyArray<Tool | FunctionTool> | ToolSet

/**
 * A call of one of the tools by name, as a part.
 *
 * @example
 * ```ts
 * import { type StaticToolCall, parseReply } from 'tokenweir/tool-calls'
 *
 * const add = ({ args }: StaticToolCall<'add', { a: number }>) => args.a + 1
 * const tools = {
 *   add: { inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } },
 * } as const
 * for (const part of parseReply('<add><a>1</a></add>', { format: 'morph-xml', tools }).parts) {
 *   if (part.type === 'tool-call' && !part.dynamic) console.log(add(part)) // 2
 * }
 * ```
 */
export interface StaticToolCall<Name extends string = string, Args = unknown> extends ToolCallPart {
  /** The tool that is called. */
  readonly toolName: Name
  /**
   * The arguments with the types of the tool's schema, as far as they could be given to them. It is not validated: the
   * model may have left something out.
   */
  readonly args: Args
  /** Only the other calls have it. */
  readonly dynamic?: undefined
}

/**
 * A call of a tool that isn't among those by name, or one that is malformed (`onMalformed: 'invalid-call'`).
 *
 * @example
 * ```ts
 * import { type DynamicToolCall, parseReply } from 'tokenweir/tool-calls'
 *
 * const refuse = ({ toolName }: DynamicToolCall) => console.log('there is no', toolName)
 * const reply = '<tool_call>{"name": "sub", "arguments": {}}</tool_call>'
 * for (const part of parseReply(reply, { format: 'hermes', tools: { add: {} } }).parts)
 *   if (part.type === 'tool-call' && part.dynamic) refuse(part)
 * // → there is no sub
 * ```
 */
export interface DynamicToolCall extends ToolCallPart {
  /** What sets it apart. */
  readonly dynamic: true
  /** Whether it is malformed: `input` is its text. */
  readonly invalid?: true
  /** The arguments; `undefined` if it is malformed. */
  readonly args: unknown
}

/**
 * A call of any of the tools by name, as a part: `dynamic` and `toolName` narrow it.
 *
 * @example
 * ```ts
 * import { type TypedToolCall, parseReply } from 'tokenweir/tool-calls'
 *
 * const tools = { add: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }, now: {} } as const
 * const run = (call: TypedToolCall<typeof tools>) =>
 *   !call.dynamic && call.toolName === 'add' ? call.args.a + 1 : 'now'
 * for (const part of parseReply('<add><a>1</a></add><now/>', { format: 'morph-xml', tools }).parts)
 *   if (part.type === 'tool-call') console.log(run(part))
 * // → 2
 * // → now
 * ```
 */
export type TypedToolCall<Tools extends ToolSet> =
  | { [Name in keyof Tools & string]: StaticToolCall<Name, ArgsOf<Tools[Name]>> }[keyof Tools & string]
  | DynamicToolCall

/**
 * The arguments of a tool, by its schema.
 *
 * @example
 * ```ts
 * import type { ArgsOf } from 'tokenweir/tool-calls'
 *
 * const tool = {
 *   inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
 * } as const
 * const args: ArgsOf<typeof tool> = { city: 'Porto' }
 * console.log(args.city) // Porto
 * ```
 */
export type ArgsOf<Tool> = OfTool<Tool>

type OfTool<Tool> = Tool extends { readonly function: infer Definition }
  ? OfTool<Definition>
  : Tool extends
        | { readonly inputSchema: infer Schema }
        | { readonly parameters: infer Schema }
        | { readonly input_schema: infer Schema }
    ? OfInput<Schema, unknown>
    : OfInput<Tool, unknown>

/**
 * A part of a stream by the tools of the request: its calls have types if the tools are given by name.
 *
 * @example
 * ```ts
 * import { type StreamPartOf, ToolCallParser } from 'tokenweir/tool-calls'
 *
 * const tools = { now: {} }
 * const parts: StreamPartOf<typeof tools>[] = new ToolCallParser({ format: 'morph-xml', tools }).text('<now/>')
 * console.log(parts.at(-1)?.type) // tool-call
 * ```
 */
export type StreamPartOf<Tools extends AnyTools> = Tools extends ToolSet
  ? Exclude<ToolCallStreamPart, ToolCallPart> | TypedToolCall<Tools>
  : ToolCallStreamPart

/**
 * A part of a whole answer, with the calls of some tools typed.
 *
 * @example
 * ```ts
 * import { type GeneratedContentOf, morphXmlProtocol, parseToolCalls } from 'tokenweir/tool-calls'
 *
 * const tools = { now: {} }
 * const content: GeneratedContentOf<typeof tools>[] = parseToolCalls('It is <now/>', {
 *   protocol: morphXmlProtocol(),
 *   tools,
 * })
 * console.log(content.map(({ type }) => type)) // [ 'text', 'tool-call' ]
 * ```
 */
export type GeneratedContentOf<Tools extends AnyTools> = Tools extends ToolSet
  ? Exclude<GeneratedContent, ToolCallPart> | TypedToolCall<Tools>
  : GeneratedContent

/** Takes a part of a stream; a call may be malformed. */
export type EmitPart = (part: StreamPart, isMalformed?: boolean) => void

/** The tools as a list, and what adds `args` to the calls of tools by name. */
export interface ReadTools {
  readonly list: readonly Tool[]
  readonly typed: (emit: EmitPart) => EmitPart
}

/** Reads the tools of a request. @throws TypeError that names what isn't a tool. */
export function toolsOf(place: string, tools: unknown): ReadTools {
  if (!Array.isArray(tools) && !isRecord(tools))
    throw new TypeError(
      `${place} takes { tools: [{ name, inputSchema }] } or { tools: { name: { inputSchema } } }, but tools is ` +
        `${describe(tools)}`,
    )
  const list: Tool[] = []
  readTools(`${place}: tools`, tools, ({ name, schema: inputSchema, about: { type } }) =>
    list.push(typeof type === 'string' ? { name, inputSchema, type } : { name, inputSchema }),
  )
  if (Array.isArray(tools)) return { list, typed: (emit) => emit }
  const names = new Set(list.map(({ name }) => name))
  return {
    list,
    typed: (emit) => (part, isMalformed) =>
      emit(part.type === 'tool-call' ? withArgs(part as ToolCallPart, names, isMalformed === true) : part),
  }
}

function withArgs(
  call: ToolCallPart,
  names: ReadonlySet<string>,
  isMalformed: boolean,
): StaticToolCall | DynamicToolCall {
  if (isMalformed) return { ...call, args: undefined, dynamic: true, invalid: true }
  const args: unknown = JSON.parse(call.input)
  return names.has(call.toolName) ? { ...call, args } : { ...call, args, dynamic: true }
}
