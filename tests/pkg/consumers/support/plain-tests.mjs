// The tests of a browser without a bundler.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENTRIES } from '../../scenario/imports.mjs'
import { assertChecks } from '../../support/programs.mjs'
import { useBrowser, useServer } from './browser.mjs'
import { servePlainPage } from './plain-page.mjs'

export function testPlainPages(browser) {
  const open = useBrowser(browser)
  const address = useServer(servePlainPage('/tests/pkg/consumers/support/plain-program.mjs'))
  for (const entry of ENTRIES) {
    test(`${browser}: ${entry}`, async () => {
      const { outcome, complaints } = await open(address(`/?entry=${entry}`))
      assertChecks(outcome)
      assert.deepEqual(complaints, [])
    })
  }
}
