// StreamingJSONParser, FieldStream, parseFields and parsePartial: the contract of
// seed 002, each option, misuse, and adversarial input.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as fields from 'tokenweir/fields'
import * as z from 'zod'
import { everyCut, pieces, sampled } from './support/cuts.mjs'
import { readFields } from './support/field-reading.mjs'
import { renderFields } from './support/field-render.mjs'
import { all, counted, generated, settled } from './support/sources.mjs'

const { FieldStream, NoDocumentError, ParseError, StreamingJSONParser, parseFields, parsePartial } = fields

const TEXT = '{"title":"Hello","items":[{"id":1,"name":"a"},{"id":2,"name":"b"}],"ok":true}'
const VALUE = JSON.parse(TEXT)
const SCHEMA = { title: 'str', items: [{ id: 'int', name: 'str' }], ok: 'bool' }
const LINES = `title = "Hello"
items[0].id = 1
items[0].name = "a"
items[0] {}
items[1].id = 2
items[1].name = "b"
items[1] {}
items []
ok = true`

/** The events, in short: `title~"He"` for a delta, `title!` for a done. */
const short = (events) => events.map(({ eventType, path, delta }) => (eventType === 'delta' ? `${path}~${JSON.stringify(delta)}` : eventType === 'done' ? `${path}!` : `${path}${eventType}`)).join(' ')

describe("the seed's invariants", () => {
  test('username in three parts makes at least three deltas that join to it', () => {
    const parser = new StreamingJSONParser({ profile: { username: 'str' } })
    const events = ['{"profile": {"username": "A', 'l', 'ice', '"}}'].flatMap((chunk) => parser.parseChunk(chunk))
    assert.equal(short(events), 'profile.username~"A" profile.username~"l" profile.username~"ice" profile.username! profile!')
    assert.deepEqual(events.map(({ value }) => value), ['A', 'Al', 'Alice', 'Alice', { username: 'Alice' }])
  })

  test("a field's done comes after its deltas, at every cut", () => {
    for (const [cut, chunks] of everyCut(TEXT)) {
      const last = {}
      for (const [at, { path, eventType }] of readFields(chunks, { schema: SCHEMA }).log.entries()) {
        if (eventType === 'delta') assert.notEqual(last[path]?.eventType, 'done', cut)
        last[path] = { eventType, at }
      }
      assert.ok(last.ok.at > last.items.at && Object.values(last).every(({ eventType }) => eventType === 'done'), cut)
    }
  })

  test('the done of an array has the whole array, at every cut', () => {
    for (const [cut, chunks] of everyCut(TEXT)) {
      const { value } = readFields(chunks, { schema: SCHEMA }).log.find(({ path, eventType }) => path === 'items' && eventType === 'done')
      assert.deepEqual(value, VALUE.items, cut)
    }
  })

  test('a chunk may give nothing, and raises nothing', () => {
    const parser = new StreamingJSONParser(SCHEMA)
    for (const chunk of ['Hm', '', ' {', '"ti', 'tle"', ' :', ' ']) assert.deepEqual(parser.parseChunk(chunk), [])
    assert.equal(short(parser.parseChunk('"x')), 'title~"x"')
    assert.deepEqual(parser.parseChunk(''), [])
    assert.deepEqual(parser.parseChunk('\\u00'), [])
  })

  test('finalize emits the fields that are not done, children first', () => {
    const parser = new StreamingJSONParser(SCHEMA)
    parser.parseChunk('{"title":"x","items":[{"id":1,"name":"ab')
    assert.deepEqual(parser.finalize().map(({ path, eventType, completionSource }) => [path, eventType, completionSource]), [
      ['items[0].name', 'done', 'synthetic_repair'],
      ['items[0]', 'done', 'synthetic_repair'],
      ['items', 'done', 'synthetic_repair'],
    ])
    assert.deepEqual(parser.finalize(), [])
  })
})

