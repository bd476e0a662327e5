// The messages that follow a reply with calls.
//
// Source: spec/reply.md, 4; spec/message.md. The shapes of providers are in loop-shapes.ts.

import { ParseError, describe } from '../errors.js'
import type { ProviderName } from '../provider-name.js'
import { type OptionTable, checkOptions, choice, elsewhere, flag } from '../options.js'
import { isRecord } from '../own.js'
import { fieldsIn, fieldsOf, listOf, type Fields, stringOf } from '../untrusted.js'
import { sdkMessages } from './loop-sdk.js'
import { AS, SHAPES, type Shape, findCalls } from './loop-shapes.js'
import type { AnsweredCall, Turn } from './loop-turn.js'
import { writtenOf } from './prompt.js'
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
  /** The model that has answered; `readReply` says it. */
  readonly model?: string | undefined
  /** Whose message it is; `readReply` says it. */
  readonly provider?: ProviderName | undefined
  /** The message as its provider takes it back, by `readReply`. */
  readonly message?: object | undefined
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
 * them, or, with a format, with the calls and results in its text. Messages of other providers have other types, by the
 * names that their SDKs have for them: `loopMessages<MessageParam>(…)`.
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
  /**
   * `false` leaves thinking out that can be read, as DeepSeek R1 wants it. What is signed or encrypted stays: its
   * provider asks for it. @defaultValue true
   */
  readonly thinking?: boolean | undefined
  /**
   * The shape of another provider, for a conversation that goes on there: text and calls. A message that has this shape
   * stays as it is. Signatures are for their own provider, so no other gets them; with `'ai-sdk'` they are in
   * `providerOptions`. Without it the shape is that of the provider that was read.
   */
  readonly as?: 'openai' | 'responses' | 'anthropic' | 'gemini' | 'bedrock' | 'ollama' | 'cohere' | 'ai-sdk' | undefined
}

const OPTIONS = {
  format: [elsewhere],
  firstIndex: [elsewhere],
  thinking: [flag],
  as: [choice(...Object.keys(AS))],
} satisfies OptionTable<LoopOptions>

/**
 * The messages to send next: the reply with its calls, and the results in the order of the calls. Without calls it is
 * the reply alone.
 *
 * They have the shape of the provider that was read: the reply's `message`, which keeps signatures and encrypted
 * thinking, and the results as this provider takes them. With OpenAI's Responses and Google's Interactions they are
 * items and steps, for the `input`. A reply of plain text, and one whose calls were read from its text, is written in
 * OpenAI's shape, and with a format all of it is text. `Message` is the type that your SDK has for a message; it is not
 * checked.
 *
 * Calls that are not whole (`problems`) come back in the last message, with what is wrong: in that of the last result,
 * or, if there are no calls, in one of the user.
 *
 * @throws TypeError for a call without a result, or a result without a call, which servers refuse; with `as` for a call
 * that lacks what the shape needs: an id, a name, an object as arguments; as `writeCalls` with a format.
 * @throws ParseError `missing-signature` for calls of Gemini 3 whose first one came without its signature: the next
 * request with them would be refused.
 * @example
 * ```ts
 * import { loopMessages } from 'tokenweir/formats'
 * import { readReply } from 'tokenweir'
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
 * @example
 * ```ts
 * import { loopMessages } from 'tokenweir/formats'
 * import { readReply } from 'tokenweir'
 *
 * // As Anthropic's SDK has it.
 * type MessageParam = { role: 'user' | 'assistant'; content: string | object[] }
 *
 * const thinking = { type: 'thinking', thinking: 'Now?', signature: 'EqQB' }
 * const content = [thinking, { type: 'tool_use', id: 'c1', name: 'now', input: {} }]
 * const reply = await readReply([{ type: 'message', content, stop_reason: 'tool_use' }]).result()
 * const messages: MessageParam[] = [{ role: 'user', content: 'What time is it?' }]
 * messages.push(...loopMessages<MessageParam>(reply, [{ toolCallId: 'c1', output: '12:00' }]))
 * for (const { content } of messages.slice(1)) console.log(JSON.stringify(content))
 * ```
 * ```text
 * [{"type":"thinking","thinking":"Now?","signature":"EqQB"},{"type":"tool_use","id":"c1","name":"now","input":{}}]
 * [{"type":"tool_result","tool_use_id":"c1","content":"12:00"}]
 * ```
 */
