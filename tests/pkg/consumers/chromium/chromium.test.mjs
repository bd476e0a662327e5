// Chromium, without a bundler.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertChecks } from '../../support/programs.mjs'
import { serveReplies } from '../../support/reply-server.mjs'
import { useBrowser, useServer } from '../support/browser.mjs'
import { servePlainPage } from '../support/plain-page.mjs'
import { testPlainPages } from '../support/plain-tests.mjs'

testPlainPages('chromium')

const servePage = servePlainPage('/tests/pkg/consumers/support/plain-replies.mjs')
const open = useBrowser()
const address = useServer((request, response) => serveReplies(request, response) || servePage(request, response))

test('replies of a server', async () => {
  const { outcome, complaints } = await open(address('/?entry=replies'))
  assertChecks(outcome)
  // The browser itself reports the statuses that the server answers with.
  assert.deepEqual(complaints.filter((line) => !/status of (404|429|500)/.test(line)), [])
})