describe('events', () => {
  const keys = ['path', 'value', 'delta', 'isComplete', 'eventType', 'fullData', 'wildcardPath', 'indexes', 'completionSource']

  test('of a string and of its container', () => {
    const parser = new StreamingJSONParser()
    const events = parser.parseChunk('{"a":[{"b":"x"}]}')
    const data = { a: [{ b: 'x' }] }
    const rest = { fullData: data, wildcardPath: 'a[*].b', indexes: [0] }
    assert.deepEqual(events, [
      { path: 'a[0].b', value: 'x', delta: 'x', isComplete: false, eventType: 'delta', ...rest, completionSource: null },
      { path: 'a[0].b', value: 'x', delta: null, isComplete: true, eventType: 'done', ...rest, completionSource: 'observed_boundary' },
      { path: 'a[0]', value: { b: 'x' }, delta: null, isComplete: true, eventType: 'done', ...rest, wildcardPath: 'a[*]', completionSource: 'observed_boundary' },
      { path: 'a', value: [{ b: 'x' }], delta: null, isComplete: true, eventType: 'done', ...rest, wildcardPath: 'a', indexes: [], completionSource: 'observed_boundary' },
    ])
    for (const event of events) assert.deepEqual(Object.keys(event), keys)
    for (const event of events) assert.equal(event.fullData, parser.data)
    assert.equal(events[2].value, parser.data.a[0])
  })

  test('are plain objects that can be copied', () => {
    for (const event of new StreamingJSONParser().parseChunk(TEXT)) {
      assert.equal(Object.getPrototypeOf(event), Object.prototype)
      assert.deepEqual({ ...event }, event)
      assert.deepEqual(structuredClone(event), event)
      assert.deepEqual(JSON.parse(JSON.stringify(event)), { ...event })
    }
  })

  test('of a value that came again', () => {
    const [, , event] = new StreamingJSONParser().parseChunk('{"a":"one","a":"two"}')
    assert.deepEqual(Object.keys(event), [...keys, 'replaced'])
    assert.deepEqual({ ...event }, { path: 'a', value: 'two', delta: 'two', isComplete: false, eventType: 'delta', fullData: { a: 'two' }, wildcardPath: 'a', indexes: [], completionSource: null, replaced: true })
  })

  test('of a fault', () => {
    const events = new StreamingJSONParser().parseChunk('{"a":{"x":1 ?},"b":2}')
    const event = events.find(({ eventType }) => eventType === 'error')
    const { message, ...others } = event
    assert.deepEqual(others, { path: 'a', value: null, delta: null, isComplete: false, eventType: 'error', fullData: { a: { x: 1 }, b: 2 }, wildcardPath: 'a', indexes: [], completionSource: null, code: 'unexpected-text', span: [12, 13] })
    assert.match(message, /12/)
  })

  test('of a document that is withdrawn', () => {
    const parser = new StreamingJSONParser()
    const events = parser.parseChunk('So {"x":1}?\n```json\n{"a":2}\n```')
    assert.deepEqual({ ...events[2] }, { path: '', value: null, delta: null, isComplete: false, eventType: 'reset', fullData: undefined, wildcardPath: '', indexes: [], completionSource: null })
    assert.equal(short(events), 'x~1 x! reset a~2 a!')
    assert.deepEqual(parser.data, { a: 2 })
  })

  test('of a weak document, which is accepted only at the end', () => {
    const parser = new StreamingJSONParser()
    assert.deepEqual(parser.parseChunk('Result: [1] as I said'), [])
    assert.deepEqual(parser.finalize().map(({ path, eventType, value, completionSource }) => [path, eventType, value, completionSource]), [
      ['[0]', 'delta', 1, null],
      ['[0]', 'done', 1, 'final_reconciliation'],
    ])
  })

  test('of numbers and words carry the value as their one delta', () => {
    const events = new StreamingJSONParser().parseChunk('{"n":-0,"t":true,"f":false,"z":null,"h":0x1F,"m":[-Infinity]}')
    assert.deepEqual(events.filter(({ eventType }) => eventType === 'delta').map(({ delta }) => delta), [-0, true, false, null, 31, -Infinity])
    for (const { eventType, delta, value } of events) if (eventType === 'delta') assert.ok(Object.is(delta, value))
  })
})

describe('StreamingJSONParser', () => {
  test('begins with nothing', () => {
    const parser = new StreamingJSONParser()
    assert.equal(parser.data, undefined)
    assert.deepEqual({ ...parser.report, errors: { ...parser.report.errors }, tolerated: [...parser.report.tolerated] }, { documents: 0, isComplete: false, resets: 0, errors: {}, tolerated: [] })
    assert.deepEqual(parser.finalize(), [])
    assert.equal(parser.data, undefined)
  })

  test('data is one tree that grows', () => {
    const parser = new StreamingJSONParser()
    parser.parseChunk('{"a":"x')
    const { data } = parser
    assert.deepEqual(data, { a: 'x' })
    parser.parseChunk('y","b":[1,')
    assert.equal(parser.data, data)
    assert.deepEqual(data, { a: 'xy', b: [1] })
    parser.parseChunk('2]}')
    assert.deepEqual(data, { a: 'xy', b: [1, 2] })
  })

  test('report counts', () => {
    const parser = new StreamingJSONParser()
    const emitted = () => ({ ...parser.report, errors: { ...parser.report.errors }, tolerated: [...parser.report.tolerated] })
    parser.parseChunk("Maybe {x:1}? ```json\n{'a':1,, \"b\": ?, \"c\": ")
    assert.deepEqual(emitted().resets, 1)
    assert.equal(emitted().isComplete, false)
    parser.parseChunk('}')
    assert.deepEqual(emitted().errors, { 'unexpected-text': 1, 'missing-value': 1 })
    assert.deepEqual([emitted().documents, emitted().isComplete], [1, true])
    for (const rule of ['single-quotes', 'doubled-comma']) assert.ok(emitted().tolerated.includes(rule), rule)
    assert.deepEqual(emitted().tolerated, emitted().tolerated.toSorted?.() ?? [...emitted().tolerated].sort())
  })

  test('after finalize only reset helps', () => {
    const parser = new StreamingJSONParser()
    parser.parseChunk('{"a":1}')
    parser.finalize()
    assert.throws(() => parser.parseChunk('{"a":2}'), (error) => error instanceof ParseError && error.code === 'finished' && /reset/.test(error.message))
    assert.throws(() => parser.parseChunk(''), { code: 'finished' })
    assert.deepEqual(parser.finalize(), [])
    assert.deepEqual(parser.data, { a: 1 })
    const { data } = parser
    parser.reset()
    assert.equal(parser.data, undefined)
    assert.deepEqual(data, { a: 1 })
    assert.equal(parser.report.documents, 0)
    assert.equal(short(parser.parseChunk('{"a":2}')), 'a~2 a!')
    assert.deepEqual(parser.data, { a: 2 })
  })

  test('reset forgets pending text, events and counts, at any position', () => {
    for (const [cut, [front]] of everyCut("It's [1] ```json\n{'a':\"x\\u00e9\",\"n\":[12.5,tru?],\"b\":{\"a\":1,\"a\":2}} <think>")) {
      const parser = new StreamingJSONParser(undefined, { spans: true })
      parser.parseChunk(front)
      parser.reset()
      const options = { spans: true }
      assert.equal(renderFields([...parser.parseChunk(TEXT), ...parser.finalize()], options), renderFields(readFields([TEXT], { options }).log, options), cut)
      assert.deepEqual({ ...parser.report, tolerated: [...parser.report.tolerated] }, { documents: 1, isComplete: true, resets: 0, errors: parser.report.errors, tolerated: [] })
      assert.deepEqual({ ...parser.report.errors }, {})
    }
  })

  test('concurrent calls of next are answered in order', async () => {
    const closed = []
    async function* source() {
      try {
        for (const chunk of ['{"a":"x', 'y","b":1}']) {
          await null
          yield chunk
        }
      } finally {
        closed.push('closed')
      }
    }
    const events = new StreamingJSONParser().parseStream(source())
    const results = await Promise.all(Array.from({ length: 7 }, () => events.next()))
    assert.deepEqual(results.map(({ done, value }) => (done ? 'end' : `${value.eventType} ${value.path}`)), ['delta a', 'delta a', 'done a', 'delta b', 'done b', 'end', 'end'])
    const stopped = new StreamingJSONParser().parseStream(source())
    const [first, ended, after] = await Promise.all([stopped.next(), stopped.return(), stopped.next()])
    // It waited for the source, which is stopped.
    const done = { value: undefined, done: true }
    assert.deepEqual([first, ended, after], [done, done, done])
    await assert.rejects(new StreamingJSONParser().parseStream(source()).throw(new Error('mine')), /^Error: mine$/)
    assert.deepEqual(closed, ['closed', 'closed'])
  })

  test('a returned list stays unchanged', () => {
    for (const completion of ['boundary', 'order']) {
      const parser = new StreamingJSONParser(undefined, { completion })
      const lists = [...TEXT].map((unit) => parser.parseChunk(unit))
      const lengths = lists.map(({ length }) => length)
      lists.push(parser.finalize(), parser.finalize())
      assert.ok(lengths.includes(0) && lengths.some((length) => length > 0))
      assert.deepEqual(lists.slice(0, -2).map(({ length }) => length), lengths)
      assert.equal(new Set(lists).size, lists.length)
    }
  })

  test('many parsers may work in parallel', () => {
    const parsers = Array.from({ length: 50 }, () => new StreamingJSONParser())
    const logs = parsers.map(() => [])
    for (const unit of TEXT) parsers.forEach((parser, at) => logs[at].push(...parser.parseChunk(unit)))
    for (const [at, parser] of parsers.entries()) {
      assert.equal(renderFields([...logs[at], ...parser.finalize()]), LINES)
      assert.deepEqual(parser.data, VALUE)
    }
  })

  test('a schema may be null or left out', () => {
    for (const schema of [null, undefined]) assert.equal(renderFields(new StreamingJSONParser(schema).parseChunk(TEXT)), LINES)
  })
})

