// The middleware's types, checked by the compiler against those of three majors of
// the AI SDK.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const folder = fileURLToPath(new URL('./types/', import.meta.url))
const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noImplicitOverride', '--verbatimModuleSyntax']

test('wrapLanguageModel of ai 5, 6 and 7 takes the middleware', () => {
  // The SDK's own declarations don't compile under every option: only ours are looked into.
  const args = [tsc, '--noEmit', ...strict, '--skipLibCheck', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', 'node', 'ai-sdk.mts']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})
