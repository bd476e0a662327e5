// `flushFinalData`: the document becomes a value that the program has, as in Agently 4.1.4.
import assert from 'node:assert/strict'
import { env } from 'node:process'
import { describe, test } from 'node:test'
import { StreamingJSONParser } from 'tokenweir/fields'
import { everyCut } from './support/cuts.mjs'
import fc from './support/property.mjs'

const seed = Number(env.SEED ?? Date.now() % 1_000_000)
console.log(`SEED=${seed}`)

const copy = (value) => JSON.parse(JSON.stringify(value))
const shown = ({ eventType, path, delta, value, completionSource, replaced }) =>
  eventType === 'delta' ? `${path} delta ${JSON.stringify(delta)}${replaced ? ' replaced' : ''}` : `${path} ${eventType} ${JSON.stringify(value)} ${completionSource}`

const REPAIR = 'synthetic_repair'
const FINAL = 'final_reconciliation'
const SCHEMA = { t: 'str', k: 'int' }

/** What was read, with which schema, the value, and what it adds. */
const ROWS = [
  ['{"t": "Be', SCHEMA, { t: 'Bern', k: 2 }, ['t delta "rn"', 'k delta 2', `t done "Bern" ${REPAIR}`, `k done 2 ${REPAIR}`]],
  ['{"t": "Bern", "k": 2}', SCHEMA, { t: 'Bern', k: 2 }, []],
  ['{"t": "Bern", "k": 2}', SCHEMA, { t: 'Bern', k: 3 }, ['k delta 3 replaced']],
  ['{"t": "X', SCHEMA, { t: 'Bern' }, ['t delta "Bern" replaced', `t done "Bern" ${REPAIR}`]],
  ['{"t": "Be', SCHEMA, null, []],
  ['{"t": "Be', SCHEMA, undefined, []],
  ['', SCHEMA, { t: 'a', k: null }, ['t delta "a"', 'k delta null', `t done "a" ${REPAIR}`, `k done null ${REPAIR}`]],
  ['No JSON here.', SCHEMA, { k: 1 }, ['k delta 1', `k done 1 ${REPAIR}`]],
  ['{"t": "Bern"}', SCHEMA, { t: 'Bern', k: 2 }, ['k delta 2', `k done 2 ${FINAL}`]],
  ['{"t": "Be"}', SCHEMA, { t: 'Bern' }, ['t delta "rn"']],
  ['{"t": "Bern"}', SCHEMA, { t: '' }, ['t delta "" replaced']],
  ['{"t": "Bern", "k": 2}', SCHEMA, {}, []],
  ['{"t": "Bern", "k": 2', SCHEMA, { t: 'Bern', k: 2 }, ['k delta 2', `k done 2 ${REPAIR}`]],
  ['{"t": "Bern", "k": tr', SCHEMA, { t: 'Bern', k: true }, ['k delta true', `k done true ${REPAIR}`]],
  ['{"t": "\\u00', SCHEMA, { t: 'é' }, ['t delta "é"', `t done "é" ${REPAIR}`]],
  ['{"t": "a\\ud83d', SCHEMA, { t: 'a😀' }, ['t delta "😀"', `t done "a😀" ${REPAIR}`]],
  ['{"t": "", "k": 1}', SCHEMA, { t: 'a', k: 1 }, ['t delta "a"']],
  ['{"l": ["a", "b', undefined, { l: ['a', 'bc', 'd'] }, ['l[1] delta "c"', 'l[2] delta "d"', `l[1] done "bc" ${REPAIR}`, `l[2] done "d" ${REPAIR}`, `l done ["a","bc","d"] ${REPAIR}`]],
  ['{"l": [1, 2]}', undefined, { l: [1] }, []],
  ['{"l": [1]}', undefined, { l: [1, { x: [] }] }, [`l[1].x done [] ${FINAL}`, `l[1] done {"x":[]} ${FINAL}`]],
  ['{"o": {"x": {"y": "a', undefined, { o: { x: { y: 'ab', z: 1 } } }, ['o.x.y delta "b"', 'o.x.z delta 1', `o.x.y done "ab" ${REPAIR}`, `o.x.z done 1 ${REPAIR}`, `o.x done {"y":"ab","z":1} ${REPAIR}`, `o done {"x":{"y":"ab","z":1}} ${REPAIR}`]],
  ['{"o": "text"}', undefined, { o: { x: 1 } }, ['o.x delta 1', `o.x done 1 ${FINAL}`]],
  ['{"o": {"x": 1}}', undefined, { o: 'text' }, ['o delta "text" replaced']],
  ['{"a": "one", "a": "tw', undefined, { a: 'two' }, ['a delta "two" replaced']],
  ['{"a": {"x": 1}, "a": {', undefined, { a: { x: 2, y: 3 } }, ['a.x delta 2', 'a.y delta 3', `a.y done 3 ${REPAIR}`]],
  ['[{"n": 1}, {"n": 2', [{ n: 'int' }], [{ n: 1 }, { n: 2 }], ['[1].n delta 2', `[1].n done 2 ${REPAIR}`, `[1] done {"n":2} ${REPAIR}`]],
  ['{"a.b": "x', undefined, JSON.parse('{"a.b": "xy", "__proto__": 1}'), ['["a.b"] delta "y"', '__proto__ delta 1', `["a.b"] done "xy" ${REPAIR}`, `__proto__ done 1 ${REPAIR}`]],
  ['Say "a', 'str', 'abc', [' delta "abc"', ` done "abc" ${REPAIR}`]],
  ['"a"', 'str', 'ab', [' delta "b"']],
  ['"a', 'str', 'ab', [' delta "b"', ` done "ab" ${REPAIR}`]],
]

