// Bundles the JavaScript of tsc into the files of the package: entries that share
// chunks, minified; and the declarations of tsc, in ../types.
//
//     node pkg-template/bundle.mjs target/pkg-src/js pkg/dist
//
//     dist/esm/<entry>.js           ES modules; the WebAssembly comes as text, which the first parser compiles
//     dist/workerd/<entry>.js       the same for runtimes that import a .wasm file as a compiled module
//     dist/edge-light/<entry>.js
//     dist/esm/chunks/*.js          the shared chunks; a short WebAssembly as text is one, and replies.js is for the command line
//     dist/wasm/<build>.js          a long one, once for ES modules and CommonJS: it runs as either
//     dist/cjs/**/*.js              the same as CommonJS, by commonjs.mjs
//     dist/cjs/**/*.d.ts            the declarations that entries lead to
//     dist/esm/**/*.d.ts            the same for ES modules, from there
//     dist/LICENSES.txt             the licences of the packages in it
//
// An entry has the exports of src/entry/<entry>.ts. What needs the WebAssembly goes
// through a file of src/start/, which provides it, by a call that a bundler leaves
// out with the export: so no module but `snapshot` has side effects, and of
// `tokenweir` a program gets the parsers that it imports, each with its own
// WebAssembly. `slim` has no
// such file: its users call `init`. Nor have the formats, which are data: `formats`,
// and each one alone in formats/<id>.js.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix, relative, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { minify } from 'terser'
import { commonJs } from './commonjs.mjs'
import { licences } from './licences.mjs'

const [sources, dist] = argv.slice(2).map((path) => resolve(path))

/** The entries, by their names. */
const entries = readdirSync(join(sources, 'entry')).filter((name) => name.endsWith('.js')).map((name) => name.slice(0, -'.js'.length))

/** The build of the WebAssembly that an entry's exports need: those of xtask/src/wasm.rs. `slim`, `formats`, `yaml` and `snapshot` have none; `index` has those of the others. */
const builds = { blocks: 'blocks', membrane: 'blocks', fields: 'fields', agently: 'fields', segments: 'segments', autobyteus: 'segments', 'tool-calls': 'tool-calls', 'ai-sdk': 'tool-calls', 'ai-sdk-tool-parser': 'tool-calls', rjson: 'values', rxml: 'values', 'schema-coerce': 'values' }

/** The formats, by their ids: each is an entry of its own. */
const formats = readdirSync(join(sources, 'generated/formats')).filter((name) => name.endsWith('.js') && !['about.js', 'notes.js', 'reading.js', 'writing.js'].includes(name)).map((name) => name.slice(0, -'.js'.length))

/** What provides the WebAssembly. */
const PROVIDES = /^start\/(?!text\.)/

/** What leads to it. */
const BORDERS = join(sources, 'wasm/borders.js')

/** What runtimes import that can't compile bytes: of the smaller ones only that of blocks is a file, too. */
const fileOf = (build) => (build === 'blocks' ? build : 'tokenweir')

/** The WebAssembly of a build as text, a module of tsc. */
const TEXT = /generated[\\/]([\w-]+)-text\.js$/

/** What starts a build: the kind of runtime, and the build's name. */
const START = /[\\/]start[\\/](inline|workerd|edge-light)-([\w-]+)\.js$/

/** What reads replies: `visibleText` loads it when it needs it. */
const REPLIES = /^(native|reply)\/(?!(visible|for-cli)\.)|node_modules\/eventsource-parser\//

/** The entries whose modules are a chunk each; what they share with others is the core. */
const USERS = ['blocks', 'fields', 'segments']
const OTHERS = ['tool-calls', 'ai-sdk', 'ai-sdk-tool-parser', 'formats', 'yaml', 'values']

/** The longest text that is a chunk, in characters. CommonJS has its own copy, which takes next to nothing in the tarball: commonjs.mjs says how, and why not of longer ones. */
const LONGEST_CHUNK = 60_000

