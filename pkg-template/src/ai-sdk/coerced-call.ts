// Calls of a provider, and of a user's own protocol, with the types of the tool's schema.
//
// Source: spec/world.md, 3, point 15.

import { JsonRules } from '../generated/ops.js'
import { jsonValue, keptValue } from '../json/value.js'
import { isRecord, own } from '../own.js'
import { toJson } from '../schema/to-json.js'
import { Hearer } from '../tool-calls/hearer.js'
import { coercionBy } from '../rxml/xml-in-strings.js'
import { type Coercion, typed } from '../schema/coercion.js'
import type { StreamPart, Tool, ToolCallOptions } from '../tool-calls/types.js'
import { makePart } from './parts.js'

/** What calls are coerced by. */
export interface CoercedBy {
  readonly tools: readonly Tool[]
  readonly options: ToolCallOptions
}

/**
 * The call by its tool's schema, and with the backslashes doubled that JSON has no meaning for; the same object, where
 * that changes nothing. What the provider executes stays as it is.
 */
export function coercedCall(part: StreamPart, { tools, options }: CoercedBy): StreamPart {
  const input = own(part, 'input')
  if (part.type !== 'tool-call' || typeof input !== 'string' || own(part, 'providerExecuted') === true) return part
  const toolName = String(own(part, 'toolName'))
  const coercion = options.coerce === false ? undefined : coercionOf(toolName, { tools, options })
  if (coercion === undefined && !input.includes('\\')) return part
  const written = jsonValue(input, JsonRules.Strict, DIGITS)
  const value = written ?? keptValue(input, DIGITS)
  if (!isRecord(value)) return part
  if (written === undefined)
    new Hearer(options).repaired(['kept-escape'], { toolCallId: String(own(part, 'toolCallId')), toolName })
  const coerced = toJson(coercion === undefined ? value : typed(coercion, value, coercion.root))
  return written !== undefined && coerced === toJson(value) ? part : makePart('tool-call', { ...part, input: coerced })
}

/** The schema of a tool that is there; a tool without one takes any object. */
function coercionOf(name: string, { tools, options }: CoercedBy): Coercion | undefined {
  const tool = tools.find((one) => one.name === name)
  return tool === undefined
    ? undefined
    : coercionBy(own(options.originalToolSchemas, name) ?? tool.inputSchema ?? ANY_OBJECT, { keepsDigits: true })
}

const ANY_OBJECT = { type: 'object' }

const DIGITS = { digits: true }
