// Takes a chunk of a response, or refuses it, naming what is wrong with it. Keys that
// aren't known are passed over next to one that is: providers add their own.
//
// AutoByteus writes `tool_calls`, `call_id`, `arguments_delta` and `is_complete`.

import { describe } from '../errors.js'
import type { ResponseChunk, ToolCallDelta } from './types.js'

/** A chunk under our own names. */
export interface ReadChunk {
  readonly content: string | undefined
  readonly reasoning: string | undefined
  readonly toolCalls: readonly ToolCallDelta[]
}

const KEYS = ['content', 'reasoning', 'toolCalls', 'tool_calls', 'usage', 'isComplete', 'is_complete']

/**
 * Reads a chunk.
 *
 * @throws TypeError that names the field.
 */
export function readChunk(place: string, value: unknown): ReadChunk {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`${place} takes a string or a chunk object, but got ${describe(value)}`)
  if (!KEYS.some((key) => key in value)) throw new TypeError(`${place} takes a string or an object with ${KEYS.slice(0, -1).join(', ')} or ${KEYS.at(-1)}, but got ${namesOf(value)}`)
  const chunk = value as ResponseChunk
  const complete = chunk.isComplete ?? chunk.is_complete
  if (typeof complete !== 'boolean' && complete !== undefined && complete !== null) throw new TypeError(`${place}: isComplete must be a boolean, but is ${describe(complete)}`)
  const name = chunk.toolCalls === undefined || chunk.toolCalls === null ? 'tool_calls' : 'toolCalls'
  const calls: unknown = chunk[name] ?? []
  if (!Array.isArray(calls)) throw new TypeError(`${place}: ${name} must be an array, but is ${describe(calls)}`)
  return {
    content: text(chunk, ['content'], `${place}: `),
    reasoning: text(chunk, ['reasoning'], `${place}: `),
    toolCalls: calls.map((call, at) => readDelta(call, `${place}: ${name}[${at}]`)),
  }
}

function readDelta(value: unknown, place: string): ToolCallDelta {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`${place} must be an object, but is ${describe(value)}`)
  const { index, done } = value as { [Key in keyof ToolCallDelta]: unknown }
  if (!Number.isSafeInteger(index) || (index as number) < 0) throw new TypeError(`${place}.index must be a whole number from 0 on, but is ${describe(index)}`)
  const delta = {
    index: index as number,
    callId: text(value, ['callId', 'call_id'], `${place}.`),
    name: text(value, ['name'], `${place}.`),
    argumentsDelta: text(value, ['argumentsDelta', 'arguments_delta'], `${place}.`),
  }
  if (typeof done !== 'boolean' && done !== undefined && done !== null) throw new TypeError(`${place}.done must be a boolean, but is ${describe(done)}`)
  return { ...delta, done: done ?? false }
}

/** The first of some fields that has a value, which must be a string. */
function text(value: object, names: readonly string[], place: string): string | undefined {
  const fields = value as Readonly<Record<string, unknown>>
  for (const name of names) {
    const field = fields[name]
    if (typeof field === 'string') return field
    if (field !== undefined && field !== null) throw new TypeError(`${place}${name} must be a string, but is ${describe(field)}`)
  }
  return undefined
}

function namesOf(value: object): string {
  const names = Object.keys(value)
  return names.length === 0 ? 'an object without any of them' : `one with ${names.slice(0, 8).join(', ')}`
}
