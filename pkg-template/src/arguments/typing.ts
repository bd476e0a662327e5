// What the text of an argument stands for, by the tool's schema, and when a string can be written while it comes.
//
// There are two policies. Arguments in JSON and those of Morph are coerced as `coerceBySchema` does it: by the plan of
// the schema, and a string without a schema is guessed at (`typed`, `mayConvert`). Where the model wrote every value as
// text, a text is what the schema's types say that it stands for (`typedText`, `mayBeOther`).
//
// Source: spec/format.md, rule 4 and "Typing"; spec/tool_call.md, "JSON-mix".

import { NOTHING_REPAIRED } from '../formats/encode.js'
import type { Format } from '../formats/types.js'
import { JsonRules } from '../generated/ops.js'
import { numberOf } from '../json/digits.js'
import { isRecord } from '../own.js'
import { type JsonValueOptions, jsonValue } from '../json/value.js'
import type { Kind } from '../schema/keywords.js'
import type { Schema } from '../schema/schema.js'
import { LONGEST_GUESS } from '../schema/texts.js'
import type { Repair } from './repairs.js'

/** What of a format says how its values are read. */
export type Typing = Pick<Format, 'typing' | 'literals' | 'untyped' | 'repairs' | 'params'>

const NUMBER = /^([+-]?)0*(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

/** Takes what was repaired. */
export type Fixes = Pick<Set<Repair>, 'add'>

/** A text as a value, by the part of the schema that is its; without one by what the format says of such texts. */
export function typedText(text: string, format: Typing, part: Schema | undefined, fixes: Fixes): unknown {
  if (format.typing === 'string') return text
  if (part === undefined) return untypedText(text, format, fixes)
  const { types } = part
  if (isNull(text, format, types)) return null
  if (types.size > 0 && !types.has('string')) return valueText(text, format, types, fixes)
  return mayBeContainer(text, types) ? containerText(text, format, types, fixes) : text
}

/** Whether a text that may be a string may yet become null, or a list or an object that the types allow besides. */
export function mayBeOther(front: string, format: Typing, types: ReadonlySet<Kind>): boolean {
  return format.typing !== 'string' && (mayBeNull(front, format, types) || mayBeContainer(front, types))
}

function mayBeNull(front: string, format: Typing, types: ReadonlySet<Kind>): boolean {
  if (!types.has('null') || format.repairs?.includes('null-text') === true) return false
  const word = front.trim()
  return 'null'.startsWith(word) || (hasPython(format) && 'None'.startsWith(word))
}

/** Whether types allow a kind; without any, all are allowed. */
const allows = (types: ReadonlySet<Kind>, kind: Kind) => types.size === 0 || types.has(kind)

/** Whether a text, or the beginning of one, may stand for a list or an object that the types allow besides a string. */
export function mayBeContainer(text: string, types: ReadonlySet<Kind>): boolean {
  if (!allows(types, 'array') && !allows(types, 'object')) return false
  const [first] = text.trimStart()
  return first === undefined || (first === '[' && allows(types, 'array')) || (first === '{' && allows(types, 'object'))
}

/** The list or object that a text stands for where the types allow it; else the text. */
export function containerText(text: string, format: Typing, types: ReadonlySet<Kind>, fixes: Fixes): unknown {
  const value = literalText(text.trim(), format, fixes)
  const fits = Array.isArray(value) ? allows(types, 'array') : isRecord(value) && allows(types, 'object')
  return fits ? value : text
}

/** Whether a text is null, where null may be. */
export function isNull(text: string, format: Typing, types: ReadonlySet<Kind>): boolean {
  if (!types.has('null') || format.repairs?.includes('null-text') === true) return false
  const word = text.trim()
  return word === 'null' || (hasPython(format) && word === 'None')
}

/**
 * A text that is not a string: as JSON, as a literal of Python where the format has these, as a word or a number of the
 * types; else the text.
 */
export function valueText(text: string, format: Typing, types: ReadonlySet<Kind>, fixes: Fixes): unknown {
  const trimmed = text.trim()
  const value = literalText(trimmed, format, fixes)
  if (value !== undefined) return value
  if (types.has('boolean') && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true'
  const number = types.has('integer') || types.has('number') ? NUMBER.exec(trimmed) : null
  return number === null ? text : numberOf((number[1] === '-' ? '-' : '') + (number[2] as string))
}

/** A text as JSON, or as a literal of Python; undefined if it is neither. */
export function literalText(text: string, format: Typing, fixes: Fixes): unknown {
  return readText(text, hasPython(format) ? PYTHON_TEXT : JSON_TEXT, format, fixes, { digits: true })
}

/** A grammar, and the same where escapes that it doesn't know stay. */
type Grammar = readonly [exact: number, kept: number]

const JSON_TEXT: readonly Grammar[] = [[JsonRules.Strict, JsonRules.Kept]]
const PYTHON_TEXT: readonly Grammar[] = [...JSON_TEXT, [JsonRules.Python, JsonRules.PythonKept]]

/** A text by the first grammar that reads it; undefined if none does. */
function readText(
  text: string,
  grammars: readonly Grammar[],
  { repairs }: Typing,
  fixes: Fixes,
  options?: JsonValueOptions,
): unknown {
  const keeps = text.includes('\\') && repairs?.includes(NOTHING_REPAIRED) !== true
  const reading: JsonValueOptions = { ...options, onRepeated: () => fixes.add('repeated-argument') }
  for (const [exact, kept] of grammars) {
    const value = jsonValue(text, exact, reading)
    if (value !== undefined) return value
    const repaired = keeps ? jsonValue(text, kept, reading) : undefined
    if (repaired === undefined) continue
    fixes.add('kept-escape')
    return repaired
  }
  return undefined
}

function hasPython({ literals }: Typing): boolean {
  return literals?.includes('python') === true
}

/** A text that no schema speaks of. A number of many digits stays a text: what it is for isn't known. */
function untypedText(text: string, format: Typing, fixes: Fixes): unknown {
  if (format.untyped !== 'json') return text
  const value = readText(text.trim(), JSON_TEXT, format, fixes)
  return value === undefined || (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    ? text
    : value
}

const WORDS = ['true', 'false']

/**
 * Whether the coercion may make something else of a string without a schema that begins so, such as a number; if it is
 * JSON, whatever comes.
 */
export function mayConvert(front: string): boolean | 'json' {
  const text = front.trimStart()
  const first = text.charAt(0)
  if (first === '{' || first === '[') return 'json'
  if (front.length > LONGEST_GUESS) return false
  if (text === '') return true
  if (/[-\d]/.test(first)) return /^[-+.\deE]*\s*$/.test(text)
  const word = text.trimEnd().toLowerCase()
  return WORDS.some((known) => known.startsWith(word))
}