describe('options', () => {
  test("pathStyle 'slash'", () => {
    const events = new StreamingJSONParser(undefined, { pathStyle: 'slash' }).parseChunk('{"a":[{"b/c~d":1}],"x.y":{"":2}}')
    assert.deepEqual(events.filter(({ eventType }) => eventType === 'done').map(({ path, wildcardPath, indexes }) => [path, wildcardPath, [...indexes]]), [
      ['/a/0/b~1c~0d', '/a/[*]/b~1c~0d', [0]],
      ['/a/0', '/a/[*]', [0]],
      ['/a', '/a', []],
      ['/x.y/', '/x.y/', []],
      ['/x.y', '/x.y', []],
    ])
  })

  test('with snapshot, each event has its own copy', () => {
    const parser = new StreamingJSONParser(undefined, { snapshot: true })
    const first = parser.parseChunk('{"a":["x"],"b":[[1],')
    const before = structuredClone(first)
    const second = parser.parseChunk('2],"c":"y"}')
    assert.deepEqual(first, before)
    assert.deepEqual(first.map(({ fullData }) => fullData).at(-1), { a: ['x'], b: [[1]] })
    const done = second.find(({ path, eventType }) => path === 'b' && eventType === 'done')
    assert.deepEqual(done.value, [[1], 2])
    assert.notEqual(done.value, parser.data.b)
    assert.notEqual(done.value, done.fullData.b)
    done.value.push('mine')
    done.fullData.a.push('mine')
    assert.deepEqual(parser.data, { a: ['x'], b: [[1], 2], c: 'y' })
  })

  test('strict accepts only JSON', () => {
    const parser = new StreamingJSONParser(undefined, { strict: true })
    const events = parser.parseChunk("{\"a\":1,b:2,\"c\":'x',\"d\":True,\"e\":5}")
    assert.deepEqual(parser.data, { a: 1, e: 5 })
    assert.deepEqual(events.filter(({ eventType }) => eventType === 'error').map(({ code }) => code), ['unexpected-text', 'unexpected-text', 'unexpected-text'])
    assert.deepEqual([...parser.report.tolerated], [])
  })

  test('multiple emits each document', () => {
    const parser = new StreamingJSONParser(undefined, { multiple: true })
    const events = parser.parseChunk('{"a":1}\n{"a":2} and [{"b":"x')
    assert.deepEqual(events.map(({ path, eventType, documentIndex }) => [path, eventType, documentIndex]), [
      ['a', 'delta', 0],
      ['a', 'done', 0],
      ['a', 'delta', 1],
      ['a', 'done', 1],
      ['[0].b', 'delta', 2],
    ])
    assert.deepEqual(events.map(({ fullData }) => fullData), [{ a: 1 }, { a: 1 }, { a: 2 }, { a: 2 }, [{ b: 'x' }]])
    assert.deepEqual(parser.documents, [{ a: 1 }, { a: 2 }, [{ b: 'x' }]])
    assert.deepEqual(parser.data, [{ b: 'x' }])
    assert.deepEqual(parser.finalize().map(({ path, documentIndex }) => [path, documentIndex]), [['[0].b', 2], ['[0]', 2]])
    assert.equal(parser.report.documents, 3)
    parser.reset()
    assert.deepEqual(parser.documents, [])
    assert.equal(parser.parseChunk('{"a":1}')[0].documentIndex, 0)
  })

  test('without multiple no event has a documentIndex', () => {
    for (const event of new StreamingJSONParser(undefined, { spans: true }).parseChunk(TEXT)) assert.ok(!('documentIndex' in event))
  })

  test('what was taken for prose has one delta a chunk, whatever stood between its characters', () => {
    const parser = new StreamingJSONParser({ a: 'str' }, { spans: true })
    // The backslash comes with what follows it.
    parser.parseChunk('{"k":"a\\\x80')
    assert.deepEqual(parser.finalize().filter(({ eventType }) => eventType === 'delta').map(({ delta, span }) => [delta, ...span]), [['a\\\x80', 9, 9]])
  })

  test('spans are the positions of deltas, and the rest is markup', () => {
    const text = 'See: {"a": "x🙂\\n", "n": 12}.'
    const parser = new StreamingJSONParser(undefined, { spans: true })
    const events = [...parser.parseChunk(text), ...parser.finalize()]
    const emitted = events.filter(({ eventType }) => eventType === 'delta' || eventType === 'markup')
    assert.equal(emitted.map(({ span }) => text.slice(...span)).join(''), text)
    assert.deepEqual(emitted.filter(({ eventType }) => eventType === 'delta').map(({ path, span }) => [path, text.slice(...span)]), [['a', 'x🙂\\n'], ['n', '12']])
    assert.equal(emitted.filter(({ eventType }) => eventType === 'markup').map((event) => event.text).join(''), 'See: {"a": "", "n": }.')
    assert.ok(new StreamingJSONParser().parseChunk(text).every((event) => !('span' in event) && event.eventType !== 'markup'))
  })

  test('maxDepth', () => {
    for (const [maxDepth, data] of [[1, {}], [2, { a: {} }], [3, { a: { b: [] } }], [4, { a: { b: [[]] } }], [5, { a: { b: [[1]] } }]]) {
      const text = '{"x":0,"a":{"b":[[[],1]]}}'
      const parser = new StreamingJSONParser(undefined, { maxDepth })
      parser.parseChunk(text)
      if (maxDepth < 5) {
        const { x, ...found } = parser.data
        assert.equal(x, 0)
        assert.deepEqual(found, maxDepth === 4 ? { a: { b: [[1]] } } : data)
        assert.deepEqual({ ...parser.report.errors }, { 'too-deep': 1 })
      } else assert.deepEqual(parser.data, JSON.parse(text))
    }
  })
})