/** Chunks that are listed by hand, so that none is longer than `LONGEST_CHUNK`, or brings what need not be loaded. */
const CHUNKS = [
  // What `visibleText` loads when there are tools, or with the first response, shares no file with what it always needs.
  ['base', /^(errors|own|untrusted|snapshot\/registry)\.js$/],
  ['schemas', /^schema\/(declared-type|keywords|library|listing|reader|references|tool-list|unwrap|view)\.js$/],
  ['block-parsers', /^blocks\/(element-reading|incremental-xml|parser|snapshots|streams|typed-reading)\.js$/],
  ['core', /^(schema\/written-fitter|tool-calls\/yaml-reader)\.js$/],
  ['readable', /^(generated\/formats\/reading|formats\/(names|results|encode|readable)|schema\/to-json|wasm\/formats|tool-calls\/(parts|source-texts|escaped))\.js$/],
  ['segment-handlers', /^segments\/(adapter|call-text-leak|factory|handler|llm-handler|parser)\.js$/],
  ['format-tables', /^generated\/formats\/(about|notes)\.js$/],
  ['yaml-nodes', /node_modules\/yaml\/browser\/dist\/(?!compose|parse|public)/],
]

/** What parsers find when they are saved and restored: an entry without exports, which is imported for what it does. */
const SNAPSHOTS = join(sources, 'public/snapshot.js')

/** What the command line imports besides the entries: bundle-cli.mjs. */
const FOR_CLI = { 'esm/chunks/replies': join(sources, 'reply/for-cli.js') }

/** The modules that each leads to. */
const closures = new Map()

const output = await bundle({ esm: 'inline', workerd: 'workerd', 'edge-light': 'edge-light' })
writeFiles(output.map(({ fileName, code }) => [fileName, code]))
writeCommonJs()
writeTexts()
writeFileSync(join(dist, 'LICENSES.txt'), licences('The JavaScript in dist', output.flatMap(({ moduleIds = [] }) => moduleIds)))
await declarations()

/** Bundles all entries as ES modules. `starts`: for each folder of entries, the start file. */
async function bundle(starts) {
  const input = Object.entries(starts).flatMap(([folder, start]) => entries.filter((entry) => entry === 'index' || entry in builds || folder === 'esm').map((entry) => [`${folder}/${entry}`, `entry:${start}/${entry}`]))
  const rows = formats.map((id) => [`esm/formats/${id}`, join(sources, 'generated/formats', `${id}.js`)])
  const build = await rollup({
    input: { ...Object.fromEntries([...input, ...rows]), ...FOR_CLI },
    plugins: [readSources(), minified()],
    // Only the files of text and what registers snapshots have side effects, so a chunk is imported only for its exports.
    treeshake: { moduleSideEffects: (id) => id.startsWith('text:') || id === SNAPSHOTS },
    onwarn: (warning) => {
      throw new Error(`rollup: ${warning.message}`)
    },
  })
  const { output } = await build.generate({
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'esm/chunks/[name].js',
    // The path to the .wasm file in `paths` is relative to it.
    manualChunks: (id) => chunkOf(id),
    onlyExplicitManualChunks: true,
    paths: (id) => id.replace(/^(wasm|text):/, '../../'),
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
  })
  await build.close()
  return output
}

/** Writes CommonJS of what the entries of ES modules lead to. */
function writeCommonJs() {
  const modules = new Map()
  const add = (fileName) => {
    const file = output.find((file) => file.fileName === fileName)
    if (file === undefined || modules.has(fileName)) return
    modules.set(fileName, file.code)
    for (const other of [...file.imports, ...file.dynamicImports]) add(other)
  }
  for (const { fileName, isEntry } of output) if (isEntry && fileName.startsWith('esm/') && !(fileName.slice(0, -'.js'.length) in FOR_CLI)) add(fileName)
  writeFiles([...commonJs(modules)].map(([path, code]) => [path.replace('esm/', 'cjs/'), code]))
  writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
}

