// The cases of tests/cases/rxml, and the judge of them.
import assert from 'node:assert/strict'
import * as api from 'tokenweir/ai-sdk-tool-parser'
import { readCases } from './case-files.mjs'

const folder = new URL('../../cases/rxml/', import.meta.url)

/** Each file's name with its cases. */
export function rxmlCaseFiles() {
  return readCases(folder, ['name', 'source'], ['input', 'properties', 'schema', 'root', 'object', 'options', 'value', 'text', 'error', 'message'])
}

/**
 * Throws unless a case is read or written as it says:
 *   - `input` by `parse` with `schema`, or an object's `properties`, gives `value`;
 *   - `object` by `stringify` as the element `root` gives `text`;
 *   - or there is an `error` of that name whose message contains `message`.
 * `functions` are what is judged.
 */
export function judgeRxml(each, functions = api.RXML) {
  const options = each.options === undefined ? undefined : JSON.parse(each.options)
  const act = each.object === undefined ? () => functions.parse(each.input, schemaOf(each), options) : () => functions.stringify(each.root, JSON.parse(each.object), options)
  if (each.error !== undefined) {
    assert.throws(act, (error) => {
      assert.ok(error instanceof api[each.error], `${error.name}: ${error.message}`)
      assert.equal(error.name, each.error)
      assert.ok(each.message !== undefined && error.message.includes(each.message), error.message)
      return true
    })
    return
  }
  const found = act()
  if (each.object !== undefined) assert.equal(found, each.text)
  // The keys are in their order, and own ones.
  else assert.equal(JSON.stringify(found), JSON.stringify(JSON.parse(each.value)))
}

/** The schema that a case is read by. */
function schemaOf({ schema, properties }) {
  if (schema !== undefined) return JSON.parse(schema)
  return properties === undefined ? undefined : { type: 'object', properties: JSON.parse(properties) }
}
