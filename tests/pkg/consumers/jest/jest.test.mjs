// Jest with jsdom, as programs for a page are tested: of ES modules, since the package is of those.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

test('imports and a reply, in jsdom', () => {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const config = { rootDir: here, testEnvironment: 'jsdom', testMatch: ['**/page.jest.mjs'], moduleFileExtensions: ['mjs', 'js', 'json'], transform: {} }
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest')
  const { status, stderr } = spawnSync(process.execPath, ['--experimental-vm-modules', jest, '--config', JSON.stringify(config)], { cwd: here, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.match(stderr, /Tests: +\d\d passed/)
})
