// A program: `node growing-memory.mjs SEED` lets every callback try to grow the memory of the
// WebAssembly, which would make all views of it empty; and compares the events with those
// in peace. Prints how often it was tried.
import assert from 'node:assert/strict'
import fc from 'fast-check'

const seed = Number(process.argv[2])
const memories = []
const { Instance } = WebAssembly
WebAssembly.Instance = class extends Instance {
  constructor(...given) {
    super(...given)
    memories.push(this.exports.memory)
  }
}
const { WAYS, alone, chunksOf } = await import('./ways-in.mjs')
await (await import('tokenweir')).warm()
assert.ok(memories.length > 0)

let grown = 0
let refused = 0
const disturb = () => {
  for (const memory of memories) {
    try {
      memory.grow(1)
      grown += 1
    } catch {
      refused += 1
    }
  }
}
let compared = 0
for (const way of WAYS) {
  for (const { text, given } of fc.sample(way.texts, { numRuns: 60, seed })) {
    const chunks = chunksOf(text, [3, 20, 21, 50])
    const expected = JSON.stringify(alone(way, given, chunks))
    const run = way.start(given, (_, act) => {
      disturb()
      return act()
    })
    for (const chunk of chunks) {
      run.feed(chunk)
      disturb()
    }
    run.end()
    assert.equal(JSON.stringify(run.log), expected, `${way.name}, SEED=${seed}`)
    compared += 1
  }
}
console.log(JSON.stringify({ grown, refused, compared, isDetached: memories.some(({ buffer }) => buffer.byteLength === 0) }))
