// Bundles the JavaScript of tsc into the files of the package: entries that share
// chunks, minified; and the declarations of tsc, in ../types.
//
//     node pkg-template/bundle.mjs target/pkg-src/js pkg/dist
//
//     dist/esm/<entry>.js           ES modules; the WebAssembly comes as text and is compiled at import
//     dist/workerd/<entry>.js       the same for runtimes that import a .wasm file as a compiled module
//     dist/edge-light/<entry>.js
//     dist/wasm/<build>.js          the WebAssembly as text, once for ES modules and CommonJS: it runs as either
//     dist/esm/chunks/*.js          the shared chunks
//     dist/cjs/**                   CommonJS
//     dist/{esm,cjs}/**/*.d.ts      the declarations that entries lead to, of each module kind
//     dist/LICENSES.txt             the licences of the packages in it
//
// An entry has the exports of src/entry/<entry>.ts, with a file of src/start/ that
// initialises the parsers. `slim` has no such file: its users call `init`. Nor have
// the formats, which are data: `formats`, and each one alone in formats/<id>.js.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
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

/** What runtimes import that can't compile bytes: of the smaller ones only that of blocks is a file, too. */
const fileOf = (build) => (build === 'blocks' ? build : 'tokenweir')

/** The WebAssembly of a build as text, a module of tsc. */
const TEXT = /generated[\\/]([\w-]+)-text\.js$/

/** What starts a build: the kind of runtime, and the build's name. */
const START = /[\\/]start[\\/](inline|workerd|edge-light)-([\w-]+)\.js$/

/** What reads replies: `visibleText` loads it when it needs it. */
const REPLIES = /^(native|reply)\/(?!visible\.)|node_modules\/eventsource-parser\//

const files = await bundle({ format: 'es', folder: 'esm', starts: { esm: 'inline', workerd: 'workerd', 'edge-light': 'edge-light' } })
await bundle({ format: 'cjs', folder: 'cjs', starts: { cjs: 'inline' } })
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
writeTexts()
writeFileSync(join(dist, 'LICENSES.txt'), licences('The JavaScript in dist', files))
await declarations()

/** Writes all entries of one module kind. `starts`: for each folder of entries, the start file. Returns the files that were bundled. */
async function bundle({ format, folder, starts }) {
  const input = Object.entries(starts).flatMap(([into, start]) => entries.filter((entry) => entry in builds || into === folder).map((entry) => [`${into}/${entry}`, `entry:${start}/${entry}`]))
  const rows = formats.map((id) => [`${folder}/formats/${id}`, join(sources, 'generated/formats', `${id}.js`)])
  const build = await rollup({
    input: Object.fromEntries([...input, ...rows]),
    plugins: [readSources(), minified(format)],
    // The other modules have no side effects, so a chunk is imported only for its exports.
    treeshake: { moduleSideEffects: (id) => /^(entry:|text:|.*[\\/](entry|public)[\\/])/.test(id) || EFFECTS.test(relative(sources, id).replaceAll('\\', '/')) },
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
    paths: (id) => id.replace(/^(wasm|text):/, '../../'),
    exports: 'named',
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
    dynamicImportInCjs: false,
  })
  await build.close()
  for (const file of output) {
    const path = join(dist, file.fileName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file.code)
  }
  return output.flatMap(({ moduleIds = [] }) => moduleIds)
}

/** Writes the texts of the builds. */
function writeTexts() {
  mkdirSync(join(dist, 'wasm'), { recursive: true })
  writeFileSync(join(dist, 'wasm/package.json'), '{ "type": "commonjs" }\n')
  for (const build of new Set(Object.values(builds))) {
    const { key, members } = textOf(join(sources, `generated/${build}-text.js`))
    writeFileSync(join(dist, `wasm/${build}.js`), `globalThis[${key}]={${members}}\n`)
  }
}

/** A module of tsc with a text: its constants as members of an object, and where that is kept, so that files of two versions don't meet. */
function textOf(path) {
  const constants = [...readFileSync(path, 'utf8').matchAll(/^export const (\w+) = ('[^']+')/gm)]
  const members = constants.map(([, name, value]) => `${name}:${value}`).join()
  const digest = createHash('sha256').update(members).digest('hex').slice(0, 16)
  return { key: `Symbol.for('tokenweir.wasm ${digest}')`, members }
}

/** Writes the declarations, once for each module kind, which decides how TypeScript reads their imports. */
async function declarations() {
  const types = join(sources, '../types')
  const rows = formats.map((id) => [`formats/${id}`, join(types, 'generated/formats', `${id}.d.ts`)])
  const build = await rollup({
    input: Object.fromEntries([...entries.map((entry) => [entry, join(types, 'entry', `${entry}.d.ts`)]), ...rows]),
    plugins: [dts()],
    onwarn: ({ message }) => {
      // What computes types is not for programs to name.
      if (!message.includes('private shared type exports')) throw new Error(`rollup: ${message}`)
    },
  })
  for (const kind of ['esm', 'cjs']) {
    await build.write({ dir: join(dist, kind), format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: ({ name }) => `chunks/${name.replace(/\.d$/, '')}.d.ts`, banner })
  }
  await build.close()
}

/** What the file of an entry says of all of it. */
function banner({ facadeModuleId }) {
  return (facadeModuleId && /^\/\*\*[^]*?@packageDocumentation[^]*?\*\//.exec(readFileSync(facadeModuleId, 'utf8'))?.[0]) ?? ''
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
      if (source.startsWith('text:')) return { id: source, external: true, moduleSideEffects: true }
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
        if (!(entry in builds)) return reExport
        const build = start === 'inline' ? builds[entry] : fileOf(builds[entry])
        return `import ${JSON.stringify(join(sources, 'start', `${start}-${build}.js`))}\n${reExport}`
      }
      const [, kind, name] = START.exec(id) ?? []
      if (name) {
        return readFileSync(id.replace(`${kind}-${name}`, kind), 'utf8').replaceAll('tokenweir', name)
      }
      const [, build] = TEXT.exec(id) ?? []
      return build ? `import 'text:wasm/${build}.js'\nexport const { text, frequent } = globalThis[${textOf(id).key}]\n` : readFileSync(id, 'utf8')
    },
  }
}

/** Classes keep their names, for stack traces and `console.log`. */
function minified(format) {
  return {
    name: 'minified',
    async renderChunk(code) {
      const result = await minify(code, { module: format === 'es', toplevel: true, ecma: 2022, compress: { passes: 3, pure_getters: true, unsafe_arrows: false }, keep_classnames: true, format: { comments: false } })
      return { code: result.code }
    },
  }
}
