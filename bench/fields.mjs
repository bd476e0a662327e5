/**
 * Speed of the field parser, as ratios: same input, same process, rounds interleaved, medians (measure.mjs).
 *
 *     npm run build && node bench/fields.mjs [--quick] [--only 10k,4] [--json file] [--md]
 *
 * A document comes in chunks, and all emit the same for it: each field's path, the deltas of
 * its value, and when it is complete (field-contestants.mjs). Before the measurement, each contestant must produce the
 * right final value, deltas that join to each string, and one done for each value. A missed target is printed, but
 * doesn't change the exit code: 1 means that a contestant's events are wrong.
 *
 * Libraries that parse the whole text again for each chunk are left out if one run would take longer than ten
 * seconds. Agently is measured too, on the shortest document, if AGENTLY_PYTHON names a Python with Agently
 * (agently.py).
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { loadPackage } from './contestants.mjs'
import { cut } from './corpus.mjs'
import { document } from './documents.mjs'
import { ours, peers } from './field-contestants.mjs'
import {
  against, fail, finish, FLOORS, floorsFor, growing, GROWTH, interleave, machine,
  median, printerFor, ratio, readOnly, readOptions, shuffled, time,
} from './measure.mjs'

const LENGTHS = { '1k': 1024, '10k': 10 * 1024, '100k': 100 * 1024, '1m': 1024 * 1024 }
const SIZES = [4, 16]
const PARTS = ['growth', 'agently']

const args = readOptions(
  `node bench/fields.mjs [options]
  --quick        no document of 1 MB, and fewer rounds
  --only a,b     one document (${Object.keys(LENGTHS).join(', ')}), one chunk size (${SIZES.join(', ')}), or both;
                 or one of the parts after them (${PARTS.join(', ')}); may be repeated
  --peers        without tokenweir, which need not be built then
  --json file    write all figures
  --md           print Markdown tables
Environment:
  AGENTLY_PYTHON   a Python that has agently, to measure that too: it takes some ten seconds for 1 KB`,
  { peers: { type: 'boolean', default: false } },
)
const { heading, printTable } = printerFor(args)
const asked = readOnly(args, { document: Object.keys(LENGTHS), size: SIZES, part: PARTS })

const ROUNDS = args.quick ? 9 : 21
/** The maximum time of a contestant in a cell, in milliseconds; one round is measured anyway. */
const BUDGET = args.quick ? 800 : 4000
/** A contestant that would take longer than this for one run is left out, in milliseconds. */
const PATIENCE = 10_000

/** The contestants compared with tokenweir, and the targets. */
const TARGETS = {
  jsonriver: () => 2,
  '@streamparser/json': (name) => (name === '1k' ? undefined : 1),
  'partial-json': () => undefined,
  parsePartialJson: () => undefined,
  'tokenweir spans': () => undefined,
  'tokenweir order': () => undefined,
  'tokenweir parseStream': () => undefined,
}
/** How many times as long as tokenweir at most. */
const MOST = { 'tokenweir order': 2 }
const AGENTLY_LEAST = 1000

// The correctness check.

/** `a.b[0].c`; no key in the documents needs quotes. */
function dotted(path) {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')
}

/** All values of a document except the root, by path. */
function valuesOf(root) {
  const values = new Map()
  const walk = (value, path) => {
    if (path.length > 0) values.set(dotted(path), value)
    if (Array.isArray(value)) value.forEach((item, index) => walk(item, [...path, index]))
    else if (value !== null && typeof value === 'object') for (const key of Object.keys(value)) walk(value[key], [...path, key])
  }
  walk(root, [])
  return values
}

async function verify(all) {
  let checked = 0
  for (const [length, seed] of [[1024, 1], [1500, 5], [4000, 7]]) {
    const text = document(length, seed)
    const expected = valuesOf(JSON.parse(text))
    for (const size of [1, 2, 3, 4, 5, 7, 16, 64, text.length]) {
      const chunks = cut(text, size)
      for (const contestant of all) {
        const wrong = await firstFault(contestant, chunks, JSON.parse(text), expected)
        if (wrong !== undefined) fail(`${contestant.name}: ${wrong} (document of ${length}, seed ${seed}, chunks of ${size})`)
        checked++
      }
    }
  }
  return checked
}

