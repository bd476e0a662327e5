// StreamingJSONParser, FieldStream, parseFields and parsePartial: the contract of seed 002, misuse, streams, handlers, and
// adversarial input. (Options are in the cases and in field-properties.test.mjs, patterns in field-schema.test.mjs.)
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

  test('a chunk may give nothing', () => {
    const parser = new StreamingJSONParser(SCHEMA)
    for (const chunk of ['Hm', '', ' {', '"ti', 'tle"', ' :', ' ']) assert.deepEqual(parser.parseChunk(chunk), [])
  })
})

describe('events', () => {
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
    assert.equal(events[2].value, parser.data.a[0])
    for (const event of events) {
      assert.equal(event.fullData, parser.data)
      assert.equal(Object.getPrototypeOf(event), Object.prototype)
      assert.deepEqual(structuredClone(event), event)
    }
  })

  for (const [what, text, nth, expected] of [
    ['a value that came again', '{"a":"one","a":"two"}', 2, { path: 'a', value: 'two', delta: 'two', eventType: 'delta', fullData: { a: 'two' }, wildcardPath: 'a', replaced: true }],
    ['a fault', '{"a":{"x":1 ?},"b":2}', 2, { path: 'a', eventType: 'error', fullData: { a: { x: 1 }, b: 2 }, wildcardPath: 'a', code: 'unexpected-text', message: 'unexpected-text at 12: text that can not stand here was passed over', span: [12, 13] }],
    ['a document that is withdrawn', 'So {"x":1}?\n```json\n{"a":2}\n```', 2, { path: '', eventType: 'reset', fullData: undefined, wildcardPath: '' }],
  ]) {
    test(`of ${what}`, () => {
      const event = new StreamingJSONParser().parseChunk(text)[nth]
      assert.deepEqual(event, { value: null, delta: null, isComplete: false, indexes: [], completionSource: null, ...expected })
    })
  }
})

