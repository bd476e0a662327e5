// The types of fields and of a call's arguments follow from the schema.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const folder = fileURLToPath(new URL('./types/', import.meta.url))

for (const [what, options] of [['strict', []], ['exact optional properties', ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']]]) {
  test(`results, paths and values have the types of their schema (${what})`, () => {
    const args = [tsc, '--noEmit', '--strict', '--skipLibCheck', '--noImplicitOverride', '--verbatimModuleSyntax', ...options, '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable,esnext.disposable', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', 'node', 'fields.mts', 'args.mts']
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  })
}