export function loopMessages<Message extends object = LoopMessage>(
  reply: LoopReply,
  results: readonly LoopResult[],
  options: LoopOptions = {},
): Message[] {
  checkOptions('loopMessages', options, OPTIONS)
  if (!isRecord(reply) || !Array.isArray(reply.toolCalls))
    throw new TypeError(`loopMessages takes the result of readReply or parseReply, but got ${describe(reply)}`)
  if (reply.provider !== undefined && !Object.hasOwn(SHAPES, reply.provider))
    throw new TypeError(`loopMessages: there is no provider ${describe(reply.provider)}`)
  if (options.format !== undefined && options.as !== undefined)
    throw new TypeError('loopMessages takes format, for calls in the text, or as, for calls as fields, but got both')
  const turn: Turn = {
    text: reply.text,
    thinking: options.thinking === false ? '' : thoughtOf(reply),
    calls: answered(reply.toolCalls, results),
  }
  const write = options.format === undefined ? inShape.bind(undefined, reply) : inText
  return write(turn, wrongIn(reply), options) as Message[]
}

function thoughtOf({ thinking, reasoning = thinking }: LoopReply): string {
  return reasoning ?? ''
}

/** Problems that a model has not made: a call in its thinking it has not meant. */
const NOT_ITS_OWN: ReadonlySet<string> = new Set(['inside-reasoning', 'other-reply', 'unknown-content'])

/** What a model should know of calls that are not whole. */
function wrongIn({ problems = [] }: LoopReply): string {
  const wrong = problems.filter(({ metadata }) => !NOT_ITS_OWN.has(metadata.dropReason))
  const said = wrong.map(({ message, metadata }) => `${message}\n${metadata.toolCall}`)
  return wrong.length === 0 ? '' : `${said.join('\n\n')}\n\nWrite it again, as a whole call.`
}

/** The calls with their outputs, in their order: an id may come twice where a program makes them. */
function answered(calls: LoopReply['toolCalls'], results: readonly LoopResult[]): AnsweredCall[] {
  if (!Array.isArray(results))
    throw new TypeError(`loopMessages takes a list of { toolCallId, output }, but got ${describe(results)}`)
  const left = [...(results as readonly LoopResult[])]
  const all = calls.map(({ toolCallId, toolName, input }) => {
    const at = left.findIndex((result) => result.toolCallId === toolCallId)
    if (at < 0)
      throw new TypeError(
        `loopMessages: the call ${JSON.stringify(toolCallId)} of ${JSON.stringify(toolName)} has no result: each ` +
          `call of the reply needs one, which may say what went wrong`,
      )
    const output = left.splice(at, 1)[0]?.output
    return { id: toolCallId, name: toolName, input, output }
  })
  const [other] = left
  if (other !== undefined)
    throw new TypeError(
      `loopMessages: there is a result of ${JSON.stringify(other.toolCallId)}, and the reply has no such call`,
    )
  return all
}

/** The messages with calls and results in their text. */
function inText({ text, thinking, calls }: Turn, wrong: string, { format, firstIndex }: LoopOptions): object[] {
  const written = writtenOf('loopMessages', format as Format)
  const { write } = written
  const shared = firstIndex === undefined ? { format: written } : { format: written, firstIndex }
  const options: WriteCallsOptions = { ...shared, text }
  // Models that are trained to call tools while they think go on with what they thought.
  const said = write?.reasoning === undefined || thinking === '' ? options : { ...options, reasoning: thinking }
  const named = calls.map(({ id, name, input, output }) => ({ toolCallId: id, toolName: name, input, output }))
  const message = { role: 'assistant', content: writeCalls(named, said) }
  if (calls.length === 0) return wrong === '' ? [message] : [message, { role: 'user', content: wrong }]
  const content = writeResults(named, shared) + (wrong === '' ? '' : `\n\n${wrong}`)
  return [message, { role: write?.role ?? 'user', content }]
}

/** The messages in the shape of a provider. */
function inShape(reply: LoopReply, turn: Turn, wrong: string, { as, thinking }: LoopOptions): object[] {
  const { message, provider = 'openai' } = reply
  const found = message === undefined ? undefined : findCalls(SHAPES[provider], message, reply.toolCalls)
  // Calls that were read from its text are not in a message.
  const sent = found === undefined ? undefined : message
  const isFromText = sent === undefined && turn.calls.length > 0
  const target = as === undefined ? (isFromText ? 'openai' : provider) : AS[as]
  const shape: Shape = SHAPES[target]
  const calls = turn.calls.map((call, at) => ({ ...call, sent: found?.[at] }))
  if (sent !== undefined && target === provider) {
    requireSigned(reply, sent)
    const said = thinking === false ? withoutThinking(sent, { ...turn, thinking: thoughtOf(reply) }) : sent
    return [...listed(said), ...shape.results(calls, wrong)]
  }
  if (as !== undefined) for (const call of calls) requireWritable(call, shape, as)
  const isWanted = (part: object) => thinking !== false || !isReadable(part)
  const converted = sent !== undefined && target === 'aiSdk' ? sdkMessages(provider, sent, calls, isWanted) : undefined
  // What one provider's message has of a call says nothing in the shape of another.
  return [...(converted ?? shape.said({ ...turn, calls })), ...shape.results(turn.calls, wrong)]
}

