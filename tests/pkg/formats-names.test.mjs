// The names of models: tests/formats/names.tsv is a table of names, each once, and a pattern is one generation. What
// `formatFor` gives for each name, in every form, is asked in tests/policy (rule 25).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFor, formats } from 'tokenweir/formats'
import { loadNames } from '../formats/names.mjs'

test('the table names rows, and each name once', () => {
  const names = loadNames()
  for (const { row, name } of names) assert.ok(row === 'none' || formats[row] !== undefined, `${name}: no row ${row}`)
  const all = names.map(({ name }) => name)
  assert.deepEqual(all.filter((name, at) => all.indexOf(name) !== at), [])
})

test('each row that models have is in the table', () => {
  const rows = new Set(loadNames().map(({ row }) => row))
  const missing = Object.values(formats).filter(({ id, models = [] }) => models.length > 0 && !rows.has(id)).map(({ id }) => id)
  assert.deepEqual(missing, [])
})

test('a number that goes on is another generation', () => {
  const ofNumber = Object.values(formats).flatMap(({ id, models = [] }) => models.filter((glob) => /\d\*$/.test(glob)).map((glob) => ({ id, glob })))
  assert.ok(ofNumber.length > 80)
  for (const { id, glob } of ofNumber) {
    for (const name of [`${glob.slice(0, -1)}77`, `${glob.slice(0, -1)}.77`].map((name) => name.replaceAll('*', 'x'))) {
      // Another pattern may have the longer number: `kimi-k2.*` besides `kimi-k2*`.
      const others = (formatFor(name)?.models ?? []).filter((other) => other !== glob).map((other) => other.replaceAll('.', '\\.').replaceAll('*', '.*'))
      assert.ok(formatFor(name)?.id !== id || others.some((other) => new RegExp(`^${other}$`).test(name)), `${name} is ${id} by ${glob}`)
    }
  }
})
