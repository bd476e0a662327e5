/**
 * Speed, as ratios: same input, same process, rounds interleaved, medians.
 *
 *     npm run build && node bench/bench.mjs [--quick] [--only ascii,16] [--json file] [--md]
 *
 * Nothing is measured before all contestants of one contract have given the same events. A round runs
 * each contestant once, each round in another order; a ratio is the median of the ratios within the
 * rounds, so that a busy moment of the machine falls on both sides. A missed target is printed, and
 * doesn't change the exit code: 1 means that events differ.
 *
 * Two contracts. `blocks`: BlockParser and the scanner in tuned.mjs. `membrane`: IncrementalXmlParser
 * and the class in straightforward.mjs, with one block for all calls of a `function_calls` element.
 * BlockParser is compared with that class too, because that is what its users come from; it does more.
 * `lean` is the straightforward class without its second search for depths.
 */

import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { coalesce, contestants, loadPackage } from './contestants.mjs'
import { corpus, cut, KINDS, random } from './corpus.mjs'
import { StraightforwardParser } from './straightforward.mjs'
import { TunedScanner } from './tuned.mjs'

const SIZES = [1, 4, 8, 16, 64, 1024, 16384]
const PARTS = ['linear', 'many']

const { values: args } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    md: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
})

if (args.help) {
  console.log(`node bench/bench.mjs [options]
  --quick        shorter texts and fewer rounds
  --only a,b     one corpus (${KINDS.join(', ')}), one chunk size (${SIZES.join(', ')}), or both;
                 or one of the parts after them (${PARTS.join(', ')}); may be repeated
  --json file    write all figures
  --md           print Markdown tables`)
  process.exit(0)
}

// Many short samples, not a few long ones: on a busy machine the median then still finds quiet moments.
const ROUNDS = args.quick ? 9 : 21
/** Shortest time of one sample, in milliseconds. */
const SAMPLE = args.quick ? 2 : 4

/** Length of the text for a chunk size: short chunks take long. */
function lengthFor(size) {
  return (size < 64 ? 256 : 1024) * 1024 / (args.quick ? 4 : 1)
}

const wanted = args.only.map((text) => {
  const only = {}
  for (const word of text.split(',').filter((part) => part !== '')) {
    if (KINDS.includes(word)) only.kind = word
    else if (SIZES.includes(Number(word))) only.size = Number(word)
    else if (PARTS.includes(word)) only.part = word
    else fail(`--only ${text}: ${word} is no corpus (${KINDS.join(', ')}), chunk size (${SIZES.join(', ')}) or part (${PARTS.join(', ')})`)
  }
  return only
})

function asked(kind, size) {
  if (wanted.length === 0) return true
  return wanted.some((only) => only.part === undefined && (only.kind ?? kind) === kind && (only.size ?? size) === size)
}

function askedPart(part) {
  return wanted.length === 0 || wanted.some((only) => only.part === part)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

// Targets.

/** The ratios of a cell: who against whom, and the least that is wanted. */
const RATIOS = [
  { key: 'callbacks', fast: 'blocks-callbacks', slow: 'straightforward', target: () => 7 },
  { key: 'emissions', fast: 'blocks-emissions', slow: 'straightforward', target: () => 5 },
  { key: 'incremental', fast: 'incremental', slow: 'straightforward', target: () => 2.5 },
  { key: 'callbacks/tuned', fast: 'blocks-callbacks', slow: 'tuned-callbacks', target: againstTuned },
  { key: 'emissions/tuned', fast: 'blocks-emissions', slow: 'tuned-emissions', target: againstTuned },
  { key: 'tuned', fast: 'tuned-callbacks', slow: 'straightforward', target: () => undefined },
  { key: 'lean/straightforward', fast: 'straightforward-lean', slow: 'straightforward', target: () => undefined },
]

/** Within 10 % on short chunks; then ahead, but for CJK, which V8 encodes slowly. */
function againstTuned(kind, size) {
  if (size <= 64) return 0.9
  return kind === 'cjk' ? 0.8 : 1
}

/** Most that time per character may grow from 40 KB to 4 MB. */
const GROWTH = 1.25

// Measuring.

// Without a collection before each sample, whoever runs after the class that leaves most garbage pays for
// it: 20 % between two copies of the same code. Only a minor one: a full one shrinks V8's nursery, and
// makes all that follows slow.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

/** Times `runs` (functions without arguments) in rounds; returns for each its times in ms, one a round. */
function interleave(runs, rounds = ROUNDS) {
  const repeats = runs.map((run) => {
    // Warm up, and find how many repetitions make a sample long enough to time.
    let fastest = Infinity
    const end = performance.now() + (args.quick ? 60 : 200)
    let times = 0
    do {
      const start = performance.now()
      run()
      fastest = Math.min(fastest, performance.now() - start)
      times++
    } while (performance.now() < end || times < 2)
    return Math.max(1, Math.ceil(SAMPLE / fastest))
  })
  const times = runs.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const which of shuffled(runs.length)) {
      const run = runs[which]
      const count = repeats[which]
      collectGarbage({ type: 'minor' })
      const start = performance.now()
      for (let i = 0; i < count; i++) run()
      times[which].push((performance.now() - start) / count)
    }
  }
  return times
}

