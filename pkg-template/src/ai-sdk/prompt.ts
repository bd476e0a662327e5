// Writes the calls and the results of a conversation as text.
//
//     assistant  text, tool-call              becomes   assistant  text
//     tool       tool-result                            user       text
//
// Models without tools of their own know no `tool` role, and many want `user` and
// `assistant` to take turns, so neighbouring user messages become one.
//
// A wire format writes the calls of a turn together, and its results: many have markers around
// all of them. Its results are in the order of the calls, since some formats have no ids.
//
// Everything that the provider did itself stays unchanged: calls that it executed, and calls
// of its own tools with their results.
//
// Files in results are parts of the user's message, after its texts.
//
// Differences to `@ai-sdk-tool/parser`: no part is lost when messages are merged.

import { describe } from '../errors.js'
import { isRecord, own } from '../own.js'
import { mediaOf } from './result-media.js'
import { callsWriter, resultsWriter } from '../tool-calls/turns.js'
import type { FormattedCall, FormattedResult, ToolCallProtocol } from '../tool-calls/types.js'
import type { PromptMessage, PromptPart, ToolResponsePromptTemplate } from './types.js'

interface TextPart extends PromptPart {
  readonly text: string
  readonly providerOptions?: unknown
}

/** How calls and results are written. */
export interface PromptWriter {
  readonly protocol: Pick<ToolCallProtocol, 'formatToolCall' | 'formatToolResponse'>
  readonly toolResponsePromptTemplate: ToolResponsePromptTemplate | undefined
  /** Where files in results go. */
  readonly toolResultMedia: 'user' | 'placeholder'
  /** Called for files that the model doesn't get. */
  readonly warn: (message: string) => void
  /** Names of the tools that the provider has itself. */
  readonly providerTools: ReadonlySet<string>
}

/** The calls of a conversation up to a message, by their ids. */
interface CallsSoFar {
  /** Calls that stay; their results stay too. */
  readonly kept: Set<unknown>
  /** The numbers of the others, from 0. */
  readonly numbers: Map<unknown, number>
  /** How many others there are. */
  count: number
}

/** The prompt without calls and results other than the provider's own. */
export async function textPrompt(prompt: readonly PromptMessage[], writer: PromptWriter): Promise<PromptMessage[]> {
  const conversation: PromptMessage[] = []
  const calls: CallsSoFar = { kept: new Set(), numbers: new Map(), count: 0 }
  for (const message of prompt) {
    for (const next of message.role === 'assistant'
      ? [assistantMessage(message, calls, writer)]
      : await toolMessages(message, calls, writer)) {
      const last = conversation.at(-1)
      if (last?.role === 'user' && next.role === 'user')
        conversation[conversation.length - 1] = mergeMessages(last, next)
      else conversation.push(next)
    }
  }
  return conversation
}

function assistantMessage(
  message: PromptMessage,
  calls: CallsSoFar,
  { protocol, providerTools }: PromptWriter,
): PromptMessage {
  if (typeof message.content === 'string') return message
  const turns = callsWriter(protocol)
  let hasChanged = false
  let content: PromptPart[] = []
  /** Neighbouring calls that are written together. */
  let run: PromptPart[] = []
  const endRun = () => {
    if (turns === undefined || run.length === 0) return
    const first = calls.count - run.length
    content = joinTexts(content)
    const last = content.at(-1)
    const said = last !== undefined && isText(last) ? last : undefined
    const part = inPlaceOf(run, turns.write(run as unknown as readonly FormattedCall[], first, said?.text))
    const whole: TextPart = said === undefined ? part : { ...joinedText(said, part), text: part.text }
    content = [...(said === undefined ? content : content.slice(0, -1)), whole]
    run = []
  }
  for (const part of message.content) {
    if (part.type !== 'tool-call') {
      // White space between calls is layout.
      if (run.length > 0 && isText(part) && part.text.trim() === '') continue
      endRun()
      content.push(part)
      continue
    }
    if (own(part, 'providerExecuted') === true || providerTools.has(own(part, 'toolName') as string)) {
      endRun()
      calls.kept.add(own(part, 'toolCallId'))
      content.push(part)
      continue
    }
    hasChanged = true
    calls.numbers.set(own(part, 'toolCallId'), calls.count++)
    if (turns === undefined) content.push(textPart(protocol.formatToolCall(part as unknown as FormattedCall), part))
    else run.push(part)
  }
  endRun()
  return hasChanged ? { ...message, content: joinTexts(content) } : message
}

