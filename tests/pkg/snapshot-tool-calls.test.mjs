// Tool calls are saved at every place between two code units, and restored in another process.
import { readFileSync, readdirSync } from 'node:fs'
import { env } from 'node:process'
import { after, describe, test } from 'node:test'
import { formats } from 'tokenweir/formats'
import { judge } from './support/snapshot-judge.mjs'
import { AT_ONCE, Pool } from './support/snapshot-pool.mjs'
import { caseOf, toolCaseFiles } from './support/tool-cases.mjs'

const seed = Number(env.SEED ?? Date.now() % 1_000_000)
console.log(`SEED=${seed}`)
const pool = new Pool()
after(() => pool.end())

const folder = new URL('../formats/cases/', import.meta.url)
const cases = readdirSync(folder).sort().flatMap((file) => readFileSync(new URL(file, folder), 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line)))

/** Streams are slower to feed: one case of so many. */
const STREAMED = 8

for (const [file, all] of toolCaseFiles()) {
  describe(file, AT_ONCE, () => {
    for (const [index, raw] of all.entries()) {
      test(raw.name, async () => {
        const each = caseOf(raw)
        const source = each.arg
        await judge(pool, 'ToolCallParser', source, each.input, seed, each.name)
        if (index % STREAMED === 0) await judge(pool, 'toolCallStream', source, each.input, seed, each.name, 30)
      })
    }
  })
}

describe('formats', AT_ONCE, () => {
  const byFormat = Map.groupBy?.(cases, ({ format }) => format) ?? new Map([...new Set(cases.map(({ format }) => format))].map((format) => [format, cases.filter((each) => each.format === format)]))
  for (const [format, all] of byFormat) {
    if (formats[format] === undefined) continue
    test(format, async () => {
      for (const { name, text, tools, prefill } of all) {
        const source = { format, tools: tools?.map(({ name, parameters }) => ({ name, inputSchema: parameters })), prefill: prefill ?? undefined }
        await judge(pool, 'ToolCallParser', source, text, seed, `${format} | ${name}`)
      }
    })
  }
})
