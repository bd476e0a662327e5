// Compares what an engine reads with cases of model output: prints a table by
// format, and the reason of each listed difference (differences.json). Fails if a
// difference isn't listed, or a listed case is read as expected now.
//
//     node tests/formats/check.mjs [file or folder of cases] [--engine package|naive] [--format id] [--verbose]
//
// `package` is the built package; `naive` is the tests' own reader of whole texts.
//
// A case is a line of JSON: { format, name, text, tools?, content, reasoning,
// calls, prefill?, reasoningFormat?, note? }. Content and reasoning are compared
// with white space collapsed; null isn't compared.
//
// A reason says why this reading is right and the case's isn't. One that begins
// with `not implemented` admits that it is not: `right` in the table leaves it out.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { readReply } from '../pkg/support/format-naive.mjs'
import { loadRows } from './rows.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', default: 'package' }, format: { type: 'string' }, verbose: { type: 'boolean', default: false } },
})

const path = positionals[0] ?? new URL('cases', import.meta.url).pathname
const listed = JSON.parse(readFileSync(new URL('differences.json', import.meta.url), 'utf8'))
const rows = loadRows()

/** The formats of calls that a reply in a format of reasoning may hold. */
const CALLS_BESIDE = { qwen3: 'qwen3-coder', minicpmv: 'qwen3-coder', 'mistral-THINK': 'mistral-v13', 'apriel-1.5': 'apriel', 'apriel-1.6': 'apriel', 'granite-thinking': 'granite4' }

