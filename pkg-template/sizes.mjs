// Prints the size of the package: the wasm, and each entry with its imports.
//
//     node pkg-template/sizes.mjs pkg
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** All files that an ES module of the package loads, itself first. The package imports only relative paths. */
export function closure(file, seen = new Set()) {
  const path = resolve(file)
  if (seen.has(path)) return seen
  seen.add(path)
  for (const [, next] of readFileSync(path, 'utf8').matchAll(/\b(?:import|from)\s*["'](\.[^"'\n]+)["']/g)) closure(join(dirname(path), next), seen)
  return seen
}

/** The raw and gzipped size in bytes of some files, concatenated. */
export function size(files) {
  const bytes = Buffer.concat([...files].map((file) => readFileSync(file)))
  return { raw: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length }
}

/** A line for the wasm and one for each entry of the package in `folder`. */
export function sizes(folder) {
  const rows = [['tokenweir.wasm', size([join(folder, 'dist/tokenweir.wasm')])]]
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const [entry, target] of Object.entries(exports)) {
    const file = target.import?.default
    // A pattern is many entries.
    if (file && !entry.includes('*')) rows.push([name + entry.slice(1), size(closure(join(folder, file)))])
  }
  return rows
}

if (argv[1] && resolve(argv[1]) === fileURLToPath(import.meta.url)) {
  for (const [what, { raw, gzipped }] of sizes(argv[2] ?? 'pkg')) console.log(`${what.padEnd(20)} ${kilobytes(raw)} KB  ${kilobytes(gzipped)} KB gzipped`)
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1).padStart(7)
}
