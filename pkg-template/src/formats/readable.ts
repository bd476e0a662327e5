// The formats of an option, as far as they are read.

import type { FormatId } from '../generated/format-ids.js'
import { describe } from '../errors.js'
import { READING } from '../generated/formats/reading.js'
import { THINKING_TAGS } from '../generated/ops.js'
import { isRecord } from '../own.js'
import { fitsRows } from '../wasm/formats.js'
import { NOTHING_REPAIRED, encodeFormat } from './encode.js'
import { rowOf } from './names.js'
import type { AnyFormat, Format, Markers } from './types.js'

/** Reads reasoning only, or nothing. */
const NONE: Format = Object.freeze({ id: 'none' })

/** The id of the rows below, which no format has. */
export const THINKING_ROW = '<think>'

/**
 * A row that reads reasoning between some of the tags. Each is one object, so that it is written for the machine once.
 */
const tagged = (tags: readonly string[]): Format & { readonly reasoning: Markers } => ({
  id: THINKING_ROW,
  reasoning: { open: tags.map((tag) => `<${tag}>`), close: tags.map((tag) => `</${tag}>`) },
})
const BOTH = tagged(THINKING_TAGS)
const ONE = THINKING_TAGS.map((tag) => tagged([tag]))

/** The reasoning that is known with every format. */
export const THINKING = BOTH.reasoning

/**
 * Formats, and the reasoning between `<think>` or `<thinking>` and its closing tag that they don't know: models write
 * it with calls of any format, and a call in it is not one.
 */
export function withThinking(formats: readonly Format[]): readonly Format[] {
  if (!formats.some(({ call, messages }) => call !== undefined || messages !== undefined)) return formats
  const known = new Set(formats.flatMap(({ reasoning }) => reasoning?.open ?? []))
  const missing = ONE.filter(({ reasoning }) => !known.has(reasoning.open[0] as string))
  return missing.length === ONE.length ? [...formats, BOTH] : [...formats, ...missing]
}

/**
 * The reasoning of reading: as parts or as text, of another format, between other markers, or none.
 *
 * @example
 * ```ts
 * import { parseReply, type ReasoningOption } from 'tokenweir/tool-calls'
 *
 * const reasoning: ReasoningOption = { open: ['<plan>'], close: ['</plan>'] }
 * console.log(parseReply('<plan>Greet.</plan>Hi!', { format: 'none', reasoning }).reasoning) // Greet.
 * ```
 */
export type ReasoningOption = 'parts' | 'text' | 'search' | false | FormatId | Markers

/** A format by its id, several, or one as data. @throws TypeError */
export function readableFormats(place: string, format: unknown): readonly Format[] {
  if (isRecord(format) && Array.isArray(format['anyOf']))
    return (format as unknown as AnyFormat).anyOf.map((one) => readable(place, one))
  return [readable(place, format)]
}

/** What stands between two messages of the same kind: only a single format says it. */
export function betweenMessages([only, ...others]: readonly Format[]): string {
  return others.length === 0 ? (only?.messages?.join ?? '') : ''
}

/** Formats with the reasoning that an option asks for, and how it comes out. */
export function withReasoning(
  place: string,
  formats: readonly Format[],
  option: ReasoningOption | undefined,
): { readonly formats: readonly Format[]; readonly reasoning: 'parts' | 'text' | 'search' } {
  if (isManner(option)) return { formats: withThinking(formats), reasoning: option ?? 'parts' }
  const plain = formats.map(({ reasoning: _, ...format }) => format)
  if (option === false) return { formats: plain, reasoning: 'search' }
  const reasoning =
    typeof option === 'string' ? readable(`${place}: reasoning`, option).reasoning : markers(place, option)
  if (reasoning === undefined)
    throw new TypeError(`${place}: reasoning: the format ${JSON.stringify(option)} has no reasoning`)
  return { formats: plain.map((format, at) => (at === 0 ? { ...format, reasoning } : format)), reasoning: 'parts' }
}

/** What stands among a format's repairs and mends nothing: calls that it refuses, and what a word means. */
const RULES = ['drop-unsafe', 'drop-unsafe-markup', 'require-arguments', 'null-text']

/** A format without its repairs. @throws TypeError for one that is nothing but these */
export function withoutRepairs(format: Format): Format {
  if (format.call?.tolerant === true)
    throw new TypeError(`the format ${JSON.stringify(format.id)} is tolerant, so repairs can not be false`)
  return { ...format, repairs: [NOTHING_REPAIRED, ...(format.repairs?.filter((name) => RULES.includes(name)) ?? [])] }
}

function isManner(option: ReasoningOption | undefined): option is 'parts' | 'text' | 'search' | undefined {
  return option === undefined || option === 'parts' || option === 'text' || option === 'search'
}

function readable(place: string, format: unknown): Format {
  if (format === 'none') return NONE
  if (typeof format === 'string') {
    let known = read.get(format)
    if (known === undefined) read.set(format, (known = { id: format, ...rowOf(place, format, READING) }))
    return known
  }
  if (!isRecord(format) || typeof format['id'] !== 'string')
    throw new TypeError(`${place}: format must be the id of a format, a format or anyOf(…), but is ${describe(format)}`)
  return format as unknown as Format
}

/** So that each is written for the machine once. */
const read = new Map<string, Format>()

function markers(place: string, option: Markers): Markers {
  const isList = (value: unknown) =>
    Array.isArray(value) && value.length > 0 && value.every((marker) => typeof marker === 'string' && marker !== '')
  if (!isRecord(option) || !isList(option['open']) || !isList(option['close'])) {
    throw new TypeError(
      `${place}: reasoning must be 'parts', 'text', 'search', false, the id of a format or { open: [marker], ` +
        `close: [marker] }, but is ${describe(option)}`,
    )
  }
  return { ...(option as Markers), where: 'anywhere' } as Markers
}

/** Makes sure that the machine takes formats. @throws TypeError */
export function requireReadable(place: string, formats: readonly Format[]): void {
  for (const format of formats) {
    let fits = false
    try {
      fits = fitsRows([encodeFormat(format)])
    } catch {
      // Data of another shape.
    }
    if (!fits)
      throw new TypeError(
        `${place}: the format ${JSON.stringify(format.id)} is not one: make it with defineFormat of ` +
          `tokenweir/formats, which says what is wrong`,
      )
  }
}
