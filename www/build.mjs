// Builds the browser demo: www/dist, a folder of static files that can be served
// from any path. It needs the built package (`npm run build`).
//
//     node www/build.mjs
//     node www/build.mjs --package <folder> --outdir <folder>    with the package installed there
import { build as bundle } from 'esbuild'
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parse } from 'smol-toml'
import { linksOf } from './links.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))

/** The folder of the built files. */
export const dist = join(here, 'dist')

/** Builds the demo. `package` is a folder with the package installed; the default is pkg/, through the repository's own exports. */
export async function buildPage({ package: folder, outdir = dist } = {}) {
  if (folder === undefined && !existsSync(join(here, '../pkg/package.json'))) throw new Error('The package is not built yet: run `npm run build` first.')
  const manifest = JSON.parse(readFileSync(folder === undefined ? join(here, '../pkg/package.json') : join(folder, 'node_modules/tokenweir/package.json'), 'utf8'))
  rmSync(outdir, { recursive: true, force: true })
  await bundle({
    absWorkingDir: here,
    entryPoints: { main: 'src/main.ts', bench: 'src/bench/worker.ts', style: 'style/main.css' },
    outdir,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2022'],
    minify: true,
    sourcemap: 'linked',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { PACKAGE: JSON.stringify(linksOf(manifest)) },
    loader: { '.txt': 'text', '.xml': 'text' },
    logLevel: 'warning',
    plugins: [cases, ...(folder === undefined ? [] : [packageIn(folder)])],
  })
  cpSync(join(here, 'index.html'), join(outdir, 'index.html'))
}

/** Texts of the tests' cases: `case:block/calls#two-invokes` is the input of that case in tests/cases/block/calls.toml. */
const cases = {
  name: 'cases',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^case:/ }, ({ path }) => ({ path: path.slice('case:'.length), namespace: 'case' }))
    onLoad({ filter: /.*/, namespace: 'case' }, ({ path }) => {
      const [file, name] = path.split('#')
      const table = parse(readFileSync(join(here, `../tests/cases/${file}.toml`), 'utf8'))
      const found = table.case.find((one) => one.name === name)
      return found === undefined ? { errors: [{ text: `tests/cases/${file}.toml has no case "${name}"` }] } : { contents: found.input, loader: 'text' }
    })
  },
}

/** The package under its public names, from a folder where it is installed. */
function packageIn(folder) {
  return {
    name: 'package',
    setup({ onResolve, resolve: find }) {
      onResolve({ filter: /^tokenweir(\/|$)/ }, ({ path, kind, pluginData }) => (pluginData === folder ? undefined : find(path, { kind, resolveDir: folder, pluginData: folder })))
    },
  }
}

if (argv[1] && resolve(argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const { values } = parseArgs({ options: { package: { type: 'string' }, outdir: { type: 'string' } } })
    await buildPage(values)
    console.log(`${values.outdir ?? 'www/dist'} is built.`)
  } catch (error) {
    console.error(error.message)
    exit(1)
  }
}
