// Which document is emitted, where cases can't say it: long documents, forbidden keys, thinking that
// the chat template has opened.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FieldStream, StreamingJSONParser, parseFields, parsePartial } from 'tokenweir/fields'
import { everyCut } from './support/cuts.mjs'

const lines = (events) =>
  events
    .filter(({ eventType }) => eventType !== 'delta')
    .map(({ eventType, path, value, code, completionSource }) => [eventType, path, code ?? JSON.stringify(value), ...(completionSource === 'final_reconciliation' ? ['late'] : [])].filter((part) => part !== '').join(' '))

/** The same whole and at every cut. */
function read(text, schema, options) {
  let first
  for (const [, chunks] of everyCut(text, 7)) {
    const parser = new StreamingJSONParser(schema, options)
    const found = lines([...chunks.flatMap((chunk) => parser.parseChunk(chunk)), ...parser.finalize()])
    const { data, report } = parser
    first ??= { lines: found, data, errors: { ...report.errors } }
    assert.deepEqual({ lines: found, data, errors: { ...report.errors } }, first, JSON.stringify(chunks))
  }
  return first
}

describe('a document without a key of the schema', () => {
  const schema = { title: 'str' }

  test('is emitted after 65,536 units, with one error', () => {
    const filler = 'x'.repeat(65_536 - '{"a":"'.length)
    for (const [text, codes] of [
      [`{"a":"${filler}`, []],
      [`{"a":"${filler}y`, ['schema-mismatch']],
      [`{"a":"${filler}y","title":"T"} {"title":"other"}`, ['schema-mismatch']],
    ]) {
      for (const size of [text.length, 4_096, 1_000]) {
        const parser = new StreamingJSONParser(schema)
        const events = []
        for (let at = 0; at < text.length; at += size) events.push(...parser.parseChunk(text.slice(at, at + size)))
        const errors = events.filter(({ eventType }) => eventType === 'error')
        assert.deepEqual(errors.map(({ code }) => code), codes)
        assert.deepEqual(errors.map(({ span }) => span), codes.map(() => [65_536, 65_536]))
        assert.equal(events.some(({ eventType }) => eventType === 'delta'), codes.length > 0)
        events.push(...parser.finalize())
        assert.equal(parser.data.a, text.split('"')[3])
      }
    }
  })

  test('nothing of it is emitted before the end, and then as final_reconciliation', () => {
    const parser = new StreamingJSONParser(schema)
    assert.deepEqual(parser.parseChunk('{"x": {"y": [1]}, "y": "title"} Done.'), [])
    assert.deepEqual(lines(parser.finalize()), ['done x.y[0] 1 late', 'done x.y [1] late', 'done x {"y":[1]} late', 'done y "title" late'])
    assert.equal(parser.report.isComplete, true)
  })

  test('what is part of it and has a key is the better one, also after 1,024 units', () => {
    const long = 'x'.repeat(30_000)
    const { data } = (() => {
      const parser = new StreamingJSONParser(schema)
      for (const chunk of [`{"note": "${long}", "answer": `, '{"title": "T"}', '}']) parser.parseChunk(chunk)
      parser.finalize()
      return parser
    })()
    assert.deepEqual(data, { title: 'T' })
  })
})

describe('keys that the schema forbids', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'number' }, list: { type: 'array', items: { type: 'object', properties: { b: {} }, additionalProperties: false } } },
    additionalProperties: false,
  }

  test('are left out, with one error each', () => {
    assert.deepEqual(read('{"x":{"y":["{",1]},"a":1,"z":"s"}', schema), {
      lines: ['error unexpected-key', 'done a 1', 'error unexpected-key'],
      data: { a: 1 },
      errors: { 'unexpected-key': 2 },
    })
  })

  test('inside too', () => {
    assert.deepEqual(read('{"list":[{"b":1,"c":true},{"c":[]}],"a":2}', schema), {
      lines: ['done list[0].b 1', 'error list[0] unexpected-key', 'done list[0] {"b":1}', 'error list[1] unexpected-key', 'done list[1] {}', 'done list [{"b":1},{}]', 'done a 2'],
      data: { list: [{ b: 1 }, {}], a: 2 },
      errors: { 'unexpected-key': 2 },
    })
  })

  test('the error says where the key is', () => {
    const [error] = new StreamingJSONParser(schema).parseChunk('{"xyz": 1, "a": 2}')
    assert.deepEqual([error.eventType, error.code, error.path, error.span], ['error', 'unexpected-key', '', [2, 5]])
  })

  test('with spans all of the text is there', () => {
    const text = '{"x":{"y":"z"},"a":1}'
    const parser = new StreamingJSONParser(schema, { spans: true })
    const events = [...parser.parseChunk(text), ...parser.finalize()]
    assert.equal(events.filter(({ eventType, span }) => span !== undefined && eventType !== 'error').map(({ span: [from, to] }) => text.slice(from, to)).join(''), text)
  })

  test('are kept where the schema does not forbid them, and in order mode', () => {
    const open = { ...schema, additionalProperties: true }
    assert.deepEqual(read('{"x":1,"a":2}', open).data, { x: 1, a: 2 })
    assert.deepEqual(read('{"x":1,"a":2}', { ...schema, additionalProperties: undefined }).data, { x: 1, a: 2 })
    const order = new StreamingJSONParser(schema, { completion: 'order' })
    order.parseChunk('{"x":1,"a":2}')
    assert.deepEqual(order.data, { x: 1, a: 2 })
  })

  test('in a schema of several ways only if all forbid them', () => {
    const either = { anyOf: [schema, { type: 'object', properties: { x: {} }, additionalProperties: false }] }
    assert.deepEqual(read('{"x":1,"a":2,"y":3}', either).data, { x: 1, a: 2 })
  })

  test('a document of nothing else is empty', () => {
    assert.deepEqual(read('{"x":1}', schema), { lines: ['error unexpected-key'], data: {}, errors: { 'unexpected-key': 1 } })
    assert.deepEqual(parsePartial('{"x":1,"a":2', { schema }), { a: 2 })
  })
})

describe('startWithThinking', () => {
  const options = { startWithThinking: true }

  test('the first closing tag ends the thinking', () => {
    for (const text of ['so {"a":9}</think>{"a":1}', '<think>so {"a":9}</think>{"a":1}', 'x</thinking>{"a":1} </think>']) {
      assert.deepEqual(read(text, null, options).data, { a: 1 }, text)
      assert.deepEqual(read(text, null, options).lines, ['done a 1'], text)
    }
  })

  test('thinking that does not close', () => {
    assert.deepEqual(read('so {"a":9}', null, options), { lines: ['done a 9 late'], data: { a: 9 }, errors: {} })
  })

  test('reset() starts inside again, and every reader takes it', async () => {
    const parser = new StreamingJSONParser(null, options)
    for (const _ of [1, 2]) {
      parser.reset()
      assert.deepEqual(lines(parser.parseChunk('{"a":9}</think>{"a":1}')), ['done a 1'])
    }
    assert.deepEqual(await parseFields('{"a":9}</think>{"a":1}', null, options).result(), { a: 1 })
    const events = []
    for await (const event of new Response('{"a":9}</think>{"a":1}').body.pipeThrough(new TextDecoderStream()).pipeThrough(new FieldStream(null, options))) events.push(event)
    assert.deepEqual(lines(events), ['done a 1'])
    assert.throws(() => new StreamingJSONParser(null, { startWithThinking: 1 }), /StreamingJSONParser.startWithThinking must be true or false/)
  })
})
