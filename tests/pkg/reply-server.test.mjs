// `readReply` and `visibleText` of a response, from a real server, in Node. The
// consumers run the same in browsers and Workers.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import * as tokenweir from 'tokenweir'
import { replyScenario } from './scenario/reply.mjs'
import { serveReplies } from './support/reply-server.mjs'

const server = createServer(serveReplies)
before(() => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)))
after(() => {
  server.closeAllConnections()
  server.close()
})

test('replies of every format, errors, and connections that are left', async () => {
  const checks = await replyScenario(tokenweir, `http://127.0.0.1:${server.address().port}`)
  assert.ok(checks > 70, String(checks))
})