describe('misuse', () => {
  const named = (name) => (error) => (error instanceof TypeError || error instanceof RangeError) && error.message.includes(name)
  const takers = {
    StreamingJSONParser: (options) => new StreamingJSONParser(SCHEMA, options),
    FieldStream: (options) => new FieldStream(SCHEMA, options),
    parseFields: (options) => parseFields([], SCHEMA, options),
  }

  for (const [name, make] of Object.entries(takers)) {
    test(`${name} rejects options that don't exist, by name`, () => {
      for (const key of ['compltion', 'schema', 'onEvent', 'maxdepth']) assert.throws(() => make({ [key]: true }), (error) => error instanceof TypeError && error.message.includes(`"${key}"`) && error.message.includes('completion'), key)
    })

    test(`${name} rejects options of the wrong type, by name`, () => {
      const wrong = { completion: ['Boundary', 1, null, true], pathStyle: ['json', 1, null], strict: [1, 'yes', null], multiple: [1, 'yes', null], snapshot: [1, null], spans: ['x', 0, null], maxDepth: [0, -1, 4_097, 1.5, NaN, Infinity, '512', null] }
      for (const [key, values] of Object.entries(wrong)) for (const value of values) assert.throws(() => make({ [key]: value }), named(key), `${key}: ${String(value)}`)
    })

    test(`${name} rejects options that are not an object`, () => {
      for (const value of [null, 5, 'x', [], true]) assert.throws(() => make(value), TypeError)
    })

    test(`${name} takes options that are undefined`, () => {
      make({ completion: undefined, pathStyle: undefined, strict: undefined, multiple: undefined, snapshot: undefined, spans: undefined, maxDepth: undefined })
      make(undefined)
      for (const maxDepth of [1, 512, 4_096]) make({ maxDepth })
    })
  }

  test('an invalid schema is rejected immediately', () => {
    for (const make of [(schema) => new StreamingJSONParser(schema), (schema) => new FieldStream(schema), (schema) => parseFields([], schema), (schema) => parsePartial('{}', { schema })]) {
      for (const schema of [5, true, () => {}, { a: 5 }, { a: { b: undefined } }]) assert.throws(() => make(schema), TypeError, String(schema))
      assert.throws(() => make({ items: [{ price: 5 }] }), /schema\.items\[0\]\.price/)
    }
  })

  test('a chunk that is not a string is rejected, and the parser continues', () => {
    const parser = new StreamingJSONParser()
    parser.parseChunk('{"a":"x')
    for (const value of [undefined, null, 5, {}, [], Buffer.from('x'), new String('x')]) assert.throws(() => parser.parseChunk(value), TypeError)
    assert.equal(short(parser.parseChunk('y"}')), 'a~"y" a!')
  })

  test('parsePartial rejects anything but a string, and options that don\'t exist', () => {
    for (const value of [undefined, null, 5, {}]) assert.throws(() => parsePartial(value), TypeError)
    assert.throws(() => parsePartial('{}', { multiple: true }), (error) => error instanceof TypeError && error.message.includes('"multiple"'))
    assert.throws(() => parsePartial('{}', { strict: 1 }), named('strict'))
    assert.throws(() => parsePartial('{}', { maxDepth: 0 }), named('maxDepth'))
  })

  test('an invalid source is rejected immediately', () => {
    for (const value of [undefined, null, 7, {}, Promise.resolve([])]) assert.throws(() => parseFields(value), TypeError)
  })

  test('constructors must be called with new', () => {
    assert.throws(() => StreamingJSONParser(), TypeError)
    assert.throws(() => FieldStream(), TypeError)
  })
})

