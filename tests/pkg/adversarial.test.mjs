// Small adversarial inputs on the installed package: the data passed into WebAssembly and the pending text grow linearly,
// and an input is rejected only with its listed code. `npm run adversarial` runs the large ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRONT_ENDS } from '../adversarial/inputs.mjs'
import { measureAll } from '../adversarial/run.mjs'

for (const frontEnd of FRONT_ENDS) {
  test(`adversarial inputs: ${frontEnd}`, async () => {
    const rows = await measureAll(frontEnd, { quick: true })
    assert.ok(rows.length >= 15, `${rows.length} inputs`)
    assert.deepEqual(rows.flatMap(({ name, face, faults }) => faults.map((fault) => `${name}, ${face}: ${fault}`)), [])
  })
}
