// Workers in Chromium: module workers, without a bundler and bundled, and a classic
// script.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { ENTRIES } from '../../scenario/imports.mjs'
import { assertChecks } from '../../support/programs.mjs'
import { serveReplies } from '../../support/reply-server.mjs'
import { useBrowser, useServer } from '../support/browser.mjs'
import { addressOf, servePlainPage } from '../support/plain-page.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const served = '/tests/pkg/consumers/web-worker/'
const open = useBrowser()
const servePage = servePlainPage(`${served}page.mjs`)
const address = useServer((request, response) => serveReplies(request, response) || servePage(request, response))

before(async () => {
  for (const format of ['esm', 'iife']) {
    const { warnings } = await build({ entryPoints: [`${here}../support/worker.mjs`], bundle: true, format, outfile: `${here}dist/${format}.js`, logLevel: 'silent' })
    assert.deepEqual(warnings, [])
  }
})

/** The kinds of workers: their source, and their type. */
const KINDS = {
  'a module': (entry) => ({ worker: `${served}unbundled.mjs?address=${addressOf(entry)}`, type: 'module' }),
  'a module, bundled': () => ({ worker: `${served}dist/esm.js`, type: 'module' }),
  'a classic script, bundled': () => ({ worker: `${served}dist/iife.js`, type: 'classic' }),
}

for (const [kind, made] of Object.entries(KINDS)) {
  for (const entry of ENTRIES) {
    test(`${kind}: ${entry}`, async () => {
      const { outcome, complaints } = await open(address(`/?${new URLSearchParams({ entry, ...made(entry) })}`))
      assertChecks(outcome)
      assert.deepEqual(complaints, [])
    })
  }
}

test('a module: replies of a server', async () => {
  const { worker, type } = KINDS['a module']('tokenweir')
  const { outcome, complaints } = await open(address(`/?${new URLSearchParams({ entry: 'replies', worker, type })}`))
  assertChecks(outcome)
  // The browser itself reports the statuses that the server answers with.
  assert.deepEqual(complaints.filter((line) => !/status of (404|429|500)/.test(line)), [])
})
