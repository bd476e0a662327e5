// The benchmark, in its own thread, so that the page stays responsive.
//
// Rounds are interleaved and ratios are taken within a round, so that other load
// affects all parsers alike.

import { chunksOf } from '../chunks'
import { CONTESTANTS, PLAIN } from './contestants'
import type { Answer, Question, Result } from './race'

const ROUNDS = 15
/** A shorter text is repeated. */
const SHORTEST = 64 * 1024
/** The minimum length of a sample, in milliseconds: a page's clock is coarse. */
const SAMPLE = 12
const WARM_UP = 120

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  try {
    race(data)
  } catch (error) {
    answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})

function answer(message: Answer): void {
  postMessage(message)
}

function race({ text, chunkSize }: Question): void {
  const whole = text.repeat(Math.max(1, Math.ceil(SHORTEST / Math.max(1, text.length))))
  const chunks = chunksOf(whole, chunkSize)
  const agree = new Set(CONTESTANTS.map(({ run }) => run(chunks))).size === 1
  const repeats = CONTESTANTS.map(({ run }) => repeatsFor(() => run(chunks)))
  const times = CONTESTANTS.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    answer({ kind: 'round', round: round + 1, rounds: ROUNDS })
    for (let place = 0; place < CONTESTANTS.length; place++) {
      // Each round starts with a different parser, so that none always follows the same one.
      const which = (place + round) % CONTESTANTS.length
      const count = repeats[which] as number
      const start = performance.now()
      for (let i = 0; i < count; i++) CONTESTANTS[which]?.run(chunks)
      times[which]?.push((performance.now() - start) / count)
    }
  }
  const plain = times[CONTESTANTS.findIndex(({ name }) => name === PLAIN)] as number[]
  const results = CONTESTANTS.map(({ name }, which): Result => {
    const own = times[which] as number[]
    const milliseconds = median(own)
    return { name, milliseconds, nanoseconds: (milliseconds * 1e6) / chunks.length, ratio: median(own.map((time, round) => (plain[round] as number) / time)) }
  })
  answer({ kind: 'done', results, characters: whole.length, chunks: chunks.length, agree })
}

/** Warms up, and finds how many runs make a long enough sample. */
function repeatsFor(run: () => void): number {
  const end = performance.now() + WARM_UP
  let runs = 0
  const start = performance.now()
  do {
    run()
    runs++
  } while (performance.now() < end)
  return Math.max(1, Math.ceil(SAMPLE / ((performance.now() - start) / runs)))
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}
