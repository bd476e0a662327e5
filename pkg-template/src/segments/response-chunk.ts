// Refuses anything but a chunk, naming what is wrong with it. Keys that aren't
// known are passed over: providers add their own.

import { describe } from '../errors.js'
import type { ResponseChunk, ToolCallDelta } from './types.js'

/** Refuses anything but a chunk. */
export function requireChunk(place: string, value: unknown): asserts value is ResponseChunk {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`${place} takes a string or a chunk object, but got ${describe(value)}`)
  const { content, reasoning, toolCalls } = value as { [Key in keyof ResponseChunk]: unknown }
  requireText(content, () => `${place}: content`)
  requireText(reasoning, () => `${place}: reasoning`)
  if (toolCalls === undefined || toolCalls === null) return
  if (!Array.isArray(toolCalls)) throw new TypeError(`${place}: toolCalls must be an array, but is ${describe(toolCalls)}`)
  for (let at = 0; at < toolCalls.length; at++) requireDelta(toolCalls[at], () => `${place}: toolCalls[${at}]`)
}

function requireDelta(value: unknown, place: () => string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`${place()} must be an object, but is ${describe(value)}`)
  const { index, callId, name, argumentsDelta, done } = value as { [Key in keyof ToolCallDelta]: unknown }
  if (!Number.isSafeInteger(index) || (index as number) < 0) throw new TypeError(`${place()}.index must be a whole number from 0 on, but is ${describe(index)}`)
  requireText(callId, () => `${place()}.callId`)
  requireText(name, () => `${place()}.name`)
  requireText(argumentsDelta, () => `${place()}.argumentsDelta`)
  if (typeof done !== 'boolean' && done !== undefined && done !== null) throw new TypeError(`${place()}.done must be a boolean, but is ${describe(done)}`)
}

function requireText(value: unknown, place: () => string): void {
  if (typeof value !== 'string' && value !== undefined && value !== null) throw new TypeError(`${place()} must be a string, but is ${describe(value)}`)
}
