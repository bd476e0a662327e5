// Prints the size of the package: the wasm, and each entry as esbuild bundles all of it.
//
//     node pkg-template/sizes.mjs pkg
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/**
 * What esbuild makes of a program for browsers, minified: what is loaded first, and what is loaded when it is needed.
 * `folder` is where the program imports from; `build` is esbuild's. With `splits: false` all is in one file.
 */
export async function bundled(build, program, folder, { splits = true } = {}) {
  const { outputFiles, metafile } = await build({
    ...{ stdin: { contents: program, resolveDir: folder }, absWorkingDir: folder, outdir: join(folder, 'out'), metafile: true, write: false, logLevel: 'silent' },
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', splitting: splits, external: ['react'] },
  })
  const textOf = (path) => outputFiles.find((file) => resolve(file.path) === resolve(folder, path)).text
  const [entry] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint !== undefined && metafile.outputs[entryPoint] === undefined && entryPoint.endsWith('stdin>'))
  const first = new Set([entry])
  for (const path of first) for (const { path: next, kind } of metafile.outputs[path].imports) if (kind === 'import-statement' && metafile.outputs[next] !== undefined) first.add(next)
  const later = Object.keys(metafile.outputs).filter((path) => !first.has(path))
  return { first: [...first].map(textOf).join('\n'), later: later.map(textOf).join('\n') }
}

/** The raw and gzipped size of a text. */
export function sizeOf(text) {
  return { raw: Buffer.byteLength(text), gzipped: gzipSync(text, { level: 9 }).length }
}

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

/** A line for the wasm and one for each entry of the package in `folder`. `build` is esbuild's. */
export async function sizes(folder, build) {
  const rows = [['tokenweir.wasm', size([join(folder, 'dist/tokenweir.wasm')])]]
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const [entry, target] of Object.entries(exports)) {
    const file = target.default
    // A pattern is many entries.
    if (file && !/\*|\.wasm$/.test(entry)) rows.push([name + entry.slice(1), sizeOf((await bundled(build, `export * from ${JSON.stringify(`./${join(file)}`)}`, folder)).first)])
  }
  return rows
}

if (argv[1] && resolve(argv[1]) === fileURLToPath(import.meta.url)) {
  const { build } = await import('esbuild')
  for (const [what, { raw, gzipped }] of await sizes(resolve(argv[2] ?? 'pkg'), build)) console.log(`${what.padEnd(20)} ${kilobytes(raw)} KB  ${kilobytes(gzipped)} KB gzipped`)
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1).padStart(7)
}
