// Fields are saved at every place between two code units, and restored in another process.
import assert from 'node:assert/strict'
import { env } from 'node:process'
import { after, describe, test } from 'node:test'
import { FieldStream, StreamingJSONParser } from 'tokenweir/fields'
import 'tokenweir/snapshot'
import { fieldCaseFiles, setupOf } from './support/field-cases.mjs'
import { judge } from './support/snapshot-judge.mjs'
import { AT_ONCE, Pool } from './support/snapshot-pool.mjs'

const seed = Number(env.SEED ?? Date.now() % 1_000_000)
console.log(`SEED=${seed}`)
const pool = new Pool()
after(() => pool.end())

for (const [file, cases] of fieldCaseFiles()) {
  describe(file, AT_ONCE, () => {
    for (const [index, each] of cases.entries()) {
      test(each.name, async () => {
        const { schema, options } = setupOf(each)
        const ways = [{ schema, options: { ...options, spans: true } }, { schema, options: { ...options, completion: 'order' } }, { schema, options: { ...options, snapshot: true } }]
        for (const way of ways) await judge(pool, 'StreamingJSONParser', way, each.input, seed, `${each.name}, ${Object.keys(way.options).at(-1)}`)
        // Streams are slower to feed.
        if (index % 8 === 0) await judge(pool, 'FieldStream', { schema, options }, each.input, seed, each.name, 20)
      })
    }
  })
}

