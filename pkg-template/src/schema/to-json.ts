// Writes values as JSON, with the digits of numbers that JavaScript can't hold.

import { JsonRules } from '../generated/ops.js'
import { Digits } from '../json/digits.js'
import { jsonValue } from '../json/value.js'
import { MOST_LEVELS } from './levels.js'

/**
 * The value as `JSON.stringify` writes it, and `Digits` as they are written.
 *
 * Keys whose value is `undefined` are left out; `undefined` itself is `null`.
 *
 * @throws TypeError if it contains itself, or is deeper than the stack.
 */
export function toJson(value: unknown): string {
  // Most values are no containers, and these come one by one.
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (value instanceof Digits) return value.text
  try {
    return (hasDigits(value) ? withDigits(value) : JSON.stringify(value)) ?? 'null'
  } catch (error) {
    throw error instanceof RangeError ? tooDeepToWrite() : error
  }
}

/** What is said of a value that is nested too deep to be written. */
export function tooDeepToWrite(): TypeError {
  return new TypeError(`is nested more than ${MOST_LEVELS} levels deep`)
}

/** What JSON stands for, with the digits of its numbers. */
export function fromJson(json: string): unknown {
  return jsonValue(json, JsonRules.Strict, { digits: true })
}

/** JSON whose objects have each key once: its last value counts. */
export function eachKeyOnce(json: string): string {
  return toJson(fromJson(json))
}

/** Not recursive, and each object once: a value may be deeper than the stack, and contain itself. */
function hasDigits(value: unknown): boolean {
  const seen = new Set<object>()
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    if (next instanceof Digits) return true
    seen.add(next)
    for (const inner of Array.isArray(next) ? (next as unknown[]) : Object.values(next))
      if (typeof inner === 'object') waiting.push(inner)
  }
  return false
}

/** `JSON.stringify` with the digits in strings of their own, which then lose their quotes. */
function withDigits(value: unknown): string | undefined {
  let mark = ''
  // It must not occur anywhere else, whatever a model wrote.
  for (const plain = JSON.stringify(value); mark === '' || plain.includes(mark); )
    mark = `digits-${Math.random().toString(36).slice(2)}-`
  const marked = JSON.stringify(value, function (this: unknown, key: string, plain: unknown) {
    const original = (this as Readonly<Record<string, unknown>>)[key]
    return original instanceof Digits ? mark + original.text : plain
  })
  return marked.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1')
}