const roads = {
  'parseStream of an array': (chunks, ...setup) => new StreamingJSONParser(...setup).parseStream(chunks),
  'parseStream of a generator': (chunks, ...setup) => new StreamingJSONParser(...setup).parseStream(chunks.values()),
  'parseStream of an async generator': (chunks, ...setup) => new StreamingJSONParser(...setup).parseStream(generated(chunks)),
  'parseStream of a stream': (chunks, ...setup) => new StreamingJSONParser(...setup).parseStream(ReadableStream.from(chunks)),
  'parseFields of an array': (chunks, ...setup) => parseFields(chunks, ...setup),
  'parseFields of an async generator': (chunks, ...setup) => parseFields(generated(chunks), ...setup),
  'parseFields of a stream': (chunks, ...setup) => parseFields(ReadableStream.from(chunks), ...setup),
  FieldStream: (chunks, ...setup) => ReadableStream.from(chunks).pipeThrough(new FieldStream(...setup)),
}

describe('streams', () => {
  for (const [name, road] of Object.entries(roads)) {
    test(`${name} yields the parser's events, at every size of chunk`, async () => {
      for (const size of [1, 2, 3, 5, 8, 13, 1_000]) {
        const events = await all(road(pieces(TEXT, size), SCHEMA))
        assert.deepEqual(events, readFields(pieces(TEXT, size), { schema: SCHEMA }).log, `chunks of ${size}`)
        assert.equal(renderFields(events), LINES)
      }
    })

    test(`${name} finalizes at the end`, async () => {
      assert.equal(renderFields(await all(road(['{"a":{"b":"x', 'y']))), 'a.b = "xy" cut\na {} cut')
      assert.deepEqual(await all(road([])), [])
      assert.deepEqual(await all(road(['', 'no JSON'])), [])
    })

    test(`${name} takes options`, async () => {
      assert.deepEqual((await all(road(['{"a":[1]}'], undefined, { pathStyle: 'slash' }))).map(({ path }) => path), ['/a/0', '/a/0', '/a'])
    })

    test(`${name} rejects a chunk that is not a string`, async () => {
      await assert.rejects(all(road(['{"a":', 7])), (error) => error instanceof TypeError && /number 7/.test(error.message))
    })
  }

  const loops = { parseStream: (source) => new StreamingJSONParser().parseStream(source), parseFields: (source) => parseFields(source) }
  for (const [name, loop] of Object.entries(loops)) {
    test(`${name}: events come with the chunk that decides them, and nothing is read ahead`, async () => {
      const given = []
      async function* source() {
        for (const chunk of ['{"a":"x', 'y', '","b":1', '}']) {
          given.push(chunk)
          yield chunk
        }
      }
      const events = loop(source())[Symbol.asyncIterator]()
      assert.equal((await events.next()).value.delta, 'x')
      assert.equal(given.length, 1)
      assert.equal((await events.next()).value.delta, 'y')
      assert.equal(given.length, 2)
      assert.equal((await events.next()).value.eventType, 'done')
      assert.equal(given.length, 3)
      assert.equal((await events.next()).value.delta, 1)
      assert.equal((await events.next()).value.eventType, 'done')
      assert.deepEqual(await events.next(), { done: true, value: undefined })
    })

    test(`${name}: leaving the loop returns from an iterable`, async () => {
      let ended = 0
      async function* source() {
        try {
          yield '{"a":['
          for (;;) yield '1,'
        } finally {
          ended += 1
        }
      }
      for await (const { path } of loop(source())) {
        assert.equal(path, 'a[0]')
        break
      }
      assert.equal(ended, 1)
    })

    test(`${name}: leaving the loop cancels a stream and unlocks it`, async () => {
      const { stream, seen } = counted(['{"a":"x', 'y', 'z'])
      for await (const { delta } of loop(stream)) {
        assert.equal(delta, 'x')
        break
      }
      assert.ok(seen.cancelled)
      assert.equal(seen.pulls, 1)
      assert.equal(stream.locked, false)
    })

    test(`${name}: a stream that ends is not cancelled, and is unlocked`, async () => {
      const { stream, seen } = counted(['{"a":1}'])
      await all(loop(stream))
      assert.equal(seen.cancelled, undefined)
      assert.equal(stream.locked, false)
    })

    test(`${name}: an error of the source is thrown, after the events before it`, async () => {
      async function* broken() {
        yield '{"a":"x'
        throw new Error('line down')
      }
      for (const source of [broken(), ReadableStream.from(broken())]) {
        const got = []
        await assert.rejects(async () => {
          for await (const event of loop(source)) got.push(event)
        }, /line down/)
        assert.equal(short(got), 'a~"x"')
      }
    })

    test(`${name}: a chunk that is not a string stops the source`, async () => {
      const { stream, seen } = counted(['{"a":1', 7, 'b'])
      await assert.rejects(all(loop(stream)), TypeError)
      assert.ok(seen.cancelled)
    })
  }

  test('parseStream leaves data with the parser', async () => {
    const parser = new StreamingJSONParser(SCHEMA)
    await all(parser.parseStream(pieces(TEXT, 4)))
    assert.deepEqual(parser.data, VALUE)
    assert.deepEqual(parser.finalize(), [])
    assert.throws(() => parser.parseChunk('x'), { code: 'finished' })
    parser.reset()
    await all(parser.parseStream(['{"title":"y"}']))
    assert.deepEqual(parser.data, { title: 'y' })
  })

  test('FieldStream: cancelling the output cancels the source', async () => {
    const { stream, seen } = counted(['{"a":"x', 'y', 'z'])
    const reader = stream.pipeThrough(new FieldStream()).getReader()
    assert.equal((await reader.read()).value.delta, 'x')
    await reader.cancel('enough')
    await settled()
    assert.deepEqual(seen.cancelled, { reason: 'enough' })
  })

  test('FieldStream does not read ahead of its consumer', async () => {
    const { stream, seen } = counted(['{"a":"', ...Array.from({ length: 1_000 }, () => 'x')])
    const reader = stream.pipeThrough(new FieldStream()).getReader()
    await settled()
    const before = seen.pulls
    assert.ok(before <= 4, `${before} chunks were read ahead`)
    await reader.read()
    await settled()
    assert.ok(seen.pulls - before <= 2, `${seen.pulls - before} chunks were read for one`)
    await reader.cancel()
  })

  test('FieldStream can be piped on', async () => {
    const done = new TransformStream({ transform: ({ eventType, path }, controller) => eventType === 'done' && controller.enqueue(path) })
    assert.deepEqual(await all(ReadableStream.from(pieces(TEXT, 3)).pipeThrough(new FieldStream()).pipeThrough(done)), ['title', 'items[0].id', 'items[0].name', 'items[0]', 'items[1].id', 'items[1].name', 'items[1]', 'items', 'ok'])
  })
})

