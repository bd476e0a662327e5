// The cases of tests/cases/rjson, and the judge of them.
import assert from 'node:assert/strict'
import * as rjson from 'tokenweir/ai-sdk-tool-parser'
import { readCases } from './case-files.mjs'

const folder = new URL('../../cases/rjson/', import.meta.url)

const revivers = {
  'v-to-R': (_key, value) => (value === 'v' ? 'R' : value),
}

/** Each file's name with its cases. */
export function rjsonCaseFiles() {
  return readCases(folder, ['name', 'source', 'input'], ['options', 'reviver', 'value', 'error', 'line', 'obj', 'warnings', 'transformed', 'stringified'])
}

/**
 * Throws unless `parse`, `transform` and `stringify` do with a case what it says. A case has
 *   - `value`, what `parse` gives, or `error`, `line` and, of tolerant readings, `warnings` and `obj`; without options,
 *     `transform` ends with that error too;
 *   - `transformed`, what `transform` gives;
 *   - `stringified`, what `stringify` gives for the input's value, in which the text $undefined stands for undefined.
 * `functions` are the three, for a judge that is judged.
 */
export function judgeRjson(each, functions = rjson) {
  assert.ok(each.value ?? each.error ?? each.transformed ?? each.stringified, `${each.name} says nothing`)
  if (each.value !== undefined) assertSame(functions.parse(each.input, optionsOf(each)), each.value)
  if (each.error !== undefined) assertError(() => functions.parse(each.input, optionsOf(each)), each)
  // To transform, a key may come twice.
  if (each.error !== undefined && each.options === undefined && !each.error.startsWith('Duplicate key')) assertError(() => functions.transform(each.input), each)
  if (each.transformed !== undefined) assert.equal(functions.transform(each.input), each.transformed)
  if (each.stringified !== undefined) assert.equal(functions.stringify(withUndefined(JSON.parse(each.input))), each.stringified)
}

/** What a case's options are in JavaScript. */
export function optionsOf({ options, reviver }) {
  if (options === undefined && reviver === undefined) return undefined
  if (options === undefined) return revivers[reviver]
  return { ...JSON.parse(options), ...(reviver && { reviver: revivers[reviver] }) }
}

/** The same value, with its keys in the same order. */
function assertSame(found, json) {
  const expected = JSON.parse(json)
  assert.deepEqual(found, expected)
  assert.equal(JSON.stringify(found), JSON.stringify(expected))
}

function assertError(act, { error: message, line, obj, warnings }) {
  let thrown
  try {
    act()
  } catch (error) {
    thrown = error
  }
  assert.ok(thrown instanceof SyntaxError, `a SyntaxError, but ${thrown}`)
  assert.equal(thrown.name, 'SyntaxError')
  assert.equal(thrown.message, message)
  assert.equal(thrown.line, line)
  assert.deepEqual(thrown.warnings?.map((warning) => warning.message), warnings)
  if (obj !== undefined) assertSame(thrown.obj, obj)
  else assert.equal(thrown.obj, undefined)
  if (warnings) assert.deepEqual([thrown.code, thrown.line, thrown.offset], [thrown.warnings[0].code, thrown.warnings[0].line, thrown.warnings[0].offset])
}

function withUndefined(value) {
  if (value === '$undefined') return undefined
  if (Array.isArray(value)) return value.map(withUndefined)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withUndefined(member)]))
}
