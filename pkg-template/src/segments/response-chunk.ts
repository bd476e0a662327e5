// Takes a chunk of a response, or refuses it, naming what is wrong with it. Keys that
// aren't known are passed over next to one that is: providers add their own.
//
// AutoByteus writes `tool_calls`, `call_id`, `arguments_delta` and `is_complete`.

import { describe } from '../errors.js'
import { isRecord } from '../own.js'
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
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${place} takes a string or a chunk object, but got ${describe(value)}`)
  if (!KEYS.some((key) => key in value))
    throw new TypeError(
      `${place} takes a string or an object with ${KEYS.slice(0, -1).join(', ')} or ${KEYS.at(-1)}, but got ` +
        `${namesOf(value)}`,
    )
  const chunk = value as ResponseChunk
  const complete = chunk.isComplete ?? chunk.is_complete
  if (typeof complete !== 'boolean' && complete !== undefined && complete !== null)
    throw new TypeError(`${place}: isComplete must be a boolean, but is ${describe(complete)}`)
  const name = chunk.toolCalls === undefined || chunk.toolCalls === null ? 'tool_calls' : 'toolCalls'
  const calls: unknown = chunk[name] ?? []
  if (!Array.isArray(calls)) throw new TypeError(`${place}: ${name} must be an array, but is ${describe(calls)}`)
  // Where something is wrong is said only if it is: each text costs as much as reading a delta.
  const at: Place = { place, list: name, index: undefined }
  const content = text(chunk, 'content', at)
  const reasoning = text(chunk, 'reasoning', at)
  const toolCalls: ToolCallDelta[] = []
  for (let index = 0; index < calls.length; index++) {
    at.index = index
    toolCalls.push(readDelta(calls[index], at))
  }
  return { content, reasoning, toolCalls }
}

/** Where a field is: of the chunk, or of the delta with this index in the list. */
interface Place {
  readonly place: string
  readonly list: string
  index: number | undefined
}

function readDelta(value: unknown, at: Place): ToolCallDelta {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${nameOf(at)} must be an object, but is ${describe(value)}`)
  const { index, done, native_context } = value as { [Key in keyof ToolCallDelta]: unknown }
  if (!Number.isSafeInteger(index) || (index as number) < 0)
    throw new TypeError(`${nameOf(at)}.index must be a whole number from 0 on, but is ${describe(index)}`)
  const callId = text(value, 'callId', at) ?? text(value, 'call_id', at)
  const name = text(value, 'name', at)
  const argumentsDelta = text(value, 'argumentsDelta', at) ?? text(value, 'arguments_delta', at)
  if (typeof done !== 'boolean' && done !== undefined && done !== null)
    throw new TypeError(`${nameOf(at)}.done must be a boolean, but is ${describe(done)}`)
  if (!isRecord(native_context) && native_context !== undefined && native_context !== null)
    throw new TypeError(`${nameOf(at)}.native_context must be an object, but is ${describe(native_context)}`)
  const context = native_context as ToolCallDelta['native_context']
  return { index: index as number, callId, name, argumentsDelta, native_context: context, done: done ?? false }
}

/** A field, which must be a string if it has a value. */
function text(value: object, name: string, at: Place): string | undefined {
  const field = (value as Readonly<Record<string, unknown>>)[name]
  if (typeof field === 'string') return field
  if (field === undefined || field === null) return undefined
  throw new TypeError(
    `${nameOf(at)}${at.index === undefined ? ' ' : '.'}${name} must be a string, but is ${describe(field)}`,
  )
}

function nameOf({ place, list, index }: Place): string {
  return index === undefined ? `${place}:` : `${place}: ${list}[${index}]`
}

function namesOf(value: object): string {
  const names = Object.keys(value)
  return names.length === 0 ? 'an object without any of them' : `one with ${names.slice(0, 8).join(', ')}`
}