/** The errors in a contestant's events; a value is done only once, after all its deltas. */
async function firstFault({ follow, revises }, chunks, root, expected) {
  const texts = new Map()
  const done = new Set()
  let fault
  const final = await follow(chunks, (emitted, value, delta, isDone) => {
    const path = typeof emitted === 'string' ? emitted : dotted(emitted)
    const whole = expected.get(path)
    const blame = (what) => {
      fault ??= `${path} ${what}`
    }
    if (!expected.has(path)) return blame('is an unknown path')
    if (isDone) {
      if (done.has(path)) blame('is done twice')
      done.add(path)
      if (!revises && !isDeepStrictEqual(value, whole)) blame(`is done as ${JSON.stringify(value)}`)
      return
    }
    if (revises && typeof whole !== 'string') return
    if (!revises && done.has(path)) blame('has a delta after it is done')
    if (typeof whole === 'string') {
      const text = (texts.get(path) ?? '') + delta
      texts.set(path, text)
      if (!whole.startsWith(text)) blame(`has the delta ${JSON.stringify(delta)}`)
      else if (value !== text) blame(`has a value that isn't what its deltas make`)
    } else if (delta !== whole || texts.has(path)) {
      blame(`has the delta ${JSON.stringify(delta)}`)
    } else {
      texts.set(path, '')
    }
  })
  if (fault !== undefined) return fault
  if (!isDeepStrictEqual(final, root)) return 'the final value is another one'
  for (const [path, value] of expected) {
    if (!done.has(path)) return `${path} isn't done`
    if (typeof value === 'string' && (texts.get(path) ?? '') !== value) return `${path} has deltas that make ${JSON.stringify(texts.get(path))}`
  }
  return undefined
}

// Parts.

/** A run of a contestant, and how much it emitted: characters and whole values, in one number. */
function runOf({ name, follow }, chunks, check) {
  let count = 0
  let path
  const take = (emitted, value, delta, done) => {
    path = emitted
    if (done) count += 1000
    else if (typeof delta === 'string') count += delta.length
  }
  const settle = () => {
    if (path === undefined) fail(`${name} emits nothing`)
    check(name, count)
  }
  return () => {
    count = 0
    const pending = follow(chunks, take)
    return pending instanceof Promise ? pending.then(settle) : settle()
  }
}

/**
 * Estimates how long a run of a contestant takes on a document of `length`, in milliseconds, from its runs on 1 KB
 * and on 10 KB. If it takes more than 20 times as long for ten times the text, its time counts as quadratic.
 */
async function estimate({ follow }, size) {
  const times = []
  for (const length of [LENGTHS['1k'], LENGTHS['10k']]) {
    const chunks = cut(document(length), size)
    let fastest = Infinity
    // One run may coincide with a garbage collection or a compilation.
    for (let i = 0; i < 5; i++) {
      const start = performance.now()
      await follow(chunks, () => {})
      fastest = Math.min(fastest, performance.now() - start)
    }
    times.push(fastest)
  }
  const [short, long] = times
  return (length) => long * (length / LENGTHS['10k']) ** (long > 20 * short ? 2 : 1)
}

async function measureCell(everyone, name, size) {
  const chunks = cut(document(LENGTHS[name]), size)
  const expected = new Map(everyone.map((one) => [one.name, one.estimates.get(size)(LENGTHS[name])]))
  const all = everyone.filter((one) => expected.get(one.name) <= PATIENCE)
  let emitted
  const runs = all.map((one) =>
    runOf(one, chunks, (who, count) => {
      emitted ??= count
      if (emitted !== count) fail(`${who} emits ${count} and ${all[0].name} ${emitted}: ${name}, chunks of ${size}`)
    }),
  )
  const floors = floorsFor(chunks)
  const names = [...all.map((one) => one.name), ...Object.keys(floors)]
  const lists = await interleave([...runs, ...Object.values(floors)], { quick: args.quick, rounds: ROUNDS, budget: BUDGET })
  const times = new Map(lists.map((list, index) => [names[index], list]))
  const own = times.get('tokenweir')
  return {
    document: name,
    size,
    chunks: chunks.length,
    nanoseconds: Object.fromEntries([...times].map(([who, list]) => [who, (median(list) * 1e6) / chunks.length])),
    rounds: Object.fromEntries([...times].map(([who, list]) => [who, list.length])),
    expectedSeconds: Object.fromEntries(everyone.filter((one) => !all.includes(one)).map((one) => [one.name, expected.get(one.name) / 1000])),
    ratios: Object.keys(TARGETS)
      .filter((who) => own !== undefined && times.has(who))
      .map((who) => {
        const value = ratio(times.get(who), own)
        const least = TARGETS[who](name)
        const most = MOST[who]
        return { key: who, value, least, most, ok: (least === undefined || value >= least) && (most === undefined || value <= most) }
      }),
  }
}

/** Time per character of many documents of 40 KB compared with one long document. */
async function measureGrowth(contestant, size) {
  const short = 40 * 1024
  const long = (args.quick ? 1 : 4) * 1024 * 1024
  const count = Math.floor(long / short)
  const few = Array.from({ length: count }, (_, index) => cut(document(short, index + 1), size))
  const one = cut(document(count * short), size)
  let emitted = 0
  const take = (path, value, delta) => {
    if (typeof delta === 'string') emitted += delta.length
  }
  const [fewTimes, oneTimes] = await interleave(
    [
      () => {
        for (const chunks of few) contestant.follow(chunks, take)
      },
      () => {
        contestant.follow(one, take)
      },
    ],
    { quick: args.quick, rounds: args.quick ? 5 : 9 },
  )
  if (emitted === 0) fail(`${contestant.name} emits nothing`)
  const growth = ratio(oneTimes, fewTimes)
  const perCharacter = (list) => (median(list) * 1e6) / (count * short)
  return { name: contestant.name, size, short: perCharacter(fewTimes), long: perCharacter(oneTimes), growth, most: GROWTH, ok: growth <= GROWTH }
}

