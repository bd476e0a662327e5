// Vitest, whose only setting is which files are tests.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

test('imports and a reply', () => {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', '--root', here, '--dir', here, '--config', join(here, 'vitest.config.mjs')], { cwd: here, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /Tests +\d\d passed/)
})
