// Bombs on the installed package, small ones: what crosses into WebAssembly and what is held grows as the text does,
// and what is refused is refused with its code. `npm run bombs` has the large ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRONT_ENDS } from '../bombs/bombs.mjs'
import { bombsAt } from '../bombs/run.mjs'

for (const frontEnd of FRONT_ENDS) {
  test(`bombs: ${frontEnd}`, async () => {
    const rows = await bombsAt(frontEnd, { quick: true })
    assert.ok(rows.length >= 15, `${rows.length} bombs`)
    assert.deepEqual(rows.flatMap(({ name, face, faults }) => faults.map((fault) => `${name}, ${face}: ${fault}`)), [])
  })
}
