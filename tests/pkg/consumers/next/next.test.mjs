// Next.js: `next build` and `next start`. A client component, a server
// component, a route in Node and one in the edge runtime.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ENTRIES } from '../../scenario/imports.mjs'
import { assertChecks, execute } from '../../support/programs.mjs'
import { useBrowser } from '../support/browser.mjs'
import { makeProject } from './project.mjs'

const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
const folder = mkdtempSync(join(tmpdir(), 'next-project-'))
const cwd = join(folder, 'app')
const next = join(cwd, 'node_modules/next/dist/bin/next')
const open = useBrowser()
let server
let origin

before(async () => {
  makeProject(cwd)
  const { error, stdout, stderr } = await execute(process.execPath, [next, 'build'], { cwd, env, timeout: 600_000 })
  assert.equal(error, null, `${stdout}${stderr}`)
  // Turbopack reports warnings about a file with the file's path.
  assert.doesNotMatch(`${stdout}${stderr}`, /tokenweir|scenario/)

  server = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', '0'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  origin = await new Promise((resolve, reject) => {
    let said = ''
    server.stdout.on('data', (data) => {
      said += data
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (found && said.includes('Ready')) resolve(found)
    })
    server.on('exit', () => reject(new Error(`next start ended: ${said}`)))
  })
})

after(() => {
  server?.kill()
  rmSync(folder, { recursive: true, force: true })
})

for (const entry of ENTRIES) {
  test(`a client component: ${entry}`, async () => {
    const { outcome, complaints } = await open(new URL(`/client?entry=${entry}`, origin))
    assertChecks(outcome)
    assert.deepEqual(complaints, [])
  })
}

for (const entry of ENTRIES) {
  test(`a server component: ${entry}`, async () => {
    const html = await (await fetch(new URL(`/server?entry=${entry}`, origin))).text()
    assertChecks(/data-outcome="(.*?)"/.exec(html)?.[1])
  })

  test(`a route in Node: ${entry}`, async () => {
    assertChecks(await (await fetch(new URL(`/node?entry=${entry}`, origin))).text())
  })

  test(`a route in the edge runtime: ${entry}`, async () => {
    assertChecks(await (await fetch(new URL(`/edge?entry=${entry}`, origin))).text())
  })
}

test('useReply in a client component: idle on the server, then the reply of a route', async () => {
  assert.match(await (await fetch(new URL('/reply', origin))).text(), /<main>idle<\/main>/)
  const { outcome, complaints } = await open(new URL('/reply', origin))
  assert.equal(outcome, 'done: It is 5 < 7 degrees. (Hm.)')
  assert.deepEqual(complaints, [])
})
