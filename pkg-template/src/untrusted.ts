// Reads fields of a provider's events.
//
// An event is untrusted JSON: a field may be missing, null or of another type. Each
// reader returns an empty value then, so that no event can make it throw.

import { describe } from './errors.js'
import { isRecord } from './own.js'

/** An untrusted object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>

/** The value if it is an object with fields, else `undefined`. */
export function fieldsOf(value: unknown): Fields | undefined {
  return isRecord(value) ? value : undefined
}

/** The value if it is a string, else an empty one. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The value if it is an array, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The argument of a method as fields. @throws TypeError for anything but an object. */
export function requireFields(place: string, value: unknown): Fields {
  const fields = fieldsOf(value)
  if (fields === undefined) throw new TypeError(`${place} takes an event object, but got ${describe(value)}`)
  return fields
}

/** The JSON text of a value, or an empty string if it has none (a function, a cycle). */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** The value of a JSON text; undefined if it is invalid. By `JSON.parse`, which is the fastest there is. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** What a text says as JSON; otherwise the text. */
export function jsonOrText(text: string): unknown {
  const value = jsonIn(text)
  return value === undefined ? text : value
}

/** The fields of a JSON text; of blank text an empty object, and undefined of one that is not whole. */
export function fieldsIn(json: string): Fields | undefined {
  return json.trim() === '' ? {} : fieldsOf(jsonIn(json))
}

/** A call's arguments as text: unchanged, or as JSON if the provider has already parsed them. */
export function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : jsonOf(value)
}

/**
 * A tool's result as text: a string unchanged, text content blocks joined, anything else as JSON.
 */
export function resultOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) {
    const texts = value
      .map((item) => fieldsOf(item))
      .map((item) => (TEXT_TYPES.has(item?.['type']) ? item?.['text'] : undefined))
    if (texts.every((text) => typeof text === 'string')) return texts.join('')
  }
  return jsonOf(value)
}

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])
