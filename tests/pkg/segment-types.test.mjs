// What the segment parser takes and gives has the types that its options say.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const folder = fileURLToPath(new URL('./types/', import.meta.url))

test('events have the types of their style', () => {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noImplicitOverride', '--verbatimModuleSyntax']
  const args = [tsc, '--noEmit', ...strict, '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', 'node', 'segments.mts']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})
