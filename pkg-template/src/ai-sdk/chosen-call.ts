// The call in an answer that is one: `{ "name": …, "arguments": { … } }`.
//
// Source: seeds/003_ba9e2c6418997257.txt, Tool-choice streaming path. Differences:
// a model whose provider knows no response format answers as the system prompt
// says, or between the fences of a code block, and both are read; `parameters` and
// arguments that are JSON in a string are read as in a `<tool_call>`.

import { isRecord, own } from '../own.js'
import { toJson } from '../schema/to-json.js'
import { coercionBy } from '../tool-calls/catalogue.js'
import { randomId } from '../tool-calls/options.js'
import type { Tool, ToolCallOptions, ToolCallPart, ToolCallProtocol } from '../tool-calls/types.js'
import { jsonValue } from './json-value.js'
import { tell } from './tell.js'

/** How the call is read. */
export interface ChosenCallReader {
  /** The tools that may be called. */
  readonly tools: readonly Tool[]
  /** How the call is read. */
  readonly options: ToolCallOptions
  /** The tool that was asked for: its name is taken where the answer has none. */
  readonly toolName?: string | undefined
  /** Reads an answer that isn't JSON. */
  readonly protocol?: Pick<ToolCallProtocol, 'parseGeneratedText'> | undefined
}

/** The name of a call that has none. */
const NO_NAME = 'unknown'

/** The call of an answer's text. A text that is none is a call without arguments, and `onError` hears of it. */
export function chosenCall(text: string, reader: ChosenCallReader): ToolCallPart {
  const { options, toolName } = reader
  const toolCallId = options.generateId?.('call') ?? randomId('call')
  const fallback = toolName ?? NO_NAME
  const failed = (message: string, name: string, error?: unknown): ToolCallPart => {
    tell(options.onError, message, { toolCall: text, toolName: name, toolCallId, dropReason: 'malformed-tool-call-body', ...(error === undefined ? {} : { error }) })
    return { type: 'tool-call', toolCallId, toolName: name, input: '{}' }
  }
  let answer: unknown
  try {
    answer = jsonValue(withoutFence(text))
  } catch (error) {
    const call = writtenCall(text, reader)
    if (call === undefined) return failed('The answer to a tool choice is no JSON; the call has no arguments.', fallback, error)
    return { type: 'tool-call', toolCallId, toolName: call.toolName, input: call.input }
  }
  if (!isRecord(answer)) return failed('The answer to a tool choice is no JSON object; the call has no arguments.', fallback)
  const given = own(answer, 'name')
  const name = typeof given === 'string' && given !== '' ? given : fallback
  if (name === NO_NAME) tell(options.onError, 'The answer to a tool choice names no tool.', { toolCall: text, toolName: name, toolCallId, dropReason: 'unresolved-tool-name' })
  let input: unknown = own(answer, 'arguments') ?? own(answer, 'parameters') ?? {}
  if (typeof input === 'string') {
    try {
      input = jsonValue(input)
    } catch (error) {
      return failed('The arguments in the answer to a tool choice are no JSON; the call has none.', name, error)
    }
  }
  if (!isRecord(input)) return failed('The arguments in the answer to a tool choice are no JSON object; the call has none.', name)
  try {
    return { type: 'tool-call', toolCallId, toolName: name, input: toJson(coerced(input, name, reader)) }
  } catch (error) {
    return failed("The arguments in the answer to a tool choice don't go by the tool's schema; the call has none.", name, error)
  }
}

/** What is inside a code block, if the text is nothing else. */
function withoutFence(text: string): string {
  const trimmed = text.trim()
  const line = trimmed.indexOf('\n')
  return trimmed.startsWith('```') && trimmed.endsWith('```') && line !== -1 ? trimmed.slice(line, -3) : text
}

/** The first call that is written as the protocol writes them. */
function writtenCall(text: string, { protocol, tools, options }: ChosenCallReader): ToolCallPart | undefined {
  // Of what is wrong with it `onError` hears once, from us.
  const { onError: _, ...others } = options
  return protocol?.parseGeneratedText({ text, tools, options: others }).find((part) => part.type === 'tool-call')
}

function coerced(value: unknown, name: string, { tools, options }: ChosenCallReader): unknown {
  if (options.coerce === false) return value
  const tool = tools.find((one) => one.name === name)
  return tool === undefined ? value : coercionBy(own(options.originalToolSchemas, name) ?? tool.inputSchema).value(value)
}
