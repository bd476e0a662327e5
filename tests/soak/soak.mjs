// Soak test: parsers of all kinds, created, fed, and finished or dropped, as in hours of a server's life.
//
//     npm run soak                      120 seconds or 200,000 parsers, whichever comes later
//     npm run soak -- --seconds 10      this many seconds, or parsers in proportion
//     npm run soak -- --leak 100        leaks 100 bytes per parser, which must be detected
//
// WebAssembly memory must not grow by a byte. The heap in use, after a collection, is sampled all the time: it must grow
// by less than 20 bytes per parser. Dropped objects must be collected. A run of a few seconds finds only coarse leaks:
// growth below a megabyte in total is ignored.
import { argv, exit, memoryUsage } from 'node:process'
import { parseArgs } from 'node:util'
import { random as randomFrom } from '../pkg/support/cuts.mjs'
import { watchMemories } from './memories.mjs'

const memories = watchMemories()
const { KINDS, textsOf } = await import('./kinds.mjs')
await (await import('tokenweir')).warm()

/** The maximum growth in bytes per parser: there is none, but the measurement is noisy. */
const MOST_BYTES = 20

/** The maximum total growth: code that is compiled on the way is not a leak. */
const MOST_GROWTH = 1_000_000

/** The fraction of dropped objects that may still be uncollected at the end. */
const MOST_KEPT = 0.001

/** Parsers that work in parallel. */
const LIVE = 64

const { values } = parseArgs({ args: argv.slice(2), options: { seconds: { type: 'string', default: '120' }, leak: { type: 'string', default: '0' }, seed: { type: 'string', default: String(Date.now() % 1_000_000) } } })
const seconds = Number(values.seconds)
const parsers = Math.round((200_000 * seconds) / 120)
const leak = Number(values.leak)

console.log(`SEED=${values.seed}`)
const random = randomFrom(Number(values.seed))
const texts = textsOf()
const leaked = []

const totals = { made: 0, finished: 0, dropped: 0, thrown: 0, chunks: 0, units: 0 }
const watched = { count: 0, collected: 0 }
const registry = new FinalizationRegistry(() => watched.collected++)

const start = performance.now()
const looks = []
const live = Array.from({ length: LIVE }, make)
// Code and caches of the first parsers are not a leak.
await runUntil(() => totals.made >= parsers / 10)
const wasm = memories.bytes()
look()
let next = totals.made
await runUntil(() => {
  if (totals.made >= next + parsers / 50) {
    next = totals.made
    look()
  }
  return totals.made >= parsers && performance.now() - start >= seconds * 1000
})
look()
live.length = 0
const kept = await keptOf()

const slope = slopeOf(looks)
const wasmGrown = memories.bytes() - wasm
const took = ((performance.now() - start) / 1000).toFixed(0)
console.log(
  `soak: ${totals.made} parsers in ${took} s (${totals.finished} finished, ${totals.dropped} dropped, ${totals.thrown} callbacks threw), ${totals.chunks} chunks, ${(totals.units / 1e6).toFixed(1)} million characters; ` +
    `WebAssembly ${wasm} bytes, grown by ${wasmGrown}; heap ${(looks[0].heap / 1e6).toFixed(2)} MB, then ${(looks.at(-1).heap / 1e6).toFixed(2)} MB, ${slope.toFixed(2)} bytes a parser; ${watched.count} objects watched, ${kept} not collected`,
)
const faults = [
  wasmGrown !== 0 && `WebAssembly's memory grew by ${wasmGrown} bytes`,
  slope > MOST_BYTES && slope * (looks.at(-1).made - looks[0].made) > MOST_GROWTH && `the heap grows by ${slope.toFixed(1)} bytes a parser, the limit is ${MOST_BYTES}`,
  kept > Math.max(8, watched.count * MOST_KEPT) && `${kept} of ${watched.count} objects that were dropped are not collected`,
  totals.thrown === 0 && 'no callback threw',
].filter(Boolean)
for (const fault of faults) console.error(`soak: ${fault}`)
if (faults.length > 0) exit(1)

/** A parser that is fed chunk by chunk, of any kind and text. */
function make() {
  const kind = KINDS[random(KINDS.length)]
  const text = texts[kind.texts][random(texts[kind.texts].length)]
  const job = kind.make({ throws: random(16) === 0 })
  // Half of them are dropped somewhere in their text.
  const end = random(2) === 0 ? text.length : random(text.length)
  totals.made++
  watched.count += job.objects.length
  for (const object of job.objects) registry.register(object, undefined)
  delete job.objects
  if (leak > 0) leaked.push(Array(Math.ceil(leak / 8)).fill(0))
  return { job, text, at: 0, end, isWhole: end === text.length }
}

/** Feeds a chunk to one of the live parsers; a finished one is replaced. */
async function turn() {
  const place = random(LIVE)
  const each = live[place]
  const chunk = each.text.slice(each.at, Math.min(each.end, each.at + 1 + random(48)))
  each.at += chunk.length
  totals.chunks++
  totals.units += chunk.length
  await guarded(() => each.job.feed(chunk))
  if (each.at < each.end) return
  if (each.isWhole) {
    await guarded(() => each.job.finish())
    totals.finished++
  } else {
    totals.dropped++
  }
  live[place] = make()
}

async function guarded(act) {
  try {
    const waiting = act()
    if (waiting !== undefined) await waiting
  } catch (error) {
    if (error?.cause?.message !== 'planned' && error?.message !== 'planned') throw error
    totals.thrown++
  }
}

async function runUntil(isOver) {
  while (!isOver()) {
    for (let count = 0; count < 500; count++) await turn()
    // The registry is notified between tasks.
    await new Promise(setImmediate)
  }
}

function look() {
  globalThis.gc()
  looks.push({ made: totals.made, heap: memoryUsage().heapUsed })
}

/** The heap's growth per parser: the slope of the regression line through all samples. */
function slopeOf(points) {
  const mean = (pick) => points.reduce((sum, point) => sum + pick(point), 0) / points.length
  const [made, heap] = [mean((point) => point.made), mean((point) => point.heap)]
  return points.reduce((sum, point) => sum + (point.made - made) * (point.heap - heap), 0) / points.reduce((sum, point) => sum + (point.made - made) ** 2, 0)
}

/** The number of watched objects that are not collected after all were dropped. */
async function keptOf() {
  for (let count = 0; count < 20 && watched.collected < watched.count; count++) {
    globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return watched.count - watched.collected
}
