// The rows of all wire formats (formats/*.json5), by id, with `like` resolved.

import { readdirSync, readFileSync } from 'node:fs'
import JSON5 from 'json5'

const folder = new URL('../../formats/', import.meta.url)

/** What a row doesn't take over from the row it is like. */
const OWN = ['id', 'title', 'models', 'template', 'sample', 'source', 'limits']

export function loadRows() {
  const written = new Map()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json5')).sort()) {
    for (const row of JSON5.parse(readFileSync(new URL(file, folder), 'utf8'))) {
      if (written.has(row.id)) throw new Error(`${file}: a second row has the id ${row.id}`)
      written.set(row.id, row)
    }
  }
  const resolve = ({ like, ...row }, path = [row.id]) => {
    if (like === undefined) return row
    const other = written.get(like)
    if (other === undefined || path.includes(like)) throw new Error(`${row.id}: no row ${like} to be like`)
    const copied = Object.entries(resolve(other, [...path, like])).filter(([key]) => !OWN.includes(key))
    return { ...Object.fromEntries(copied), ...row }
  }
  return new Map([...written].map(([id, row]) => [id, resolve(row)]))
}