const chance = random(11)

/** The numbers below `length`, in another order each time: who comes after whom must not be fixed either. */
function shuffled(length) {
  const order = Array.from({ length }, (_, index) => index)
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(chance() * (i + 1))
    const moved = order[i]
    order[i] = order[j]
    order[j] = moved
  }
  return order
}

function ratio(slow, fast) {
  return median(slow.map((time, round) => time / fast[round]))
}

// The check that comes first.

function verify(all) {
  let checked = 0
  for (const kind of KINDS) {
    const text = corpus(kind, args.quick ? 16_000 : 48_000, 7)
    for (const contract of ['blocks', 'membrane']) {
      const group = all.filter((one) => one.contract === contract)
      const [first] = group
      const expected = coalesce(first.collect([text]))
      for (const size of [1, 2, 3, 5, 7, ...SIZES.slice(1), text.length]) {
        const chunks = cut(text, size)
        for (const contestant of group) {
          const events = coalesce(contestant.collect(chunks))
          const at = events.findIndex((event, index) => event !== expected[index])
          checked++
          if (at < 0 && events.length === expected.length) continue
          const where = at < 0 ? events.length : at
          fail(`${contestant.name} gives other events than ${first.name}: ${kind}, chunks of ${size}, event ${where}
${difference(contestant.name, events[where], first.name, expected[where])}`)
        }
      }
    }
  }
  return checked
}

/** Two unlike events, from a little before the place where they part. */
function difference(name, event, otherName, other) {
  if (event === undefined || other === undefined) return `  ${name}: ${excerpt(event, 0)}\n  ${otherName}: ${excerpt(other, 0)}`
  let at = 0
  while (event[at] === other[at]) at++
  return `  ${name}: ${excerpt(event, at)}\n  ${otherName}: ${excerpt(other, at)}`
}

function excerpt(event, at) {
  if (event === undefined) return 'no event'
  const from = Math.max(0, at - 80)
  return (from > 0 ? '... ' : '') + event.slice(from, at + 160) + (event.length > at + 160 ? ' ...' : '')
}

/**
 * Shows all texts and chunk sizes to all contestants before anything is measured, so that V8 compiles
 * each of them once, for all that will come, and not anew in the middle of a cell.
 */
function warmUp(all) {
  const cells = KINDS.flatMap((kind) => {
    const text = corpus(kind, 96 * 1024, 3)
    return SIZES.map((size) => cut(text, size))
  })
  for (let round = 0; round < 4; round++) for (const chunks of cells) for (const which of shuffled(all.length)) all[which].run(chunks)
}

// Parts.

function measureCell(all, kind, size) {
  const chunks = cut(corpus(kind, lengthFor(size)), size)
  const counts = new Map()
  const runs = all.map((one) => () => {
    const count = one.run(chunks)
    const before = counts.get(one.name)
    if (before !== undefined && before !== count) fail(`${one.name} counts ${count} now and ${before} before: ${kind}, ${size}`)
    counts.set(one.name, count)
  })
  const times = new Map(interleave(runs).map((list, index) => [all[index].name, list]))
  for (const contract of ['blocks', 'membrane']) {
    const group = all.filter((one) => one.contract === contract)
    for (const one of group) {
      if (counts.get(one.name) !== counts.get(group[0].name)) fail(`${one.name} counts other events than ${group[0].name}: ${kind}, ${size}`)
    }
  }
  return {
    kind,
    size,
    nanoseconds: Object.fromEntries([...times].map(([name, list]) => [name, (median(list) * 1e6) / chunks.length])),
    ratios: RATIOS.map(({ key, fast, slow, target }) => {
      const value = ratio(times.get(slow), times.get(fast))
      const least = target(kind, size)
      return { key, value, least, ok: least === undefined || value >= least }
    }),
  }
}

/**
 * Time per character of short streams against one long stream. The chunks are the same, and so is the
 * memory that is walked; only how often a new parser begins differs.
 */