/** Writes files of dist. */
function writeFiles(files) {
  for (const [name, code] of files) {
    const path = join(dist, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code)
  }
}

/** Writes the texts of the builds that are too long for a chunk. */
function writeTexts() {
  mkdirSync(join(dist, 'wasm'), { recursive: true })
  writeFileSync(join(dist, 'wasm/package.json'), '{ "type": "commonjs" }\n')
  for (const build of new Set(Object.values(builds))) {
    const text = textOf(join(sources, `generated/${build}-text.js`))
    if (text.length > LONGEST_CHUNK) writeFileSync(join(dist, `wasm/${build}.js`), `globalThis[${keyOf(text)}]='${text}'\n`)
  }
}

/** The text in a module of tsc. */
function textOf(path) {
  return /^export const text = '([^']+)'/m.exec(readFileSync(path, 'utf8'))[1]
}

/** Where the file of a text keeps it, so that files of two versions don't meet. */
function keyOf(text) {
  return `Symbol.for('tokenweir.wasm ${createHash('sha256').update(text).digest('hex').slice(0, 16)}')`
}

/** The module of a text, for a chunk or for a file that is written besides. It is two constants, so that a chunk can be cut between them; bundlers don't leave out a sum. */
function textModule(build, id) {
  const text = textOf(id)
  if (text.length > LONGEST_CHUNK) return `import 'text:wasm/${build}.js'\nexport const text = globalThis[${keyOf(text)}]\n`
  const half = text.length >> 1
  return `const first = '${text.slice(0, half)}'\nconst second = '${text.slice(half)}'\nexport const text = /*#__PURE__*/ first.concat(second)\n`
}

/**
 * Writes the declarations: for CommonJS, since ES modules may import those, and CommonJS may not import those of
 * ES modules; and for each ES module a file that passes them on, as its place says which kind it is.
 */
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
  const { output } = await build.write({ dir: join(dist, 'cjs'), format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: ({ name }) => `chunks/${name.replace(/\.d$/, '')}.d.ts`, banner })
  await build.close()
  const passed = (name) => `export * from '${posix.relative(posix.dirname(`esm/${name}`), `cjs/${name}.js`)}'\n`
  writeFiles(output.filter(({ isEntry }) => isEntry).map((entry) => [`esm/${entry.name}.d.ts`, [banner(entry), passed(entry.name)].filter(Boolean).join('\n')]))
}

