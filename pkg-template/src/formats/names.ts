// Finds formats by their ids, or says that there is none.

import type { FormatId } from '../generated/format-ids.js'
import { READING } from '../generated/formats/reading.js'

/**
 * Whether a text is the id of a format: one that comes from a setting, or from a user.
 *
 * @example
 * ```ts
 * import { isFormatId, writeCalls } from 'tokenweir/formats'
 *
 * export function write(format: string) {
 *   if (!isFormatId(format)) throw new Error(`no such format: ${format}`)
 *   return writeCalls([{ toolName: 'now', input: {} }], { format })
 * }
 * console.log(isFormatId('kimi-k2'), isFormatId('kimi')) // true false
 * ```
 */
export function isFormatId(text: string): text is FormatId {
  return Object.hasOwn(READING, text) && READING[text]?.internal === undefined
}

/** What a table has of the format of an id. @throws TypeError, which names ids that look like it */
export function rowOf<Row>(place: string, id: string, rows: Readonly<Record<string, Row>>): Row {
  if (!Object.hasOwn(rows, id)) throw unknownFormat(place, id)
  return rows[id] as Row
}

function unknownFormat(place: string, id: string): TypeError {
  const ids = Object.keys(READING).filter(isFormatId)
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const like = ids.filter((known) => plain(known).includes(plain(id)) || plain(id).includes(plain(known)))
  const hint =
    plain(id) !== '' && like.length > 0 && like.length <= 8
      ? `is it ${like.map((known) => JSON.stringify(known)).join(' or ')}?`
      : '`formats` of tokenweir/formats has all of them'
  return new TypeError(`${place}: there is no format ${JSON.stringify(id.slice(0, 60))}; ${hint}`)
}
