// Judges restored parsers: wherever a stream is cut, a parser that was restored from JSON emits what the first one would
// have emitted, once neighbouring deltas are joined.
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

/** Up to this length a text is read at all places. */
const MOST = 80

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

/** Throws unless a text is read alike with a restore, and with two, at each place, or at some of a long text. */
export async function judge(name, options, text, seed, what, most = Number(env.PLACES ?? thinned(MOST))) {
  const next = random(seed)
  const places = Array.from({ length: most }, () => Math.floor(next() * (text.length + 1)))
  const isPlace = (place) => text.length < most || places.includes(place)
  for (const size of text.length < 400 ? [1, 24] : [64]) {
    const chunks = size === 1 ? text.split('') : pieces(text, next, size)
    await judgeChunks(name, options, chunks, size === 1 || thinness > 1 ? isPlace : () => true, `${what}, chunks of ${size}`)
  }
}

/** The same of chunks, which may be no texts. `forge`: changes each snapshot. */
export async function judgeChunks(name, options, chunks, isPlace, what, forge = (snapshot) => snapshot) {
  const way = WAYS[name]
  const log = []
  const next = ids()
  const parser = way.make(options, log, next)
  const jobs = []
  let place = 0
  const take = (from) => jobs.push({ stored: JSON.stringify(snapshotOf(way, parser)), count: next.count, from, since: log.length, place })
  if (isPlace(0)) take(0)
  for (const [at, chunk] of chunks.entries()) {
    await way.feed(parser, chunk)
    place += chunk.length
    if (isPlace(place)) take(at + 1)
  }
  await way.end(parser)
  way.more?.(parser, log)
  for (const [at, job] of jobs.entries()) {
    // Every eighth one is interrupted again.
    const again = at % 8 === 2 ? job.from + ((chunks.length - job.from) >> 1) : undefined
    const events = await goOn(way, options, chunks, { ...job, again, stored: JSON.stringify(forge(JSON.parse(job.stored))) })
    const where = `${name}, ${what}, restored at ${job.place}${again === undefined ? '' : ` and after chunk ${again}`}`
    if (!isSame(events, log.slice(job.since))) assert.deepEqual(joined(events), joined(log.slice(job.since)), `${where}\nin ${JSON.stringify(chunks.join('').slice(0, 2_000))}`)
  }
}

/** What a parser emits that is restored, reads the chunks after its snapshot, and ends. */
async function goOn(way, options, chunks, { stored, count, from, again }) {
  const log = []
  let next = ids(count)
  let parser = way.restore(JSON.parse(stored), options, log, next)
  for (let at = from; at < chunks.length; at++) {
    if (at === again) parser = way.restore(JSON.parse(JSON.stringify(snapshotOf(way, parser))), options, log, (next = ids(next.count)))
    await way.feed(parser, chunks[at])
  }
  await way.end(parser)
  way.more?.(parser, log)
  return log
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

/** Events with neighbouring deltas joined. */
export function joined(log) {
  const all = []
  for (const event of JSON.parse(JSON.stringify(log))) {
    const delta = deltaOf(event)
    if (delta !== undefined && all.at(-1)?.key === delta.key) all.at(-1).text += delta.text
    else all.push(delta ?? event)
  }
  return all
}

/** What makes a delta the neighbour of another, and its text. */
function deltaOf(event) {
  const { chunk, kind, text, meta, type, segment_id, payload, id, delta, eventType, path } = event ?? {}
  const { span: _, ...about } = meta ?? {}
  if (chunk !== undefined || kind === 'content') return { key: JSON.stringify(about), text: chunk ?? text }
  if (type === 'SEGMENT_CONTENT') return { key: segment_id, text: payload.delta }
  if (/-delta$/.test(type)) return { key: `${type} ${id}`, text: delta }
  return eventType === 'delta' && typeof delta === 'string' ? { key: path, text: delta } : undefined
}
