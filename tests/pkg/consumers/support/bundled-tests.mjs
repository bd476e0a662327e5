// The tests of a bundled page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENTRIES } from '../../scenario/imports.mjs'
import { assertChecks } from '../../support/programs.mjs'

/** Opens the page for each entry, and for a worker. `expected` recognizes the lines that the bundler itself writes to the console. */
export async function testBundled(t, open, address, expected = () => false) {
  for (const entry of [...ENTRIES, 'worker']) {
    await t.test(entry, async () => {
      const { outcome, complaints } = await open(address(`?entry=${entry}`))
      assertChecks(outcome)
      assert.deepEqual(complaints.filter((line) => !expected(line)), [])
    })
  }
}
