// What `writeCalls` writes is read back as it was, whatever markers of its own row a value has, wherever they stand;
// or it is refused by name.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formats, writeCalls } from 'tokenweir/formats'
import { ToolCallParser, parseReply } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { cutAt, pieces, random } from './support/cuts.mjs'

const seed = Number(process.env.SEED ?? 1 + Math.floor(Math.random() * 1e6))
const next = random(seed)

const text = { type: 'string' }
const tools = [
  { name: 'f', inputSchema: { type: 'object', properties: { a: text, b: text, c: text } } },
  { name: 'g', inputSchema: { type: 'object', properties: { a: text } } },
]

/** What may be taken for markup in a row: its markers, what it writes around values, and what is markup elsewhere. */
function markersOf(format) {
  const { section, call, params, reasoning, messages, elements, drop } = format
  const markers = [section, call, params, reasoning, messages].flatMap((marks) => [...(marks?.open ?? []), ...(marks?.close ?? [])])
  const written = writeCalls([{ toolName: 'f', input: { a: 'M1', b: 'M2' } }], { format })
  const parts = [...written.split(/M1|M2/), written]
  const tags = parts.flatMap((part) => part.match(/<[^>]*>/g) ?? [])
  const all = [...markers, ...parts, ...tags, elements?.prefix, call?.quote, ...(drop ?? []), '<![CDATA[', ']]>', '<![CDATA[x]]>', '&lt;', '<think>', '</think>', '"', '}']
  return [...new Set(all.filter((marker) => typeof marker === 'string').flatMap((marker) => [marker, marker.replace(/\bb\b/, 'zz')]).map((marker) => marker.replaceAll('{suffix}', '').trim()))].filter((marker) => marker !== '')
}

const forms = (marker) => [marker, `${marker} x`, `x ${marker} y`, `x ${marker}`, marker + marker, `x\n${marker}\ny`, `\n ${marker}\n`]

function read(format, chunks) {
  const parser = new ToolCallParser({ format, tools, prefill: '' })
  const parts = [...chunks.flatMap((chunk) => parser.text(chunk)), ...parser.finish()]
  return parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, JSON.parse(part.input)]] : []))
}

describe('a value with markers of its own row is read back as it was written', () => {
  for (const [id, row] of Object.entries(formats)) {
    if (row.write?.call === undefined && row.write?.item === undefined) continue
    test(id, () => {
      const format = withYaml(row)
      let at = 0
      for (const marker of markersOf(format))
        for (const value of forms(marker)) {
          const input = [{ a: value }, { a: value, b: 'z' }, { b: 'z', a: value }][at++ % 3]
          const about = `SEED=${seed} ${JSON.stringify(input)}`
          let written
          try {
            written = writeCalls([{ toolName: 'f', input }], { format })
          } catch (error) {
            // Without escapes its quotes end a string.
            assert.ok(error instanceof TypeError && value.includes(row.call.quote ?? '\0'), `${about}: ${error}`)
            continue
          }
          const expected = [['f', input]]
          const { toolCalls } = parseReply(written, { format, tools, prefill: '' })
          assert.deepEqual(toolCalls.map(({ toolName, input }) => [toolName, JSON.parse(input)]), expected, about)
          const places = Array.from({ length: 3 }, () => next(written.length + 1)).sort((a, b) => a - b)
          const chunks = at % 4 === 0 ? pieces(written, 1) : cutAt(written, places)
          assert.deepEqual(read(format, chunks), expected, `${about} in ${JSON.stringify(chunks)}`)
        }
    })
  }
})

test('what is nested deeper than readers take it is refused by name', () => {
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  let nested = 1
  for (let level = 0; level < 20_000; level++) nested = [nested]
  for (const input of [deep, { a: nested }])
    assert.throws(() => writeCalls([{ toolName: 'f', input }], { format: 'hermes' }), { name: 'TypeError', message: /calls\[0\] of "f": input is nested more than 512 levels deep/ })
})
