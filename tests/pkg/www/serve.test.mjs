// `npm run www`: builds the demo, serves it and says where.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { test } from 'node:test'

// The program is in the repository, where this folder's tools are too.
const program = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), '../../www/serve.mjs')

test('it prints the address, and the page is there', async () => {
  const server = spawn(execPath, [program, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    let said = ''
    for await (const piece of server.stdout) {
      said += piece
      if (said.includes('\n')) break
    }
    const [address] = /http:\/\/localhost:\d+\//.exec(said) ?? []
    assert.ok(address, said)
    const answer = await fetch(address.replace('localhost', '127.0.0.1'))
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /<title>tokenweir/)
  } finally {
    server.kill()
  }
})

test('an invalid port ends it with a message', () => {
  const { status, stderr } = spawnSync(execPath, [program, '--port', 'home'], { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.equal(stderr, '--port must be a number from 0 to 65535, but is "home".\n')
})
