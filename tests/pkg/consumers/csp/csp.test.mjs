// Pages with a Content-Security-Policy, in both browsers. None needs
// 'unsafe-eval'. Where WebAssembly is blocked, one sentence says what to allow.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENTRIES } from '../../scenario/imports.mjs'
import { assertChecks } from '../../support/programs.mjs'
import { useBrowser, useServer } from '../support/browser.mjs'
import { servePlainPage } from '../support/plain-page.mjs'

const PROGRAM = '/tests/pkg/consumers/support/plain-program.mjs'
const BLOCKING = "default-src 'none'; img-src data:; connect-src 'self'; script-src 'self' 'nonce-map'"
const allowing = useServer(servePlainPage(PROGRAM, `${BLOCKING} 'wasm-unsafe-eval'`))
const blocking = useServer(servePlainPage(PROGRAM, BLOCKING))

for (const browser of ['chromium', 'firefox']) {
  const open = useBrowser(browser)

  for (const entry of ENTRIES) {
    test(`${browser}, 'wasm-unsafe-eval' allowed: ${entry}`, async () => {
      const { outcome, complaints } = await open(allowing(`/?entry=${entry}`))
      assertChecks(outcome)
      assert.deepEqual(complaints, [])
    })

    test(`${browser}, WebAssembly blocked: ${entry}`, async () => {
      const { outcome } = await open(blocking(`/?entry=${entry}`))
      // One sentence that says what to allow; the browser's own has 'unsafe-eval' at most.
      assert.match(outcome, /^\w*Error: [^\n]*'?wasm-unsafe-eval'?[^\n]*$/)
      assert.match(outcome, /tokenweir/)
    })
  }
}
