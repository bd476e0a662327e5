// What a saved value may be. A snapshot comes from outside, so nothing of it is
// used before it was checked.

import { isRecord } from '../own.js'

/** Whether a value may be one of some kind. */
export type Check = (value: unknown) => boolean

/** Anything at all. */
export const anything: Check = () => true

/** Text. */
export const text: Check = (value) => typeof value === 'string'

/** True or false. */
export const flag: Check = (value) => typeof value === 'boolean'

/** A place, a length or a number of something; -1 if absent. */
export const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= -1

/** Whether a list has its first elements: one that lacks them may be long, and is a value of a document. */
const isWhole = (list: readonly unknown[]) => list.length === 0 || 0 in list

/**
 * Anything that JSON has, and nothing; not an object that is in itself. Not recursive: it may be deeper than the stack.
 */
export const json: Check = (value) => {
  const around = new Set<unknown>()
  const waiting: Array<readonly [value: unknown, isOver: boolean]> = [[value, false]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [each, isOver] = next
    if (isOver) around.delete(each)
    if (isOver || each == null || ['string', 'number', 'boolean'].includes(typeof each)) continue
    if (around.has(each) || !(Array.isArray(each) ? isWhole(each) : isRecord(each))) return false
    around.add(each)
    waiting.push([each, true])
    for (const inner of Object.values(each as object)) waiting.push([inner, false])
  }
  return true
}

/** A value of JSON, or a big number: only the outermost is looked at, since nothing depends on what is in it. */
export const value: Check = (value) =>
  value === null || typeof value !== 'object' || Array.isArray(value) || isRecord(value)

/** Lets a value be absent. */
export const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

/** A list. */
export const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && isWhole(value) && value.every(check)

/** A set. */
export const set =
  (check: Check): Check =>
  (value) =>
    value instanceof Set && [...value].every(check)

/** A map. */
export const map =
  (key: Check, check: Check): Check =>
  (value) =>
    value instanceof Map && [...value].every(([name, each]) => key(name) && check(each))

/** One of some values. */
export const one =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)

/** An object with these fields and no others: the compiler refuses one that is forgotten. */
export const shape =
  <Type>(fields: { readonly [Field in keyof Type]-?: Check }): Check =>
  (value) =>
    isRecord(value) &&
    Object.keys(value).every((name) => Object.hasOwn(fields, name)) &&
    Object.keys(fields).every((name) => fields[name as keyof Type](value[name]))

/** An instance of a class. */
export const instance =
  (type: abstract new (...options: never[]) => unknown): Check =>
  (value) =>
    value instanceof type

/** Either. */
export const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value))
