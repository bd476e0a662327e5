/**
 * Speed of the segment parser: same process, rounds interleaved, medians (measure.mjs).
 *
 *     npm run build && node bench/segments.mjs [--quick] [--only write-file,4] [--json file] [--md]
 *
 * Each text (segment-texts.mjs) comes in chunks. Before the measurement, each contestant must emit the right
 * segments, with the right metadata and contents, call the right tools with the right arguments, and report the right
 * errors. A missed target is printed, but doesn't change the exit code: 1 means that a contestant's output is wrong.
 *
 * The parts: the cost of a chunk, compared with a plain JavaScript parser; the time per character from 10 KB to
 * 4 MB; a file of 1 MB, compared with the 4 s measured once for AutoByteus' TypeScript port (it is in no registry,
 * so this is a stated figure); and AutoByteus in Python, if AUTOBYTEUS_PYTHON names a Python with it
 * (autobyteus.py). The reference gets some texts wrong; the table says so next to its time.
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { loadPackage } from './contestants.mjs'
import { cut } from './corpus.mjs'
import { against, fail, finish, FLOORS, floorsFor, growing, interleave, machine, median, printerFor, ratio, readOnly, readOptions, time } from './measure.mjs'
import { inputOf, ours, straightforward } from './segment-contestants.mjs'
import { TEXTS } from './segment-texts.mjs'

const KB = 1024
const SIZES = [4, 16]
const PARTS = ['peers', 'growth', 'typescript', 'autobyteus']

const args = readOptions(
  `node bench/segments.mjs [options]
  --quick        1 MB instead of 4 MB, fewer rounds, and no file of 1 MB for the reference
  --only a,b     one text (${Object.keys(TEXTS).join(', ')}),
                 one chunk size (${SIZES.join(', ')}), one part (${PARTS.join(', ')}), or several of these; may be repeated
  --peers        without tokenweir, which need not be built then
  --json file    write all figures
  --md           print Markdown tables
Environment:
  AUTOBYTEUS_PYTHON   a Python that has autobyteus, to measure that too: it takes about a minute for a file of 1 MB`,
  { peers: { type: 'boolean', default: false } },
)
const { heading, printTable } = printerFor(args)
const asked = readOnly(args, { text: Object.keys(TEXTS), size: SIZES, part: PARTS })
const named = (name) => (args.md ? TEXTS[name].label : name)

const ROUNDS = args.quick ? 9 : 21
/** The length of the bodies in the comparison. */
const LENGTH = 100 * KB
const LENGTHS = { '10k': 10 * KB, '100k': 100 * KB, '1m': KB * KB, '4m': 4 * KB * KB }
/** The maximum growth of the time per character from 10 KB to 4 MB. */
const GROWTH = 1.3
/** The time of AutoByteus' TypeScript port (df67fc4) for a file of 1 MB in chunks of 4: measured once, on two cores, including the start of Node. */
const TYPESCRIPT = 4000
const TYPESCRIPT_LEAST = 20
/** The maximum run of the reference, in milliseconds. */
const PATIENCE = 180_000

// The correctness check.

/** The expected segments of a stream. */
function listen() {
  const segments = []
  const open = new Map()
  const heard = { segments, invocations: [], errors: [], fault: undefined }
  heard.call = (invocation) => heard.invocations.push([invocation.name, invocation.arguments])
  heard.blame = (error) => heard.errors.push(error.code)
  heard.take = (event) => {
    const id = event.segment_id
    if (event.type === 'SEGMENT_START') {
      if (open.has(id)) heard.fault ??= `${id} begins twice`
      const segment = [event.segment_type, event.payload.metadata ?? {}, '']
      segments.push(segment)
      open.set(id, segment)
    } else if (event.type === 'SEGMENT_CONTENT') {
      if (open.get(id) === undefined) heard.fault ??= `${id} has content, and isn't open`
      else if (event.payload.delta === '') heard.fault ??= `${id} has an empty delta`
      else open.get(id)[2] += event.payload.delta
    } else if (event.type === 'SEGMENT_END') {
      if (open.get(id) === undefined) heard.fault ??= `${id} ends, and isn't open`
      open.set(id, undefined)
    }
  }
  heard.finish = () => {
    for (const [id, segment] of open) if (segment !== undefined) heard.fault ??= `${id} doesn't end`
  }
  return heard
}