describe('the document becomes a value', () => {
  for (const [text, schema, final, expected] of ROWS) {
    test(`${text} -> ${JSON.stringify(final)}`, () => {
      for (const [how, chunks] of everyCut(text, seed, { two: 30, pairs: 10 })) {
        for (const options of [{}, { snapshot: true }, { spans: true }]) {
          const parser = new StreamingJSONParser(schema, options)
          for (const chunk of chunks) parser.parseChunk(chunk)
          // Restored before, and after.
          const again = StreamingJSONParser.restore(copy(parser.snapshot()), { schema })
          const events = again.flushFinalData(final)
          assert.deepEqual(events.map(shown), expected, how)
          assert.deepEqual(parser.flushFinalData(final).map(shown), expected, how)
          if (final === null || final === undefined) continue
          assert.deepEqual(parser.data, final, how)
          for (const event of events) assert.deepEqual(event.fullData, final)
          const restored = StreamingJSONParser.restore(copy(parser.snapshot()), { schema })
          for (const each of [parser, restored]) {
            assert.deepEqual([each.flushFinalData(final), each.finalize(), each.data], [[], [], final], how)
            assert.throws(() => each.parseChunk(' '), { code: 'finished' })
          }
        }
      }
    })
  }

  test('after finalize nothing is done again', () => {
    const parser = new StreamingJSONParser(SCHEMA)
    parser.parseChunk('{"t": "Be')
    parser.finalize()
    assert.deepEqual(parser.flushFinalData({ t: 'Bern', k: 2 }).map(shown), ['t delta "rn"', 'k delta 2', `k done 2 ${REPAIR}`])
  })

  test('again, with other values: a path is done once', () => {
    const parser = new StreamingJSONParser(SCHEMA)
    parser.parseChunk('{"t": "Be')
    parser.flushFinalData({ t: 'Bern' })
    assert.deepEqual(parser.flushFinalData({ t: 'Bern', k: 1 }).map(shown), ['k delta 1', `k done 1 ${REPAIR}`])
    assert.deepEqual(parser.flushFinalData({ t: 'Bern' }).map(shown), [])
    assert.deepEqual(parser.flushFinalData({ t: 'Basel', k: 1 }).map(shown), ['t delta "Basel" replaced', 'k delta 1'])
    parser.reset()
    assert.deepEqual(parser.parseChunk('{"t": "a",').map(shown), ['t delta "a"'])
  })

  test('the source is the given one, and one of three', () => {
    const parser = new StreamingJSONParser(SCHEMA)
    assert.deepEqual(parser.flushFinalData({ k: 1 }, { completionSource: 'observed_boundary' }).map(shown), ['k delta 1', 'k done 1 observed_boundary'])
    assert.throws(() => parser.flushFinalData({}, { completionSource: 'guessed' }), /flushFinalData: completionSource must be "observed_boundary" or/)
    assert.throws(() => parser.flushFinalData({}, { source: REPAIR }), /flushFinalData has no option "source"/)
  })

  test('a value is copied, and may be deep', () => {
    const final = { t: 'a', l: [1] }
    const parser = new StreamingJSONParser()
    parser.flushFinalData(final)
    final.l.push(2)
    assert.deepEqual(parser.data, { t: 'a', l: [1] })
    let deep = 1
    for (let depth = 0; depth < 3_000; depth++) deep = [deep]
    assert.equal(new StreamingJSONParser().flushFinalData(deep).length, 3_001)
  })

  test("completion: 'order': what is not done yet is done", () => {
    const text = '{"t": "Be'
    for (const [how, chunks] of everyCut(text, seed)) {
      const parser = new StreamingJSONParser(SCHEMA, { completion: 'order' })
      const seen = chunks.flatMap((chunk) => parser.parseChunk(chunk))
      const final = StreamingJSONParser.restore(copy(parser.snapshot())).flushFinalData({ t: 'Bern', k: 2 })
      assert.deepEqual(parser.flushFinalData({ t: 'Bern', k: 2 }).map(shown), final.map(shown))
      assert.equal([...seen, ...final].map(({ path, delta }) => (path === 't' ? (delta ?? '') : '')).join(''), 'Bern', how)
      assert.deepEqual(final.filter(({ isComplete }) => isComplete).map(shown), [`t done "Bern" ${REPAIR}`, `k done 2 ${REPAIR}`], how)
      assert.deepEqual(parser.flushFinalData({ t: 'Bern', k: 2 }), [])
    }
  })

  test('random documents, cut off anywhere: deltas join to the value, and each path is done once', () => {
    fc.assert(fc.property(fc.record({ first: fc.jsonValue(), second: fc.jsonValue() }), fc.nat(), (given, at) => {
      const text = JSON.stringify(given)
      const document = JSON.parse(text)
      const parser = new StreamingJSONParser(undefined, { snapshot: true })
      const events = [...parser.parseChunk(text.slice(0, at % (text.length + 1))), ...parser.flushFinalData(document)]
      const values = new Map()
      const done = new Map()
      for (const { eventType, path, delta, replaced, value } of events) {
        if (eventType === 'done') {
          assert.ok(!done.has(path))
          done.set(path, value)
        } else if (eventType === 'delta') {
          assert.ok(!done.has(path) && replaced !== true)
          values.set(path, typeof delta === 'string' ? (values.get(path) ?? '') + delta : delta)
        }
      }
      for (const [path, value] of values) assert.deepEqual(done.get(path), value)
      assert.deepEqual([done.get('first'), done.get('second')], [document.first, document.second])
    }), { numRuns: 300 })
  })
})
