// Vite: what it builds and what its development server serves, in Chromium.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build, createLogger, createServer, preview } from 'vite'
import { useBrowser } from '../support/browser.mjs'
import { testBundled } from '../support/bundled-tests.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const open = useBrowser()
const warnings = []
const logger = createLogger('silent')
logger.warn = logger.warnOnce = logger.error = (text) => {
  // A slow machine makes it say how long its plugins take.
  if (!text.includes('PLUGIN_TIMINGS')) warnings.push(text)
}

/** Nothing but where we keep things, and what it has to say. */
const settings = { root, configFile: false, cacheDir: join(root, 'cache'), customLogger: logger }

/** Programs in chunks, as ours, are for workers of ES modules alone. */
const worker = { format: 'es' }

test('build', async (t) => {
  await build({ ...settings, worker })
  const server = await preview({ ...settings, preview: { port: 0, host: '127.0.0.1' } })
  await testBundled(t, open, (path) => new URL(path, server.resolvedUrls.local[0]))
  await server.close()
  assert.deepEqual(warnings, [])
})

test('dev', async (t) => {
  // The scenarios are outside of the page's folder.
  const server = await createServer({ ...settings, server: { port: 0, host: '127.0.0.1', fs: { allow: [join(root, '../../../..')] } } })
  await server.listen()
  await testBundled(t, open, (path) => new URL(path, server.resolvedUrls.local[0]), (line) => line.startsWith('[vite]'))
  await server.close()
  assert.deepEqual(warnings, [])
})
