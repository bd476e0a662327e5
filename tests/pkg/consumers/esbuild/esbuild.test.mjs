// esbuild: for browsers and for Node, as ES modules in chunks and as one file
// of each other format. The bundles run in Node.
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { ENTRIES } from '../../scenario/imports.mjs'
import { assertRuns } from '../../support/programs.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const runner = join(here, '../support/run-module.mjs')

/** Bundles a program; returns the path of the output. */
async function bundled(program, options) {
  const outdir = mkdtempSync(join(here, 'dist-'))
  if (options.format === 'cjs') writeFileSync(join(outdir, 'package.json'), '{ "type": "commonjs" }')
  const { errors, warnings } = await build({ entryPoints: [join(here, program)], bundle: true, outdir, logLevel: 'silent', ...options })
  assert.deepEqual([errors, warnings], [[], []])
  return join(outdir, program.split('/').at(-1).replace('.mjs', '.js'))
}

for (const options of [
  { format: 'esm', platform: 'browser', splitting: true },
  { format: 'esm', platform: 'neutral', minify: true },
  { format: 'cjs', platform: 'node' },
]) {
  test(JSON.stringify(options), { concurrency: 2 }, async (t) => {
    const path = await bundled('../support/library.mjs', options)
    await Promise.all(ENTRIES.map((entry) => t.test(entry, () => assertRuns(process.execPath, [runner, path, entry]))))
  })
}
