// Fields are saved at every place between two code units, and restored in another process.
import { env } from 'node:process'
import { after, describe, test } from 'node:test'
import { fieldCaseFiles, setupOf } from './support/field-cases.mjs'
import { judge, random } from './support/snapshot-judge.mjs'
import { Pool } from './support/snapshot-pool.mjs'

const seed = Number(env.SEED ?? Date.now() % 1_000_000)
console.log(`SEED=${seed}`)
const next = random(seed)
const pool = new Pool()
after(() => pool.end())

for (const [file, cases] of fieldCaseFiles()) {
  describe(file, () => {
    for (const [index, each] of cases.entries()) {
      test(each.name, async () => {
        const { schema, options } = setupOf(each)
        const ways = [{ schema, options: { ...options, spans: true } }, { schema, options: { ...options, completion: 'order' } }, { schema, options: { ...options, snapshot: true } }]
        for (const [at, way] of ways.entries()) await judge(pool, 'StreamingJSONParser', way, each.input, next, `${each.name}, ${Object.keys(way.options).at(-1)}`, at === 0 ? 150 : 30)
        // Streams are slower to feed.
        if (index % 8 === 0) await judge(pool, 'FieldStream', { schema, options }, each.input, next, each.name, 20)
      })
    }
  })
}

test('keys that the schema forbids, and numbers beyond 2^53', async () => {
  const closed = (properties) => ({ type: 'object', properties, additionalProperties: false })
  const schema = closed({ a: { type: 'array', items: closed({ b: { type: 'number' } }) }, c: closed({ d: { type: 'string' } }) })
  const text = '{"x": {"y": [1]}, "a": [{"b": 1, "z": "no"}, {"q": {}, "b": 12345678901234567890}], "c": {"e": [[]], "d": "yes", "d": "again"}}'
  for (const options of [{ spans: true }, { bigNumbers: 'string' }, { strict: true }]) await judge(pool, 'StreamingJSONParser', { schema, options }, text, next, 'forbidden')
})
