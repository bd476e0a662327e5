/**
 * JSON documents for the field bench: like a model's structured output.
 *
 * An object with a short head, an array of records, and long texts. A record has short and long strings,
 * integers, fractions and exponents, booleans, null, an object, an array of strings and an array of
 * objects. Strings hold quotes, backslashes and line breaks; one in eight has some characters that are not ASCII,
 * half of them as \u escapes, as some models write them. Compact, because white space belongs to no field.
 */

import { random, WORDS } from './corpus.mjs'

const FOREIGN = ['café', 'naïve', 'Zürich', 'señor', '東京', '天気予報', '数据', 'Привет', '🙂', '🚀', '—', '…']
const UNITS = ['cm', 'kg', 'l', 'piece']

/** A JSON text of exactly `size` UTF-16 units, always the same for the same seed. */
export function document(size, seed = 1) {
  const next = random(seed)
  const below = (n) => Math.floor(next() * n)
  const pick = (list) => list[below(list.length)]

  function words(count) {
    let text = pick(WORDS)
    for (let i = 1; i < count; i++) text += ` ${pick(WORDS)}`
    return text
  }

  function prose(length) {
    const foreign = next() < 0.125
    let text = ''
    while (text.length < length) {
      text += `${words(4 + below(12))}${pick(['. ', '. ', ', ', '? ', '.\n', ': "'])}`
      if (text.endsWith('"')) text += `${words(2)}" `
      if (foreign && next() < 0.4) text += `${pick(FOREIGN)} `
      if (next() < 0.04) text += 'C:\\data\\list.txt '
    }
    return text.trimEnd()
  }

  /** Like JSON.stringify, but half of the non-ASCII characters are escaped. */
  function written(value) {
    return JSON.stringify(value).replace(/[^\0-\x7f]+/g, (run) => {
      if (next() < 0.5) return run
      return Array.from({ length: run.length }, (_, at) => `\\u${run.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
    })
  }

  function record(id, length) {
    return {
      id: 1000 + id,
      name: words(2 + below(3)),
      price: Number((next() * 500).toFixed(2)),
      change: -below(9000) / 1e9,
      stock: below(200),
      available: next() < 0.7,
      replaces: next() < 0.6 ? null : 1000 + below(id + 1),
      size: { width: below(1000) / 10, height: below(1000) / 10, unit: pick(UNITS) },
      tags: Array.from({ length: below(5) }, () => pick(WORDS)),
      description: prose(length),
      reviews: Array.from({ length: below(3) }, () => ({ author: words(2), stars: 1 + below(5), text: prose(30 + below(160)) })),
    }
  }

  const front = `${written({
    title: words(5),
    query: { text: words(4), limit: 50, exact: false, filters: ['stock', 'price'] },
    total: below(100_000),
    summary: prose(Math.min(600, size >> 4)),
  }).slice(0, -1)},"records":[`
  const middle = '],"notes":"'
  const end = '"}'
  const pieces = []
  let room = size - front.length - middle.length - end.length
  // The last tries search for a record that still fits.
  for (let id = 0, tries = 0; tries < 4; id++) {
    const piece = written(record(id, Math.min(30 + below(below(8) === 0 ? 2400 : 400), size >> 3)))
    if (piece.length + 1 > room) {
      tries++
      continue
    }
    pieces.push(piece)
    room -= piece.length + 1
  }
  if (room < 0 || pieces.length === 0) throw new RangeError(`document of ${size}: too short`)
  // One comma less than records.
  room++
  let notes = ''
  while (notes.length < room) notes += `${words(8)}. `
  return front + pieces.join(',') + middle + notes.slice(0, room) + end
}
