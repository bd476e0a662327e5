/**
 * One contestant in a loop, for the profiler:
 *
 *     node --cpu-prof --cpu-prof-dir=target/profile bench/profile.mjs blocks-callbacks ascii 16 --seconds 4
 */

import { parseArgs } from 'node:util'
import { contestants, loadPackage } from './contestants.mjs'
import { corpus, cut, KINDS } from './corpus.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '4' } },
})
const [name, kind, size] = positionals
// The straightforward class needs no package.
const all = contestants(name?.startsWith('straightforward') ? {} : { ...(await loadPackage()), ...(await loadPackage('membrane')) })
const contestant = all.find((one) => one.name === name)
if (contestant === undefined || !KINDS.includes(kind) || !(Number(size) > 0)) {
  console.error(`usage: profile.mjs <contestant> <corpus> <chunk size> [--seconds n]
contestants: ${all.map((one) => one.name).join(', ')}
corpora: ${KINDS.join(', ')}`)
  process.exit(1)
}

const chunks = cut(corpus(kind, 1024 * 1024), Number(size))
const times = []
const end = performance.now() + Number(values.seconds) * 1000
while (performance.now() < end) {
  const start = performance.now()
  contestant.run(chunks)
  times.push(performance.now() - start)
}
times.sort((a, b) => a - b)
const nanoseconds = (time) => ((time * 1e6) / chunks.length).toFixed(1)
console.log(`${name} ${kind} ${size}: median ${nanoseconds(times[times.length >> 1])} ns per chunk, best ${nanoseconds(times[0])}, ${times.length} runs`)
