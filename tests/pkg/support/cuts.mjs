// Ways to cut a text into chunks. Positions are UTF-16 units, so that surrogate
// pairs are split too.
import { env } from 'node:process'

/** A seed, which the run prints where it fails. */
const SEED = Number(env.SEED ?? 1)

/** How much is tried: an n-th where `THIN=n` says so, other parts by other seeds, as in `npm test`; `npm run test:all` tries all. */
export const thinness = Number(env.THIN ?? 1)

/** What of so many random texts or cuts is tried; one at least. */
export const thinned = (count) => Math.ceil(count / thinness)

/** What of a list is tried: other parts by other seeds. */
export const sampled = (list) => list.filter((_, at) => at % thinness === SEED % thinness)

/** The longest texts that are cut at every position, and at every pair of positions. */
const EVERY_CUT = 4_096
const EVERY_TWO_CUTS = 120

/** Seeded random numbers: a 32-bit xorshift. */
export function random(seed) {
  let state = seed | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** A text cut at ascending positions. */
export function cutAt(text, places) {
  const chunks = []
  let from = 0
  for (const place of places) {
    chunks.push(text.slice(from, place))
    from = place
  }
  chunks.push(text.slice(from))
  return chunks
}

/** Pieces of equal size. */
export function pieces(text, size) {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
}

/** An empty chunk before, between and after. */
export function withEmpty(chunks) {
  return ['', ...chunks.flatMap((chunk) => [chunk, ''])]
}

/**
 * Each way to cut, by name: whole; in one place and in two, at every place of
 * short texts and at seeded ones of long texts; in many seeded places; into
 * single units; with empty chunks between. `one` and `two` are the longest texts
 * that are cut at every place and at every two. Of places an n-th is tried; a small sample has seeded ones alone.
 */
export function* everyCut(text, seed = 1, { one = EVERY_CUT, two = EVERY_TWO_CUTS, pairs = 300 } = {}) {
  if (thinness > 4) return yield* someCuts(text, seed)
  const first = 1 + (SEED % thinness)
  const size = text.length
  const next = random(seed)
  const places = (count) => Array.from({ length: count }, () => next(size + 1)).sort((a, b) => a - b)
  yield ['whole', [text]]
  yield ['whole, with empty chunks', withEmpty([text])]
  yield ['unit by unit', pieces(text, 1)]
  yield ['unit by unit, with empty chunks', withEmpty(pieces(text, 1))]
  if (size <= one) for (let at = first; at < size; at += thinness) yield [`cut at ${at}`, cutAt(text, [at])]
  else for (let count = 0; count < thinned(200); count++) yield seeded(text, places(1), seed)
  if (size <= two) {
    for (let at = first; at < size; at += thinness) for (let second = at + first; second < size; second += thinness) yield [`cut at ${at} and ${second}`, cutAt(text, [at, second])]
  } else for (let count = 0; count < thinned(pairs); count++) yield seeded(text, places(2), seed)
  for (let count = 0; count < 30; count++) {
    const cuts = places(3 + next(Math.min(size + 1, 40)))
    yield seeded(text, cuts, seed)
    if (count % 3 === 0) yield [`cut at ${cuts} (seed ${seed}), with empty chunks`, withEmpty(cutAt(text, cuts))]
  }
}

/** Whole, by one, by seven, and at 20 seeded places: one, two or more of them. */
function* someCuts(text, seed) {
  const next = random(seed)
  const places = (count) => Array.from({ length: count }, () => next(text.length + 1)).sort((a, b) => a - b)
  yield ['whole', [text]]
  yield ['unit by unit', pieces(text, 1)]
  yield ['by seven, with empty chunks', withEmpty(pieces(text, 7))]
  for (let count = 0; count < 20; count++) yield seeded(text, places([1, 1, 2, 3 + next(12)][count % 4]), seed)
}

/** A text cut at seeded positions, with its name. */
export function seeded(text, places, seed) {
  return [`cut at ${places} (seed ${seed})`, cutAt(text, places)]
}
