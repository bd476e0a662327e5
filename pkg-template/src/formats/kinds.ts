// The kinds of a row's fields: how each is checked. xtask/src/formats/fields.json5 says which kind a field has.

import { describe } from '../errors.js'
import { JSON_RULES } from '../generated/ops.js'
import { isRecord } from '../own.js'

/**
 * A piece of a head, which stands between an opening marker and what it opens.
 *
 * - A text stands there as it is; a list of texts is any of these, and `''` in it means that it may be absent.
 * - `NAME`, `KEY`, `ID`, `INDEX`, `TYPE` are text up to where the rest of the head can be read; as the last piece, up
 *   to white space, `<` or the arguments. Only a `KEY` may have spaces.
 * - `{ attributes, end }` are XML's attributes in any order, then `end`. `attributes` says which of them has what:
 *   `{ name: 'NAME', string: 'STRING' }`.
 * - `{ optional }` stands there whole or not at all.
 *
 * @example
 * ```ts
 * import type { HeadPiece } from 'tokenweir/formats'
 *
 * const head: HeadPiece[] = ['functions.', 'NAME', ':', 'INDEX', '<|tool_call_argument_begin|>']
 * console.log(head.includes('NAME')) // true
 * ```
 */
export type HeadPiece =
  | string
  | readonly string[]
  | {
      /** The piece that each attribute has, by its name: `NAME`, `KEY`, `ID`, `INDEX`, `TYPE` or `STRING`. */
      readonly attributes: Readonly<Record<string, string>>
      /** What ends the attributes: `>`. */
      readonly end: string
      /** Whether `&amp;` and `&quot;` are decoded. */
      readonly entities?: boolean
    }
  | {
      /** Pieces that stand there together or not at all. */
      readonly optional: readonly HeadPiece[]
    }

/**
 * Two lists of markers: any of the first opens, any of the second closes. At one place the longest counts.
 *
 * @example
 * ```ts
 * import type { Markers } from 'tokenweir/formats'
 *
 * const think: Markers = { open: ['<think>'], close: ['</think>'] }
 * console.log(think.open.length) // 1
 * ```
 */
export interface Markers {
  /** What opens it, each 1 to 128 bytes of UTF-8. */
  readonly open: readonly string[]
  /** What closes it. */
  readonly close: readonly string[]
}

/** Most bytes of a marker, and most markers of a list. */
const LONGEST_MARKER = 128
const MOST_MARKERS = 32

/** Throws unless a value is as expected; `path` names it. */
type FieldCheck = (path: string, value: unknown) => void
type Fields = Readonly<Record<string, FieldCheck>>

const ID = /^[a-z0-9]+(?:[.:-][a-z0-9]+)*$/i
/** Pieces of a head that have a value. */
export const CAPTURES = ['NAME', 'KEY', 'ID', 'INDEX', 'TYPE', 'STRING']

export const flag: FieldCheck = (path, value) => {
  if (typeof value !== 'boolean') fail(path, 'true or false', value)
}

export const text: FieldCheck = (path, value) => {
  if (typeof value !== 'string') fail(path, 'a string', value)
}

export const marker: FieldCheck = (path, value) => {
  if (typeof value !== 'string' || value === '' || bytes(value) > LONGEST_MARKER)
    fail(path, `a marker of 1 to ${LONGEST_MARKER} bytes`, value)
}

export const id: FieldCheck = (path, value) => {
  if (typeof value !== 'string' || !ID.test(value))
    fail(path, 'a name of letters, digits and single dots, colons or hyphens', value)
}

export const texts = listOf(text, 0)
/** Names of models. */
export const models = listOf(marker, 0, 64)
export const markers = listOf(marker, 0)
export const someMarkers = listOf(marker, 1)
/** `''` is a marker where it may be absent. */
export const markersOrNone = listOf((path, value) => value === '' || marker(path, value), 0)
const someMarkersOrNone = listOf((path, value) => value === '' || marker(path, value), 1)
/** Markers that are special tokens. */
export const special: FieldCheck = (path, value) => value === 'all' || markers(path, value)

