// All that the package emits for all cases, at all cuts: `npm run goldens` writes it, `npm run goldens -- --check` compares.
// It is for changes that must change nothing, and replaces no test: no golden says that what it has is right.
//
//     node tests/goldens.mjs [--check] [--only DOOR]... [--cases DIR] [--package DIR] [--before DIR]
//
// tests/goldens has a file for each door (tests/goldens-doors.mjs). A case has the events of its whole text, deltas joined, to
// be read; and of all cuts a hash of the events as they were emitted, chunk by chunk. A hash of the hashes of all cuts shows
// that something changed; a hexadecimal digit for each cut shows where.
//
// `--cases` is a folder of cases outside of the repository. Their goldens have hashes alone, since their texts aren't ours.
// `--package` is another built package, `--before` one that still is as the goldens are: with it the first event that differs is
// found for any cut. Without, only what differs from the events of the whole text is.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { DOORS, givenDoors } from './goldens-doors.mjs'
import { cutAt, pieces, random, withEmpty } from './pkg/support/cuts.mjs'

const { values: options } = parseArgs({
  options: { check: { type: 'boolean' }, only: { type: 'string', multiple: true }, cases: { type: 'string' }, package: { type: 'string' }, before: { type: 'string' } },
})
const ENTRIES = ['index', 'blocks', 'membrane', 'fields', 'segments', 'tool-calls', 'formats', 'edits', 'args', 'ai-sdk', 'ai-sdk-tool-parser']

// Every two cuts of a text of 48 units are a thousand. Sixty of them, chosen by the seed, keep the check below two minutes.
const [ONE, TWO, PAIRS, SEEDED, FEW, SEED] = [600, 48, 60, 12, 2, 20]

/** The ways to cut a text, by name. They depend on its length alone. */
function* cutsOf({ text, chunks }, how) {
  yield ['whole', text === undefined ? [] : [text]]
  if (chunks !== undefined) yield ['as recorded', chunks]
  if (how === 'whole' || text === undefined) return
  const next = random(SEED)
  const size = text.length
  const places = (count) => Array.from({ length: count }, () => next(size + 1)).sort((a, b) => a - b)
  const cut = (list) => [`cut at ${list}`, cutAt(text, list)]
  yield ['unit by unit', pieces(text, 1)]
  yield ['by seven', pieces(text, 7)]
  if (how === 'every') yield ['by seven, with empty chunks', withEmpty(pieces(text, 7))]
  const seeded = how === 'few' ? FEW : SEEDED
  if (how === 'every' && size <= ONE) for (let at = 1; at < size; at++) yield cut([at])
  else for (let count = 0; count < 2 * seeded; count++) yield cut(places(1))
  const pairs = []
  if (how === 'every' && size <= TWO) for (let a = 1; a < size; a++) for (let b = a + 1; b < size; b++) pairs.push([a, b])
  while (pairs.length > PAIRS) pairs.splice(next(pairs.length), 1)
  for (const pair of pairs) yield cut(pair)
  for (let count = 0; count < seeded; count++) yield cut(places(2 + next(12)))
}

/** What JSON leaves out. */
function plain(_, value) {
  if (typeof value === 'number') return Object.is(value, -0) ? '$-0' : Number.isFinite(value) ? value : `$${value}`
  if (value === undefined) return '$undefined'
  if (typeof value === 'bigint') return `$${value}n`
  if (value instanceof Error) return { $error: value.name, message: value.message, ...value }
  return value
}

/** The lines of a reading. An empty one is the end of a chunk. */
async function linesOf(api, door, each, [, chunks], nth) {
  const lines = []
  const say = (event) => void lines.push(event === undefined ? '' : JSON.stringify(event, plain))
  try {
    await door.read(api, each, chunks, say, nth % 2 === 0, nth)
  } catch (error) {
    say({ thrown: error })
  }
  return lines
}

const TEXTS = ['delta', 'text', 'chunk']

/** Events with neighbours joined that are the same but for more of a text, and where it ends. */
function joined(lines) {
  const events = []
  let last
  for (const line of lines) {
    if (line === '') continue
    const event = JSON.parse(line)
    const [holder, key] = textOf(event)
    const text = holder?.[key]
    const span = event.span ?? event.meta?.span
    if (holder !== undefined) holder[key] = ''
    const same = JSON.stringify({ ...event, span: null, meta: { ...event.meta, span: null } })
    if (holder !== undefined && last?.same === same) {
      last.holder[last.key] += text
      if (span !== undefined) last.span[1] = span[1]
      continue
    }
    if (holder !== undefined) holder[key] = text
    last = { same, holder, key, span }
    events.push(event)
  }
  return events
}

