// The names of models and the rows that they have: names.tsv.

import { readFileSync } from 'node:fs'

/** Each line as `{ row, sure, name }`. */
export function loadNames() {
  const lines = readFileSync(new URL('names.tsv', import.meta.url), 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => {
    const [row, sure, name, ...more] = line.split('\t')
    if (!/^[TDCM]$/.test(sure ?? '') || !name || more.length > 0) throw new Error(`names.tsv: not a row, a letter and a name: ${line}`)
    return { row, sure, name }
  })
}