/** What the file of an entry says of all of it. */
function banner({ facadeModuleId }) {
  return (facadeModuleId && /^\/\*\*[^]*?@packageDocumentation[^]*?\*\//.exec(readFileSync(facadeModuleId, 'utf8'))?.[0]) ?? ''
}

/** The chunk of a module. The fewer files an entry has, the faster it is imported: Node takes longer to find one than to read it. */
function chunkOf(id) {
  const path = relative(sources, id).replaceAll('\\', '/')
  if (PROVIDES.test(path)) return path.replace('/', '-').replace(/\.js$/, '')
  const [, build] = TEXT.exec(id) ?? []
  if (build) return `start-inline-${build}`
  if (/^(start\/text|generated\/decoder)\.js$/.test(path) || /^wasm\/(start|instance|guard)\.js$/.test(path)) return 'core'
  if (REPLIES.test(path)) return 'reply'
  const named = CHUNKS.find(([, paths]) => paths.test(path))
  if (named) return named[0]
  const users = USERS.filter((entry) => modulesOf(entry).has(id))
  const isShared = users.length > 1 || OTHERS.some((entry) => modulesOf(entry).has(id))
  // No chunk has the name of an entry: see commonjs.mjs.
  if (users.length > 0) return isShared ? 'core' : `only-${users[0]}`
  return modulesOf('values').has(id) ? 'only-values' : undefined
}

/** The modules that an entry leads to; `values` stands for those of whole values. */
function modulesOf(entry) {
  let found = closures.get(entry)
  if (found === undefined) {
    closures.set(entry, (found = new Set()))
    for (const name of entry === 'values' ? ['rjson', 'rxml', 'schema-coerce'] : [entry]) reaches(join(sources, 'public', `${name}.js`), undefined, found)
  }
  return found
}

/** The module of an entry: its exports, those that need the WebAssembly through what provides it. */
function entryModule(start, entry) {
  const lines = entry === 'snapshot' ? [`import ${JSON.stringify(SNAPSHOTS)}`] : []
  for (const [name, { path, from }] of exportsOf(join(sources, 'entry', `${entry}.js`))) {
    const build = entry === 'index' ? builds[basename(path, '.js')] : builds[entry]
    if (build === undefined || !reaches(from, BORDERS)) {
      lines.push(`export { ${name} } from ${JSON.stringify(from)}`)
      continue
    }
    const provider = join(sources, 'start', `${start}-${start === 'inline' ? build : fileOf(build)}.js`)
    lines.push(`import { ${name} as ${name}$ } from ${JSON.stringify(from)}`)
    lines.push(`import { withWasm as with_${name} } from ${JSON.stringify(provider)}`)
    lines.push(`export const ${name} = /*#__PURE__*/ with_${name}(${name}$)`)
  }
  return lines.join('\n')
}

/** What a file of src/entry/ or src/public/ exports: for each name the file that lists it, and the one that has it. */
function exportsOf(path) {
  const text = readFileSync(path, 'utf8')
  const found = new Map()
  for (const [, names, source] of text.matchAll(/^export (\*|\{[^}]*\}) from '([^']+)'/gm)) {
    const from = resolve(dirname(path), source)
    const listed = /[\\/]public[\\/][\w-]+\.js$/.test(from) ? exportsOf(from) : undefined
    const wanted = names === '*' ? [...listed.keys()] : names.slice(1, -1).split(',').map((name) => name.trim()).filter((name) => name !== '')
    for (const name of wanted) if (!found.has(name)) found.set(name, listed?.get(name) ?? { path, from })
  }
  return found
}

/** Whether a module leads to another one by its imports. */
function reaches(from, to, seen = new Set()) {
  if (from === to) return true
  if (seen.has(from) || !from.startsWith(sources)) return false
  seen.add(from)
  return [...readFileSync(from, 'utf8').matchAll(/\b(?:from|import\(?)\s*'(\.[^']+)'/g)].some(([, source]) => reaches(resolve(dirname(from), source), to, seen))
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
        return entryModule(start, entry)
      }
      const [, kind, name] = START.exec(id) ?? []
      if (name) {
        return readFileSync(id.replace(`${kind}-${name}`, kind), 'utf8').replaceAll('tokenweir', name)
      }
      const [, build] = TEXT.exec(id) ?? []
      return build ? textModule(build, id) : pure(readFileSync(id, 'utf8'))
    },
  }
}

/** A module whose constants a bundler may leave out: its constructors, and what makes a check, do no more than make what they return. */
function pure(code) {
  return code.replace(/^((?:export )?const \w+ = )(?=new |must\()/gm, '$1/*#__PURE__*/ ').replace(/^( +\w+: \[|^ +(?=must))(?=(?:must|word|choice|oneOf)\()/gm, '$1/*#__PURE__*/ ')
}

/** Classes keep their names, for stack traces and `console.log`; the constants of a text stay two, and have no escapes. */
function minified() {
  return {
    name: 'minified',
    async renderChunk(code, { name }) {
      const isText = name.startsWith('start-inline-')
      const compress = !isText && { passes: 3, pure_getters: true, unsafe_arrows: false }
      const result = await minify(code, { module: true, toplevel: true, ecma: 2022, compress, keep_classnames: true, format: { comments: false, preserve_annotations: true, inline_script: !isText } })
      return { code: result.code }
    },
  }
}
