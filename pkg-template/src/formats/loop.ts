// The messages that follow a reply with calls.
//
// Source: spec/reply.md, 4.

import { describe } from '../errors.js'
import { type OptionTable, checkOptions, elsewhere } from '../options.js'
import { isRecord } from '../own.js'
import { toJson } from '../schema/to-json.js'
import { writtenOf } from './prompt.js'
import { resultValue } from './results.js'
import type { AnyFormat, Format } from './types.js'
import type { FormatId } from '../generated/format-ids.js'
import { type WriteCallsOptions, writeCalls, writeResults } from './write.js'

/**
 * What is needed of a reply: what `readReply(…).result()` and `parseReply` give.
 *
 * @example
 * ```ts
 * import { type LoopReply, loopMessages } from 'tokenweir/formats'
 *
 * const reply: LoopReply = { text: 'Hello', toolCalls: [] }
 * console.log(loopMessages(reply, [])) // [ { role: 'assistant', content: 'Hello' } ]
 * ```
 */
export interface LoopReply {
  /** The visible text. */
  readonly text: string
  /** The thinking, by the name that `readReply` has for it. */
  readonly thinking?: string
  /** The thinking, by the name that `parseReply` has for it. */
  readonly reasoning?: string
  /** The calls that were run. */
  readonly toolCalls: ReadonlyArray<{
    /** The id of the call. */
    readonly toolCallId: string
    /** The tool that was called. */
    readonly toolName: string
    /** The arguments as JSON text. */
    readonly input: string
  }>
  /** The calls that are not whole: the model gets them back. */
  readonly problems?: ReadonlyArray<{
    /** What is wrong. */
    readonly message: string
    /** The text. */
    readonly metadata: {
      /** The text of the call. */
      readonly toolCall: string
      /** Why it is not a call. */
      readonly dropReason: string
    }
  }>
}

/**
 * What a tool gave.
 *
 * @example
 * ```ts
 * import { type LoopResult, loopMessages } from 'tokenweir/formats'
 *
 * const reply = { text: '', toolCalls: [{ toolCallId: 'c1', toolName: 'now', input: '{}' }] }
 * const results: LoopResult[] = [{ toolCallId: 'c1', output: { time: '12:00' } }]
 * console.log(loopMessages(reply, results)[1]) // { role: 'tool', tool_call_id: 'c1', content: '{"time":"12:00"}' }
 * ```
 */
export interface LoopResult {
  /** The id of its call. */
  readonly toolCallId: string
  /** The AI SDK's `{ type, value }`, or any value: a string as it is, anything else as JSON. `undefined` is `null`. */
  readonly output: unknown
}

/**
 * A message of a chat: with `tool_calls` and `tool_call_id` as OpenAI's chat completions and compatible servers take
 * them, or, with a format, with the calls and results in its text.
 *
 * @example
 * ```ts
 * import { type LoopMessage, loopMessages } from 'tokenweir/formats'
 *
 * const messages: LoopMessage[] = [{ role: 'user', content: 'What time is it?' }]
 * const reply = { text: '', toolCalls: [{ toolCallId: 'c1', toolName: 'now', input: '{}' }] }
 * messages.push(...loopMessages(reply, [{ toolCallId: 'c1', output: '12:00' }]))
 * console.log(messages.map(({ role }) => role)) // [ 'user', 'assistant', 'tool' ]
 * ```
 */
export interface LoopMessage {
  /** `assistant`, or who gives the results: `tool`; with a format the role that the model's template has for them. */
  role: string
  /** The text. */
  content: string
  /** Without a format: the calls. */
  tool_calls?: Array<{
    /** The id of the call. */
    id: string
    /** Its kind. */
    type: 'function'
    /** What is called. */
    function: {
      /** The name of the tool. */
      name: string
      /** The arguments as JSON text. */
      arguments: string
    }
  }>
  /** Without a format: the id of the call that the message answers. */
  tool_call_id?: string
}

/**
 * How the messages are written.
 *
 * @example
 * ```ts
 * import { type LoopOptions, loopMessages } from 'tokenweir/formats'
 *
 * const options: LoopOptions = { format: 'hermes' }
 * const reply = { text: '', toolCalls: [{ toolCallId: 'c1', toolName: 'now', input: '{}' }] }
 * console.log(loopMessages(reply, [{ toolCallId: 'c1', output: '12:00' }], options)[0]?.content)
 * ```
 * ```text
 * <tool_call>
 * {"name": "now", "arguments": {}}
 * </tool_call>
 * ```
 */
export interface LoopOptions {
  /** The wire format of the model, for a prompt of text, or for a server that doesn't know its calls. */
  readonly format?: FormatId | Format | AnyFormat | undefined
  /** The number of the first call, for formats that count them through the conversation: see `writeCalls`. */
  readonly firstIndex?: number | undefined
}

const OPTIONS = { format: [elsewhere], firstIndex: [elsewhere] } satisfies OptionTable<LoopOptions>