function textOf(event) {
  for (const holder of [event, event.payload]) for (const key of TEXTS) if (typeof holder?.[key] === 'string') return [holder, key]
  return []
}

async function load(folder) {
  const api = {}
  for (const entry of ENTRIES) api[entry] = await import(new URL(`dist/esm/${entry}.js`, pathToFileURL(`${resolve(folder)}/`)).href)
  return api
}

/** What a door emits, as the text of its file: a line for each case. */
async function goldenOf(api, name, door) {
  const isGiven = name.startsWith('given-')
  const lines = []
  let count = 0
  for (const each of door.cases) {
    const all = createHash('sha256')
    let [nth, digits, events] = [0, '']
    for (const cut of cutsOf(each, door.cuts)) {
      const read = await linesOf(api, door, each, cut, nth)
      const hash = createHash('sha256').update(read.join('\n')).digest('hex')
      all.update(hash)
      digits += hash[0]
      if (nth++ === 0 && !isGiven) events = joined(read)
    }
    count += nth
    lines.push(JSON.stringify({ name: each.name, hash: all.digest('hex').slice(0, 16), cuts: digits, events }))
  }
  return { text: `${lines.join('\n')}\n`, count }
}

const short = (value) => (JSON.stringify(value) ?? 'nothing').slice(0, 600)
/** The first place where two lists differ. */
const firstOf = (old, now) => now.findIndex((event, at) => JSON.stringify(event) !== JSON.stringify(old[at]))

/** Prints the first case of a door that differs: at which cut, and the first event. */
async function report(name, door, old, now) {
  const [before, after] = [old, now].map((text) => text.trimEnd().split('\n'))
  const changed = after.flatMap((line, at) => (line === before[at] ? [] : [at]))
  console.log(`${name}: ${changed.length} of ${after.length} cases differ${before.length === after.length ? '' : `; there were ${before.length}`}`)
  for (const at of changed.slice(0, 3)) {
    const [golden, found, each] = [before[at] && JSON.parse(before[at]), JSON.parse(after[at]), door.cases[at]]
    if (golden?.name !== found.name || golden.cuts.length !== found.cuts.length) return console.log(`  the cases are others, from ${found.name} on: write the goldens before a case is changed`)
    const cuts = [...cutsOf(each, door.cuts)]
    const where = cuts.flatMap((_, nth) => (golden.cuts[nth] === found.cuts[nth] ? [] : [nth]))
    // One of sixteen cuts has the old digit by chance.
    const nth = where[0] ?? 0
    console.log(`  ${found.name}\n    ${where.length === 0 ? 'at some cut' : `${cuts[nth][0]} (and at ${where.length - 1} of the other ${cuts.length - 1} cuts)`}, text ${short(each.text)}`)
    // As the first cut is read, with spans, if it is compared with that one's events.
    const lines = await linesOf(api, door, each, cuts[nth], earlier === undefined ? 0 : nth)
    const [was, is] = earlier === undefined ? [golden.events, joined(lines)] : [await linesOf(earlier, door, each, cuts[nth], nth), lines]
    if (was === undefined) return console.log('    given cases have hashes alone; --before DIR finds the event')
    const first = firstOf(was, is)
    if (first >= 0 || was.length > is.length) console.log(`    event ${first < 0 ? is.length : first} is  ${short(is[first])}\n    ${earlier === undefined ? 'of the whole text it was' : 'was'} ${short(was[first < 0 ? is.length : first])}`)
    else console.log(`    joined, the events are those of the whole text: deltas are cut otherwise, or come with another chunk; --before DIR finds where\n    ${lines.join(' | ').slice(0, 600)}`)
  }
}

const folder = new URL('goldens/', import.meta.url)
const api = await load(options.package ?? new URL('../pkg', import.meta.url).pathname)
const earlier = options.before && (await load(options.before))
const doors = Object.entries({ ...DOORS, ...(options.cases && givenDoors(options.cases)) }).filter(([name]) => options.only?.includes(name) ?? true)
mkdirSync(folder, { recursive: true })
for (const [name, door] of doors) {
  const start = performance.now()
  const { text, count } = await goldenOf(api, name, door)
  const file = new URL(`${name}.jsonl.br`, folder)
  let state = 'written'
  if (options.check) {
    // Their texts are compared, since another version of Node may compress them otherwise.
    const old = existsSync(file) ? brotliDecompressSync(readFileSync(file)).toString() : ''
    state = old === text ? 'the same' : 'DIFFERENT'
    if (old !== text) {
      process.exitCode = 1
      await report(name, door, old, text)
    }
  } else writeFileSync(file, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_LGWIN]: 24 } }))
  console.log(`${name.padEnd(16)} ${String(door.cases.length).padStart(5)} cases ${String(count).padStart(7)} readings ${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${state}`)
}
