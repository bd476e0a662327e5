// The calls that a program's own reader of JSON tools finds.
//
// Source: AutoByteus' JSON parsing strategies; spec/world.md, 7.9. Difference: all of the
// calls count, and one without a name or arguments is an error.

import { describe } from '../errors.js'
import { isRecord, own } from '../own.js'
import { CallFault } from './call-fault.js'
import type { CallArguments, ToolCall } from './json-calls.js'
import type { JsonToolParser } from './types.js'

/** The calls in a JSON text. @throws TypeError if what was returned is not an array; what `parse` throws. */
export function parsedCalls(json: string, parser: JsonToolParser): Array<ToolCall | CallFault> {
  const calls: unknown = parser.parse(json)
  if (!Array.isArray(calls))
    throw new TypeError(`jsonToolParser.parse must return an array of calls, but returned ${describe(calls)}`)
  return calls.length === 0 ? [new CallFault('missing-name', 'jsonToolParser found no tool call')] : calls.map(callOf)
}

function callOf(call: unknown): ToolCall | CallFault {
  const name = own(call, 'name')
  const given = own(call, 'arguments')
  if (typeof name !== 'string' || name.trim() === '')
    return new CallFault('missing-name', 'the tool call of jsonToolParser names no tool')
  return isRecord(given)
    ? { name, arguments: given as CallArguments }
    : new CallFault('bad-arguments', `the arguments of ${JSON.stringify(name)} from jsonToolParser are not an object`)
}