export const wholeNumber: FieldCheck = (path, value) => {
  if (!Number.isInteger(value) || (value as number) < 0) fail(path, 'a whole number from 0', value)
}

/** What stands before and after something. */
export const around: FieldCheck = (path, value) => {
  if (!Array.isArray(value) || value.length !== 2 || value.some((side) => typeof side !== 'string'))
    fail(path, 'two strings', value)
}

/** A piece of a head. */
const piece: FieldCheck = (path, value) => {
  if (typeof value === 'string') {
    if (/^[A-Z]{2,}$/.test(value) && !CAPTURES.includes(value))
      fail(path, `a literal text or one of ${CAPTURES.slice(0, -1).join(', ')}`, value)
    marker(path, value)
  } else if (Array.isArray(value)) {
    someMarkersOrNone(path, value)
  } else if (isRecord(value) && 'attributes' in value) {
    attributes(path, value)
  } else if (isRecord(value) && 'optional' in value) {
    optional(path, value)
  } else {
    fail(path, 'a text, a list of texts, { attributes, end } or { optional }', value)
  }
}
export const pieces = listOf(piece, 0)
const optional = object({ optional: listOf(piece, 1) }, ['optional'])
const attributes = object({ attributes: mapOf(word(CAPTURES)), end: marker, entities: flag }, ['attributes', 'end'])

/** What is wrong, without the function that was called. */
export class Misfit extends Error {}

function fail(path: string, expected: string, value: unknown): never {
  throw new Misfit(`${path} must be ${expected}, but is ${describe(value)}`)
}

export function refuse(path: string, why: string): never {
  throw new Misfit(`${path} ${why}`)
}

/** An object with these fields and no other, and some that it must have. */
export function object(fields: Fields, needed: readonly string[] = []): FieldCheck {
  return (path, value) => {
    if (!isRecord(value)) return fail(path, 'an object', value)
    const inside = path === '' ? '' : `${path}.`
    for (const [key, field] of Object.entries(value)) {
      const check = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (check === undefined)
        return refuse(
          path === '' ? 'a format' : path,
          `has no field ${JSON.stringify(key)}; it has ${Object.keys(fields).join(', ')}`,
        )
      if (field !== undefined) check(inside + key, field)
    }
    for (const key of needed) if (value[key] === undefined) fail(inside + key, 'given', undefined)
  }
}

export function objects(fields: Fields, needed: readonly string[]): FieldCheck {
  return listOf(object(fields, needed), 1)
}

function listOf(check: FieldCheck, least: number, most = MOST_MARKERS): FieldCheck {
  return (path, value) => {
    if (!Array.isArray(value)) return fail(path, 'a list', value)
    if (value.length < least || value.length > most)
      return refuse(path, `must have ${least} to ${most} items, but has ${value.length}`)
    for (const [at, item] of (value as unknown[]).entries()) check(`${path}[${at}]`, item)
  }
}

function mapOf(check: FieldCheck): FieldCheck {
  return (path, value) => {
    if (!isRecord(value)) return fail(path, 'an object', value)
    for (const [key, item] of Object.entries(value)) check(`${path}.${key}`, item)
  }
}

export function word(words: readonly string[]): FieldCheck {
  return (path, value) => {
    if (!words.includes(value as string)) fail(path, words.map((one) => JSON.stringify(one)).join(' or '), value)
  }
}

export function words(some: readonly string[]): FieldCheck {
  return listOf(word(some), 1)
}

/** Repairs of rows, and the rules of JSON. */
export function repairs(some: readonly string[]): FieldCheck {
  return listOf(word([...some, ...JSON_RULES]), 0)
}

function bytes(text: string): number {
  let count = 0
  for (const character of text) {
    const code = character.codePointAt(0) as number
    count += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return count
}
