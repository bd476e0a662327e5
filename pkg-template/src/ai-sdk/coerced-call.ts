// Calls of a provider, and of a user's own protocol, with the types of the tool's schema.
//
// Source: spec/world.md, 3, point 15.

import { JsonRules } from '../generated/ops.js'
import { jsonValue } from '../json-value.js'
import { isRecord, own } from '../own.js'
import { toJson } from '../schema/to-json.js'
import { typed } from '../tool-calls/typed.js'
import type { StreamPart, Tool, ToolCallOptions } from '../tool-calls/types.js'
import { coercionOf } from './json-calls.js'
import { makePart } from './parts.js'

/** What calls are coerced by. */
export interface CoercedBy {
  readonly tools: readonly Tool[]
  readonly options: ToolCallOptions
}

/** The call by its tool's schema; the same object, where that changes nothing. What the provider executes stays as it is. */
export function coercedCall(part: StreamPart, { tools, options }: CoercedBy): StreamPart {
  const input = own(part, 'input')
  if (part.type !== 'tool-call' || options.coerce === false || typeof input !== 'string' || own(part, 'providerExecuted') === true) return part
  const coercion = coercionOf(String(own(part, 'toolName')), { tools, options })
  const value = coercion === undefined ? undefined : jsonValue(input, JsonRules.Strict, { digits: true })
  if (coercion === undefined || !isRecord(value)) return part
  const coerced = toJson(typed(coercion, value, coercion.root))
  return coerced === toJson(value) ? part : makePart('tool-call', { ...part, input: coerced })
}
