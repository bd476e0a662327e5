// Reading fields of events that a provider sent.
//
// An event is JSON from outside: a field may be missing, null or of another
// type tomorrow. Each reader here answers with an empty value then, so that
// nothing that a model or a provider wrote can throw.

import { describe } from '../errors.js'

/** An object from outside, its fields unknown. */
export type Fields = Readonly<Record<string, unknown>>

/** The value if it is an object with fields, else `undefined`. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** The value if it is a string, else an empty one. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The value if it is an array, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The argument of a method as fields. Anything but an object is the caller's mistake, and is named. */
export function requireFields(place: string, value: unknown): Fields {
  const fields = fieldsOf(value)
  if (fields === undefined) throw new TypeError(`${place} takes an event object, but got ${describe(value)}`)
  return fields
}

/** JSON text of a value, or an empty string where it has none (a function, a cycle). */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** A call's arguments as text: as they came, or as JSON where a provider parsed them already. */
export function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : jsonOf(value)
}

/**
 * A tool's result as text: a string as it is, content blocks of text joined,
 * anything else as JSON.
 */
export function resultOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) {
    const texts = value.map((item) => fieldsOf(item)).map((item) => (TEXT_TYPES.has(item?.['type']) ? item?.['text'] : undefined))
    if (texts.every((text) => typeof text === 'string')) return texts.join('')
  }
  return jsonOf(value)
}

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])