describe('keepText: false: the same events, whose values and documents begin at the restore', () => {
  const copy = (snapshot) => JSON.parse(JSON.stringify(snapshot))
  /** What is the same. A value that began before is what came since, and the event says so. */
  const known = ({ value, fullData, partial, partialData, ...rest }, isPartial, isPartialData) => ({ ...rest, value: isPartial ? undefined : value, fullData: isPartialData ? undefined : fullData })
  const textOf = (event) => JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  /** Every place of a short text, and some of a long one. */
  const chunksOf = (text) => text.match(text.length <= 100 ? /[^]/g : new RegExp(`[^]{1,${Math.ceil(text.length / 40)}}`, 'g')) ?? []

  // Keys that come twice are compared with the first value: see below.
  for (const [file, cases] of fieldCaseFiles().filter(([file]) => file !== 'duplicates.toml')) {
    test(file, () => {
      for (const [index, each] of cases.entries()) {
        const { schema, options } = setupOf(each)
        const chunks = chunksOf(each.input)
        // With `order` the document stays: some cases are enough.
        for (const more of [{ spans: true, snapshot: true }, ...(index % 8 === 0 ? [{ completion: 'order', snapshot: true }] : [])]) {
          const whole = new StreamingJSONParser(schema, { ...options, ...more })
          const expected = []
          const takes = []
          for (let place = 0; place <= chunks.length; place++) {
            if (place > 0) expected.push(...whole.parseChunk(chunks[place - 1]))
            takes.push([place, expected.length, copy(whole.snapshot({ keepText: false }))])
          }
          expected.push(...whole.finalize())
          for (const [place, from, snapshot] of takes) {
            let after = StreamingJSONParser.restore(snapshot)
            const half = place + ((chunks.length - place) >> 1)
            const events = chunks.slice(place, half).flatMap((chunk) => after.parseChunk(chunk))
            after = StreamingJSONParser.restore(copy(after.snapshot({ keepText: false })))
            events.push(...chunks.slice(half).flatMap((chunk) => after.parseChunk(chunk)), ...after.finalize())
            const what = `${each.name}, at ${place} of ${JSON.stringify(chunks)}`
            assert.equal(events.length, expected.length - from, what)
            for (const [at, event] of events.entries()) {
              const [given, wanted] = [event, expected[from + at]].map((each) => known(each, event.partial, event.partialData))
              if (textOf(given) !== textOf(wanted)) assert.deepEqual(given, wanted, what)
            }
            assert.deepEqual(after.report, whole.report, what)
          }
        }
      }
    })
  }

  test('a string, an array and an object that were open', () => {
    const before = new StreamingJSONParser(null, { multiple: true })
    before.parseChunk('{"z": 0} {"a": "missing", "b": [{"x": 1}, {"y": "some ')
    const snapshot = before.snapshot({ keepText: false })
    assert.equal(snapshot.keepText, false)
    assert.ok(!JSON.stringify(snapshot).includes('some ') && !JSON.stringify(snapshot).includes('missing'))
    assert.deepEqual(before.data, { a: 'missing', b: [{ x: 1 }, { y: 'some ' }] }, 'nothing has changed in the parser')
    const after = StreamingJSONParser.restore(copy(snapshot))
    const events = after.parseChunk('text", "v": 1}, 2], "c": 3} {"d": 4}')
    const marks = events.filter(({ eventType }) => eventType === 'done').map(({ path, value, documentIndex, partial = false, partialData = false }) => [path, JSON.stringify(value), documentIndex, partial, partialData])
    assert.deepEqual(marks, [
      ['b[1].y', '"text"', 1, true, true],
      ['b[1].v', '1', 1, false, true],
      ['b[1]', '{"y":"text","v":1}', 1, true, true],
      ['b[2]', '2', 1, false, true],
      ['b', '[null,{"y":"text","v":1},2]', 1, true, true],
      ['c', '3', 1, false, true],
      ['d', '4', 2, false, false],
    ])
    assert.deepEqual(Object.keys(after.documents[0].b), ['1', '2'], 'the first element is missing, and not null')
    assert.equal(after.report.documents, 3)
    const again = StreamingJSONParser.restore(copy(after.snapshot()))
    assert.deepEqual(again.documents, after.documents)
  })

  test('a key that comes twice: it is done once, also if the first value was left out', () => {
    const before = new StreamingJSONParser()
    before.parseChunk('{"a": 1, "b": {"c": 2}, ')
    const after = StreamingJSONParser.restore(copy(before.snapshot({ keepText: false })))
    const events = after.parseChunk('"a": 1, "b": 3, "d": 4}')
    assert.deepEqual(events.map(({ eventType, path, value, replaced = false }) => [eventType, path, value, replaced]), [
      ['delta', 'a', 1, true],
      ['delta', 'b', 3, true],
      ['delta', 'd', 4, false],
      ['done', 'd', 4, false],
    ])
  })

  test('unknown options, and a stream', () => {
    assert.throws(() => new StreamingJSONParser().snapshot({ keep: false }), /StreamingJSONParser\.snapshot has no option "keep"/)
    assert.throws(() => new StreamingJSONParser().snapshot({ keepText: 1 }), /StreamingJSONParser\.snapshot: keepText/)
    assert.throws(() => new FieldStream().snapshot({ keep: false }), /FieldStream\.snapshot has no option "keep"/)
    const snapshot = new FieldStream().snapshot({ keepText: false })
    assert.equal(snapshot.keepText, false)
    assert.throws(() => FieldStream.restore(snapshot, { keepText: true }), /keepText is boolean true, but the snapshot has undefined/)
    assert.throws(() => FieldStream.restore(snapshot, { pathStyle: 'slash' }), /pathStyle is string "slash", but the snapshot has undefined/)
  })
})

test('keys that the schema forbids, and numbers beyond 2^53', async () => {
  const closed = (properties) => ({ type: 'object', properties, additionalProperties: false })
  const schema = closed({ a: { type: 'array', items: closed({ b: { type: 'number' } }) }, c: closed({ d: { type: 'string' } }) })
  const text = '{"x": {"y": [1]}, "a": [{"b": 1, "z": "no"}, {"q": {}, "b": 12345678901234567890}], "c": {"e": [[]], "d": "yes", "d": "again"}}'
  for (const options of [{ spans: true }, { bigNumbers: 'string' }, { strict: true }]) await judge(pool, 'StreamingJSONParser', { schema, options }, text, seed, 'forbidden')
})