function measureLinear({ BlockParser, IncrementalXmlParser }, size) {
  const short = 40 * 1024
  const long = args.quick ? 1024 * 1024 : 4 * 1024 * 1024
  const chunks = cut(corpus('ascii', long), size)
  let sink = 0
  const ways = {
    'BlockParser callbacks': (from, to) => {
      const parser = new BlockParser({
        onChunk: (text) => {
          sink += text.length
        },
        onBlock: () => {
          sink += 1
        },
      })
      for (let i = from; i < to; i++) parser.processChunk(chunks[i])
      parser.flush()
    },
    'IncrementalXmlParser processChunk + getAccumulated': (from, to) => {
      const parser = new IncrementalXmlParser()
      for (let i = from; i < to; i++) {
        sink += parser.processChunk(chunks[i]).emissions.length
        sink += parser.getAccumulated().length
      }
      parser.flush()
    },
    'IncrementalXmlParser push + getAccumulated': (from, to) => {
      const parser = new IncrementalXmlParser()
      for (let i = from; i < to; i++) {
        parser.push(chunks[i])
        sink += parser.getAccumulated().length
      }
    },
    'BlockParser push': (from, to) => {
      const parser = new BlockParser()
      for (let i = from; i < to; i++) parser.push(chunks[i])
    },
    'tuned callbacks': (from, to) => {
      const parser = new TunedScanner({
        onChunk: (text) => {
          sink += text.length
        },
        onBlock: () => {
          sink += 1
        },
      })
      for (let i = from; i < to; i++) parser.processChunk(chunks[i])
      parser.flush()
    },
  }
  const step = Math.max(1, Math.round(short / size))
  const rows = []
  for (const [name, way] of Object.entries(ways)) {
    const [few, one] = interleave(
      [
        () => {
          for (let from = 0; from < chunks.length; from += step) way(from, Math.min(from + step, chunks.length))
        },
        () => way(0, chunks.length),
      ],
      args.quick ? 5 : 9,
    )
    const growth = ratio(one, few)
    const perCharacter = (list) => (median(list) * 1e6) / long
    rows.push({ name, size, short: perCharacter(few), long: perCharacter(one), growth, most: GROWTH, ok: growth <= GROWTH })
  }
  if (sink === 0) fail('nothing came out')
  return rows
}

/** The straightforward `push` on texts that it can bear, to show what linear is measured against. */
function measureStraightforwardPush(size) {
  const lengths = args.quick ? [16, 64] : [16, 64, 256]
  return lengths.map((kilobytes) => {
    const chunks = cut(corpus('ascii', kilobytes * 1024), size)
    const start = performance.now()
    const parser = new StraightforwardParser()
    for (const chunk of chunks) parser.push(chunk)
    return { kilobytes, size, perCharacter: ((performance.now() - start) * 1e6) / (kilobytes * 1024) }
  })
}

/** Many open streams at once, a chunk from each in turn, against the same streams one after the other. */
function measureMany({ BlockParser }) {
  const parsers = 200
  const size = 16
  const chunks = cut(corpus('ascii', parsers * 2048), size)
  const each = Math.floor(chunks.length / parsers)
  let sink = 0
  const makers = {
    'BlockParser callbacks': () =>
      new BlockParser({
        onChunk: (text) => {
          sink += text.length
        },
        onBlock: () => {
          sink += 1
        },
      }),
    'tuned callbacks': () =>
      new TunedScanner({
        onChunk: (text) => {
          sink += text.length
        },
        onBlock: () => {
          sink += 1
        },
      }),
    straightforward: () => new StraightforwardParser(),
  }
  const names = Object.keys(makers)
  const runs = []
  for (const name of names) {
    const make = makers[name]
    // Each gets loops of its own: a shared one would see three classes.
    const loops = new Function(
      'make',
      'chunks',
      'parsers',
      'each',
      `return {
        together() {
          const open = []
          for (let i = 0; i < parsers; i++) open.push(make())
          for (let turn = 0; turn < each; turn++) for (let i = 0; i < parsers; i++) open[i].processChunk(chunks[i * each + turn])
          for (let i = 0; i < parsers; i++) open[i].flush()
        },
        alone() {
          for (let i = 0; i < parsers; i++) {
            const parser = make()
            for (let turn = 0; turn < each; turn++) parser.processChunk(chunks[i * each + turn])
            parser.flush()
          }
        },
      }`,
    )(make, chunks, parsers, each)
    runs.push(loops.together, loops.alone)
  }
  const times = interleave(runs)
  return names.map((name, index) => {
    const [together, alone] = [times[index * 2], times[index * 2 + 1]]
    const perChunk = (list) => (median(list) * 1e6) / (parsers * each)
    return { name, parsers, size, together: perChunk(together), alone: perChunk(alone), growth: ratio(together, alone) }
  })
}

// Printing.

const TITLES = { ascii: 'ASCII', cjk: '10 % CJK', angle: 'Full of `<`' }

function time(nanoseconds) {
  if (nanoseconds < 1000) return nanoseconds.toFixed(nanoseconds < 100 ? 1 : 0)
  return `${(nanoseconds / 1000).toFixed(nanoseconds < 100_000 ? 1 : 0)}k`
}

