/**
 * The JavaScript of `BlockParser` alone, minified and gzipped, and where its bytes are.
 *
 *     npm run build -- --quick && node bench/block-bytes.mjs [entry below target/pkg-src/js]
 *
 * What it leaves out: WebAssembly, and what only snapshots need: the folder `snapshot`, `blocks/saving` and
 * `blocks/snapshots`, and what each class says of how it is saved.
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const js = fileURLToPath(new URL('../target/pkg-src/js/', import.meta.url))
const entry = process.argv[2] ?? 'blocks/parser.js'

/** `static get saved() { … }` up to the brace at its own indent. */
const SAVED = /^ {4}static get saved\(\) \{\n[^]*?^ {4}\}\n/gm

const withoutSnapshots = {
  name: 'without snapshots',
  setup(plugin) {
    plugin.onLoad({ filter: /\/(?:snapshot\/[\w-]+|blocks\/(?:saving|snapshots))\.js$/ }, () => ({ contents: 'module.exports = new Proxy({}, {})' }))
    plugin.onLoad({ filter: /\.js$/ }, ({ path }) => ({ contents: readFileSync(path, 'utf8').replace(SAVED, '') }))
  },
}

async function bundle(plugins) {
  const { outputFiles, metafile } = await build({
    entryPoints: [js + entry],
    absWorkingDir: js,
    plugins,
    bundle: true,
    format: 'esm',
    minify: true,
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  return { code: outputFiles[0].contents, parts: Object.values(metafile.outputs)[0].inputs }
}

const whole = await bundle([])
const lean = await bundle([withoutSnapshots])
for (const [what, { code }] of [['BlockParser', whole], ['without snapshots', lean]])
  console.log(`${what.padEnd(20)} ${kb(code.length)} minified ${kb(gzipSync(code, { level: 9 }).length)} gzipped`)
console.log('\nwithout snapshots, by file, minified; the goal is 9 KB gzipped in all')
for (const [file, { bytesInOutput }] of Object.entries(lean.parts).sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput))
  if (bytesInOutput > 0) console.log(`${kb(bytesInOutput)}  ${file}`)

function kb(bytes) {
  return (bytes / 1000).toFixed(1).padStart(6)
}