describe('parseFields', () => {
  test('result reads to the end', async () => {
    assert.deepEqual(await parseFields(pieces(TEXT, 5), SCHEMA).result(), VALUE)
    assert.deepEqual(await parseFields(['Well: {"a":"x']).result(), { a: 'x' })
  })

  test('a reply without a document is a rejection, which has its text and says what to do', async () => {
    const text = `I am ${'so '.repeat(30)}sorry.`
    for (const schema of [undefined, SCHEMA, z.object({ a: z.string() })]) {
      for (const source of [[text], [...text]]) {
        await assert.rejects(parseFields(source, schema).result(), (error) => {
          assert.ok(error instanceof NoDocumentError)
          assert.equal(error.name, 'NoDocumentError')
          assert.equal(error.text, text)
          assert.equal(error.message, `the reply has no JSON document: ask the model again, or show what it wrote, which the property \`text\` has: "${text.slice(0, 80)}…"`)
          return true
        })
      }
    }
    for (const empty of [[], '', [' ', '\n']]) {
      await assert.rejects(parseFields(empty, SCHEMA).result(), (error) => error instanceof NoDocumentError && error.message === 'the reply is empty, so it has no JSON document: look at why the model stopped, or ask it again')
    }
    assert.equal(new NoDocumentError(`${'a'.repeat(79)}😀b`).message.endsWith(`${'a'.repeat(79)}…"`), true)
  })

  test('a schema that takes undefined takes a reply without a document', async () => {
    assert.equal(await parseFields('no JSON', z.object({ a: z.string() }).optional()).result(), undefined)
    assert.deepEqual(await parseFields('no JSON', z.object({ a: z.string() }).default({ a: 'none' })).result(), { a: 'none' })
  })

  test('a document that was withheld to the end, or left early, is one', async () => {
    assert.deepEqual(await parseFields(['See {"b":', ' {"a": number}} there'], { a: 'str' }).result(), { a: 'number' })
    assert.deepEqual(await parseFields('{}', { a: 'str' }).result(), {})
    assert.equal(await parseFields('null', { type: 'null' }).result(), null)
    const run = parseFields(['no', ' JSON'])
    await run.return()
    await assert.rejects(run.result(), NoDocumentError)
  })

  test('result after a loop, and result twice', async () => {
    const run = parseFields(pieces(TEXT, 5), SCHEMA)
    let count = 0
    for await (const event of run) count += Number(event.eventType === 'done')
    assert.equal(count, 9)
    const value = await run.result()
    assert.deepEqual(value, VALUE)
    assert.equal(await run.result(), value)
  })

  const emitted = async (...patterns) => {
    const log = []
    const run = parseFields(pieces('{"a":{"b":[{"c":1},{"c":2}]},"x":{"c":3},"a.b":4,"*":5}', 4))
    for (const pattern of patterns) assert.equal(run.on(pattern, ({ path, eventType }) => eventType === 'done' && log.push(path)), run, 'on returns what it was called on')
    await run.result()
    return log
  }

  for (const [patterns, paths] of [
    [['x'], ['x']],
    [['x.c', '/x/c'], ['x.c', 'x.c']],
    [['a.b[0].c', '/a/b/1/c'], ['a.b[0].c', 'a.b[1].c']],
    [['a.b[*].c'], ['a.b[0].c', 'a.b[1].c']],
    [['a.b[].c'], ['a.b[0].c', 'a.b[1].c']],
    [['/a/b/[*]/c'], ['a.b[0].c', 'a.b[1].c']],
    [['/a/b/*/c'], ['a.b[0].c', 'a.b[1].c']],
    [['a.b[*]'], ['a.b[0]', 'a.b[1]']],
    [['a.b'], ['a.b']],
    [['["a.b"]'], ['["a.b"]']],
    [['/a.b'], ['["a.b"]']],
    [['x.*'], ['x.c']],
    [['/x/*'], ['x.c']],
    [['a.*'], ['a.b']],
    [['a.b.*'], ['a.b[0]', 'a.b[1]']],
    [['*'], ['a', 'x', '["a.b"]', '["*"]']],
    [['*.c'], ['x.c']],
    [['["*"]'], ['["*"]']],
    [['a.c', 'b', '[0]', 'a.b[2]', 'x.c.d', '/x/d'], []],
  ]) {
    test(`on ${patterns.join(' and ')}`, async () => assert.deepEqual(await emitted(...patterns), paths))
  }

  test('on accepts patterns of both styles, for any path style', async () => {
    for (const pathStyle of ['dot', 'slash']) {
      const log = []
      await parseFields(['[{"a":1},{"a":2}]'], undefined, { pathStyle })
        .on('[*].a', ({ path }) => log.push(path))
        .on('/[*]/a', ({ path }) => log.push(path))
        .result()
      assert.equal(log.length, 8)
      assert.equal(log[0], pathStyle === 'dot' ? '[0].a' : '/0/a')
    }
  })

  test('a handler gets deltas and done, each before the loop, and the same event', async () => {
    const order = []
    const run = parseFields(['{"a":"x', 'y","b":1}']).on('a', (event) => order.push(['handler', event]))
    for await (const event of run) order.push(['loop', event])
    assert.deepEqual(order.map(([who, { path, eventType }]) => `${who} ${path} ${eventType}`), [
      'handler a delta', 'loop a delta', 'handler a delta', 'loop a delta', 'handler a done', 'loop a done', 'loop b delta', 'loop b done',
    ])
    assert.equal(order[0][1], order[1][1])
  })

  test('handlers of one path are called in order of registration', async () => {
    const order = []
    const run = parseFields(['{"a":1}'])
    for (const name of ['first', 'second']) run.on('a', ({ eventType }) => order.push(`${name} ${eventType}`))
    await run.result()
    assert.deepEqual(order, ['first delta', 'second delta', 'first done', 'second done'])
  })

  test('a handler may come while the stream is read', async () => {
    const seen = []
    const run = parseFields(pieces('{"a":"x","b":"y","c":"z"}', 1))
    for await (const { path, eventType } of run) if (path === 'a' && eventType === 'done') run.on('*', ({ path, eventType }) => eventType === 'done' && seen.push(path))
    assert.deepEqual(seen, ['b', 'c'])
  })

  test('the loop throws an error of a handler, and stops the source', async () => {
    const { stream, seen } = counted(['{"a":"x', '","b":1}', ' '])
    const got = []
    await assert.rejects(async () => {
      for await (const { path, eventType } of parseFields(stream).on('a', ({ eventType }) => eventType === 'done' && assert.fail('mine'))) got.push(`${path} ${eventType}`)
    }, /mine/)
    assert.deepEqual(got, ['a delta'])
    assert.ok(seen.cancelled)
    assert.equal(stream.locked, false)
  })

  test('result throws an error of a handler', async () => {
    const { stream, seen } = counted(['{"a":1}', ' '])
    await assert.rejects(parseFields(stream).on('a', () => assert.fail('mine')).result(), /mine/)
    assert.ok(seen.cancelled)
  })

  test('result after a loop that threw rejects with the same error', async () => {
    const broken = async function* () { yield '{"age": 4'; throw new TypeError('terminated') }
    const refuses = () => { throw new TypeError('no') }
    for (const events of [parseFields(broken()), parseFields('{"age": 41}').onAny('age', refuses)]) {
      const thrown = await (async () => { for await (const _ of events); })().catch((error) => error)
      assert.ok(thrown instanceof TypeError)
      for (let time = 0; time < 2; time++) assert.equal(await events.result().catch((error) => error), thrown)
    }
  })
  test('result throws an error of the source', async () => {
    async function* broken() {
      yield '{"a":1'
      throw new Error('line down')
    }
    await assert.rejects(parseFields(broken()).result(), /line down/)
  })

  test('on rejects anything but a pattern and a function', () => {
    const run = parseFields([])
    for (const pattern of ['', 'a[', 'a[x]', 'a..b', '["a]', '.a', undefined, 5]) assert.throws(() => run.on(pattern, () => {}), TypeError, String(pattern))
    for (const handler of [undefined, null, 'x', {}]) assert.throws(() => run.on('a', handler), TypeError)
  })
})

