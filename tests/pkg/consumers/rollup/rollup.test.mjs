// Rollup, with the plugin that resolves packages. The bundles run in Node.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import nodeResolve from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'
import { ENTRIES } from '../../scenario/imports.mjs'
import { assertRuns } from '../../support/programs.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const runner = join(here, '../support/run-module.mjs')

/** Bundles a program; returns the path of the output. */
async function bundled(program, extension, output) {
  const warnings = []
  const bundle = await rollup({ input: join(here, '../support', program), external: /^node:/, plugins: [nodeResolve()], onwarn: ({ message }) => warnings.push(message) })
  const dir = mkdtempSync(join(here, 'dist-'))
  await bundle.write({ dir, entryFileNames: `bundle.${extension}`, chunkFileNames: `[name]-[hash].${extension}`, ...output })
  await bundle.close()
  assert.deepEqual(warnings, [])
  return join(dir, `bundle.${extension}`)
}

for (const [extension, format] of [['mjs', 'es'], ['cjs', 'cjs']]) {
  test(format, { concurrency: 2 }, async (t) => {
    const path = await bundled('library.mjs', extension, { format })
    await Promise.all(ENTRIES.map((entry) => t.test(entry, () => assertRuns(process.execPath, [runner, path, entry]))))
  })
}
