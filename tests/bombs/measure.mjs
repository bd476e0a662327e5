// Measures bombs, in a process of its own: `node --expose-gc tests/bombs/measure.mjs '[[front-end, bomb, face, length, chunk], …]'`.
// Prints a line of JSON for each.
import { argv, memoryUsage, stdout } from 'node:process'

/** What crosses into WebAssembly, which is what grows if anything is read again; and all memory it has. */
const crossing = { bytes: 0, calls: 0 }
const memories = []

const Original = WebAssembly.Instance
WebAssembly.Instance = function (...given) {
  const { exports } = new Original(...given)
  memories.push(exports.memory)
  const counted = Object.entries(exports).map(([name, value]) => [name, typeof value === 'function' ? counting(name, value) : value])
  return { exports: Object.fromEntries(counted) }
}

function counting(name, call) {
  if (!name.endsWith('_run')) return (...given) => call(...given)
  return (length, ...given) => {
    crossing.bytes += length
    crossing.calls++
    return call(length, ...given)
  }
}

const { bombsOf, chunksOf } = await import('./bombs.mjs')
const { facesOf } = await import('./faces.mjs')

/** How often the heap is looked at while a bomb is fed: each time costs some milliseconds. */
const looksFor = (length) => (length < 100_000 ? 2 : 8)

const wasmBytes = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)

/** The heap without what nobody needs any more. */
function liveHeap() {
  globalThis.gc()
  return memoryUsage().heapUsed
}

async function measure(bomb, face, length, chunk) {
  crossing.bytes = 0
  crossing.calls = 0
  const wasmBefore = wasmBytes()
  const before = liveHeap()
  const { peak, ...fed } = feed(bomb, face, length, chunk, before)
  // What a task has in hand is let go behind it.
  await new Promise(setImmediate)
  liveHeap()
  return { ...fed, wasm: wasmBytes(), wasmGrown: wasmBytes() - wasmBefore, peak: peak - before, after: liveHeap() - before, bytes: crossing.bytes, calls: crossing.calls }
}

/** Makes a reader and feeds it. A function by itself, as the registers of one that isn't over may keep the reader. */
function feed(bomb, face, length, chunk, before) {
  const reader = facesOf(bomb)[face]()
  const every = length / looksFor(length)
  let [time, peak, units, next] = [0, before, 0, every]
  let from = performance.now()
  for (const piece of chunksOf(bomb, length, chunk)) {
    units += piece.length
    reader.feed(piece)
    if (units < next || reader.isWhole) continue
    time += performance.now() - from
    next += every
    peak = Math.max(peak, liveHeap())
    from = performance.now()
  }
  if (reader.isWhole) from = performance.now()
  reader.finish()
  time += performance.now() - from
  peak = Math.max(peak, liveHeap())
  return { units, time, peak, codes: [...reader.codes].sort() }
}

for (const [frontEnd, name, face, length, chunk] of JSON.parse(argv[2])) {
  const bomb = bombsOf(frontEnd).find((each) => each.name === name)
  stdout.write(`${JSON.stringify({ frontEnd, name, face, length, chunk, ...(await measure(bomb, face, length, chunk)) })}\n`)
}