describe('parsePartial', () => {
  for (const [text, value] of [
    ['{"a":1,"b":[true,{"c":"x', { a: 1, b: [true, { c: 'x' }] }],
    ['{"a":"x', { a: 'x' }],
    ['{"a":"x"', { a: 'x' }],
    ['{"a":"x\\', { a: 'x' }],
    ['{"a":"x\\u00e', { a: 'x' }],
    ['{"a":1,"b', { a: 1 }],
    ['{"a":1,"b"', { a: 1 }],
    ['{"a":1,"b":', { a: 1 }],
    ['{"a":1,', { a: 1 }],
    ['{"a":-12.5e', {}],
    ['{"b":0,"a":-', { b: 0 }],
    ['{"a":tru', { a: true }],
    ['{"b":0,"a":N', { b: 0 }],
    ['[1,2', [1, 2]],
    ['[[[', [[[]]]],
    ['{}', {}],
    ['[]', []],
    ['Sure: ```json\n{"a":[1', { a: [1] }],
    ["It's {\"a\":1}", { a: 1 }],
    ['{"x":1} {"y":2}', { x: 1 }],
    ["{a:'x',}", { a: 'x' }],
    ['12', 12],
    ['-12.5e', undefined],
    ['true', true],
    ['tru', true],
    ['null', null],
    ['"abc', 'abc'],
    ['"a\\n\\u00', 'a\n'],
    ['"abc"', 'abc'],
    [' "x" ', 'x'],
    ['', undefined],
    ['   ', undefined],
    ['hello world', undefined],
    ['-', undefined],
  ]) {
    test(JSON.stringify(text), () => assert.deepEqual(parsePartial(text), value))
  }

  test('options', () => {
    assert.deepEqual(parsePartial("{\"a\":1,b:2,'c':3,\"d\":4", { strict: true }), { a: 1, d: 4 })
    assert.deepEqual(parsePartial('{"a":{"b":{"c":1}},"d":2', { maxDepth: 2 }), { a: {}, d: 2 })
    assert.deepEqual(parsePartial('{"x":1} {"a":2', { schema: { a: 'int' } }), { a: 2 })
    assert.deepEqual(parsePartial('{"x":[{"id":1', { schema: [{ id: 'int' }] }), [{ id: 1 }])
  })

  test('returns a new value each time', () => {
    const first = parsePartial('{"a":[1]}')
    first.a.push(2)
    assert.deepEqual(parsePartial('{"a":[1]}'), { a: [1] })
  })
})

