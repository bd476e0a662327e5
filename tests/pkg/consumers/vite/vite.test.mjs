// Vite: its build and its development server, in Chromium.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build, createLogger, createServer, preview, version as viteVersion } from 'vite'
import { useBrowser } from '../support/browser.mjs'
import { testBundled } from '../support/bundled-tests.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const open = useBrowser()
const warnings = []
const logger = createLogger('silent')
logger.warn = logger.warnOnce = logger.error = (text) => {
  // On a slow computer it reports how long its plugins take.
  if (!text.includes('PLUGIN_TIMINGS')) warnings.push(text)
}

/** The minimal settings: folders and log output. */
const settings = { root, configFile: false, cacheDir: join(root, 'cache'), customLogger: logger }

/** Programs in chunks, like ours, need module workers. */
const worker = { format: 'es' }

test('build', async (t) => {
  await build({ ...settings, worker })
  const server = await preview({ ...settings, preview: { port: 0, host: '127.0.0.1' } })
  await testBundled(t, open, (path) => new URL(path, server.resolvedUrls.local[0]))
  await server.close()
  assert.deepEqual(warnings, [])
})

test('dev', async (t) => {
  // The scenarios are outside the page's folder.
  const server = await createServer({ ...settings, server: { port: 0, host: '127.0.0.1', fs: { allow: [join(root, '../../../..')] } } })
  await server.listen()
  await testBundled(t, open, (path) => new URL(path, server.resolvedUrls.local[0]), (line) => line.startsWith('[vite]'))
  await server.close()
  assert.deepEqual(warnings, [])
})

test('examples/stackblitz, which names what is tested here', async () => {
  const folder = fileURLToPath(new URL('../../../../examples/stackblitz/', import.meta.url))
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { version } = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('tokenweir/package.json')), 'utf8'))
  assert.deepEqual([dependencies, devDependencies], [{ tokenweir: `^${version}` }, { vite: viteVersion }])
  await build({ ...settings, root: folder })
  const server = await preview({ ...settings, root: folder, preview: { port: 0, host: '127.0.0.1' } })
  const { outcome, complaints } = await open(new URL('?pace=0', server.resolvedUrls.local[0]))
  await server.close()
  assert.deepEqual([outcome, complaints], ['Porto, so I need the weather. | I look at the weather in **Porto**. | weather {"city":"Porto","days":2}', []])
  assert.deepEqual(warnings, [])
})
