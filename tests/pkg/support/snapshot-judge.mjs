// Judges restored parsers: wherever a stream is cut, what a parser emits that was
// restored in another process is what the first one would have emitted.
import assert from 'node:assert/strict'
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

/** All places of a short text, and some of a long one. */
export function placesOf(text, next, most = 150) {
  const all = Array.from({ length: text.length + 1 }, (_, place) => place)
  if (all.length <= most) return all
  return [...new Set(Array.from({ length: most }, () => Math.floor(next() * all.length)))].sort((a, b) => a - b)
}

/** A text in pieces, of some length at most. */
export function pieces(text, next, longest) {
  const chunks = []
  for (let at = 0; at < text.length; ) {
    const size = 1 + Math.floor(next() * longest)
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return chunks
}

/**
 * Reads a text in chunks, takes a snapshot after each chunk that ends at one of the places, and gives jobs that read
 * the rest, with what they have to give.
 */
export async function jobsOf(name, options, chunks, isPlace) {
  const way = WAYS[name]
  const log = []
  const next = ids()
  const parser = way.make(options, log, next)
  const jobs = []
  let place = 0
  const take = (rest) => {
    const snapshot = JSON.stringify(snapshotOf(way, parser))
    jobs.push({ job: { way: name, options, snapshot, count: next.count, chunks: rest, isEnd: true }, from: log.length, place })
  }
  if (isPlace(0)) take(chunks)
  for (const [at, chunk] of chunks.entries()) {
    await way.feed(parser, chunk)
    place += chunk.length
    if (isPlace(place)) take(chunks.slice(at + 1))
  }
  await way.end(parser)
  way.more?.(parser, log)
  return { jobs, log }
}

/** Throws unless a text is read alike with a restore, and with two, at each of the places. */
export async function judge(pool, name, options, text, next, what) {
  const places = new Set(placesOf(text, next))
  const longest = text.length < 400 ? [1, 24] : [64]
  for (const size of longest) {
    const chunks = size === 1 ? [...text].length === text.length ? [...text] : text.split('') : pieces(text, next, size)
    const { jobs, log } = await jobsOf(name, options, chunks, size === 1 ? (place) => places.has(place) : () => true)
    // Every third one is interrupted again.
    const twice = jobs.filter((_, at) => at % 3 === 2)
    const halves = twice.map(({ job }) => ({ ...job, chunks: job.chunks.slice(0, job.chunks.length >> 1), isEnd: false }))
    const once = await pool.run(jobs.map(({ job }) => job))
    for (const [at, { from, place, job }] of jobs.entries()) same(once[at], log.slice(from), `${name}, ${what}, restored at ${place}, chunks of ${size}`, text, job)
    const first = await pool.run(halves)
    const rest = await pool.run(first.map((each, at) => ({ ...twice[at].job, snapshot: each.snapshot ?? 'null', count: each.count, chunks: twice[at].job.chunks.slice(twice[at].job.chunks.length >> 1) })))
    for (const [at, { from, place }] of twice.entries()) {
      const both = first[at].error ? first[at] : rest[at].error ? rest[at] : { log: JSON.stringify([...JSON.parse(first[at].log), ...JSON.parse(rest[at].log)]) }
      same(both, log.slice(from), `${name}, ${what}, restored at ${place} and again, chunks of ${size}`, text)
    }
  }
}

function same({ error, log }, expected, what, text, job) {
  if (error !== undefined) assert.fail(`${what}: ${error}\nin ${JSON.stringify(text.slice(0, 2_000))}\n${job?.snapshot.slice(0, 3000)}`)
  // JSON on both sides: it is what crosses between the processes.
  if (log !== JSON.stringify(expected)) assert.deepEqual(JSON.parse(log), JSON.parse(JSON.stringify(expected)), `${what}\nin ${JSON.stringify(text.slice(0, 2_000))}`)
}