describe('adversarial input', () => {
  const MB = 1_000_000

  /** Reads a text, and checks the number of events. */
  function bounded(text, size, most, { schema, options } = {}) {
    const parser = new StreamingJSONParser(schema, options)
    let count = 0
    for (let at = 0; at < text.length; at += size) count += parser.parseChunk(text.slice(at, at + size)).length
    count += parser.finalize().length
    assert.ok(count <= most, `${count} events`)
    return parser
  }

  test('10 MB of [', () => {
    for (const size of [16, 65_536, 10 * MB]) {
      const parser = bounded('['.repeat(10 * MB), size, 600)
      assert.deepEqual({ ...parser.report.errors }, { 'too-deep': 1 })
    }
  })

  test('10 MB of {"a":', () => {
    for (const size of [16, 65_536, 10 * MB]) {
      const parser = bounded('{"a":'.repeat(2 * MB), size, 600)
      assert.deepEqual({ ...parser.report.errors }, { 'too-deep': 1 })
    }
  })

  test('10 MB of [{', () => {
    bounded('[{'.repeat(5 * MB), 65_536, 1_200)
  })

  test('10 MB of digits', () => {
    for (const size of [16, 65_536, 10 * MB]) {
      const parser = bounded(`{"a":${'1'.repeat(10 * MB)},"b":2}`, size, 3)
      assert.deepEqual({ ...parser.report.errors }, { 'too-long': 1 })
      assert.deepEqual(parser.data, { b: 2 })
    }
  })

  test('10 MB of digits, a root and a candidate', () => {
    assert.equal(bounded('1'.repeat(10 * MB), 65_536, 0).data, undefined)
    bounded(`So [${'1'.repeat(10 * MB)}`, 65_536, 3)
  })

  test('1 MB of {', () => {
    for (const size of [1, 16, MB]) assert.equal(bounded('{'.repeat(MB), size, 0).data, undefined)
  })

  test('1 MB of prose, one unit at a time', () => {
    const prose = "It's [1] {x} \"so\" <b> ```a``` // /* \\ ".repeat(MB / 40)
    assert.equal(bounded(prose, 1, 2).report.resets, 0)
    assert.deepEqual(bounded(`${prose}{"a":1}`, 1, 2).data, { a: 1 })
  })

  test('1 MB of a string, one unit at a time', () => {
    const parser = bounded(`{"a":"${'x'.repeat(MB)}"}`, 1, MB + 1)
    assert.equal(parser.data.a, 'x'.repeat(MB))
  })

  test('10 MB of a string in one chunk is one delta', () => {
    const parser = bounded(`{"a":"${'x'.repeat(10 * MB)}"}`, 11 * MB, 2)
    assert.equal(parser.data.a.length, 10 * MB)
  })

  test('a string of 1 MB of escapes', () => {
    for (const [escape, value] of [['\\n', '\n'], ['\\u0041', 'A'], ['\\ud83d\\ude00', '😀'], ['\\\\', '\\'], ['\\"', '"']]) {
      const parser = bounded(`{"a":"${escape.repeat(MB / escape.length)}"}`, 4_096, 300)
      assert.equal(parser.data.a, value.repeat(MB / escape.length))
    }
  })

  // Each of these begins something again and again that never ends.
  for (const scrap of sampled(['{/*', '{//', '[/*', '{"', "{'", '{"a', '["', "['", '{a', '{a:', '{ ', '[ ', '{"a":"', '{"a":{', '[1,', '[1', '{a:1 ', '{"a":1,', '{}', '[]', '[1]', '{{}', '```json\n', '```json\n{', '<think>', '</think>', '<think>{"a":1}', '{"a":1}</think>', '"""', '["""', '\\', '{\\', '{"\\', '["\\u', ',', '[,', '[1,,', ']', '[]]', '\ud83d', '{"\ud83d', '["\\ud83d', '\u00a0{', '-', '[-', '[0x', '[nul', '[+', '[.', '[N'])) {
    test(`100 KB of ${JSON.stringify(scrap)}`, () => {
      const text = scrap.repeat(Math.ceil(100_000 / scrap.length))
      for (const size of [16, text.length]) {
        bounded(text, size, text.length * 2)
        bounded(`so ${text}`, size, text.length * 2)
        bounded(text, size, text.length * 2, { schema: { b: 'str' } })
        bounded(`{"b":1,${text}`, size, text.length * 2)
        bounded(text, size, text.length * 3, { options: { multiple: true, spans: true } })
      }
    })
  }

  test('a million members, and a million elements', () => {
    const members = `{${Array.from({ length: MB / 10 }, (_, at) => `"k${at}":${at}`).join()}}`
    assert.equal(Object.keys(bounded(members, 65_536, MB / 5).data).length, MB / 10)
    const elements = `[${Array.from({ length: MB }, (_, at) => at % 10).join()}]`
    assert.equal(bounded(elements, 65_536, 2 * MB).data.length, MB)
  })

  test('a key of 1 MB', () => {
    const name = 'k'.repeat(MB)
    for (const size of [64, 2 * MB]) assert.deepEqual(Object.keys(bounded(`{"a":1,"${name}":2}`, size, 4).data), ['a', name])
  })

  test('one key, 100,000 times', () => {
    const parser = bounded(`{${Array.from({ length: 100_000 }, (_, at) => `"a":${at}`).join()}}`, 4_096, 100_001)
    assert.deepEqual(parser.data, { a: 99_999 })
  })

  test('100,000 parsers', () => {
    for (let count = 0; count < 100_000; count++) {
      const parser = new StreamingJSONParser()
      parser.parseChunk('{"a":"x')
      if (count % 10_000 === 0) assert.equal(short(parser.finalize()), 'a!')
    }
  })
})