/** The same with adjacent text joined, because contestants split it differently at rejected tags. */
function coalesced(segments) {
  const all = []
  for (const [type, metadata, content] of segments) {
    if (type === 'text' && all.at(-1)?.[0] === 'text') all.at(-1)[2] += content
    else all.push([type, metadata, content])
  }
  return all
}

function shown(value) {
  const text = JSON.stringify(value)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

/** The first difference of two lists. */
function difference(emitted, wanted) {
  const at = wanted.findIndex((one, index) => !isDeepStrictEqual(one, emitted[index]))
  return `${shown(emitted[at === -1 ? wanted.length : at])}, not ${shown(wanted[at])}`
}

function faultOf({ segments, invocations, errors }, made, { calls, blames }) {
  if (!isDeepStrictEqual(segments, made.segments)) return `emits ${difference(segments, made.segments)}`
  if (calls && !isDeepStrictEqual(invocations, made.invocations)) return `calls ${difference(invocations, made.invocations)}`
  if (blames && made.errors !== undefined && !isDeepStrictEqual(errors, made.errors)) return `gives the errors ${shown(errors)}`
  return undefined
}

function verify(all) {
  let checked = 0
  for (const [name, kind] of Object.entries(TEXTS)) {
    for (const [length, seed] of [[1100, 1], [1500, 5], [6000, 7]]) {
      const made = kind.make(length, seed)
      for (const size of [1, 2, 3, 4, 5, 7, 16, 64, made.text.length]) {
        const input = inputOf(kind, made.text, size)
        for (const contestant of all.filter((one) => one.reads(kind))) {
          const heard = listen()
          contestant.follow(input, kind, heard.take, heard.call, heard.blame)
          heard.finish()
          const wrong = heard.fault ?? faultOf(heard, made, contestant)
          if (wrong !== undefined) fail(`${contestant.name}: ${wrong} (${name}, body of ${length}, seed ${seed}, chunks of ${size})`)
          checked++
        }
      }
    }
  }
  return checked
}

// Parts.

/** A run of a contestant over some streams. Each time its count of characters and segments, in one number, must be right. */
function runOf({ name, follow }, kind, inputs, made) {
  const wanted = made.reduce((sum, { segments }) => sum + segments.reduce((all, [, , content]) => all + content.length + 1000, 0), 0)
  let count = 0
  const take = (event) => {
    if (event.type === 'SEGMENT_CONTENT') count += event.payload.delta.length
    else if (event.type === 'SEGMENT_END') count += 1000
  }
  const ignore = () => {}
  return () => {
    count = 0
    for (let i = 0; i < inputs.length; i++) follow(inputs[i], kind, take, ignore, ignore)
    if (count !== wanted) fail(`${name} emits ${count}, not ${wanted}`)
  }
}

/** The cost of a chunk, for each contestant. */
async function measurePeers(everyone, name, size) {
  const kind = TEXTS[name]
  const all = everyone.filter((one) => one.reads(kind))
  const made = kind.make(LENGTH, 3)
  const input = inputOf(kind, made.text, size)
  const floors = floorsFor(cut(made.text, size))
  const names = [...all.map((one) => one.name), ...Object.keys(floors)]
  const lists = await interleave(
    [...all.map((one) => runOf(one, kind, [input], [made])), ...Object.values(floors)],
    { quick: args.quick, rounds: ROUNDS },
  )
  const times = new Map(lists.map((list, index) => [names[index], list]))
  // Only the handler reads API calls.
  const own = times.get(kind.api === undefined ? 'tokenweir' : 'handler')
  return {
    text: name,
    size,
    chunks: input.length,
    nanoseconds: Object.fromEntries([...times].map(([who, list]) => [who, (median(list) * 1e6) / input.length])),
    ratios: own === undefined ? {} : Object.fromEntries([...times].map(([who, list]) => [who, ratio(list, own)])),
  }
}

/** Time per character in streams of each length, as many of them as make up the longest. */
async function measureGrowth(contestant, name, size) {
  const kind = TEXTS[name]
  const lengths = Object.keys(LENGTHS).filter((length) => !args.quick || length !== '4m')
  const longest = LENGTHS[lengths.at(-1)]
  const characters = []
  const runs = lengths.map((length) => {
    const made = Array.from({ length: Math.floor(longest / LENGTHS[length]) }, (_, index) => kind.make(LENGTHS[length], index + 1))
    characters.push(made.reduce((sum, { text }) => sum + text.length, 0))
    const inputs = made.map(({ text }) => inputOf(kind, text, size))
    return runOf(contestant, kind, inputs, made.map(({ segments }) => ({ segments })))
  })
  const lists = await interleave(runs, { quick: args.quick, rounds: args.quick ? 5 : 9, budget: args.quick ? 1500 : 6000 })
  const perCharacter = lists.map((list, index) => list.map((milliseconds) => (milliseconds * 1e6) / characters[index]))
  const growth = ratio(perCharacter.at(-1), perCharacter[0])
  return {
    name: contestant.name,
    text: name,
    size,
    nanoseconds: Object.fromEntries(lengths.map((length, index) => [length, median(perCharacter[index])])),
    growth,
    // The plain parser has no target.
    ...(contestant.name === 'straightforward' ? {} : { most: GROWTH, ok: growth <= GROWTH }),
  }
}

/** A file of 1 MB in chunks of 4. */
async function measureFile(all) {
  const kind = TEXTS['write-file']
  const made = kind.make(LENGTHS['1m'], 1)
  const input = inputOf(kind, made.text, 4)
  const lists = await interleave(
    all.map((one) => runOf(one, kind, [input], [made])),
    { quick: args.quick, rounds: ROUNDS },
  )
  return lists.map((list, index) => {
    const milliseconds = median(list)
    const value = TYPESCRIPT / milliseconds
    const name = all[index].name
    // The plain parser has no target.
    const target = name === 'straightforward' ? {} : { least: TYPESCRIPT_LEAST, ok: value >= TYPESCRIPT_LEAST }
    return { key: 'typescript', name, milliseconds, value, ...target }
  })
}

/** The reference, in its own process: `{ seconds, result }`. */
function runAutobyteus(python, name, length) {
  const kind = TEXTS[name]
  const made = kind.make(LENGTHS[length], 3)
  // Whole characters: it can't read tool arguments with split surrogate pairs.
  const chunks = made.text.match(/[^]{1,4}/gu)
  const task = { strategy: kind.config.strategy, tool: kind.api ?? null, chunks }
  const { status, stdout, stderr, error } = spawnSync(python, [fileURLToPath(new URL('autobyteus.py', import.meta.url))], {
    input: JSON.stringify(task),
    encoding: 'utf8',
    timeout: PATIENCE,
    maxBuffer: 1 << 28,
  })
  if (error?.code === 'ETIMEDOUT') return { seconds: undefined, result: `over ${PATIENCE / 1000} s` }
  if (status !== 0) fail(`AUTOBYTEUS_PYTHON=${python} failed: ${error?.message ?? stderr}`)
  const { version, seconds, failure, segments, invocations } = JSON.parse(stdout)
  if (failure !== undefined) return { version, seconds: undefined, result: failure }
  const emitted = coalesced(segments)
  if (!isDeepStrictEqual(emitted, coalesced(made.segments))) return { version, seconds, result: 'other segments' }
  return { version, seconds, result: isDeepStrictEqual(invocations, made.invocations) ? 'right' : 'other calls' }
}

async function measureAutobyteus(python, name, own) {
  const row = { text: name, version: undefined, seconds: {}, results: {}, ratios: {} }
  for (const length of ['10k', '100k', '1m']) {
    if (length === '1m' && (args.quick || name !== 'write-file')) continue
    const runs = Array.from({ length: length === '10k' ? 3 : 1 }, () => runAutobyteus(python, name, length))
    row.version ??= runs[0].version
    row.results[length] = runs[0].result
    if (runs.some(({ seconds }) => seconds === undefined)) continue
    row.seconds[length] = median(runs.map(({ seconds }) => seconds))
    if (own === undefined) continue
    const kind = TEXTS[name]
    const made = kind.make(LENGTHS[length], 3)
    const [times] = await interleave([runOf(own, kind, [inputOf(kind, made.text, 4)], [made])], { quick: args.quick, rounds: ROUNDS })
    row.ratios[length] = (row.seconds[length] * 1000) / median(times)
  }
  return row
}

// The run.

const pkg = args.peers ? undefined : await loadPackage('segments')
if (pkg !== undefined && pkg.StreamingParser === undefined) fail('The built package is older than its segments: run `npm run build` first.')
const all = [...(pkg === undefined ? [] : ours(pkg)), straightforward()]
const checked = verify(all)
const report = { ...machine(), characters: LENGTHS, rounds: ROUNDS, peers: [], growth: [], typescript: [], autobyteus: [] }
console.log(`Right segments from all: ${checked} comparisons. Node ${report.node}, ${report.cpu}; up to ${ROUNDS} rounds.\n`)

for (const name of Object.keys(TEXTS)) {
  for (const size of SIZES) {
    if (!asked({ part: 'peers', text: name, size }) || TEXTS[name].hostile || !all.some((one) => one.reads(TEXTS[name]))) continue
    report.peers.push(await measurePeers(all, name, size))
  }
}

if (report.peers.length > 0) {
  const label = (cell) => [named(cell.text), String(cell.size)]
  heading(`Segments: ns per chunk, bodies of ${LENGTH / KB} KB; handler: with invocations, storing all output`)
  printTable(
    ['text', 'chunk', ...all.map((one) => one.name), ...FLOORS],
    report.peers.map((cell) => [...label(cell), ...[...all.map(({ name }) => name), ...FLOORS].map((name) => (name in cell.nanoseconds ? time(cell.nanoseconds[name]) : '-'))]),
  )
  if (pkg !== undefined) {
    const others = all.slice(1).map((one) => one.name)
    heading('Segments: how many times as long as tokenweir they take')
    printTable(
      ['text', 'chunk', ...others],
      report.peers
        .filter((cell) => 'tokenweir' in cell.ratios)
        .map((cell) => [...label(cell), ...others.map((who) => (who in cell.ratios ? `x${cell.ratios[who].toFixed(2)}` : '-'))]),
    )
  }
}

for (const name of Object.keys(TEXTS)) {
  for (const contestant of all) {
    // The handler is measured where there is no parser, and once next to the parser. Storing a million events
    // adds work for the garbage collector.
    const lean = 'handler, stores nothing'
    const wanted = TEXTS[name].api === undefined ? (name === 'write-file' ? ['tokenweir', lean] : ['tokenweir']) : [lean]
    if (pkg === undefined ? !contestant.reads(TEXTS[name]) : !wanted.includes(contestant.name)) continue
    for (const size of SIZES) if (asked({ part: 'growth', text: name, size })) report.growth.push(await measureGrowth(contestant, name, size))
  }
}

if (report.growth.length > 0) {
  const lengths = Object.keys(report.growth[0].nanoseconds)
  heading('Linear: ns per character in streams of these lengths, and the longest against the shortest')
  printTable(
    ['text', 'who', 'chunk', ...lengths, 'growth'],
    report.growth.map((row) => [
      named(row.text),
      row.name,
      String(row.size),
      ...lengths.map((length) => row.nanoseconds[length].toFixed(2)),
      row.most === undefined ? `x${row.growth.toFixed(2)}` : growing(row),
    ]),
  )
}

if (asked({ part: 'typescript', text: 'write-file', size: 4 })) {
  report.typescript = await measureFile(all)
  heading(`A file of 1 MB in chunks of 4, against the ${TYPESCRIPT / 1000} s of AutoByteus' TypeScript port (stated, not measured here)`)
  printTable(
    ['who', 'ms', 'times as fast'],
    report.typescript.map((row) => [row.name, row.milliseconds.toFixed(1), against(row)]),
  )
}

const python = process.env.AUTOBYTEUS_PYTHON
const own = all.find((one) => one.name === 'handler')
if (python === undefined || python === '') {
  if (asked({ part: 'autobyteus' })) console.log('AutoByteus is not measured: AUTOBYTEUS_PYTHON names no Python that has it.\n')
} else {
  for (const [name, kind] of Object.entries(TEXTS)) {
    if (!kind.others.includes('autobyteus') || !asked({ part: 'autobyteus', text: name, size: 4 })) continue
    report.autobyteus.push(await measureAutobyteus(python, name, own))
  }
}

if (report.autobyteus.length > 0) {
  const lengths = ['10k', '100k', '1m'].filter((length) => report.autobyteus.some((row) => length in row.results))
  heading(`AutoByteus ${report.autobyteus[0].version} (Python): chunks of 4; how many times as long as tokenweir's handler, and its results`)
  printTable(
    ['text', ...lengths, ...(own === undefined ? [] : lengths.map((length) => `against, ${length}`)), 'result'],
    report.autobyteus.map((row) => [
      named(row.text),
      ...lengths.map((length) => (length in row.seconds ? `${row.seconds[length].toFixed(row.seconds[length] < 1 ? 3 : 1)} s` : '-')),
      ...(own === undefined ? [] : lengths.map((length) => (length in row.ratios ? `x${row.ratios[length].toFixed(0)}` : '-'))),
      [...new Set(Object.values(row.results))].join(', '),
    ]),
  )
}

finish(args, report, [...report.growth, ...report.typescript])
