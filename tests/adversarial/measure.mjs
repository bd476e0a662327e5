// Measures inputs in its own process: `node --expose-gc tests/adversarial/measure.mjs '[[parser, input, API, length, chunk], …]'`.
// Prints one line of JSON for each.
import { argv, memoryUsage, stdout } from 'node:process'

/** The data passed into WebAssembly, which grows if any text is read again; and all WebAssembly memories. */
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

const { inputsOf, chunksOf } = await import('./inputs.mjs')
const { facesOf } = await import('./faces.mjs')
// So that all memories are there before the first input.
await (await import('tokenweir')).warm()

// A collection takes longer than a short text, so there are few of them: the heap is sampled when all was fed, which is when
// most is pending, and what the last input left is where the next one starts.
const isShort = (length) => length < 100_000

/** How often the heap is sampled while an input is fed. */
const samplesFor = (length) => (isShort(length) ? 1 : 8)

const wasmBytes = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)

/** The heap after a garbage collection. */
function liveHeap() {
  globalThis.gc()
  return memoryUsage().heapUsed
}

let left

/** What a short text leaves that is the first of its pair counts as left by the longer one. */
async function measure(input, face, length, chunk, isFirst) {
  crossing.bytes = 0
  crossing.calls = 0
  const wasmBefore = wasmBytes()
  const before = left !== undefined && isShort(length) ? left : liveHeap()
  const isBrief = isFirst && isShort(length)
  const { peak, ...fed } = feed(input, face, length, chunk, before)
  // Values on the stack are released when the task ends.
  await new Promise(setImmediate)
  if (!isShort(length)) liveHeap()
  left = isBrief ? before : liveHeap()
  return { ...fed, wasm: wasmBytes(), wasmGrown: wasmBytes() - wasmBefore, peak: peak - before, after: left - before, bytes: crossing.bytes, calls: crossing.calls }
}

/** Makes a reader and feeds it, in a separate function: the registers of a running function may keep the reader alive. */
function feed(input, face, length, chunk, before) {
  const reader = facesOf(input)[face]()
  const every = length / samplesFor(length)
  let [time, peak, units, next] = [0, before, 0, every]
  let from = performance.now()
  for (const piece of chunksOf(input, length, chunk)) {
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

for (const [at, [frontEnd, name, face, length, chunk]] of JSON.parse(argv[2]).entries()) {
  const input = inputsOf(frontEnd).find((each) => each.name === name)
  stdout.write(`${JSON.stringify({ frontEnd, name, face, length, chunk, ...(await measure(input, face, length, chunk, at % 2 === 0)) })}\n`)
}
