// The arguments of a tool call: one rule for calls of an API, calls in a JSON text, and calls written as elements.
//
//     written                              the schema requires nothing, or is unknown    it requires something
//     nothing, blank, null, "null", ""     {}                                            missing-arguments
//     an object                            the object                                    the object
//     anything else                        malformed-arguments                           malformed-arguments
//
// What isn't JSON is read by the rules of tool calls: a backslash that JSON has no meaning for stays, `True` is true.
// What can't be read is never `{}`: the caller marks the call, puts the text on it, and keeps it out of what is run.
//
// Source: spec/policy.md, 1 to 3.

import { isRecord } from '../own.js'
import { type CallJson, callJsonIn } from './call-json.js'

/** Why a call has no arguments to be run with. */
type ArgumentsProblem = 'missing-arguments' | 'malformed-arguments'

/** What a call is run with, or why it can't be. */
export type ReadArguments =
  | ({ readonly input: Record<string, unknown> } & Omit<CallJson, 'value'>)
  | { readonly problem: ArgumentsProblem }

/** The text of no arguments. Servers also write `null`, and `null` or nothing as a JSON string. */
const NOTHING = /^\s*(?:null|"(?:null)?")?\s*$/

/** The longest of them without white space, and the front of each. */
const FRONTS: readonly string[] = ['null', '"null"', '""']

const NONE: readonly string[] = []

/** Whether arguments, as text or as a value that was parsed before, are absent. */
export function isNoArguments(written: unknown): boolean {
  return written === undefined || written === null || (typeof written === 'string' && NOTHING.test(written))
}

/** Whether arguments that begin with a text may turn out to be absent. `front` is without white space around it. */
export function mayBeNoArguments(front: string): boolean {
  return FRONTS.some((whole) => whole.startsWith(front))
}

/**
 * The arguments that were written, as JSON text or as a value that was parsed before. `required` are the arguments that
 * the tool's schema requires: none if no schema is known. `read` reads a text, and gives undefined if it can't.
 */
export function readArguments(
  written: unknown,
  required: readonly string[] = NONE,
  read: (text: string) => CallJson | undefined = callJsonIn,
): ReadArguments {
  if (isNoArguments(written))
    return required.length > 0 ? { problem: 'missing-arguments' } : { input: {}, rules: 0, isRepeated: false }
  const {
    value,
    rules,
    isRepeated = false,
  } = (typeof written === 'string' ? read(written) : undefined) ?? { value: written, rules: 0, isRepeated: false }
  return isRecord(value)
    ? { input: value as Record<string, unknown>, rules, isRepeated }
    : { problem: 'malformed-arguments' }
}
