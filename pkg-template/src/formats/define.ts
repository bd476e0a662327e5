// Makes formats: from a row, and of several.

import { describe } from '../errors.js'
import { OWN } from '../generated/format-check.js'
import type { FormatId } from '../generated/format-ids.js'
import { isRecord } from '../own.js'
import { formats } from './catalogue.js'
import { checkFormat } from './check.js'
import { frozen } from './frozen.js'
import { rowOf } from './names.js'
import type { AnyFormat, Format, FormatRow } from './types.js'

/** Most formats of one `anyOf`. */
const MOST_FORMATS = 8

/**
 * Makes a format of your own: checks a row, puts in what `like` names, and returns frozen data.
 *
 * The row is copied. A wrong field is an error that names its path, what was expected and what it is.
 *
 * @throws TypeError for a field that is unknown, missing or wrong, for fields that can't work together, and for a
 * `like` that is no format.
 * @example
 * ```ts
 * import { defineFormat, writeCalls } from 'tokenweir/formats'
 *
 * const mine = defineFormat({
 *   id: 'mine',
 *   call: { open: ['<call>'], body: 'json', close: ['</call>'] },
 *   keys: { name: ['tool'], args: ['input'] },
 *   write: { call: '<call>{"tool": {name:json}, "input": {args}}</call>' },
 * })
 * console.log(writeCalls([{ toolName: 'now', input: {} }], { format: mine }))
 * // → <call>{"tool": "now", "input": {}}</call>
 * ```
 */
export function defineFormat(row: FormatRow): Format {
  if (!isRecord(row)) throw new TypeError(`defineFormat takes a row, but got ${describe(row)}`)
  const { like, ...own } = row as FormatRow
  const fields = { ...(like === undefined ? {} : copied(likeOf(like))), ...own }
  const given = Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== null && field !== undefined))
  checkFormat('defineFormat', given)
  return frozen(structuredClone(given))
}

/**
 * Puts several formats together, for a model that may write calls in either: the earliest marker wins. If
 * they share it, what follows it decides.
 *
 * @throws TypeError for no format, more than 8, one that comes twice, and one that is unknown.
 * @example
 * ```ts
 * import { anyOf } from 'tokenweir/formats'
 *
 * console.log(anyOf('hermes', 'qwen3-coder').anyOf.length) // 2
 * ```
 */
export function anyOf(...of: ReadonlyArray<FormatId | Format>): AnyFormat {
  if (of.length === 0 || of.length > MOST_FORMATS)
    throw new TypeError(`anyOf takes 1 to ${MOST_FORMATS} formats, but got ${of.length}`)
  const all = of.map((format) => formatOf('anyOf', format))
  const twice = all.find(({ id }, at) => all.findIndex((other) => other.id === id) !== at)
  if (twice !== undefined) throw new TypeError(`anyOf: the format ${JSON.stringify(twice.id)} is there twice`)
  return frozen({ anyOf: all })
}

/** A format by its id, or one that is checked; `place` is the function that was given it. @throws TypeError */
function formatOf(place: string, format: unknown): Format {
  if (typeof format === 'string') return rowOf(place, format, formats)
  checkFormat(place, format)
  return format
}

function likeOf(like: unknown): Format {
  return formatOf('defineFormat: like', like)
}

/** What another format gets of this one, or of the part of one that is at a path. */
function copied(format: object, path = ''): object {
  return Object.fromEntries(
    Object.entries(format)
      .filter(([field]) => !OWN.includes(path + field))
      .map(([field, value]: [string, unknown]) => [field, isRecord(value) ? copied(value, `${path}${field}.`) : value]),
  )
}
