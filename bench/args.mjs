/**
 * Speed of the reader of a call's arguments, as ratios: same input, same process, rounds interleaved, medians
 * (measure.mjs).
 *
 *     npm run build && node bench/args.mjs [--quick] [--only 10k,4] [--json file] [--md]
 *
 * One argument is a file, as a tool that writes it has it; or there is a list of edits. Each contestant gives the
 * arguments so far after each chunk, and the whole ones at the end, which are compared before anything is timed. What
 * parses the whole prefix again is left out where one run takes longer than ten seconds.
 */

import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { parsePartialJson, readUIMessageStream } from 'ai-v7'
import { parse as parseRiver } from 'jsonriver'
import { parse as parsePartial } from 'partial-json'
import { loadPackage } from './contestants.mjs'
import { cut } from './corpus.mjs'
import { document } from './documents.mjs'
import { against, fail, finish, growing, GROWTH, interleave, machine, median, printerFor, ratio, readOnly, readOptions, time } from './measure.mjs'

const LENGTHS = { '10k': 10 * 1024, '100k': 100 * 1024 }
const SIZES = [4, 16]

const args = readOptions(`node bench/args.mjs [options]
  --quick        fewer rounds
  --only a,b     one length (${Object.keys(LENGTHS).join(', ')}), one chunk size (${SIZES.join(', ')}), or both; or growth
  --json file    write all figures
  --md           print Markdown tables
Environment:
  ASSISTANT_STREAM   the file dist/utils.js of an installed assistant-stream, to measure that too`)
const { heading, printTable } = printerFor(args)
const asked = readOnly(args, { length: Object.keys(LENGTHS), size: SIZES, part: ['growth'] })

const ROUNDS = args.quick ? 7 : 15
const BUDGET = args.quick ? 800 : 4000
const PATIENCE = 10_000

const { ArgumentsReader, parseStreaming } = await loadPackage('args')

/** How many times as long as tokenweir a contestant takes at least, by length and chunk size. */
const TARGETS = {
  jsonriver: (length, size) => (length === '100k' ? { 4: 3, 16: 2 }[size] : undefined),
  'partial-json': (length, size) => (length === '10k' ? { 4: 80, 16: 25 }[size] : undefined),
  readUIMessageStream: (length) => (length === '10k' ? 200 : undefined),
}

const CONTESTANTS = {
  tokenweir(chunks) {
    const call = new ArgumentsReader()
    for (const chunk of chunks) call.write(chunk)
    call.end('stop')
    return call.partial()
  },
  'tokenweir partial'(chunks) {
    const call = new ArgumentsReader()
    let value
    for (const chunk of chunks) {
      call.write(chunk)
      value = call.partial()
    }
    return value
  },
  parseStreaming: again(parseStreaming),
  async jsonriver(chunks) {
    let value
    for await (value of parseRiver(sourceOf(chunks)));
    return value
  },
  'partial-json': again((text) => parsePartial(text)),
  async parsePartialJson(chunks) {
    let text = ''
    let value
    for (const chunk of chunks) value = (await parsePartialJson((text += chunk))).value ?? value
    return value
  },
  async readUIMessageStream(chunks) {
    const parts = [
      { type: 'start' },
      { type: 'tool-input-start', toolCallId: '1', toolName: 'write' },
      ...chunks.map((chunk) => ({ type: 'tool-input-delta', toolCallId: '1', inputTextDelta: chunk })),
    ]
    let message
    for await (message of readUIMessageStream({ stream: new ReadableStream(sourceFrom(parts)) }));
    return message.parts.at(-1).input
  },
  ...(process.env.ASSISTANT_STREAM && { 'assistant-stream': again((await import(pathToFileURL(process.env.ASSISTANT_STREAM))).parsePartialJsonObject) }),
}

/** Parses the whole prefix at each chunk. */
function again(parse) {
  return (chunks) => {
    let text = ''
    let value
    for (const chunk of chunks) {
      text += chunk
      value = text.trim() === '' ? undefined : parse(text)
    }
    return value
  }
}

async function* sourceOf(chunks) {
  yield* chunks
}

function sourceFrom(parts) {
  let at = 0
  return { pull: (controller) => (at < parts.length ? controller.enqueue(parts[at++]) : controller.close()) }
}

