// Reads folders of tests/cases.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'smol-toml'

/** Each file's name with its cases, which have the `required` texts, and other keys only from `optional`. */
export function readCases(folder, required, optional) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.toml'))
    .sort()
    .map((name) => [name, parse(readFileSync(new URL(name, folder), 'utf8')).case.map((each) => checked(name, each, required, optional))])
}

function checked(file, each, required, optional) {
  const unknown = Object.keys(each).find((key) => !required.includes(key) && !optional.includes(key))
  assert.equal(unknown, undefined, `${file}, ${each.name}: the key ${unknown} is unknown`)
  for (const key of required) assert.equal(typeof each[key], 'string', `${file}, ${each.name}: ${key} must be there`)
  return each
}
