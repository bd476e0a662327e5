// Bundles the JavaScript of tsc into the files of the package: entries that share
// chunks, readable but without comments; and the declarations of tsc, in ../types.
//
//     node pkg-template/bundle.mjs target/pkg-src/js pkg/dist
//
//     dist/esm/<entry>.js           ES modules; the WebAssembly comes as text, which the first parser compiles
//     dist/workerd/<entry>.js       the same for runtimes that import a .wasm file as a compiled module
//     dist/edge-light/<entry>.js
//     dist/esm/chunks/*.js          the shared chunks; replies.js is for the command line
//     dist/esm/**/*.d.ts            the declarations
//     dist/LICENSES.txt             the licences of the packages in it
//
// An entry has the exports of src/entry/<entry>.ts; entries.mjs says which WebAssembly they come with. What leads to
// WebAssembly is exported through what provides it (src/start/), by a call that a bundler leaves out with the export: so no
// module has side effects, and a program gets the parsers that it imports, each with its own WebAssembly.
//
// Nothing is minified, which bundlers do: so a stack trace has the names of the
// sources, and an error that nothing catches prints a line that can be read.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { CHUNKS, ENTRIES } from './entries.mjs'
import { licences } from './licences.mjs'
import { format, readable } from './readable.mjs'

const [sources, dist] = argv.slice(2).map((path) => resolve(path))

/** The formats, by their ids: each is an entry of its own. */
const FORMATS = readdirSync(join(sources, 'generated/formats')).map((name) => basename(name, '.js')).filter((id) => !['about', 'finding', 'reading', 'writing'].includes(id))

/** The folders of entries, with the files of src/start/ that begin their WebAssembly. */
const RUNTIMES = { esm: 'inline', workerd: 'workerd', 'edge-light': 'edge-light' }

/** The builds that are files, for runtimes that can't compile bytes. The others are parts of `tokenweir` there. */
const FILES = ['blocks', 'json']

const graph = await readGraph()
/** The modules that are made here, by their paths, and the chunks that aren't in the table. */
const made = new Map()
const chunks = new Map(['generated/decoder', 'generated/version', 'start/text', 'random-id'].map((path) => [source(path), 'visible-shared']))

const modules = await bundle()
for (const { fileName, code } of modules) write(fileName, code)
await declarations()
format(dist, Object.keys(RUNTIMES))
// Frameworks that render on a server look for it at the beginning of the entry.
for (const folder of Object.keys(RUNTIMES)) write(`${folder}/react.js`, `'use client'\n\n${readFileSync(join(dist, folder, 'react.js'), 'utf8')}`)
write('LICENSES.txt', licences('The JavaScript in dist', modules.flatMap(({ moduleIds }) => moduleIds)))

/** Bundles all entries. */
async function bundle() {
  const input = { 'esm/chunks/replies': source('reply/for-cli'), ...Object.fromEntries(FORMATS.map((id) => [`esm/formats/${id}`, source(`generated/formats/${id}`)])) }
  for (const [folder, start] of Object.entries(RUNTIMES)) {
    for (const [entry, parts] of Object.entries(ENTRIES)) {
      if (folder === 'esm' || parts.some(({ wasm, later }) => wasm ?? later)) input[`${folder}/${entry}`] = makeEntry(start, entry, parts)
    }
  }
  const build = await rollup({
    input,
    plugins: [{ name: 'sources', resolveId, resolveDynamicImport, load: (id) => made.get(id), transform: (code) => ({ code: readable(code), map: null }) }],
    // So a chunk is imported only for its exports.
    treeshake: { moduleSideEffects: false },
    onwarn: refuse,
  })
  const { output } = await build.generate({
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'esm/chunks/[name].js',
    manualChunks: (id) => chunks.get(id) ?? chunkOf(id),
    onlyExplicitManualChunks: true,
    hoistTransitiveImports: false,
    // Modules export the names of the sources.
    minifyInternalExports: false,
    generatedCode: 'es2015',
  })
  await build.close()
  return output
}

/** Makes the module of an entry, and those of its parts; returns its path. */
function makeEntry(start, entry, parts) {
  const exported = exportsOf(source(`entry/${entry}`))
  const named = parts.flatMap(({ names = '' }) => names.split(' '))
  const lines = parts.map(({ names, wasm = [], later = [] }, at) => {
    const own = names?.split(' ') ?? [...exported.keys()].filter((name) => !named.includes(name))
    const isPart = parts.length > 1 && (names !== undefined || wasm.length > 0)
    const code = makePart(start, own.map((name) => [name, exported.get(name)]), wasm, later, isPart)
    return isPart ? `export { ${own} } from ${text(make(`part/${start}-${entry}-${at}`, code, `part-${start}-${entry}-${at}`))}` : code
  })
  return make(`entry/${start}/${entry}`, lines.join('\n'))
}