/** One argument that is a file of so many units, or a list of edits. */
function textOf(length, isList) {
  const source = document(length)
  if (!isList) return JSON.stringify({ path: 'src/a.txt', content: source, overwrite: true })
  const edits = []
  for (let at = 0; at < source.length; at += 200) edits.push({ line: at, old: source.slice(at, at + 90), new: source.slice(at + 90, at + 200) })
  return JSON.stringify({ path: 'src/a.txt', edits })
}

/** Fails if a contestant gives other arguments; says how long a run of a whole text may take, in milliseconds. */
async function judge(name, isList, size, units) {
  const text = textOf(2_000, isList)
  const chunks = cut(text, size)
  const start = performance.now()
  const value = await CONTESTANTS[name](chunks)
  const took = performance.now() - start
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(value)), JSON.parse(text))) fail(`${name} gives other arguments`)
  return took * (units / text.length) ** 2
}

async function measureCell(isList, length, size) {
  const units = LENGTHS[length]
  const chunks = cut(textOf(units, isList), size)
  const names = []
  for (const name of Object.keys(CONTESTANTS)) if ((await judge(name, isList, size, units)) < PATIENCE || OURS.includes(name)) names.push(name)
  const times = await interleave(names.map((name) => () => CONTESTANTS[name](chunks)), { quick: args.quick, rounds: ROUNDS, budget: BUDGET })
  const results = names.map((name, at) => {
    const least = OURS.includes(name) || isList ? undefined : TARGETS[name]?.(length, size)
    const value = ratio(times[at], times[0])
    const mark = { name, milliseconds: median(times[at]), perChunk: (median(times[at]) * 1e6) / chunks.length, value, least, ok: least === undefined || value >= least }
    marks.push(mark)
    return mark
  })
  return { document: isList ? 'edits' : 'file', length, size, chunks: chunks.length, results }
}

const OURS = ['tokenweir', 'tokenweir partial', 'parseStreaming', 'jsonriver']

const report = { machine: machine(), cells: [], growth: [] }
const marks = []
for (const isList of [false, true])
  for (const length of Object.keys(LENGTHS)) {
    const cells = []
    for (const size of SIZES) if (asked({ length, size })) cells.push(await measureCell(isList, length, size))
    if (cells.length === 0) continue
    report.cells.push(...cells)
    heading(`${isList ? 'A list of edits' : 'A file as one argument'}, ${length}; times as long as tokenweir (milliseconds)`)
    const cellOf = (cell, name) => {
      const mark = cell.results.find((each) => each.name === name)
      return mark === undefined ? 'more than 10 s' : `${against(mark)} (${mark.milliseconds.toFixed(mark.milliseconds < 10 ? 2 : 0)})`
    }
    printTable(['', ...cells.map(({ size }) => `chunks of ${size}`)], Object.keys(CONTESTANTS).map((name) => [name, ...cells.map((cell) => cellOf(cell, name))]))
  }

if (asked({ part: 'growth' })) {
  const lengths = [100_000, 400_000, 1_600_000, 4_000_000]
  const runs = lengths.map((length) => cut(textOf(length, false), 16))
  for (const name of ['tokenweir', 'tokenweir partial']) {
    const times = await interleave(runs.map((chunks) => () => CONTESTANTS[name](chunks)), { quick: args.quick, rounds: ROUNDS })
    const perUnit = times.map((each, at) => (median(each) * 1e6) / lengths[at])
    for (const [at, length] of lengths.entries()) {
      const mark = { name, length, growth: perUnit[at] / perUnit[0], most: length === 1_600_000 ? GROWTH : undefined, ok: perUnit[at] <= GROWTH * perUnit[0] }
      marks.push(mark)
      report.growth.push({ ...mark, nanoseconds: perUnit[at] })
    }
  }
  heading('Nanoseconds a character of a file in chunks of 16, and growth from 100 KB')
  printTable(['', ...lengths.map((length) => `${length / 1000} KB`)], ['tokenweir', 'tokenweir partial'].map((name) => [name, ...report.growth.filter((each) => each.name === name).map((mark) => `${time(mark.nanoseconds)} ${mark.most === undefined ? `x${mark.growth.toFixed(2)}` : growing(mark)}`)]))
}

finish(args, report, marks)
