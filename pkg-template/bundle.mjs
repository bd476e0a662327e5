// From the JavaScript that tsc made to the files of the package: entries that
// share their chunks, minified, with maps to the TypeScript sources.
//
//     node pkg-template/bundle.mjs target/pkg-src/js pkg/dist
//
//     dist/esm/<entry>.js           ES modules; the WebAssembly comes as text and is compiled at import
//     dist/workerd/<entry>.js       the same for runtimes that give the compiled module of a .wasm file
//     dist/edge-light/<entry>.js
//     dist/esm/chunks/*.js          what they share
//     dist/cjs/**                   CommonJS
//
// An entry is what src/entry/<entry>.ts exports, with a file of src/start/ that
// makes the parsers ready. `slim` has none: its users call `init`.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { argv } from 'node:process'
import { rollup } from 'rollup'
import { minify } from 'terser'

const [sources, dist] = argv.slice(2).map((path) => resolve(path))

/** The entries, by their names. */
const entries = readdirSync(join(sources, 'entry')).filter((name) => name.endsWith('.js')).map((name) => name.slice(0, -'.js'.length))

/** Entries that have a small WebAssembly of their own. */
const small = new Set(['blocks'])

await bundle({ format: 'es', folder: 'esm', starts: { esm: 'inline', workerd: 'workerd', 'edge-light': 'edge-light' } })
await bundle({ format: 'cjs', folder: 'cjs', starts: { cjs: 'inline' } })
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')

/** Writes all entries of one kind of module. `starts`: for each folder of entries, how they start. */
async function bundle({ format, folder, starts }) {
  const input = Object.entries(starts).flatMap(([into, start]) => entries.filter((entry) => entry !== 'slim' || into === folder).map((entry) => [`${into}/${entry}`, `entry:${start}/${entry}`]))
  const build = await rollup({
    input: Object.fromEntries(input),
    plugins: [readSources(), minified(format)],
    // The others do nothing when they are loaded, so that a chunk is imported only for what it exports.
    treeshake: { moduleSideEffects: (id) => /^(entry:|.*[\\/](entry|public)[\\/])/.test(id) || ownChunk(id) !== undefined },
    onwarn: (warning) => {
      throw new Error(`rollup: ${warning.message}`)
    },
  })
  const { output } = await build.generate({
    format,
    entryFileNames: '[name].js',
    chunkFileNames: `${folder}/chunks/[name].js`,
    // Also where nothing shares it: from there the path to the .wasm file is what `paths` says.
    manualChunks: (id) => ownChunk(id),
    onlyExplicitManualChunks: true,
    paths: { 'wasm:tokenweir.wasm': '../../tokenweir.wasm', 'wasm:blocks.wasm': '../../blocks.wasm', 'wasm:tokenweir.wasm?module': '../../tokenweir.wasm?module', 'wasm:blocks.wasm?module': '../../blocks.wasm?module' },
    exports: 'named',
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
    sourcemap: true,
    sourcemapExcludeSources: true,
  })
  await build.close()
  for (const file of output) {
    const path = join(dist, file.fileName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file.fileName.endsWith('.map') ? withSources(file) : file.code)
  }
}

/** A map that leads to the sources as the package has them, in src/ beside dist/. */
function withSources({ fileName, source }) {
  const map = JSON.parse(source)
  const up = '../'.repeat(fileName.split('/').length)
  map.sources = map.sources.map((path) => `${up}src/${path.split('pkg-src/src/')[1]}`)
  return JSON.stringify(map)
}

/** The chunk of a module whose only purpose is what it does when it is loaded: package.json names them in `sideEffects`. */
function ownChunk(id) {
  const path = relative(sources, id)
  if (path.startsWith('start/') && path !== 'start/text.js') return `start-${path.slice('start/'.length, -'.js'.length)}`
  return path === 'rxml/xml-in-strings.js' ? 'xml-in-strings' : undefined
}

/** Reads what tsc made, and makes the entries. */
function readSources() {
  return {
    name: 'sources',
    resolveId(source, importer) {
      if (source.startsWith('entry:')) return source
      const wasm = /[^/]+\.wasm(\?module)?$/.exec(source)
      if (wasm) return { id: `wasm:${wasm[0]}`, external: true }
      return resolve(dirname(importer), source)
    },
    load(id) {
      if (id.startsWith('entry:')) {
        const [start, entry] = id.slice('entry:'.length).split('/')
        const reExport = `export * from ${JSON.stringify(join(sources, 'entry', `${entry}.js`))}\n`
        return entry === 'slim' ? reExport : `import ${JSON.stringify(join(sources, 'start', `${start}${small.has(entry) ? '-blocks' : ''}.js`))}\n${reExport}`
      }
      return { code: readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''), map: readFileSync(`${id}.map`, 'utf8') }
    },
  }
}

/** Classes keep their names: they stand in stack traces, and in what `console.log` shows. */
function minified(format) {
  return {
    name: 'minified',
    async renderChunk(code) {
      const result = await minify(code, { module: format === 'es', toplevel: true, ecma: 2022, compress: { passes: 3, pure_getters: true, unsafe_arrows: false }, keep_classnames: true, sourceMap: true, format: { comments: false } })
      return { code: result.code, map: result.map }
    },
  }
}