/** A tool's message is split: first what the provider has to get as it is, then the rest as a user's. */
async function toolMessages(
  message: PromptMessage,
  { kept, numbers }: CallsSoFar,
  writer: PromptWriter,
): Promise<PromptMessage[]> {
  if (message.role !== 'tool' || typeof message.content === 'string') return [message]
  const stays = (part: PromptPart): boolean =>
    part.type !== 'tool-result' ||
    kept.has(own(part, 'toolCallId')) ||
    writer.providerTools.has(own(part, 'toolName') as string)
  const tool = message.content.filter(stays)
  if (tool.length === message.content.length) return [message]
  const results: PromptPart[] = []
  const files: PromptPart[] = []
  const ours = message.content.filter((part) => !stays(part))
  const turns = writer.toolResponsePromptTemplate === undefined ? resultsWriter(writer.protocol) : undefined
  if (turns !== undefined) {
    const numberOf = (part: PromptPart) => numbers.get(own(part, 'toolCallId')) ?? Number.MAX_SAFE_INTEGER
    ours.sort((one, other) => numberOf(one) - numberOf(other))
    const first = numbers.get(own(ours[0], 'toolCallId')) ?? 0
    results.push(inPlaceOf(ours, turns.write(ours as unknown as readonly FormattedResult[], first)))
    files.push(...ours.flatMap((part) => filesOf(part, writer)))
  }
  for (const part of turns === undefined ? ours : []) {
    const written = await writtenResult(part as unknown as FormattedResult, writer)
    if (typeof written === 'string') {
      results.push(textPart(written, part))
      files.push(...filesOf(part, writer))
    } else results.push(...written)
  }
  return [
    ...(tool.length > 0 ? [{ ...message, content: tool }] : []),
    { ...message, role: 'user', content: joinTexts([...results, ...files]) },
  ]
}

/** A result, as it is written: by the template, else by the protocol. */
async function writtenResult(
  result: FormattedResult,
  { protocol, toolResponsePromptTemplate: template }: PromptWriter,
): Promise<string | readonly PromptPart[]> {
  if (template !== undefined) {
    const written: unknown = await template(result)
    if (typeof written === 'string' || Array.isArray(written)) return written as string | readonly PromptPart[]
    throw new TypeError(
      `toolResponsePromptTemplate must return a string, parts of a user's message, or a promise of these, but ` +
        `returned ${describe(written)}`,
    )
  }
  const written: unknown = protocol.formatToolResponse?.(result)
  if (typeof written === 'string') return written
  if (protocol.formatToolResponse !== undefined)
    throw new TypeError(`The protocol's formatToolResponse must return a string, but returned ${describe(written)}`)
  throw new TypeError(
    'The prompt has results of tools, which the protocol cannot write: give it the method formatToolResponse, ' +
      'or the middleware toolResponsePromptTemplate',
  )
}

/** The files of a result that the model gets. */
function filesOf(part: PromptPart, { toolResultMedia, warn }: PromptWriter): readonly PromptPart[] {
  const { files, others } = mediaOf(own(part, 'output'))
  const lost = toolResultMedia === 'placeholder' ? files.length : 0
  const tool = JSON.stringify(own(part, 'toolName'))
  if (lost > 0)
    warn(
      `The model does not get the files in the result of the tool ${tool} (${lost}), only their names or media ` +
        `types: toolResultMedia is "placeholder".`,
    )
  if (others.length > 0)
    warn(
      `The model does not get what cannot be part of a message in the result of the tool ${tool}: ` +
        `${others.join(', ')}.`,
    )
  return toolResultMedia === 'placeholder' ? [] : files
}

/** A text in place of another part: what that part said to the provider (a cache point) is kept. */
export function textPart(text: string, instead?: PromptPart): TextPart {
  const providerOptions = own(instead, 'providerOptions')
  return { type: 'text', text, ...(providerOptions === undefined ? {} : { providerOptions }) }
}

/** A text in place of several parts. */
function inPlaceOf(parts: readonly PromptPart[], text: string): TextPart {
  return { ...parts.map((part) => textPart('', part)).reduce((first, second) => joinedText(first, second)), text }
}

function mergeMessages(first: PromptMessage, second: PromptMessage): PromptMessage {
  return {
    ...first,
    ...second,
    ...mergedOptions(first, second),
    content: joinTexts([...partsOf(first), ...partsOf(second)]),
  }
}

function partsOf({ content }: PromptMessage): readonly PromptPart[] {
  return typeof content === 'string' ? [textPart(content)] : content
}

/** Makes one of neighbouring texts, a line each. */
export function joinTexts(parts: readonly PromptPart[]): PromptPart[] {
  const joined: PromptPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last !== undefined && isText(last) && isText(part)) joined[joined.length - 1] = joinedText(last, part)
    else joined.push(part)
  }
  return joined
}

function joinedText(first: TextPart, second: TextPart, separator = '\n'): TextPart {
  const text = [first.text, second.text].filter((one) => one !== '').join(separator)
  return { ...first, ...second, ...mergedOptions(first, second), text }
}

function isText(part: PromptPart): part is TextPart {
  return part.type === 'text'
}

/** The provider options of both; the second wins where both have some for one provider. */
function mergedOptions(first: object, second: object): object {
  const [before, after] = [own(first, 'providerOptions'), own(second, 'providerOptions')]
  return isRecord(before) && isRecord(after) ? { providerOptions: { ...before, ...after } } : {}
}
