// The tool calls in a JSON value.
//
//     calls    ::= call | [calls, …] | { tool_calls | tools | tool : [calls, …] }
//     call     ::= { tool: named } | named
//     named    ::= { name } | { function: string } | { function: { name } } | { tool: string }
//
// and arguments beside the name, or around it, by one of the profile's names.
//
// Source: spec/segment.md, "JSON"; shapes of AutoByteus 1.4.4's parsing strategies.
// Differences: every call counts, AutoByteus takes the first; arguments that aren't
// an object are an error, not `{}`; a missing name is one, not "unknown".

import { CallFault } from './call-fault.js'
import { isRecord, own } from '../own.js'
import { jsonIn } from '../schema/words.js'
import type { NamedJsonProfile } from './profiles.js'
import type { JsonProfile, SegmentValue } from './types.js'

/** What a tool is called with. */
export type CallArguments = Record<string, SegmentValue>

/** A tool and what it is called with. */
export interface ToolCall {
  readonly name: string
  readonly arguments: CallArguments
}

/** What the arguments are called; the first that is there wins. */
const ARGUMENTS: Readonly<Record<NamedJsonProfile, readonly string[]>> = {
  openai: ['arguments', 'parameters', 'args'],
  gemini: ['args', 'arguments', 'parameters'],
  default: ['parameters', 'arguments', 'args'],
}

/** Keys whose arrays hold calls. */
const LISTS: readonly string[] = ['tool_calls', 'tools', 'tool']

/** The calls in a JSON text, in their order, and whatever is in the place of one. */
export function jsonCalls(text: string, profile: JsonProfile): Array<ToolCall | CallFault> {
  const value = jsonIn(text) as SegmentValue | undefined
  if (value === undefined) return [new CallFault('bad-arguments', 'the tool call is no JSON')]
  const names = ARGUMENTS[typeof profile === 'string' ? profile : 'openai']
  const calls: Array<ToolCall | CallFault> = []
  // Not recursive: a value may be deeper than the stack.
  const waiting: SegmentValue[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop() as SegmentValue
    const list = Array.isArray(next) ? next : listIn(next)
    if (list === undefined) calls.push(callIn(next, names))
    else for (let at = list.length - 1; at >= 0; at--) waiting.push(list[at] as SegmentValue)
  }
  return calls.length > 0 ? calls : [new CallFault('missing-name', 'the JSON has no tool call in it')]
}

/** A JSON text's object; undefined if it isn't one. */
export function objectIn(text: string): CallArguments | undefined {
  const value = jsonIn(text)
  return isRecord(value) ? (value as CallArguments) : undefined
}

function listIn(value: SegmentValue): readonly SegmentValue[] | undefined {
  for (const key of LISTS) {
    const list = own(value, key)
    if (Array.isArray(list)) return list as readonly SegmentValue[]
  }
  return undefined
}

function callIn(value: SegmentValue, argumentNames: readonly string[]): ToolCall | CallFault {
  const tool = own(value, 'tool')
  const named = isRecord(tool) ? tool : value
  const called = own(named, 'function')
  const name = [own(named, 'name'), called, own(called, 'name'), own(named, 'tool')].find((name) => typeof name === 'string' && name.trim() !== '')
  if (name === undefined) return new CallFault('missing-name', 'the tool call names no tool')

  // From the inside: `{"tool":{"function":{"name":"f"},"parameters":{}}}`.
  for (const place of [called, named, value]) {
    for (const key of argumentNames) {
      const written = own(place, key)
      if (written === undefined || written === null) continue
      const given = typeof written === 'string' ? (written.trim() === '' ? {} : objectIn(written)) : written
      if (isRecord(given)) return { name: name as string, arguments: given as CallArguments }
      return new CallFault('bad-arguments', `the ${key} of ${JSON.stringify(name)} are no JSON object`)
    }
  }
  return { name: name as string, arguments: {} }
}
