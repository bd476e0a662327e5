// A call that a program is to run: the same shape from a reply, a whole text and a hook.
//
// Source: spec/reply.md, 3.

import type { FunctionTool, GivenTools } from '../schema/tool-list.js'
import type { ArgsOf } from './tool-set.js'

/**
 * A call of a tool that was given.
 *
 * @example
 * ```ts
 * import { type KnownCall, parseReply } from 'tokenweir/tool-calls'
 *
 * const tools = { add: { inputSchema: { type: 'object', properties: { a: { type: 'number' } } } } } as const
 * const run = ({ toolName, args }: KnownCall<'add', { a?: number }>) => console.log(toolName, args.a)
 * for (const call of parseReply('<add><a>1</a></add>', { format: 'morph-xml', tools }).toolCalls) {
 *   if (!call.dynamic) run(call) // add 1
 * }
 * ```
 */
export interface KnownCall<Name extends string = string, Args = unknown> {
  /** Its id: the provider's, or the one that `generateId` made. */
  readonly toolCallId: string
  /** The tool that is called. */
  readonly toolName: Name
  /** The arguments as JSON text. */
  readonly input: string
  /**
   * The arguments, with the types of the tool's schema as far as they could be given to them. They are not validated:
   * the model may have left something out.
   */
  readonly args: Args
  /** Only the other calls have it. */
  readonly dynamic?: undefined
}

/**
 * A call of a tool that was not given: of any, if none were.
 *
 * @example
 * ```ts
 * import { readReply } from 'tokenweir'
 * import type { DynamicCall } from 'tokenweir/tool-calls'
 *
 * const run = ({ toolName, args }: DynamicCall) => console.log(toolName, args)
 * const { toolCalls } = await readReply('<invoke name="add"><parameter name="a">1</parameter></invoke>').result()
 * for (const call of toolCalls) if (call.dynamic) run(call) // add { a: 1 }
 * ```
 */
export interface DynamicCall {
  /** Its id. */
  readonly toolCallId: string
  /** The name that the model wrote. */
  readonly toolName: string
  /** The arguments as JSON text; of a tool that takes free text, this text. */
  readonly input: string
  /** The arguments; of a tool that takes free text, this text. */
  readonly args: unknown
  /** What sets it apart. */
  readonly dynamic: true
}

/**
 * A call that a program is to run, by the tools that were given: an object of them, or a list.
 *
 * @example
 * ```ts
 * import { type CallToRun, parseReply } from 'tokenweir/tool-calls'
 *
 * const tools = { add: {}, now: {} } as const
 * const run = (call: CallToRun<typeof tools>) => (call.dynamic ? 'unknown' : call.toolName)
 * console.log(parseReply('<add><a>1</a></add><now/>', { format: 'morph-xml', tools }).toolCalls.map(run))
 * // → [ 'add', 'now' ]
 * ```
 */
export type CallToRun<Tools extends GivenTools = readonly []> =
  | (Tools extends ReadonlyArray<infer Tool>
      ? Tool extends FunctionTool
        ? KnownCall<Tool['function']['name'], ArgsOf<Tool>>
        : Tool extends Readonly<Record<'name', infer Name extends string>>
          ? KnownCall<Name, ArgsOf<Tool>>
          : Tool extends string
            ? KnownCall<Tool>
            : never
      : { [Name in keyof Tools & string]: KnownCall<Name, ArgsOf<Tools[Name]>> }[keyof Tools & string])
  | DynamicCall

/** A call to run; `known` are the names of the tools that were given. */
export function callToRun(
  { toolCallId, toolName, input }: { readonly toolCallId: string; readonly toolName: string; readonly input: string },
  args: unknown,
  known: ReadonlySet<string>,
): KnownCall | DynamicCall {
  const call = { toolCallId, toolName, input, args }
  return known.has(toolName) ? call : { ...call, dynamic: true }
}
