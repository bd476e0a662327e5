// A reply's turn: its calls with what their tools gave, and where each call stands in the provider's message.

import { own } from '../own.js'
import { toJson } from '../schema/to-json.js'
import { type Fields, jsonOrText } from '../untrusted.js'
import { resultValue } from './results.js'

/** A call, and what its tool gave. */
export interface AnsweredCall {
  readonly id: string
  readonly name: string
  /** The arguments as JSON text. */
  readonly input: string
  /** What the tool gave: the AI SDK's `{ type, value }`, or any value. */
  readonly output: unknown
  /** The call as the provider's message has it, if it does. */
  readonly sent?: Fields | undefined
}

/** What is to be said again. */
export interface Turn {
  readonly text: string
  /** The readable thinking; empty if it is to be left out. */
  readonly thinking: string
  readonly calls: readonly AnsweredCall[]
}

/** The AI SDK's types of an output that failed. */
const FAILED: ReadonlySet<unknown> = new Set(['error-text', 'error-json'])

/** The AI SDK's types of an output. */
const OUTPUTS: ReadonlySet<unknown> = new Set(['text', 'json', 'execution-denied', 'content', ...FAILED])

/** Whether the output says that the tool failed. */
export function isFailed({ output }: AnsweredCall): boolean {
  return FAILED.has(own(output, 'type'))
}

/** What a tool gave, as text: a failure is `{"error": …}`. */
export function textOf(output: unknown): string {
  return written(resultValue({ output }))
}

/** What a tool gave, as text, for a provider that has a flag for failures. */
export function flaggedText(call: AnsweredCall): string {
  return isFailed(call) ? written(own(call.output, 'value')) : textOf(call.output)
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value ?? null)
}

/** What a tool gave, as plain JSON: a failure is `{ error }`. */
export function valueOf(output: unknown): unknown {
  return jsonOf(resultValue({ output }))
}

function jsonOf(value: unknown): unknown {
  return JSON.parse(toJson(value ?? null))
}

/** What a tool gave, as the AI SDK takes it. */
export function sdkOutput({ output }: AnsweredCall): object {
  if (OUTPUTS.has(own(output, 'type'))) return output as object
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: jsonOf(output) }
}

/** The arguments for the AI SDK: those of a tool that takes free text are this text. */
export function inputIn(input: string): unknown {
  return input.trim() === '' ? {} : jsonOrText(input)
}