/**
 * The messages to send next: the reply with its calls, and the results. Without calls it is the reply alone.
 *
 * Calls that are not whole (`problems`) come back in the last message, with what is wrong: in that of the last result,
 * or, if there are no calls, in one of the user.
 *
 * @throws TypeError for a call without a result, or a result without a call, which servers refuse; as `writeCalls` with
 * a format.
 * @example
 * ```ts
 * import { loopMessages } from 'tokenweir/formats'
 * import { readReply } from 'tokenweir/reply'
 *
 * const call = { id: 'c1', function: { name: 'weather', arguments: '{"city": "Porto"}' } }
 * const reply = await readReply([
 *   { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }] },
 *   { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
 * ]).result()
 * const results = reply.toolCalls.map(({ toolCallId }) => ({ toolCallId, output: 'Rain.' }))
 * const [said, result] = loopMessages(reply, results)
 * console.log(said?.role, said?.tool_calls?.[0]?.function.arguments) // assistant {"city": "Porto"}
 * console.log(result) // { role: 'tool', tool_call_id: 'c1', content: 'Rain.' }
 * ```
 */
export function loopMessages(
  reply: LoopReply,
  results: readonly LoopResult[],
  options: LoopOptions = {},
): LoopMessage[] {
  checkOptions('loopMessages', options, OPTIONS)
  if (!isRecord(reply) || !Array.isArray(reply.toolCalls))
    throw new TypeError(`loopMessages takes the result of readReply or parseReply, but got ${describe(reply)}`)
  const outputs = outputsOf(reply.toolCalls, results)
  const { format, firstIndex } = options
  const messages =
    format === undefined
      ? asFields(reply, outputs)
      : inText(reply, outputs, writtenOf('loopMessages', format), firstIndex)
  const wrong = wrongIn(reply)
  const last = messages.at(-1) as LoopMessage
  if (wrong === '') return messages
  if (last.role === 'assistant') return [...messages, { role: 'user', content: wrong }]
  last.content += `\n\n${wrong}`
  return messages
}

/** What a model should know of calls that are not whole. Those in its thinking it has not meant. */
function wrongIn({ problems = [] }: LoopReply): string {
  const wrong = problems.filter(({ metadata }) => metadata.dropReason !== 'inside-reasoning')
  const said = wrong.map(({ message, metadata }) => `${message}\n${metadata.toolCall}`)
  return wrong.length === 0 ? '' : `${said.join('\n\n')}\n\nWrite it again, as a whole call.`
}

/** The messages with calls and results as fields. */
function asFields({ text, toolCalls }: LoopReply, outputs: readonly unknown[]): LoopMessage[] {
  if (toolCalls.length === 0) return [{ role: 'assistant', content: text }]
  const calls = toolCalls.map(({ toolCallId, toolName, input }) => ({
    id: toolCallId,
    type: 'function' as const,
    function: { name: toolName, arguments: input },
  }))
  return [
    { role: 'assistant', content: text, tool_calls: calls },
    ...toolCalls.map(({ toolCallId }, at) => ({
      role: 'tool',
      tool_call_id: toolCallId,
      content: textOf(outputs[at]),
    })),
  ]
}

/** The outputs of the calls, in the order of these: an id may come twice where a program makes them. */
function outputsOf(calls: LoopReply['toolCalls'], results: readonly LoopResult[]): unknown[] {
  if (!Array.isArray(results))
    throw new TypeError(`loopMessages takes a list of { toolCallId, output }, but got ${describe(results)}`)
  const left = [...(results as readonly LoopResult[])]
  const outputs = calls.map(({ toolCallId, toolName }) => {
    const at = left.findIndex((result) => result.toolCallId === toolCallId)
    if (at < 0)
      throw new TypeError(
        `loopMessages: the call ${JSON.stringify(toolCallId)} of ${JSON.stringify(toolName)} has no result: each ` +
          `call of the reply needs one, which may say what went wrong`,
      )
    return left.splice(at, 1)[0]?.output
  })
  const [other] = left
  if (other !== undefined)
    throw new TypeError(
      `loopMessages: there is a result of ${JSON.stringify(other.toolCallId)}, and the reply has no such call`,
    )
  return outputs
}

/** The messages with calls and results in their text. */
function inText(
  { text, thinking, reasoning = thinking, toolCalls }: LoopReply,
  outputs: readonly unknown[],
  format: Format,
  firstIndex: number | undefined,
): LoopMessage[] {
  const { write } = format
  const shared = firstIndex === undefined ? { format } : { format, firstIndex }
  const options: WriteCallsOptions = { ...shared, text }
  // Models that are trained to call tools while they think go on with what they thought.
  const said = write?.reasoning === undefined || reasoning === undefined ? options : { ...options, reasoning }
  const messages: LoopMessage[] = [{ role: 'assistant', content: writeCalls(toolCalls, said) }]
  if (toolCalls.length === 0) return messages
  const results = toolCalls.map(({ toolCallId, toolName }, at) => ({ toolCallId, toolName, output: outputs[at] }))
  return [...messages, { role: write?.role ?? 'user', content: writeResults(results, shared) }]
}

/** What a tool gave, as text. */
function textOf(output: unknown): string {
  const value = resultValue({ output }) ?? null
  return typeof value === 'string' ? value : toJson(value)
}
