/**
 * Speed of the block parser, as ratios: same input, same process, rounds interleaved, medians (measure.mjs).
 *
 *     npm run build && node bench/bench.mjs [--quick] [--only ascii,16] [--json file] [--md]
 *
 * Before the measurement, all contestants of one contract must produce the same events. A missed target
 * is printed, but doesn't change the exit code: 1 means that events differ.
 *
 * Two contracts. `blocks`: BlockParser, by callbacks and by lists. `membrane`: IncrementalXmlParser
 * and the class in straightforward.mjs, with one block for all calls of a `function_calls` element.
 * BlockParser is compared with that class too, because its users migrate from such code; it does more.
 * `lean` is the straightforward class without its second search for depths.
 */

import { coalesce, contestants, loadPackage } from './contestants.mjs'
import { corpus, cut, KINDS } from './corpus.mjs'
import {
  against, fail, finish, FLOORS, floorsFor, growing, GROWTH, interleave, machine,
  median, printerFor, ratio, readOnly, readOptions, shuffled, time,
} from './measure.mjs'
import { StraightforwardParser } from './straightforward.mjs'

const SIZES = [1, 4, 8, 16, 64, 1024, 16384]
const PARTS = ['linear', 'many']

const args = readOptions(`node bench/bench.mjs [options]
  --quick        shorter texts and fewer rounds
  --only a,b     one corpus (${KINDS.join(', ')}), one chunk size (${SIZES.join(', ')}), or both;
                 or one of the parts after them (${PARTS.join(', ')}); may be repeated
  --json file    write all figures
  --md           print Markdown tables`)
const { heading, printTable } = printerFor(args)

const ROUNDS = args.quick ? 9 : 21

/** The length of the text for a chunk size: short chunks take long. */
function lengthFor(size) {
  return (size < 64 ? 256 : 1024) * 1024 / (args.quick ? 4 : 1)
}

const asked = readOnly(args, { kind: KINDS, size: SIZES, part: PARTS })

// Targets.

/** The ratios of a cell: the two contestants, and the target. */
const RATIOS = [
  { key: 'callbacks', fast: 'blocks-callbacks', slow: 'straightforward', target: () => 3 },
  { key: 'emissions', fast: 'blocks-emissions', slow: 'straightforward', target: () => 3 },
  { key: 'incremental', fast: 'incremental', slow: 'straightforward', target: () => 2.5 },
  { key: 'lean/straightforward', fast: 'straightforward-lean', slow: 'straightforward', target: () => undefined },
]

// The correctness check.

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

/** Two different events, from shortly before the difference. */
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
 * Runs all contestants on all texts and chunk sizes before the measurement, so that V8 compiles each of
 * them once, and not again in the middle of a cell.
 */
function warmUp(all) {
  const cells = KINDS.flatMap((kind) => {
    const text = corpus(kind, 96 * 1024, 3)
    return SIZES.map((size) => cut(text, size))
  })
  for (let round = 0; round < 4; round++) for (const chunks of cells) for (const which of shuffled(all.length)) all[which].run(chunks)
}

// Parts.

async function measureCell(all, kind, size) {
  const chunks = cut(corpus(kind, lengthFor(size)), size)
  const counts = new Map()
  const floors = floorsFor(chunks)
  const runs = all.map((one) => () => {
    const count = one.run(chunks)
    const before = counts.get(one.name)
    if (before !== undefined && before !== count) fail(`${one.name} counts ${count} now and ${before} before: ${kind}, ${size}`)
    counts.set(one.name, count)
  })
  const names = [...all.map(({ name }) => name), ...Object.keys(floors)]
  const times = new Map((await interleave([...runs, ...Object.values(floors)], { quick: args.quick, rounds: ROUNDS })).map((list, index) => [names[index], list]))
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
 * Time per character of short streams compared with one long stream. The chunks and the memory are the
 * same; only the number of new parsers differs.
 */
async function measureLinear({ BlockParser, IncrementalXmlParser }, size) {
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
  }
  const step = Math.max(1, Math.round(short / size))
  const rows = []
  for (const [name, way] of Object.entries(ways)) {
    const [few, one] = await interleave(
      [
        () => {
          for (let from = 0; from < chunks.length; from += step) way(from, Math.min(from + step, chunks.length))
        },
        () => way(0, chunks.length),
      ],
      { quick: args.quick, rounds: args.quick ? 5 : 9 },
    )
    const growth = ratio(one, few)
    const perCharacter = (list) => (median(list) * 1e6) / long
    rows.push({ name, size, short: perCharacter(few), long: perCharacter(one), growth, most: GROWTH, ok: growth <= GROWTH })
  }
  if (sink === 0) fail('no output')
  return rows
}

