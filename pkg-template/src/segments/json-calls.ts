// The tool calls in a JSON value.
//
//     calls    ::= call | [calls, …] | { tool_calls | tools | tool : [calls, …] }
//     call     ::= { tool: named } | named
//     named    ::= { name } | { function: string } | { function: { name } } | { tool: string }
//
// and arguments next to the name, or around it, by one of the profile's names.
//
// Source: spec/segment.md, "JSON"; spec/world.md, 7.7; shapes of AutoByteus 1.4.4's parsing strategies.
// Differences: every call counts, AutoByteus takes the first; arguments that aren't
// an object are an error, not `{}`; a missing name is one, not "unknown"; a definition of a
// tool, as OpenAI's API takes it, is not a call.

import { ARGUMENT_KEYS, JSON_RULES } from '../generated/ops.js'
import { isNoArguments, readArguments } from '../json/call-arguments.js'
import { callJsonIn } from '../json/call-json.js'
import { isRecord, own, put } from '../own.js'
import { CallFault } from './call-fault.js'
import type { NamedJsonProfile } from './profiles.js'
import type { JsonProfile, SegmentRepair, SegmentValue } from './types.js'

/** What a tool is called with. */
export type CallArguments = Record<string, SegmentValue>

export interface ToolCall {
  readonly name: string
  readonly arguments: CallArguments
  /** The rules by which its JSON was read, a bit each: see `callJsonIn`. */
  readonly rules?: number
  /** Whether it was written without arguments. */
  readonly isEmpty?: boolean
}

/** What the arguments are called: the profile's own name first. The first that is there wins. */
const argumentKeys = (own: string): readonly string[] => [
  own,
  ...ARGUMENT_KEYS.filter((key) => key !== own && key !== 'input'),
]
const ARGUMENTS: Readonly<Record<NamedJsonProfile, readonly string[]>> = {
  openai: argumentKeys('arguments'),
  gemini: argumentKeys('args'),
  default: argumentKeys('parameters'),
}

/** Whether a tool has an argument of a name. */
type TakesArgument = (tool: string, argument: string) => boolean

/** What a call has besides its arguments. */
const ENVELOPE: readonly string[] = ['name', 'function', 'tool', 'id', 'type', 'index', ...ARGUMENT_KEYS]

/** Keys whose arrays hold calls. */
const LISTS: readonly string[] = ['tool_calls', 'tools', 'tool']

/** The calls in a JSON text, in their order, and whatever is in the place of one. */
export function jsonCalls(text: string, profile: JsonProfile, takes: TakesArgument): Array<ToolCall | CallFault> {
  const read = callJsonIn<SegmentValue>(text)
  if (read === undefined) return [new CallFault('bad-arguments', 'the tool call is not JSON')]
  const names = ARGUMENTS[typeof profile === 'string' ? profile : 'openai']
  const calls: Array<ToolCall | CallFault> = []
  // Not recursive: a value may be deeper than the stack.
  const waiting: SegmentValue[] = [read.value]
  while (waiting.length > 0) {
    const next = waiting.pop() as SegmentValue
    const list = Array.isArray(next) ? next : listIn(next)
    if (list === undefined) calls.push(callIn(next, names, read.rules, takes))
    else for (let at = list.length - 1; at >= 0; at--) waiting.push(list[at] as SegmentValue)
  }
  return calls.length > 0 ? calls : [new CallFault('missing-name', 'the JSON has no tool call in it')]
}

/** A JSON text's object, read by the rules of tool calls; undefined if it isn't one. */
export function objectIn(text: string): CallArguments | undefined {
  const value = callJsonIn(text)?.value
  return isRecord(value) ? (value as CallArguments) : undefined
}

function listIn(value: SegmentValue): readonly SegmentValue[] | undefined {
  for (const key of LISTS) {
    const list = own(value, key)
    if (Array.isArray(list)) return list as readonly SegmentValue[]
  }
  return undefined
}

function callIn(
  value: SegmentValue,
  argumentNames: readonly string[],
  rules: number,
  takes: TakesArgument,
): ToolCall | CallFault {
  const tool = own(value, 'tool')
  const named = isRecord(tool) ? tool : value
  const called = own(named, 'function')
  const name = [own(named, 'name'), called, own(called, 'name'), own(named, 'tool')].find(
    (name) => typeof name === 'string' && name.trim() !== '',
  )
  if (name === undefined) return new CallFault('missing-name', 'the tool call names no tool')
  if (isDefinition(called) || isDefinition(named))
    return new CallFault('bad-arguments', `this defines ${JSON.stringify(name)}, and doesn't call it`)

  // From the inside: `{"tool":{"function":{"name":"f"},"parameters":{}}}`.
  for (const place of [called, named, value]) {
    for (const key of argumentNames) {
      const written = own(place, key)
      if (isNoArguments(written)) continue
      const read = readArguments(written)
      if ('input' in read) {
        const input = read.input as CallArguments
        // What stands beside them and is an argument of the tool is one.
        for (const [beside, given] of Object.entries(place as CallArguments))
          if (!ENVELOPE.includes(beside) && own(input, beside) === undefined && takes(name as string, beside))
            put(input, beside, given)
        return { name: name as string, arguments: input, rules: rules | read.rules }
      }
      return new CallFault('bad-arguments', `the ${key} of ${JSON.stringify(name)} are not a JSON object`)
    }
  }
  return { name: name as string, arguments: {}, rules, isEmpty: true }
}

/** Whether this is what a tool is defined by: a description, and the schema of its arguments. */
function isDefinition(value: unknown): boolean {
  const schema = own(value, 'parameters')
  return (
    typeof own(value, 'description') === 'string' &&
    own(schema, 'type') === 'object' &&
    isRecord(own(schema, 'properties'))
  )
}

/** The names of rules. */
export function repairsOf(rules: number): SegmentRepair[] {
  return JSON_RULES.filter((_, at) => (rules >>> at) & 1) as SegmentRepair[]
}
