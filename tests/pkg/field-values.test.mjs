// Values that need an option, or a schema, or a path of their own.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FieldStream, StreamingJSONParser, parseFields, parsePartial } from 'tokenweir/fields'
import { everyCut } from './support/cuts.mjs'

/** The values that are done, by path, the same at every cut; and data. */
function read(text, schema, options) {
  let first
  for (const [, chunks] of everyCut(text, 3)) {
    const parser = new StreamingJSONParser(schema, options)
    const events = [...chunks.flatMap((chunk) => parser.parseChunk(chunk)), ...parser.finalize()]
    const found = { data: parser.data, done: events.filter(({ eventType }) => eventType === 'done').map(({ path, value }) => [path, value]), isComplete: parser.report.isComplete }
    const deltas = events.filter(({ eventType, path, delta }) => eventType === 'delta' && path === '' && typeof delta === 'string')
    if (typeof parser.data === 'string') assert.equal(deltas.map(({ delta }) => delta).join(''), parser.data)
    first ??= found
    assert.deepEqual(found, first, JSON.stringify(chunks))
  }
  return first
}

describe('bigNumbers', () => {
  const text = '{"id": 12345678901234567890, "n": -9007199254740993, "h": 0xFFFFFFFFFFFFFFFF, "s": 9007199254740991, "f": 1.5, "e": 1e30, "p": +20000000000000000001, "z": 00}'

  test("'number' is the nearest number", () => {
    const { id, n, h, s } = read(text).data
    assert.deepEqual([id, n, h, s], [12345678901234567000, -9007199254740992, 18446744073709552000, 9007199254740991])
  })

  test("'string' keeps the digits", () => {
    const { id, n, h, s, f, e, p } = read(text, null, { bigNumbers: 'string' }).data
    assert.deepEqual([id, n, h, s, f, e, p], ['12345678901234567890', '-9007199254740993', '18446744073709551615', 9007199254740991, 1.5, 1e30, '20000000000000000001'])
  })

  test("'bigint' keeps the value", () => {
    const { id, n, h, s, f, e } = read(text, null, { bigNumbers: 'bigint' }).data
    assert.deepEqual([id, n, h, s, f, e], [12345678901234567890n, -9007199254740993n, 18446744073709551615n, 9007199254740991, 1.5, 1e30])
    assert.deepEqual(parsePartial('[12345678901234567890', { bigNumbers: 'bigint' }), [12345678901234567890n])
    const copied = new StreamingJSONParser(null, { bigNumbers: 'bigint', snapshot: true }).parseChunk('{"a":[12345678901234567890]}')
    assert.deepEqual(copied.at(-1).value, [12345678901234567890n])
  })

  test('anything else is refused', () => {
    assert.throws(() => new StreamingJSONParser(null, { bigNumbers: 'big' }), { name: 'TypeError', message: /bigNumbers must be "number" or "string" or "bigint"/ })
    assert.throws(() => new StreamingJSONParser(null, { bigNumbers: 'bigint', completion: 'order' }), { name: 'TypeError', message: /bigNumbers needs completion/ })
  })
})

test('a number that was cut off after 0x, 1e, 1. and the like is no value', () => {
  for (const number of ['0x', '1e', '1E+', '1.', '-', '-1.', '12.5e-', '.', '+']) {
    assert.deepEqual(read(`{"a": 1, "b": ${number}`).data, { a: 1 }, number)
    assert.equal(parsePartial(number), undefined, number)
    assert.deepEqual(parsePartial(`[1, ${number}`), [1], number)
  }
  for (const [number, value] of [['12', 12], ['-0.5', -0.5], ['1e5', 100_000], ['0xF', 15]]) assert.deepEqual(read(`{"b": ${number}`).data, { b: value })
  // Before a comma or a bracket nothing is missing.
  assert.deepEqual(read('{"a": 1., "b": 2}').data, { a: 1, b: 2 })
})

describe('a scalar root', () => {
  const roots = [
    ['"a \\"word\\" or two"', 'str', 'a "word" or two'],
    [' -12.5 ', { type: 'number' }, -12.5],
    ['42', 'int', 42],
    ['true', { type: 'boolean' }, true],
    ['null', { type: ['string', 'null'] }, null],
    ['"x"', { type: 'string', enum: ['x', 'y'] }, 'x'],
  ]

  test('is read by every entry point, if the schema says so', async () => {
    for (const [text, schema, value] of roots) {
      const found = read(text, schema)
      assert.deepEqual(found.data, value)
      assert.deepEqual(found.done, [['', value]])
      assert.deepEqual(await parseFields([text.slice(0, 2), text.slice(2)], schema).result(), value)
      assert.deepEqual(parsePartial(text, { schema }), value)
      const events = []
      for await (const event of new Response(text).body.pipeThrough(new TextDecoderStream()).pipeThrough(new FieldStream(schema))) events.push(event)
      assert.deepEqual(events.at(-1).value, value)
      const parser = new StreamingJSONParser(schema)
      for await (const event of parser.parseStream([text])) assert.equal(event.path, '')
      assert.deepEqual(parser.data, value)
      assert.equal(parser.documents.length, 1)
      const order = new StreamingJSONParser(schema, { completion: 'order' })
      order.parseChunk(text)
      order.finalize()
      assert.deepEqual(order.data, value)
    }
  })

  test('grows while it is written, and may be cut off', () => {
    const parser = new StreamingJSONParser('str')
    assert.deepEqual(parser.parseChunk('"An an').map(({ eventType, path, delta }) => [eventType, path, delta]), [['delta', '', 'An an']])
    assert.equal(parser.data, 'An an')
    assert.deepEqual(parser.finalize().map(({ eventType, path, completionSource }) => [eventType, path, completionSource]), [['done', '', 'synthetic_repair']])
  })

  test('without such a schema documents begin with a bracket', () => {
    assert.equal(read('42').data, undefined)
    assert.equal(read('"x"', { a: 'str' }).data, undefined)
  })
})

test('every literal key can be reached by its path', async () => {
  const keys = ['*', '/x', '/', '', 'a.b', '[0]', '[*]', '["x"]', 'x/y', '~', '**', '*a']
  const document = Object.fromEntries(keys.map((key, at) => [key, { [key]: at, other: -1 }]))
  const paths = []
  for (const event of new StreamingJSONParser().parseChunk(JSON.stringify(document))) if (event.eventType === 'delta' && event.delta !== -1) paths.push([event.path, event.delta])
  assert.equal(paths.length, keys.length)
  for (const [path, value] of paths) {
    const found = []
    await parseFields(JSON.stringify(document)).on(path, ({ eventType, delta }) => eventType === 'delta' && found.push(delta)).result()
    assert.deepEqual(found, [value], path)
  }
  assert.deepEqual(paths.slice(0, 3).map(([path]) => path), ['["*"]["*"]', '["/x"]./x', '["/"]./'])
})
