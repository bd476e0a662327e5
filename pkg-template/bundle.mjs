// Bundles the JavaScript of tsc into the files of the package: entries that share
// chunks, minified, with maps to the TypeScript sources.
//
//     node pkg-template/bundle.mjs target/pkg-src/js pkg/dist
//
//     dist/esm/<entry>.js           ES modules; the WebAssembly comes as text and is compiled at import
//     dist/workerd/<entry>.js       the same for runtimes that import a .wasm file as a compiled module
//     dist/edge-light/<entry>.js
//     dist/esm/chunks/*.js          the shared chunks
//     dist/cjs/**                   CommonJS
//     dist/LICENSES.txt             the licences of the packages in it
//
// An entry has the exports of src/entry/<entry>.ts, with a file of src/start/ that
// initialises the parsers. `slim` has no such file: its users call `init`. Nor have
// the formats, which are data: `formats`, and each one alone in formats/<id>.js.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { rollup } from 'rollup'
import { minify } from 'terser'
import { licences } from './licences.mjs'

const [sources, dist] = argv.slice(2).map((path) => resolve(path))

/** The entries, by their names. */
const entries = readdirSync(join(sources, 'entry')).filter((name) => name.endsWith('.js')).map((name) => name.slice(0, -'.js'.length))

/** The build of the WebAssembly that an entry has: those of xtask/src/wasm.rs. `slim`, `formats` and `yaml` have none. */
const builds = { index: 'tokenweir', blocks: 'blocks', membrane: 'blocks', fields: 'fields', segments: 'segments', 'tool-calls': 'tool-calls', 'ai-sdk': 'tool-calls', rjson: 'values', rxml: 'values', 'schema-coerce': 'values' }

/** The formats, by their ids: each is an entry of its own. */
const formats = readdirSync(join(sources, 'generated/formats')).filter((name) => name.endsWith('.js') && !['about.js', 'reading.js', 'writing.js'].includes(name)).map((name) => name.slice(0, -'.js'.length))

/** Modules with side effects only: package.json names their chunks in `sideEffects`. */
const EFFECTS = /^start\/(?!text\.)|^rxml\/xml-in-strings\./

/** What starts a build: the kind of runtime, and the build's name. */
const START = /[\\/]start[\\/](inline|workerd|edge-light)-([\w-]+)\.js$/

/** What reads replies: `visibleText` loads it when it needs it. */
const REPLIES = /^(native|reply)\/(?!visible\.)|node_modules\/eventsource-parser\//

const files = await bundle({ format: 'es', folder: 'esm', starts: { esm: 'inline', workerd: 'workerd', 'edge-light': 'edge-light' } })
await bundle({ format: 'cjs', folder: 'cjs', starts: { cjs: 'inline' } })
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
writeFileSync(join(dist, 'LICENSES.txt'), licences('The JavaScript in dist', files))

/** Writes all entries of one module kind. `starts`: for each folder of entries, the start file. Returns the files that were bundled. */
async function bundle({ format, folder, starts }) {
  const input = Object.entries(starts).flatMap(([into, start]) => entries.filter((entry) => entry in builds || into === folder).map((entry) => [`${into}/${entry}`, `entry:${start}/${entry}`]))
  const rows = formats.map((id) => [`${folder}/formats/${id}`, join(sources, 'generated/formats', `${id}.js`)])
  const build = await rollup({
    input: Object.fromEntries([...input, ...rows]),
    plugins: [readSources(), minified(format)],
    // The other modules have no side effects, so a chunk is imported only for its exports.
    treeshake: { moduleSideEffects: (id) => /^(entry:|.*[\\/](entry|public)[\\/])/.test(id) || EFFECTS.test(relative(sources, id).replaceAll('\\', '/')) },
    onwarn: (warning) => {
      throw new Error(`rollup: ${warning.message}`)
    },
  })
  const { output } = await build.generate({
    format,
    entryFileNames: '[name].js',
    chunkFileNames: `${folder}/chunks/[name].js`,
    // Also if nothing shares it: the path to the .wasm file in `paths` is relative to it.
    manualChunks: (id) => ownChunk(id),
    onlyExplicitManualChunks: true,
    paths: (id) => (id.startsWith('wasm:') ? `../../${id.slice('wasm:'.length)}` : id),
    exports: 'named',
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
    dynamicImportInCjs: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
  })
  await build.close()
  for (const file of output) {
    const path = join(dist, file.fileName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file.fileName.endsWith('.map') ? withSources(file) : file.code)
  }
  return output.flatMap(({ moduleIds = [] }) => moduleIds)
}

/** A map to the sources in the package, in src/ next to dist/. */
function withSources({ fileName, source }) {
  const map = JSON.parse(source)
  const up = '../'.repeat(fileName.split('/').length)
  map.sources = map.sources.map((path) => {
    const [, own] = path.split('pkg-src/src/')
    if (own === undefined) throw new Error(`${fileName} maps to ${path}, which is not in the package`)
    return `${up}src/${own}`
  })
  return JSON.stringify(map)
}

/** The chunk of a module that has one of its own. */
function ownChunk(id) {
  const path = relative(sources, id).replaceAll('\\', '/')
  if (EFFECTS.test(path)) return path.replace(/^(start)\/|^rxml\//, '$1-').replace(/^-|\.js$/g, '')
  return REPLIES.test(path) ? 'reply' : undefined
}

/** Reads the output of tsc, and makes the entries. */
function readSources() {
  return {
    name: 'sources',
    resolveId(source, importer) {
      if (source.startsWith('entry:') || importer === undefined) return source
      const wasm = /[^/]+\.wasm(\?module)?$/.exec(source)
      if (wasm) return { id: `wasm:${wasm[0]}`, external: true }
      // In Node.js its name stands for CommonJS.
      if (source === 'yaml') return fileURLToPath(new URL('browser/index.js', import.meta.resolve('yaml/package.json')))
      return source.startsWith('.') || source.startsWith('/') ? resolve(dirname(importer), source) : fileURLToPath(import.meta.resolve(source))
    },
    load(id) {
      if (id.startsWith('entry:')) {
        const [start, entry] = id.slice('entry:'.length).split('/')
        const reExport = `export * from ${JSON.stringify(join(sources, 'entry', `${entry}.js`))}\n`
        return entry in builds ? `import ${JSON.stringify(join(sources, 'start', `${start}-${builds[entry]}.js`))}\n${reExport}` : reExport
      }
      const [, kind, name] = START.exec(id) ?? []
      if (name) {
        const { code, map } = withMap(id.replace(`${kind}-${name}`, kind))
        return { code: code.replaceAll('tokenweir', name), map }
      }
      // Not in src/, so in no map: with null as a map's source, Turbopack of Next.js 16 panics.
      if (/node_modules|generated[\\/][\w-]+-text\./.test(id)) return { code: readFileSync(id, 'utf8'), map: { mappings: '' } }
      return withMap(id)
    },
  }
}

/** The output of tsc with its map. */
function withMap(path) {
  return { code: readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''), map: readFileSync(`${path}.map`, 'utf8') }
}

/** Classes keep their names, for stack traces and `console.log`. */
function minified(format) {
  return {
    name: 'minified',
    async renderChunk(code) {
      const result = await minify(code, { module: format === 'es', toplevel: true, ecma: 2022, compress: { passes: 3, pure_getters: true, unsafe_arrows: false }, keep_classnames: true, sourceMap: true, format: { comments: false } })
      return { code: result.code, map: result.map }
    },
  }
}