/** The straightforward `push` on texts of moderate length, for comparison with linear time. */
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

/** Many open streams in parallel, a chunk from each in turn, against the same streams in sequence. */
async function measureMany({ BlockParser }) {
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
    straightforward: () => new StraightforwardParser(),
  }
  const names = Object.keys(makers)
  const runs = []
  for (const name of names) {
    const make = makers[name]
    // Each gets its own loop: a shared one would see both classes.
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
  const times = await interleave(runs, { quick: args.quick, rounds: ROUNDS })
  return names.map((name, index) => {
    const [together, alone] = [times[index * 2], times[index * 2 + 1]]
    const perChunk = (list) => (median(list) * 1e6) / (parsers * each)
    return { name, parsers, size, together: perChunk(together), alone: perChunk(alone), growth: ratio(together, alone) }
  })
}

// Printing.

const TITLES = { ascii: 'ASCII', cjk: '10 % CJK', angle: 'Full of `<`', prose: 'Mostly prose', calls: 'Dense with calls' }

const COLUMNS = [
  ['chunk', (cell) => cell.size.toLocaleString('en')],
  ['straightforward', (cell) => time(cell.nanoseconds.straightforward)],
  ['lean', (cell) => time(cell.nanoseconds['straightforward-lean'])],
  ['BlockParser callbacks', (cell) => time(cell.nanoseconds['blocks-callbacks'])],
  ['emissions', (cell) => time(cell.nanoseconds['blocks-emissions'])],
  ['Incremental', (cell) => time(cell.nanoseconds.incremental)],
  ...FLOORS.map((floor) => [floor, (cell) => time(cell.nanoseconds[floor])]),
]

// The run.

const pkg = { ...(await loadPackage()), ...(await loadPackage('membrane')) }
const all = contestants(pkg)
const checked = verify(all)
warmUp(all)
const report = {
  ...machine(),
  characters: Object.fromEntries(SIZES.map((size) => [size, lengthFor(size)])),
  rounds: ROUNDS,
  cells: [],
  linear: [],
  straightforwardPush: [],
  many: [],
}
console.log(`Same events from all: ${checked} comparisons. Node ${report.node}, ${report.cpu}; texts of ${lengthFor(1) / 1024} and ${lengthFor(64) / 1024} KB, ${ROUNDS} rounds.\n`)

for (const kind of KINDS) {
  const cells = []
  for (const size of SIZES) if (asked({ kind, size })) cells.push(await measureCell(all, kind, size))
  if (cells.length === 0) continue
  report.cells.push(...cells)
  heading(`${TITLES[kind]}: ns per chunk`)
  printTable(COLUMNS.map(([head]) => head), cells.map((cell) => COLUMNS.map(([, show]) => show(cell))))
  heading(`${TITLES[kind]}: times as fast (target); compared with straightforward by default`)
  printTable(
    ['chunk', ...RATIOS.map(({ key }) => key)],
    cells.map((cell) => [cell.size.toLocaleString('en'), ...cell.ratios.map(against)]),
  )
}

if (asked({ part: 'linear' })) {
  for (const size of [4, 64]) report.linear.push(...(await measureLinear(pkg, size)))
  report.straightforwardPush = measureStraightforwardPush(4)
  heading(`Linear: ns per character in streams of 40 KB and in one of ${args.quick ? 1 : 4} MB`)
  printTable(
    ['what', 'chunk', '40 KB', 'long', 'growth'],
    report.linear.map((row) => [row.name, String(row.size), row.short.toFixed(2), row.long.toFixed(2), growing(row)]),
  )
  heading('For comparison, push of the straightforward class: ns per character')
  printTable(
    ['length', 'chunk', 'ns'],
    report.straightforwardPush.map((row) => [`${row.kilobytes} KB`, String(row.size), row.perCharacter.toFixed(0)]),
  )
}

if (asked({ part: 'many' })) {
  report.many = await measureMany(pkg)
  heading('200 parallel streams, chunks of 16: ns per chunk')
  printTable(
    ['what', 'in turn', 'one by one', 'growth'],
    report.many.map((row) => [row.name, time(row.together), time(row.alone), `x${row.growth.toFixed(2)}`]),
  )
}

finish(args, report, [...report.cells.flatMap((cell) => cell.ratios), ...report.linear])
