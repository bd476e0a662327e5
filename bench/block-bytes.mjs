/**
 * The JavaScript of `BlockParser` alone, minified and gzipped, and where its bytes are.
 *
 *     npm run build -- --quick && node bench/block-bytes.mjs [entry below target/pkg-src/js]
 *
 * What it leaves out: WebAssembly.
 */

import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const js = fileURLToPath(new URL('../target/pkg-src/js/', import.meta.url))
const entry = process.argv[2] ?? 'blocks/parser.js'

const { outputFiles, metafile } = await build({
  entryPoints: [js + entry],
  absWorkingDir: js,
  bundle: true,
  format: 'esm',
  minify: true,
  metafile: true,
  write: false,
  logLevel: 'silent',
})
const [{ contents: code }] = outputFiles
console.log(`${kb(code.length)} minified ${kb(gzipSync(code, { level: 9 }).length)} gzipped; by file, minified:`)
for (const [file, { bytesInOutput }] of Object.entries(Object.values(metafile.outputs)[0].inputs).sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput))
  if (bytesInOutput > 0) console.log(`${kb(bytesInOutput)}  ${file}`)

function kb(bytes) {
  return (bytes / 1000).toFixed(1).padStart(6)
}