/** The reference, in its own process: one run is long enough. */
async function measureAgently(python, own) {
  const size = 4
  const text = document(LENGTHS['1k'])
  const chunks = cut(text, size)
  const { status, stdout, stderr, error } = spawnSync(python, [fileURLToPath(new URL('agently.py', import.meta.url))], {
    input: JSON.stringify(chunks),
    encoding: 'utf8',
  })
  if (status !== 0) fail(`AGENTLY_PYTHON=${python} failed: ${error?.message ?? stderr}`)
  const { data, ...figures } = JSON.parse(stdout)
  if (!isDeepStrictEqual(data, JSON.parse(text))) fail('Agently: the final value is another one')
  const row = { ...figures, document: '1k', size, chunks: chunks.length }
  if (own === undefined) return row
  const [times] = await interleave([runOf(own, chunks, () => {})], { quick: args.quick, rounds: ROUNDS })
  const value = (figures.seconds * 1000) / median(times)
  return { ...row, key: 'agently', value, least: AGENTLY_LEAST, ok: value >= AGENTLY_LEAST }
}

// The run.

const pkg = args.peers ? undefined : await loadPackage('fields')
if (pkg !== undefined && pkg.StreamingJSONParser === undefined) fail('The built package is older than its fields: run `npm run build` first.')
const all = [...(pkg === undefined ? [] : ours(pkg)), ...peers()]
const [first] = all
const checked = await verify(all)
// Runs all contestants with both chunk sizes before the measurement, so that V8 compiles each of them once.
for (let round = 0; round < 4; round++) {
  for (const size of SIZES) for (const which of shuffled(all.length)) await all[which].follow(cut(document(2048, 3 + round), size), () => {})
}
for (const one of all) {
  one.estimates = new Map()
  for (const size of SIZES) one.estimates.set(size, await estimate(one, size))
}
const report = { ...machine(), characters: LENGTHS, rounds: ROUNDS, cells: [], growth: [], agently: undefined }
console.log(`Right values from all: ${checked} comparisons. Node ${report.node}, ${report.cpu}; up to ${ROUNDS} rounds.\n`)

for (const name of Object.keys(LENGTHS)) {
  if (args.quick && name === '1m') continue
  for (const size of SIZES) if (asked({ document: name, size })) report.cells.push(await measureCell(all, name, size))
}

if (report.cells.length > 0) {
  const label = (cell) => [cell.document, String(cell.size)]
  const shown = (cell, who) => (who in cell.nanoseconds ? time(cell.nanoseconds[who]) : who in cell.expectedSeconds ? `- (${cell.expectedSeconds[who].toFixed(0)} s)` : '-')
  heading(`Fields: ns per chunk; - if one run would take longer than ${PATIENCE / 1000} s, and how long`)
  printTable(
    ['document', 'chunk', ...all.map((one) => one.name), ...FLOORS],
    report.cells.map((cell) => [...label(cell), ...[...all.map(({ name }) => name), ...FLOORS].map((who) => shown(cell, who))]),
  )
  if (first.name === 'tokenweir') {
    const others = all.slice(1)
    heading('Fields: how many times as long as tokenweir they take (target)')
    printTable(
      ['document', 'chunk', ...others.map((one) => one.name)],
      report.cells.map((cell) => [
        ...label(cell),
        ...others.map(({ name }) => {
          const found = cell.ratios.find((one) => one.key === name)
          return found === undefined ? '-' : against(found)
        }),
      ]),
    )
  }
}

if (asked({ part: 'growth' }) && first.name === 'tokenweir') {
  for (const size of SIZES) report.growth.push(await measureGrowth(first, size))
  heading(`Linear: ns per character in documents of 40 KB and in one of ${args.quick ? 1 : 4} MB`)
  printTable(
    ['what', 'chunk', '40 KB', 'long', 'growth'],
    report.growth.map((row) => [row.name, String(row.size), row.short.toFixed(2), row.long.toFixed(2), growing(row)]),
  )
}

const python = process.env.AGENTLY_PYTHON
if (asked({ part: 'agently' })) {
  if (python === undefined || python === '') {
    console.log('Agently is not measured: AGENTLY_PYTHON names no Python that has it.\n')
  } else {
    report.agently = await measureAgently(python, first.name === 'tokenweir' ? first : undefined)
    const { version, seconds, chunks, size } = report.agently
    heading(`Agently ${version}: 1 KB in chunks of ${size}`)
    printTable(
      ['seconds', 'ns per chunk', 'against tokenweir'],
      [[seconds.toFixed(2), time((seconds * 1e9) / chunks), report.agently.value === undefined ? '-' : against(report.agently)]],
    )
  }
}

finish(args, report, [...report.cells.flatMap((cell) => cell.ratios), ...report.growth, ...(report.agently === undefined ? [] : [report.agently])])