describe('StreamingJSONParser', () => {
  const reportOf = ({ report }) => ({ ...report, errors: { ...report.errors }, tolerated: [...report.tolerated] })
  const NOTHING = { documents: 0, isComplete: false, resets: 0, errors: {}, tolerated: [] }

  test('begins with nothing', () => {
    const parser = new StreamingJSONParser()
    assert.deepEqual([parser.data, reportOf(parser), parser.finalize(), parser.data], [undefined, NOTHING, [], undefined])
  })

  test('report counts', () => {
    const parser = new StreamingJSONParser()
    parser.parseChunk("Maybe {x:1}? ```json\n{'a':1,, \"b\": ?, \"c\": ")
    assert.deepEqual([reportOf(parser).resets, reportOf(parser).isComplete], [1, false])
    parser.parseChunk('}')
    const tolerated = ['doubled-comma', 'single-quotes', 'unquoted-key']
    assert.deepEqual(reportOf(parser), { documents: 1, isComplete: true, resets: 1, errors: { 'unexpected-text': 1, 'missing-value': 1 }, tolerated })
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
      assert.deepEqual(reportOf(parser), { ...NOTHING, documents: 1, isComplete: true })
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

  test('after reset no document is left of several', () => {
    const parser = new StreamingJSONParser(undefined, { multiple: true })
    parser.parseChunk('{"a":1}\n{"a":2} and [{"b":"x')
    assert.deepEqual(parser.documents, [{ a: 1 }, { a: 2 }, [{ b: 'x' }]])
    parser.reset()
    assert.deepEqual(parser.documents, [])
    assert.equal(parser.parseChunk('{"a":1}')[0].documentIndex, 0)
  })

  test('what was taken for prose has one delta a chunk, whatever stood between its characters', () => {
    const parser = new StreamingJSONParser({ a: 'str' }, { spans: true })
    // The backslash comes with what follows it.
    parser.parseChunk('{"k":"a\\\x80')
    assert.deepEqual(parser.finalize().filter(({ eventType }) => eventType === 'delta').map(({ delta, span }) => [delta, ...span]), [['a\\\x80', 9, 9]])
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
    test(`${name} rejects options that don't exist or are of the wrong type, by name`, () => {
      for (const key of ['compltion', 'schema', 'onEvent', 'maxdepth']) assert.throws(() => make({ [key]: true }), (error) => error instanceof TypeError && error.message.includes(`"${key}"`) && error.message.includes('completion'), key)
      const wrong = { completion: ['Boundary', 1, null, true], pathStyle: ['json', 1, null], strict: [1, 'yes', null], multiple: [1, 'yes', null], snapshot: [1, null], spans: ['x', 0, null], maxDepth: [0, -1, 4_097, 1.5, NaN, Infinity, '512', null] }
      for (const [key, values] of Object.entries(wrong)) for (const value of values) assert.throws(() => make({ [key]: value }), named(key), `${key}: ${String(value)}`)
      for (const value of [null, 5, 'x', [], true]) assert.throws(() => make(value), TypeError)
      // What is undefined was not given.
      make(Object.fromEntries(Object.keys(wrong).map((key) => [key, undefined])))
      make(undefined)
      for (const maxDepth of [1, 512, 4_096]) make({ maxDepth })
    })
  }

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
      for (const [expected, count] of [['x', 1], ['y', 2], ['done', 3], [1, 4], ['done', 4]]) {
        const { delta, eventType } = (await events.next()).value
        assert.deepEqual([delta ?? eventType, given.length], [expected, count])
      }
      assert.deepEqual(await events.next(), { done: true, value: undefined })
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

  test('result after a loop that threw rejects with the same error', async () => {
    const broken = async function* () { yield '{"age": 4'; throw new TypeError('terminated') }
    const refuses = () => { throw new TypeError('no') }
    for (const made of [() => parseFields(broken()), () => parseFields('{"age": 41}').onAny('age', refuses)]) {
      await assert.rejects(made().result(), TypeError)
      const events = made()
      const thrown = await (async () => { for await (const _ of events); })().catch((error) => error)
      assert.ok(thrown instanceof TypeError)
      for (let time = 0; time < 2; time++) assert.equal(await events.result().catch((error) => error), thrown)
    }
  })

  test('on rejects a handler that is not a function', () => {
    for (const handler of [undefined, null, 'x', {}]) assert.throws(() => parseFields([]).on('a', handler), TypeError)
  })
})

describe('parsePartial', () => {
  for (const [text, value] of [
    ['{"a":1,"b":[true,{"c":"x', { a: 1, b: [true, { c: 'x' }] }],
    ['{"b":0,"a":N', { b: 0 }],
    ['Sure: ```json\n{"a":[1', { a: [1] }],
    ['{"x":1} {"y":2}', { x: 1 }],
    // Without brackets.
    ['12', 12],
    ['-12.5e', undefined],
    ['tru', true],
    ['null', null],
    ['"a\\n\\u00', 'a\n'],
    [' "x" ', 'x'],
    ['', undefined],
    ['   ', undefined],
    ['hello world', undefined],
  ]) {
    test(JSON.stringify(text), () => assert.deepEqual(parsePartial(text), value))
  }

  test('returns a new value each time', () => {
    const first = parsePartial('{"a":[1]}')
    first.a.push(2)
    assert.deepEqual(parsePartial('{"a":[1]}'), { a: [1] })
  })
})

describe('adversarial input', () => {
  const MB = 1_000_000
  const PROSE = "It's [1] {x} \"so\" <b> ```a``` // /* \\ ".repeat(MB / 40)

  /** Reads a text, and checks the number of events. */
  function bounded(text, size, most, { schema, options } = {}) {
    const parser = new StreamingJSONParser(schema, options)
    let count = 0
    for (let at = 0; at < text.length; at += size) count += parser.parseChunk(text.slice(at, at + size)).length
    count += parser.finalize().length
    assert.ok(count <= most, `${count} events`)
    return parser
  }

  const MEMBERS = `{${Array.from({ length: MB / 10 }, (_, at) => `"k${at}":${at}`).join()}}`
  const same = (expected) => ({ data }) => assert.deepEqual(data, expected)
  const faults = (code) => ({ report }) => assert.deepEqual({ ...report.errors }, { [code]: 1 })
  /** The text, sizes of chunks, the most events, and what is true at the end. */
  const LARGE = {
    '10 MB of [': ['['.repeat(10 * MB), [16, 65_536, 10 * MB], 600, faults('too-deep')],
    '10 MB of {"a":': ['{"a":'.repeat(2 * MB), [16, 65_536, 10 * MB], 600, faults('too-deep')],
    '10 MB of [{': ['[{'.repeat(5 * MB), [65_536], 1_200],
    '10 MB of digits': [`{"a":${'1'.repeat(10 * MB)},"b":2}`, [16, 65_536, 10 * MB], 3, ({ data, report }) => assert.deepEqual([data, { ...report.errors }], [{ b: 2 }, { 'too-long': 1 }])],
    '10 MB of digits, a root': ['1'.repeat(10 * MB), [65_536], 0, same(undefined)],
    '10 MB of digits, a candidate': [`So [${'1'.repeat(10 * MB)}`, [65_536], 3],
    '1 MB of {': ['{'.repeat(MB), [1, 16, MB], 0, same(undefined)],
    '1 MB of prose': [PROSE, [1], 2, ({ report }) => assert.equal(report.resets, 0)],
    '1 MB of prose before a document': [`${PROSE}{"a":1}`, [1], 2, same({ a: 1 })],
    '1 MB of a string, one unit at a time': [`{"a":"${'x'.repeat(MB)}"}`, [1], MB + 1, same({ a: 'x'.repeat(MB) })],
    '10 MB of a string in one chunk, which is one delta': [`{"a":"${'x'.repeat(10 * MB)}"}`, [11 * MB], 2, ({ data }) => assert.equal(data.a.length, 10 * MB)],
    'a million elements': [`[${Array.from({ length: MB }, (_, at) => at % 10).join()}]`, [65_536], 2 * MB, ({ data }) => assert.equal(data.length, MB)],
    '100,000 members': [MEMBERS, [65_536], MB / 5, ({ data }) => assert.equal(Object.keys(data).length, MB / 10)],
    'a key of 1 MB': [`{"a":1,"${'k'.repeat(MB)}":2}`, [64, 2 * MB], 4, same({ a: 1, ['k'.repeat(MB)]: 2 })],
    'one key, 100,000 times': [`{${Array.from({ length: 100_000 }, (_, at) => `"a":${at}`).join()}}`, [4_096], 100_001, same({ a: 99_999 })],
  }
  for (const [escape, value] of [['\\n', '\n'], ['\\u0041', 'A'], ['\\ud83d\\ude00', '😀'], ['\\\\', '\\'], ['\\"', '"']]) {
    LARGE[`1 MB of ${escape}`] = [`{"a":"${escape.repeat(MB / escape.length)}"}`, [4_096], 300, same({ a: value.repeat(MB / escape.length) })]
  }
  for (const [name, [text, sizes, most, check]] of Object.entries(LARGE)) {
    test(name, () => {
      for (const size of sizes) {
        const parser = bounded(text, size, most)
        check?.(parser)
      }
    })
  }

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
})