/** The text of a part. What needs no WebAssembly has a name of its own in a file of its own: rollup would take it past this. */
function makePart(start, exported, wasm, later, isPart) {
  const lines = new Set()
  for (const [name, from] of exported) {
    const needsWasm = wasm.length + later.length > 0 && leadsTo(from, source('wasm/borders'))
    lines.add(needsWasm || isPart ? `import { ${name} as own_${name} } from ${text(from)}` : `export { ${name} } from ${text(from)}`)
    let value = `own_${name}`
    for (const [at, build] of needsWasm ? wasm.entries() : []) {
      lines.add(`import { withWasm as withWasm${at} } from ${text(providerOf(start, build))}`)
      value = `withWasm${at}(${value})`
    }
    if (needsWasm && later.length > 0) {
      lines.add(`import { withLater } from ${text(source('wasm/start'))}`)
      value = `withLater(${value}, { ${later.map((build) => `${text(build)}: () => import(${text(providerOf(start, build))})`)} })`
    }
    if (needsWasm || isPart) lines.add(`export const ${name} = ${value}`)
  }
  return [...lines].join('\n')
}

/** The module that provides a build. */
function providerOf(start, build) {
  const name = start === 'inline' || FILES.includes(build) ? build : 'tokenweir'
  const chunk = `start-${start}-${name}`
  if (start === 'inline') chunks.set(source(`generated/${name}-text`), chunk)
  return make(`start/${start}-${name}`, readFileSync(source(`start/${start}`), 'utf8').replaceAll('tokenweir', name), chunk)
}

/** Makes a module, with a chunk of its own unless it is an entry; returns its path. */
function make(path, code, chunk) {
  made.set(source(path), code)
  if (chunk !== undefined) chunks.set(source(path), chunk)
  return source(path)
}

function source(path) {
  return join(sources, `${path}.js`)
}

function text(value) {
  return JSON.stringify(value)
}

/** What each module of tsc imports and exports. */
async function readGraph() {
  const found = new Map()
  const buildEnd = function () {
    for (const id of this.getModuleIds()) {
      const { importedIds, exportedBindings } = this.getModuleInfo(id)
      found.set(id, { imports: importedIds, exports: exportedBindings })
    }
  }
  const input = ['reply/for-cli', ...Object.keys(ENTRIES).map((entry) => `entry/${entry}`)].map(source)
  await (await rollup({ input, treeshake: false, plugins: [{ name: 'graph', resolveId, buildEnd }] })).close()
  return found
}

/** What an entry exports: for each name the module that has it. */
function exportsOf(id) {
  const found = new Map()
  for (const [from, names] of Object.entries(graph.get(id).exports)) {
    const module = resolve(dirname(id), from)
    for (const [name, owner] of names.includes('*') ? exportsOf(module) : names.map((name) => [name, module])) if (owner === module || !found.has(name)) found.set(name, owner)
  }
  return found
}

/** Whether a module leads to another one by its imports. */
function leadsTo(from, to, seen = new Set()) {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  return graph.get(from)?.imports.some((id) => leadsTo(id, to, seen)) === true
}

/** The chunk of a module of tsc. */
function chunkOf(id) {
  const all = Object.entries(CHUNKS).flatMap(([family, rows]) => Object.entries(rows).map(([name, paths]) => ({ family, name, paths })))
  const [first, ...others] = all.filter(({ paths }) => paths.some((path) => leadsTo(source(path), id)))
  if (others.length === 0) return first?.name
  return `${first.name}-${others.every(({ family }) => family === first.family) ? first.family : 'shared'}`
}

/** Finds modules as Node does, but for what isn't bundled. */
function resolveId(name, importer) {
  if (importer === undefined) return name
  // The program's own.
  if (name === 'react') return { id: name, external: true }
  // The files are beside the folders of entries.
  if (name.includes('.wasm')) return { id: join(dist, basename(name)), external: true }
  // In Node.js its name stands for CommonJS.
  if (name === 'yaml') return fileURLToPath(new URL('browser/index.js', import.meta.resolve('yaml/package.json')))
  return name.startsWith('.') || name.startsWith('/') ? resolve(dirname(importer), name) : fileURLToPath(import.meta.resolve(name))
}

/** What is loaded later has a file with the exports of one module. */
function resolveDynamicImport(name, importer) {
  const id = resolve(dirname(importer), name)
  const file = `later-${relative(sources, id).slice(0, -'.js'.length).replaceAll(sep, '-')}`
  return made.has(id) ? id : make(file, `export * from ${text(id)}`, file)
}

function refuse({ message }) {
  throw new Error(`rollup: ${message}`)
}

/** Writes the declarations. */
async function declarations() {
  const files = [...Object.keys(ENTRIES).map((entry) => [entry, `entry/${entry}`]), ...FORMATS.map((id) => [`formats/${id}`, `generated/formats/${id}`])]
  const input = Object.fromEntries(files.map(([name, path]) => [name, join(sources, '../types', `${path}.d.ts`)]))
  // What computes types is not for programs to name.
  const onwarn = (warning) => warning.message.includes('private shared type exports') || refuse(warning)
  // What the file of an entry says of all of it.
  const banner = ({ facadeModuleId: id }) => (basename(dirname(id ?? '')) === 'entry' ? `${readFileSync(id, 'utf8').split('*/')[0]}*/` : '')
  const build = await rollup({ input, plugins: [dts()], onwarn })
  const { output } = await build.generate({ format: 'es', minifyInternalExports: false, entryFileNames: '[name].d.ts', chunkFileNames: ({ name }) => `chunks/${name.replace('.d', '')}.d.ts`, banner })
  await build.close()
  for (const { fileName, code } of output) write(`esm/${fileName}`, code)
}

/** Writes a file of dist. */
function write(name, code) {
  mkdirSync(dirname(join(dist, name)), { recursive: true })
  writeFileSync(join(dist, name), code)
}