const listed = (message: object | undefined): readonly object[] =>
  message === undefined ? [] : Array.isArray(message) ? (message as readonly object[]) : [message]

/** @throws TypeError for a call that a shape has no place for. */
function requireWritable({ id, name, input }: AnsweredCall, { anyInput }: Shape, as: string): void {
  const lack =
    id === ''
      ? 'it has no id'
      : name === ''
        ? 'it has no name'
        : anyInput !== true && fieldsIn(input) === undefined
          ? `its arguments are not a JSON object, but ${describe(input)}`
          : ''
  if (lack !== '')
    throw new TypeError(
      `loopMessages: the call ${JSON.stringify(id)} of ${JSON.stringify(name)} can't be written as ` +
        `${JSON.stringify(as)}: ${lack}`,
    )
}

/** Models that refuse a call without the signature that they gave it; of several calls the first one has it. */
const SIGNING = /(^|\/)gemini-([3-9]|\d\d)/

/** @throws ParseError for calls of such a model whose signature was lost on the way. */
function requireSigned({ model, provider }: LoopReply, message: object): void {
  if (provider !== 'gemini' || model === undefined || !SIGNING.test(model)) return
  const parts = listOf(fieldsOf(message)?.['parts']).map((part) => fieldsOf(part) ?? {})
  const first = parts.find((part) => part['functionCall'] !== undefined)
  if (first === undefined || (first['thoughtSignature'] ?? first['thought_signature']) !== undefined) return
  throw new ParseError(
    'missing-signature',
    `loopMessages: the call of ${JSON.stringify(fieldsOf(first['functionCall'])?.['name'])} lacks its ` +
      `thoughtSignature, without which ${model} refuses the next request: something between the API and readReply ` +
      `has left it out`,
  )
}

/** Fields of a message that are thinking as text. */
const FIELDS: ReadonlySet<string> = new Set([
  'reasoning_content',
  'reasoning',
  'thinking',
  'reasoning_text',
  'tool_plan',
])

/** Fields of a message that may list thoughts. */
const LISTS = ['content', 'parts', 'reasoning_details', 'thinking_blocks'] as const

/** The types of thoughts, by provider: `reasoning.text` is OpenRouter's, `thought` that of Google's Interactions. */
const TYPES = /^(thinking|thought|reasoning(\.(text|summary))?)$/

/** Fields whose value only its provider can read, or check. */
const SEALS = [
  'signature',
  'thoughtSignature',
  'thought_signature',
  'encrypted_content',
  'encryptedValue',
  'data',
  'redactedContent',
  'providerOptions',
] as const

/** Whether an element of a message is thinking that can be read, and that nothing signs. */
function isReadable(element: unknown): boolean {
  const part = fieldsOf(element) ?? {}
  const reasoning = fieldsOf(part['reasoningContent'])
  if (!isThought(part) || [part, reasoning, fieldsOf(reasoning?.['reasoningText'])].some(isSealed)) return false
  // OpenAI's call refers to the item before it by its id, even where that has only a summary.
  return typeof part['id'] !== 'string' || !Array.isArray(part['summary']) || listOf(part['content']).length > 0
}

function isThought({ type, role, thought, reasoningContent }: Fields): boolean {
  return reasoningContent !== undefined || thought === true || role === 'reasoning' || TYPES.test(stringOf(type))
}

function isSealed(fields: Fields | undefined): boolean {
  return fields !== undefined && SEALS.some((name) => (fields[name] ?? '') !== '')
}

/**
 * A message, or a list of items, without readable thinking; undefined if nothing is left of it. `text` is the reply's:
 * where its thinking stands in the content, in tags, the content becomes the text.
 */
function withoutThinking(
  sent: object,
  { text, thinking }: { readonly text: string; readonly thinking: string },
): object | undefined {
  if (Array.isArray(sent)) return sent.filter((item) => !isReadable(item))
  const fields = Object.entries(sent)
  const message: Record<string, unknown> = Object.fromEntries(fields.filter(([name]) => !FIELDS.has(name)))
  let isInTags = thinking !== '' && !fields.some(([name]) => FIELDS.has(name))
  for (const name of LISTS) {
    const list = listOf(message[name])
    if (list.length === 0) continue
    isInTags &&= !list.some((part) => isThought(fieldsOf(part) ?? {}))
    const left = list.filter((part) => !isReadable(part))
    if (left.length > 0) message[name] = left
    else delete message[name]
  }
  if (isInTags && typeof message['content'] === 'string') message['content'] = text
  return Object.keys(message).length > 1 ? message : undefined
}
