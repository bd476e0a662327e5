// Blocks are saved at every place between two code units, and restored in another process.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { env } from 'node:process'
import { caseFiles, optionsOf } from './support/cases.mjs'
import { judge } from './support/snapshot-judge.mjs'
import { AT_ONCE, Pool } from './support/snapshot-pool.mjs'

const seed = Number(env.SEED ?? Date.now() % 1_000_000)
console.log(`SEED=${seed}`)
const pool = new Pool()
after(() => pool.end())

/** Streams are slower to feed: some cases of each file. */
const STREAMED = 4

for (const [file, cases] of caseFiles()) {
  describe(file, AT_ONCE, () => {
    for (const [index, each] of cases.entries()) {
      const options = optionsOf(each)
      test(each.name, async () => {
        if (each.face === 'elements') return judge(pool, 'IncrementalXmlParser', {}, each.input, seed, each.name)
        await judge(pool, 'BlockParser', options, each.input, seed, each.name)
        await judge(pool, 'BlockParser', { ...options, spans: true }, each.input, seed, `${each.name} with spans`)
        if (index % STREAMED === 0) await judge(pool, 'BlockStream', { ...options, spans: true }, each.input, seed, each.name)
        if (index % STREAMED === 1) await judge(pool, 'VisibleTextStream', options, each.input, seed, each.name)
      })
    }
  })
}
