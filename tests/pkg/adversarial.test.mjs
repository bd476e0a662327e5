// Small adversarial inputs on the installed package: the data passed into WebAssembly and the pending text grow linearly,
// and an input is rejected only with its listed code. `npm run adversarial` runs the large ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRONT_ENDS } from '../adversarial/inputs.mjs'
import { measureAll, measured } from '../adversarial/run.mjs'

for (const frontEnd of FRONT_ENDS) {
  test(`adversarial inputs: ${frontEnd}`, async () => {
    const rows = await measureAll(frontEnd, { quick: true })
    assert.ok(rows.length >= 15, `${rows.length} inputs`)
    assert.deepEqual(rows.flatMap(({ name, face, faults }) => faults.map((fault) => `${name}, ${face}: ${fault}`)), [])
  })
}

test('what waits is in memory once: no rope of small pieces, and no copy for each place in it', async () => {
  const jobs = [['quotes', 'hermes'], ['closing tags of a string, far from each other', 'morph']]
  for (const { name, peak, units } of await measured(jobs.map(([name, protocol]) => ['tool_call', name, protocol, 1_000_000, 4_096])))
    assert.ok(peak < 10 * units, `${name}: ${(peak / units).toFixed(0)} bytes for each unit`)
})