function against({ value, least, ok }) {
  const text = `x${value.toFixed(value < 10 ? 2 : 1)}`
  return least === undefined ? text : `${text} ${ok ? 'ok' : 'miss'} (${least})`
}

const COLUMNS = [
  ['chunk', (cell) => cell.size.toLocaleString('en')],
  ['straightforward', (cell) => time(cell.nanoseconds.straightforward)],
  ['lean', (cell) => time(cell.nanoseconds['straightforward-lean'])],
  ['BlockParser callbacks', (cell) => time(cell.nanoseconds['blocks-callbacks'])],
  ['emissions', (cell) => time(cell.nanoseconds['blocks-emissions'])],
  ['Incremental', (cell) => time(cell.nanoseconds.incremental)],
  ['tuned callbacks', (cell) => time(cell.nanoseconds['tuned-callbacks'])],
  ['tuned emissions', (cell) => time(cell.nanoseconds['tuned-emissions'])],
]

function printTable(heads, rows) {
  if (args.md) {
    console.log(`| ${heads.join(' | ')} |\n|${heads.map(() => ' ---: |').join('')}`)
    for (const row of rows) console.log(`| ${row.join(' | ')} |`)
  } else {
    const widths = heads.map((head, index) => Math.max(head.length, ...rows.map((row) => row[index].length)))
    for (const row of [heads, ...rows]) console.log(row.map((text, index) => text.padStart(widths[index])).join('  '))
  }
  console.log()
}

function heading(text) {
  console.log(args.md ? `#### ${text}\n` : `${text}\n`)
}

// The run.

const started = performance.now()
const pkg = await loadPackage()
const all = contestants(pkg)
const checked = verify(all)
warmUp(all)
const report = {
  node: process.version,
  v8: process.versions.v8,
  cpu: cpus()[0]?.model ?? 'unknown',
  date: new Date().toISOString(),
  characters: Object.fromEntries(SIZES.map((size) => [size, lengthFor(size)])),
  rounds: ROUNDS,
  cells: [],
  linear: [],
  straightforwardPush: [],
  many: [],
}
console.log(`Same events from all: ${checked} comparisons. Node ${report.node}, ${report.cpu}; texts of ${lengthFor(1) / 1024} and ${lengthFor(64) / 1024} KB, ${ROUNDS} rounds.\n`)

for (const kind of KINDS) {
  const cells = SIZES.filter((size) => asked(kind, size)).map((size) => measureCell(all, kind, size))
  if (cells.length === 0) continue
  report.cells.push(...cells)
  heading(`${TITLES[kind]}: ns a chunk`)
  printTable(COLUMNS.map(([head]) => head), cells.map((cell) => COLUMNS.map(([, show]) => show(cell))))
  heading(`${TITLES[kind]}: times as fast (least wanted); against straightforward where nothing else is said`)
  printTable(
    ['chunk', ...RATIOS.map(({ key }) => key)],
    cells.map((cell) => [cell.size.toLocaleString('en'), ...cell.ratios.map(against)]),
  )
}

if (askedPart('linear')) {
  for (const size of [4, 64]) report.linear.push(...measureLinear(pkg, size))
  report.straightforwardPush = measureStraightforwardPush(4)
  heading(`Linear: ns a character in streams of 40 KB and in one of ${args.quick ? 1 : 4} MB`)
  printTable(
    ['what', 'chunk', '40 KB', 'long', 'growth'],
    report.linear.map((row) => [row.name, String(row.size), row.short.toFixed(2), row.long.toFixed(2), `x${row.growth.toFixed(2)} ${row.ok ? 'ok' : 'miss'} (${row.most})`]),
  )
  heading('For comparison, push of the straightforward class: ns a character')
  printTable(
    ['length', 'chunk', 'ns'],
    report.straightforwardPush.map((row) => [`${row.kilobytes} KB`, String(row.size), row.perCharacter.toFixed(0)]),
  )
}

if (askedPart('many')) {
  report.many = measureMany(pkg)
  heading('200 streams at once, chunks of 16: ns a chunk')
  printTable(
    ['what', 'in turn', 'one by one', 'growth'],
    report.many.map((row) => [row.name, time(row.together), time(row.alone), `x${row.growth.toFixed(2)}`]),
  )
}

const marks = [...report.cells.flatMap((cell) => cell.ratios), ...report.linear].filter((mark) => mark.least !== undefined || mark.most !== undefined)
const missed = marks.filter((mark) => !mark.ok).length
console.log(`${marks.length - missed} of ${marks.length} targets met. ${((performance.now() - started) / 1000).toFixed(0)} s.`)
if (args.json !== undefined) writeFileSync(args.json, `${JSON.stringify(report, null, 2)}\n`)
