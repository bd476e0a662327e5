// Writes the calls and the results of a conversation as text.
//
//     assistant  text, tool-call              becomes   assistant  text
//     tool       tool-result                            user       text
//
// Models without tools of their own know no `tool` role, and many want `user` and
// `assistant` to take turns, so neighbouring user messages become one.
//
// What the provider did itself stays as it is: calls that it executed, and calls
// of its own tools with their results.
//
// Differences to `@ai-sdk-tool/parser`: no part is lost when messages are merged.

import { isRecord, own } from '../own.js'
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
  /** Names of the tools that the provider has itself. */
  readonly providerTools: ReadonlySet<string>
}

/** The prompt without calls and results other than the provider's own. */
export function textPrompt(prompt: readonly PromptMessage[], writer: PromptWriter): PromptMessage[] {
  const conversation: PromptMessage[] = []
  /** Calls that stay; their results stay too. */
  const kept = new Set<unknown>()
  for (const message of prompt) {
    for (const next of message.role === 'assistant' ? [assistantMessage(message, kept, writer)] : toolMessages(message, kept, writer)) {
      const last = conversation.at(-1)
      if (last?.role === 'user' && next.role === 'user') conversation[conversation.length - 1] = mergeMessages(last, next)
      else conversation.push(next)
    }
  }
  return conversation
}

function assistantMessage(message: PromptMessage, kept: Set<unknown>, { protocol, providerTools }: PromptWriter): PromptMessage {
  if (typeof message.content === 'string') return message
  let hasChanged = false
  const content = message.content.map((part) => {
    if (part.type !== 'tool-call') return part
    if (own(part, 'providerExecuted') === true || providerTools.has(own(part, 'toolName') as string)) {
      kept.add(own(part, 'toolCallId'))
      return part
    }
    hasChanged = true
    return textPart(protocol.formatToolCall(part as unknown as FormattedCall), part)
  })
  return hasChanged ? { ...message, content: joinTexts(content) } : message
}

/** A tool's message is split: first what the provider has to get as it is, then the rest as a user's. */
function toolMessages(message: PromptMessage, kept: ReadonlySet<unknown>, writer: PromptWriter): PromptMessage[] {
  if (message.role !== 'tool' || typeof message.content === 'string') return [message]
  const stays = (part: PromptPart): boolean => part.type !== 'tool-result' || kept.has(own(part, 'toolCallId')) || writer.providerTools.has(own(part, 'toolName') as string)
  const tool = message.content.filter(stays)
  if (tool.length === message.content.length) return [message]
  const user = message.content.filter((part) => !stays(part)).flatMap((part) => resultParts(part, writer))
  return [...(tool.length > 0 ? [{ ...message, content: tool }] : []), { ...message, role: 'user', content: joinTexts(user) }]
}

function resultParts(part: PromptPart, { protocol, toolResponsePromptTemplate }: PromptWriter): PromptPart[] {
  const result = part as unknown as FormattedResult
  const written = toolResponsePromptTemplate === undefined ? protocol.formatToolResponse(result) : toolResponsePromptTemplate(result)
  return typeof written === 'string' ? [textPart(written, part)] : [...written]
}

/** A text in place of another part: what that part said to the provider (a cache point) is kept. */
function textPart(text: string, instead?: PromptPart): TextPart {
  const providerOptions = own(instead, 'providerOptions')
  return { type: 'text', text, ...(providerOptions === undefined ? {} : { providerOptions }) }
}

function mergeMessages(first: PromptMessage, second: PromptMessage): PromptMessage {
  return { ...first, ...second, ...mergedOptions(first, second), content: joinTexts([...partsOf(first), ...partsOf(second)]) }
}

function partsOf({ content }: PromptMessage): readonly PromptPart[] {
  return typeof content === 'string' ? [textPart(content)] : content
}

/** Makes one of neighbouring texts, a line each. */
function joinTexts(parts: readonly PromptPart[]): PromptPart[] {
  const joined: PromptPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last !== undefined && isText(last) && isText(part)) joined[joined.length - 1] = joinedText(last, part)
    else joined.push(part)
  }
  return joined
}

function joinedText(first: TextPart, second: TextPart): TextPart {
  const text = [first.text, second.text].filter((one) => one !== '').join('\n')
  return { ...first, ...second, ...mergedOptions(first, second), text }
}

function isText(part: PromptPart): part is TextPart {
  return part.type === 'text'
}

/** What both say to providers; the second wins where both speak to one. */
function mergedOptions(first: object, second: object): object {
  const [before, after] = [own(first, 'providerOptions'), own(second, 'providerOptions')]
  return isRecord(before) && isRecord(after) ? { providerOptions: { ...before, ...after } } : {}
}
