// Parsers of tool calls and of native events are saved and restored, at every place of all cases.
import { readFileSync, readdirSync } from 'node:fs'
import { env } from 'node:process'
import { describe, test } from 'node:test'
import { formats } from 'tokenweir/formats'
import { thinned } from './support/cuts.mjs'
import { recordedStreams } from './support/real-streams.mjs'
import { judge, judgeChunks, random } from './support/snapshot-judge.mjs'
import { caseOf, toolCaseFiles } from './support/tool-cases.mjs'

const seed = Number(env.SEED ?? Date.now() % 1_000_000)
console.log(`SEED=${seed}`)
const next = random(seed)

const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'array', items: { type: 'string' } } } } }]

describe('restored at every place, a parser goes on as if nothing had been', () => {
  for (const [file, all] of toolCaseFiles())
    test(`tool calls: ${file}`, async () => {
      for (const [index, raw] of all.entries()) {
        const { arg, input } = caseOf(raw)
        await judge('ToolCallParser', arg, input, seed, raw.name)
        if (index % 8 === 0) await judge('toolCallStream', arg, input, seed, raw.name, thinned(30))
      }
    })

  const folder = new URL('../formats/cases/', import.meta.url)
  for (const file of readdirSync(folder).sort())
    test(`formats: ${file}`, async () => {
      const cases = readFileSync(new URL(file, folder), 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))
      for (const { name, format, text, tools, prefill } of cases) {
        const source = { format, tools: tools?.map(({ name, parameters }) => ({ name, inputSchema: parameters })), prefill: prefill ?? undefined }
        if (formats[format] !== undefined) await judge('ToolCallParser', source, text, seed, `${format} | ${name}`, thinned(20))
      }
    })

  for (const { name, provider, events } of recordedStreams())
    test(`native events: ${provider}, ${name}`, async () => {
      const chunks = events.slice(0, 120).map((event) => JSON.stringify(event))
      const isPlace = () => next() * chunks.length < 12
      for (const options of [{}, { tags: true, stopSequences: ['\n\n', ' the '], stopIn: 'anywhere' }]) await judgeChunks('NativeBlocks', options, chunks, isPlace, name)
    })

  test('parts of texts that are open at the same time', async () => {
    const delta = (id, delta) => ({ type: 'text-delta', id, delta })
    const parts = [
      { type: 'text-start', id: 'a' }, delta('a', 'Hi <tool_'), { type: 'text-start', id: 'b' }, delta('b', 'x <'), delta('b', 'y'), delta('a', 'call>{"name": "add", "argu'), delta('a', 'ments": {"a": "1'),
      { type: 'reasoning-start', id: 'r' }, { type: 'reasoning-end', id: 'r' }, delta('a', '"}}</tool_call>'), { type: 'text-end', id: 'a' }, { type: 'text-end', id: 'b' },
    ]
    for (const format of ['hermes', 'qwen3-coder']) await judgeChunks('ToolCallParts', { format, tools }, parts.map((part) => JSON.stringify(part)), () => true, 'parts')
  })
})
