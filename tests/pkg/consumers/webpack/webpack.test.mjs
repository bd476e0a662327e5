// webpack 5: its production and development bundles, in Chromium.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import webpack from 'webpack'
import { files, useBrowser, useServer } from '../support/browser.mjs'
import { testBundled } from '../support/bundled-tests.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const open = useBrowser()
const address = useServer(files(join(here, 'dist')))

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>tokenweir in a page by webpack</title>
<link rel="icon" href="data:,">
<script src="./main.js" defer></script>
<body></body>
`

for (const mode of ['production', 'development']) {
  test(mode, async (t) => {
    const path = join(here, 'dist', mode)
    // `performance` would warn about a large file, but sizes checks that.
    const compiler = webpack({ mode, context: here, entry: './main.mjs', output: { path }, performance: false })
    const stats = await promisify(compiler.run.bind(compiler))()
    await promisify(compiler.close.bind(compiler))()
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true })
    assert.deepEqual([errors, warnings], [[], []])
    writeFileSync(join(path, 'index.html'), PAGE)
    await testBundled(t, open, (query) => address(`/${mode}/${query}`))
  })
}
