// What the text of an argument stands for, by the tool's schema: the model wrote every value
// as text.
//
// Source: spec/format.md, rule 4 and "Typing".

import type { Format } from '../formats/types.js'
import { JsonRules } from '../generated/ops.js'
import { numberOf } from '../json/digits.js'
import { jsonValue } from '../json/value.js'
import type { Kind } from '../schema/keywords.js'
import type { Schema } from '../schema/schema.js'

/** What of a format says how its values are read. */
export type Typing = Pick<Format, 'typing' | 'literals' | 'untyped' | 'repairs' | 'params'>

const NUMBER = /^([+-]?)0*(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

/** A text as a value, by the part of the schema that is its; without one by what the format says of such texts. */
export function typedText(text: string, format: Typing, part: Schema | undefined): unknown {
  if (format.typing === 'string') return text
  if (part === undefined) return untypedText(text, format)
  const { types } = part
  if (isNull(text, format, types)) return null
  return types.size === 0 || types.has('string') ? text : valueText(text, format, types)
}

/** Whether a text is null, where null may be. */
export function isNull(text: string, format: Typing, types: ReadonlySet<Kind>): boolean {
  if (!types.has('null') || format.repairs?.includes('null-text') === true) return false
  const word = text.trim()
  return word === 'null' || (hasPython(format) && word === 'None')
}

/** A text that is not a string: as JSON, as a literal of Python where the format has these, as a word or a number of the types; else the text. */
export function valueText(text: string, format: Typing, types: ReadonlySet<Kind>): unknown {
  const trimmed = text.trim()
  const value = literalText(trimmed, format)
  if (value !== undefined) return value
  if (types.has('boolean') && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true'
  const number = types.has('integer') || types.has('number') ? NUMBER.exec(trimmed) : null
  return number === null ? text : numberOf((number[1] === '-' ? '-' : '') + (number[2] as string))
}

/** A text as JSON, or as a literal of Python; undefined if it is neither. */
export function literalText(text: string, format: Typing): unknown {
  const value = jsonValue(text, JsonRules.Strict, { digits: true })
  return value === undefined && hasPython(format) ? jsonValue(text, JsonRules.Python, { digits: true }) : value
}

export function hasPython({ literals }: Typing): boolean {
  return literals?.includes('python') === true
}

/** A text that no schema speaks of. A number of many digits stays a text: what it is for isn't known. */
function untypedText(text: string, { untyped }: Typing): unknown {
  if (untyped !== 'json') return text
  const value = jsonValue(text.trim(), JsonRules.Strict)
  return value === undefined || (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) ? text : value
}
