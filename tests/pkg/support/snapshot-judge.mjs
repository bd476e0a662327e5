// Judges restored parsers: wherever a stream is cut, what a parser emits that was
// restored in another process is what the first one would have emitted.
import assert from 'node:assert/strict'
import { env } from 'node:process'
import { thinned, thinness } from './cuts.mjs'
import { WAYS, ids, snapshotOf } from './snapshot-ways.mjs'

/** Numbers from a seed (mulberry32), for places in long texts. */
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Up to this length a text is short. */
const MOST = 80

/** All places of a short text, and some of a long one. */
function placesOf(text, next, most) {
  const all = Array.from({ length: text.length + 1 }, (_, place) => place)
  if (all.length <= most) return all
  return [...new Set(Array.from({ length: most }, () => Math.floor(next() * all.length)))].sort((a, b) => a - b)
}

/** A text in pieces, of some length at most. */
function pieces(text, next, longest) {
  const chunks = []
  for (let at = 0; at < text.length; ) {
    const size = 1 + Math.floor(next() * longest)
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return chunks
}

/** Reads chunks, and takes a snapshot after each that ends at one of the places: jobs that read the rest, and all that was emitted. */
async function jobsOf(name, options, chunks, isPlace) {
  const way = WAYS[name]
  const log = []
  const next = ids()
  const parser = way.make(options, log, next)
  const jobs = []
  let place = 0
  const take = (from) => jobs.push({ snapshot: JSON.stringify(snapshotOf(way, parser)), count: next.count, from, since: log.length, place })
  if (isPlace(0)) take(0)
  for (const [at, chunk] of chunks.entries()) {
    const fed = way.feed(parser, chunk)
    if (fed instanceof Promise) await fed
    place += chunk.length
    if (isPlace(place)) take(at + 1)
  }
  await way.end(parser)
  way.more?.(parser, log)
  return { jobs, log }
}

/** Throws unless a text is read alike with a restore, and with two, at each of the places. */
export async function judge(pool, name, options, text, seed, what, most) {
  const next = random(seed)
  const places = new Set(placesOf(text, next, Number(env.PLACES ?? thinned(most ?? MOST))))
  const longest = text.length < 400 ? [1, 24] : [64]
  for (const size of longest) {
    const chunks = size === 1 ? text.split('') : pieces(text, next, size)
    await judgeChunks(pool, name, options, chunks, size === 1 || thinness > 1 ? (place) => places.has(place) : () => true, `${what}, chunks of ${size}`)
  }
}

/** The same of chunks, which may be no texts. */
export async function judgeChunks(pool, name, options, chunks, isPlace, what) {
  const { jobs, log } = await jobsOf(name, options, chunks, isPlace)
  // Every eighth one is interrupted again. JSON on both sides: it is what crosses between the processes.
  const twice = jobs.filter((_, at) => at % 8 === 2).map((job) => ({ ...job, again: job.from + ((chunks.length - job.from) >> 1) }))
  const all = [...jobs, ...twice]
  const entries = log.map((each) => JSON.stringify(each) ?? 'null')
  const starts = [0]
  for (const entry of entries) starts.push(starts.at(-1) + entry.length + 1)
  const whole = `${entries.join()}]`
  const answers = await pool.run(
    all.map(({ snapshot, count, from, since, again }) => ({ snapshot, count, from, again, at: since === entries.length ? whole.length - 1 : starts[since] })),
    { way: name, options, chunks, whole },
  )
  const text = chunks.join('').slice(0, 2_000)
  for (const [at, answer] of answers.entries()) {
    if (answer === undefined) continue
    const { place, since, again, snapshot } = all[at]
    const where = `${name}, ${what}, restored at ${place}${again === undefined ? '' : ` and after chunk ${again}`}`
    if (answer.error !== undefined) assert.fail(`${where}: ${answer.error}\nin ${JSON.stringify(text)}\n${snapshot.slice(0, 3_000)}`)
    assert.deepEqual(JSON.parse(answer.log), JSON.parse(JSON.stringify(log.slice(since))), `${where}\nin ${JSON.stringify(text)}`)
  }
}
