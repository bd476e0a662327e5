// The cases of tests/cases/field, and how to check them.
import assert from 'node:assert/strict'
import { parsePartial } from 'tokenweir/fields'
import { readCases } from './case-files.mjs'
import { everyCut } from './cuts.mjs'
import { readFields } from './field-reading.mjs'
import { assertFieldsTiled, renderFields, withoutFieldSpans } from './field-render.mjs'

const folder = new URL('../../cases/field/', import.meta.url)

/** Each file's name with its cases. */
export function fieldCaseFiles() {
  return readCases(folder, ['name', 'source', 'input', 'events'], ['strict', 'multiple', 'max_depth', 'schema', 'fences', 'rules', 'data'])
}

/** The schema and options of a case. */
export function setupOf({ strict, multiple, max_depth: maxDepth, schema, fences }) {
  return {
    schema: schema === undefined ? undefined : JSON.parse(schema),
    options: { ...(strict && { strict }), ...(multiple && { multiple }), ...(maxDepth && { maxDepth }), ...(fences && { fences }) },
  }
}

/** Throws unless a parser reads a case correctly at every cut, with and without spans. */
export function judgeFields(each, { Parser, seed = 1 } = {}) {
  const { input } = each
  const { schema, options } = setupOf(each)
  const expected = each.events.trimEnd()
  const bare = withoutFieldSpans(expected)
  const data = each.data === undefined ? undefined : JSON.parse(each.data)
  for (const [cut, chunks] of everyCut(input, seed)) {
    try {
      const { log, parser } = readFields(chunks, { schema, options: { ...options, spans: true }, Parser })
      same(renderFields(log, { ...options, spans: true }), expected)
      assertFieldsTiled(log, input)
      checkEnd(parser, log, each, data)
      // Spans change nothing else; one cut is enough to check that.
      if (chunks.length === 3) continue
      const plain = readFields(chunks, { schema, options, Parser })
      same(renderFields(plain.log, options), bare)
      checkEnd(plain.parser, plain.log, each, data)
    } catch (error) {
      throw new Error(`${each.name}, ${cut}: ${error.message}`, { cause: error })
    }
  }
  if (data !== undefined && !each.multiple) {
    assert.deepEqual(parsePartial(input, { ...options, schema }), data, `${each.name}, parsePartial`)
  }
}

function checkEnd(parser, log, { multiple, rules = [], events }, data) {
  const { report } = parser
  if (data !== undefined) {
    const found = multiple ? parser.documents : parser.data
    assert.deepEqual(found, data)
    same(JSON.stringify(found), JSON.stringify(data))
  } else if (events === '') assert.equal(parser.data, undefined)
  same(report.tolerated.join(), rules.join())
  const errors = {}
  for (const { eventType, code } of log) if (eventType === 'error') errors[code] = (errors[code] ?? 0) + 1
  assert.deepEqual({ ...report.errors }, errors)
  assert.equal(report.resets, log.filter(({ eventType }) => eventType === 'reset').length)
}

function same(found, expected) {
  if (found !== expected) assert.equal(found, expected)
}
