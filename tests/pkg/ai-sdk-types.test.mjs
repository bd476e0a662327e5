// Types that the compiler checks: the middleware's against those of three majors of the
// AI SDK, and those of what the parsers give.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const folder = fileURLToPath(new URL('./types/', import.meta.url))
const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noImplicitOverride', '--verbatimModuleSyntax']

for (const [what, file] of [['wrapLanguageModel of ai 5, 6 and 7 takes the middleware', 'ai-sdk.mts'], ['parts and contents narrow by their type', 'tool-calls.mts'], ['calls have the types of their tools', 'tools.mts'], ['each union narrows by what sets its members apart', 'narrowing.mts'], ['blocks have the types of custom tags, and their attributes', 'custom-tags.mts']]) {
  test(what, () => {
    // The SDK's own declarations don't compile under every option: only ours are looked into.
    const args = [tsc, '--noEmit', ...strict, '--skipLibCheck', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable,dom.asynciterable,esnext.disposable', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', 'node', file]
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  })
}