function readCases(file) {
  if (statSync(file).isDirectory()) return readdirSync(file).filter((name) => name.endsWith('.jsonl')).sort().flatMap((name) => readCases(`${file}/${name}`))
  return readFileSync(file, 'utf8').split('\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line)).filter((each) => each.format !== undefined)
}

/** The row of a case, with the calls of the model's other format; undefined if there is none. */
function rowOf({ format, reasoningFormat, calls }) {
  const row = rows.get(reasoningFormat ?? format)
  if (row === undefined || row.call !== undefined || calls.length === 0) return row
  const beside = rows.get(CALLS_BESIDE[reasoningFormat])
  return beside === undefined ? row : { ...beside, ...row, isComposed: true }
}

/** What an engine reads: `{ text, reasoning, calls: [{ name, arguments, id? }] }`. */
const ENGINES = {
  naive: async () => (row, { text, tools, prefill }) => readReply(text, { row, rows: [row], tools, prefill }),
  package: async () => {
    const [{ parseReply }, { defineFormat, formats }, { withYaml }] = await Promise.all([import('tokenweir/tool-calls'), import('tokenweir/formats'), import('tokenweir/ai-sdk-tool-parser')])
    return ({ isComposed, ...row }, { text, tools, prefill }) => {
      // What no model writes is known by its id alone.
      const format = isComposed ? withYaml(defineFormat(row)) : formats[row.id] === undefined ? row.id : withYaml(formats[row.id])
      const { text: content, reasoning, toolCalls } = parseReply(text, { format, tools: tools?.map(({ name, parameters }) => ({ name, inputSchema: parameters })), prefill })
      return { text: content, reasoning, calls: toolCalls.map(({ toolCallId, toolName, args }) => ({ name: toolName, arguments: args, id: toolCallId })) }
    }
  },
}

const collapsed = (text) => text.trim().replace(/\s+/g, ' ')

/** Ids are compared where the case has them. */
const comparable = (calls, ids) => calls.map((call) => ({ name: call.name, arguments: JSON.parse(JSON.stringify(call.arguments)), ...(ids ? { id: call.id } : {}) }))

/** Whether the source drops or trims text after calls: then calls alone are compared. */
const dropsText = ({ note, calls }) => calls.length > 0 && /text after.*(dropped|drops)|drops text after|text after.*ignore|content not asserted|second call/.test(note ?? '')

function compare(found, expected) {
  const ids = expected.calls.length > 0 && expected.calls.every(({ id }) => id !== undefined)
  const same = (mine, theirs) => theirs === null || theirs === undefined || collapsed(mine) === collapsed(theirs)
  return {
    calls: isDeepStrictEqual(comparable(found.calls, ids), comparable(expected.calls, ids)),
    text: same(found.text, dropsText(expected) ? null : expected.content),
    reasoning: same(found.reasoning, expected.reasoning),
  }
}

const NOT_IMPLEMENTED = 'not implemented'
const COLUMNS = ['cases', 'calls', 'text', 'reasoning', 'all', 'right']

const read = await ENGINES[options.engine]()
const table = new Map()
const differences = []
const stale = []
let callsRight = 0
for (const each of readCases(path)) {
  if (options.format !== undefined && each.format !== options.format) continue
  const counts = table.get(each.format) ?? Object.fromEntries(COLUMNS.map((name) => [name, 0]))
  table.set(each.format, counts)
  counts.cases += 1
  const row = rowOf(each)
  const prefill = each.prefill === 'open' ? row?.reasoning?.open[0].replace('{suffix}', '') : each.prefill
  const found = row === undefined ? undefined : read(row, { text: each.text, tools: each.tools, prefill })
  const equal = row === undefined ? { calls: false, text: false, reasoning: false } : compare(found, each)
  const isSame = equal.calls && equal.text && equal.reasoning
  const reason = listed[each.format]?.[each.name]
  for (const key of ['calls', 'text', 'reasoning']) counts[key] += equal[key] ? 1 : 0
  counts.all += isSame ? 1 : 0
  const isReasoned = reason !== undefined && !reason.startsWith(NOT_IMPLEMENTED)
  counts.right += isSame || isReasoned ? 1 : 0
  callsRight += equal.calls || isReasoned ? 1 : 0
  if (!isSame) differences.push({ each, found, equal, reason })
  else if (reason !== undefined) stale.push(each)
}

const line = (name, counts) => console.log(name.padEnd(28) + COLUMNS.map((column) => String(counts[column]).padStart(10)).join(''))
console.log('format'.padEnd(28) + COLUMNS.map((name) => name.padStart(10)).join(''))
const rowsOfTable = [...table].sort(([a], [b]) => (a < b ? -1 : 1))
for (const [format, counts] of rowsOfTable) line(format, counts)
const sum = Object.fromEntries(COLUMNS.map((name) => [name, rowsOfTable.reduce((all, [, counts]) => all + counts[name], 0)]))
line('all', sum)
console.log(`calls ${percent(sum.calls)}, text ${percent(sum.text)}, reasoning ${percent(sum.reasoning)}, all ${percent(sum.all)}; with the listed reasons calls ${percent(callsRight)}, all ${percent(sum.right)}`)

function percent(count) {
  return `${((100 * count) / sum.cases).toFixed(1)} %`
}

const short = (text, length = 600) => (text.length > length ? `${text.slice(0, length)}…` : text)
const differing = (equal) => Object.keys(equal).filter((key) => !equal[key]).join(', ')
for (const { each, equal, reason } of differences.filter(({ reason: given }) => given !== undefined)) console.log(`listed    ${each.format} | ${short(each.name, 90)} (${differing(equal)}): ${reason}`)
for (const { format, name } of stale) console.log(`EQUAL NOW ${format} | ${name}: take it out of differences.json`)
const unlisted = differences.filter(({ reason }) => reason === undefined)
for (const { each, found, equal } of unlisted) {
  console.log(`DIFFERENT ${each.format} | ${short(each.name, 90)} (${differing(equal)})`)
  if (!options.verbose) continue
  console.log(`  text      ${short(JSON.stringify(each.text))}\n  prefill   ${JSON.stringify(each.prefill)}   note ${short(each.note ?? '', 200)}`)
  for (const [key, mine, theirs] of [['calls', found?.calls, each.calls], ['text', found?.text, each.content], ['reasoning', found?.reasoning, each.reasoning]]) {
    if (!equal[key]) console.log(`  ${key.padEnd(9)} read      ${short(String(JSON.stringify(mine)))}\n            expected  ${short(String(JSON.stringify(theirs)))}`)
  }
}
if (sum.cases === 0) throw new Error(`${path}: no cases`)
if (unlisted.length > 0 || (stale.length > 0 && options.engine === 'package')) process.exitCode = 1
