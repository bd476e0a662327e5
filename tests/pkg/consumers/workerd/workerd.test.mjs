// A Cloudflare Worker, bundled by wrangler with the three required lines of settings,
// and served by workerd.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import workerd from 'workerd'
import { byEntry } from '../../scenario/by-entry.mjs'
import { assertChecks, execute } from '../../support/programs.mjs'
import { serveReplies } from '../../support/reply-server.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))
const output = join(folder, 'dist')
let server
let origin

before(async () => {
  mkdirSync(output, { recursive: true })
  const wrangler = fileURLToPath(new URL('../node_modules/wrangler/bin/wrangler.js', import.meta.url))
  const environment = { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: join(output, 'logs'), XDG_CONFIG_HOME: output }
  const { error, stdout, stderr } = await execute(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', output], { cwd: folder, env: environment })
  assert.equal(error, null, `${stdout}${stderr}`)
  assert.doesNotMatch(`${stdout}${stderr}`, /warning/i)

  const modules = readdirSync(output).filter((name) => /\.(js|wasm)$/.test(name))
  // The first one is what workerd starts.
  modules.sort((left, right) => Number(right === 'worker.js') - Number(left === 'worker.js'))
  writeFileSync(
    join(output, 'worker.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "internet", network = (allow = ["private", "public"])), (name = "main", worker = (compatibilityDate = "2026-10-01", modules = [
    ${modules.map((name) => `(name = "${name}", ${name.endsWith('.wasm') ? 'wasm' : 'esModule'} = embed "${name}")`).join(',\n    ')}
  ]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`,
  )
  server = spawn(workerd.default, ['serve', 'worker.capnp', '--control-fd=3'], { cwd: output, stdio: ['ignore', 'inherit', 'pipe', 'pipe'] })
  origin = await new Promise((resolve, reject) => {
    let said = ''
    server.stderr.on('data', (data) => (said += data))
    server.stdio[3].on('data', (data) => resolve(`http://127.0.0.1:${JSON.parse(data).port}`))
    server.on('exit', () => reject(new Error(said)))
  })
})

after(() => server?.kill())

for (const entry of [...Object.keys(byEntry), 'at the start']) {
  test(entry, async () => {
    const response = await fetch(`${origin}/?entry=${encodeURIComponent(entry)}`)
    assertChecks(await response.text())
  })
}

test('replies of a server', async () => {
  const replies = createServer(serveReplies)
  await new Promise((resolve) => replies.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${replies.address().port}`
    assertChecks(await (await fetch(`${origin}/?entry=replies&server=${encodeURIComponent(url)}`)).text())
  } finally {
    replies.closeAllConnections()
    replies.close()
  }
})
