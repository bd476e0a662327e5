// Bundles the JavaScript of tsc into the files of the package: entries that share
// chunks, readable but for the comments; and the declarations of tsc, in ../types.
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
// An entry has the exports of src/entry/<entry>.ts. What needs the WebAssembly goes
// through a file of src/start/, which provides it, by a call that a bundler leaves
// out with the export: so no module has side effects, and of
// `tokenweir` a program gets the parsers that it imports, each with its own
// WebAssembly. The formats are data: `formats`, and each one alone in formats/<id>.js.
//
// Nothing is minified, which bundlers do: so a stack trace has the names of the
// sources, and an error that nothing catches prints a line that can be read.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { argv, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { licences } from './licences.mjs'

const [sources, dist] = argv.slice(2).map((path) => resolve(path))

/** The entries, by their names. */
const entries = readdirSync(join(sources, 'entry')).filter((name) => name.endsWith('.js')).map((name) => name.slice(0, -'.js'.length))

/** The build of the WebAssembly that an entry's exports need: those of xtask/src/wasm.rs. `formats`, `grammar`, `yaml` and `sentences` have none. */
const builds = { index: 'blocks', reply: 'blocks', react: 'blocks', blocks: 'blocks', membrane: 'blocks', args: 'arguments', fields: 'fields', agently: 'fields', segments: 'segments', autobyteus: 'segments', 'tool-calls': 'tool-calls', 'ai-sdk': 'tool-calls', 'ai-sdk-tool-parser': 'tool-calls', rjson: 'json', rxml: 'values', 'schema-coerce': 'values', edits: 'edits' }

/** The formats, by their ids: each is an entry of its own. */
const formats = readdirSync(join(sources, 'generated/formats')).filter((name) => name.endsWith('.js') && !['about.js', 'finding.js', 'reading.js', 'writing.js'].includes(name)).map((name) => name.slice(0, -'.js'.length))

/** What provides the WebAssembly. */
const PROVIDES = /^start\/(?!text\.)/

/** What leads to it. */
const BORDERS = join(sources, 'wasm/borders.js')

/** What reads the text of a reply by a wire format: it is loaded with the option, and with it the WebAssembly of tool calls. */
const FORMAT_TEXT = join(sources, 'reply/format-text.js')

/** What a middleware loads with its first request: its WebAssembly reads JSON, too. */
const OF_MIDDLEWARE = /[\\/]ai-sdk[\\/]/

/** What every parser reads with. */
const MACHINE = join(sources, 'wasm/machine.js')

/** What makes results of replies. */
const RESULTS = join(sources, 'reply/reply.js')

/** What reads JSON with repairs: in blocks only calls need it, and `visibleText` reads past them: so it has a build of its own there. */
const JSON_READER = join(sources, 'json/read.js')

/** What runtimes import that can't compile bytes: of the smaller ones only those of blocks are files, too. */
const fileOf = (build) => (['blocks', 'json'].includes(build) ? build : 'tokenweir')

/** The WebAssembly of a build as text, a module of tsc. */
const TEXT = /generated[\\/]([\w-]+)-text\.js$/

/** What starts a build: the kind of runtime, and the build's name. */
const START = /[\\/]start[\\/](inline|workerd|edge-light)-([\w-]+)\.js$/

/** What reads replies: `visibleText` loads it when it needs it. */
const REPLIES = /^(native|reply)\/(?!(visible|for-cli|format-text|reply|problems|response-error|options|source|provider|provider-error)\.)|node_modules\/eventsource-parser\//

/** What programs use alone, by the modules that it begins with. What only one of these needs is a chunk, and what several need. */
const GROUPS = {
  visible: ['reply/visible'],
  calls: ['blocks/typed-reading'],
  blocks: ['public/blocks'],
  fields: ['public/fields'],
  segments: ['public/segments'],
  edits: ['edits/parser'],
  values: ['public/rjson', 'public/rxml', 'public/schema-coerce'],
  rest: ['public/tool-calls', 'public/ai-sdk', 'public/ai-sdk-tool-parser', 'public/formats', 'public/grammar', 'public/yaml'],
}

/** The longest text in a line. */
const LONGEST_TEXT = 100

/** The text of a WebAssembly, in lines. */
const WASM_TEXT = /^'[ !#%&()-;=-[\]-_a-~]{1000,}'$/
const LINE = /.{190}/g

/** What loads a module later that reads JSON: its exports, through what provides the WebAssembly, which a bundler keeps with them. */
const LATER = 'later:'

/** What reads arguments, whose WebAssembly edits have besides. */
const ARGUMENTS_READER = join(sources, 'args/reading.js')

/** The parts of an entry: what needs the reader of JSON, what may load tool calls later, and what makes results of replies, which the one before loads later. */
const PART = /^(?:part|later-part|reply-part):/

/** Chunks that are listed by hand, so that nothing is loaded that is not needed. */
const CHUNKS = [
  // What is loaded later is in no file with what is not.
  ['core', /^(platform|args\/meant|generated\/version|reply\/response-error|tool-calls\/to-run)\.js$/],
  ['visible', /^reply\/visible\.js$/],
  ['reply-reader', /^reply\/(problems|reply)\.js$/],
  ['reply-sources', /^(reply\/(options|source)|provider-name|native\/provider(-error)?)\.js$/],
  ['reply-hook', /^react\.js$/],
  ['grammar', /^grammar\//],
  ['only-blocks', /^blocks\/tool-results\.js$/],
  // What fields and arguments have in common is in no file with the rest of either.
  ['paths', /^(stops|json\/(big-numbers|path)|schema\/validation|wasm\/json-rules)\.js$/],
  ['shared', /^(args\/(finished|sdk-part)|alike|finish-reason|hash|journal|sent-again|json\/(brackets|canonical|json-path))\.js$/],
  // What a middleware needs before its first request: ready ones; those by options, with the names of formats.
  ['ready-made', /^ai-sdk\/(later|ready-made|tool-parser-middlewares)\.js$/],
  ['middleware', /^ai-sdk\/(debug(-print)?|middleware|options|protocol-source)\.js$/],
  ['call-options', /^(tool-calls\/options|max-pending|environment)\.js$/],
  ['format-names', /^(generated\/formats\/reading|formats\/names)\.js$/],
  ['readable', /^(formats\/(results|encode|readable)|schema\/to-json|wasm\/formats|tool-calls\/(parts|source-texts|escaped))\.js$/],
  ['segment-handlers', /^segments\/(adapter|call-text-leak|factory|handler|llm-handler|parser)\.js$/],
  // The table of formats, and what is written by them: what only reads needs neither.
  ['formats-about', /^generated\/formats\/about\.js$/],
  ['formats-writing', /^generated\/formats\/writing\.js$/],
  ['call-arguments', /^arguments\/(?!yaml-reader)/],
  ['yaml-nodes', /node_modules\/yaml\/browser\/dist\/(?!compose|parse|public)/],
]

/** What the command line imports besides the entries: bundle-cli.mjs. */
const FOR_CLI = { 'esm/chunks/replies': join(sources, 'reply/for-cli.js') }

/** How the files are formatted. */
const FORMATTED = { root: true, files: { maxSize: 10_000_000 }, formatter: { indentStyle: 'tab', indentWidth: 2, lineWidth: 140 }, javascript: { formatter: { quoteStyle: 'single', semicolons: 'asNeeded' } } }

/** The modules of each group. */
const closures = new Map()

const output = await bundle({ esm: 'inline', workerd: 'workerd', 'edge-light': 'edge-light' })
writeFiles(formatted(output.map(({ fileName, code }) => [fileName, code])))
// Frameworks that render on a server look for it at the beginning of the entry.
for (const kind of ['esm', 'workerd', 'edge-light']) writeFiles([[`${kind}/react.js`, `'use client'\n\n${readFileSync(join(dist, kind, 'react.js'), 'utf8')}`]])
writeFileSync(join(dist, 'LICENSES.txt'), licences('The JavaScript in dist', output.flatMap(({ moduleIds = [] }) => moduleIds)))
await declarations()

/** Bundles all entries as ES modules. `starts`: for each folder of entries, the start file. */
async function bundle(starts) {
  const input = Object.entries(starts).flatMap(([folder, start]) => entries.filter((entry) => entry in builds || folder === 'esm').map((entry) => [`${folder}/${entry}`, `entry:${start}/${entry}`]))
  const rows = formats.map((id) => [`esm/formats/${id}`, join(sources, 'generated/formats', `${id}.js`)])
  const build = await rollup({
    input: { ...Object.fromEntries([...input, ...rows]), ...FOR_CLI },
    plugins: [readSources()],
    treeshake: { moduleSideEffects: false },
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
    paths: (id) => id.replace(/^wasm:/, '../../'),
    hoistTransitiveImports: false,
    // Modules export the names of the sources.
    minifyInternalExports: false,
    generatedCode: 'es2015',
  })
  await build.close()
  return output
}

/** Writes files of dist. */
function writeFiles(files) {
  for (const [name, code] of files) write(join(dist, name), code)
}

function write(path, code) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, code)
}

/** Writes the declarations. */
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
  const { output } = await build.generate({ format: 'es', minifyInternalExports: false, entryFileNames: '[name].d.ts', chunkFileNames: ({ name }) => `chunks/${name.replace(/\.d$/, '')}.d.ts`, banner })
  await build.close()
  writeFiles(output.map(({ fileName, isEntry, name, code }) => [`esm/${fileName}`, inTabs(isEntry ? typesMarked(name, code) : code)]))
}

/** The declarations of an entry, in which only what its JavaScript exports is a value: rollup loses the word `type`. */
function typesMarked(entry, code) {
  const { exports } = output.find(({ fileName }) => fileName === `esm/${entry}.js`)
  return code.replace(/^export \{ (.*) \}(.*);$/gm, (_, names, from) => {
    const [values, types] = [true, false].map((isValue) => names.split(', ').filter((name) => exports.includes(name.split(' as ').at(-1)) === isValue))
    return [['export', values], ['export type', types]].filter(([, names]) => names.length > 0).map(([how, names]) => `${how} { ${names.join(', ')} }${from};`).join('\n')
  })
}

/** Declarations as the JavaScript is indented, which is a tenth smaller. */
function inTabs(code) {
  return code.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
}

/** What the file of an entry says of all of it. */
function banner({ facadeModuleId }) {
  return (facadeModuleId && /^\/\*\*[^]*?@packageDocumentation[^]*?\*\//.exec(readFileSync(facadeModuleId, 'utf8'))?.[0]) ?? ''
}

/** The chunk of a module. The fewer files an entry has, the faster it is imported: Node takes longer to find one than to read it. */
function chunkOf(id) {
  const path = relative(sources, id).replaceAll('\\', '/')
  if (PART.test(id)) return id.replace(/[:/]/g, '-')
  if (PROVIDES.test(path)) return path.replace('/', '-').replace(/\.js$/, '')
  const [, build] = TEXT.exec(id) ?? []
  if (build) return `start-inline-${build}`
  return roomOf(id)
}

/** The chunk of a module that provides nothing. */
function roomOf(id) {
  const path = relative(sources, id).replaceAll('\\', '/')
  if (/^(start\/text|generated\/decoder)\.js$/.test(path) || /^wasm\/(start|instance|guard)\.js$/.test(path)) return 'core'
  if (REPLIES.test(path)) return 'reply'
  const named = CHUNKS.find(([, paths]) => paths.test(path))
  if (named) return named[0]
  const users = Object.keys(GROUPS).filter((group) => modulesOf(group).has(id))
  const isOfBlocks = users.length > 0 && users.every((user) => ['visible', 'calls', 'blocks'].includes(user))
  // What a chunk needs is needed by all who need the chunk: so none leads to itself.
  if (users.includes('visible')) return isOfBlocks ? 'only-visible' : 'core'
  if (isOfBlocks) return 'only-blocks'
  if (users.includes('calls')) return 'shared'
  if (users.length > 1) return 'parts'
  return users.length === 0 || users[0] === 'rest' ? undefined : `only-${users[0]}`
}

/** The modules that a group needs before it loads any later. */
function modulesOf(group) {
  let found = closures.get(group)
  if (found === undefined) {
    closures.set(group, (found = new Set()))
    for (const path of GROUPS[group]) reaches(join(sources, `${path}.js`), undefined, { later: false, seen: found })
  }
  return found
}

/**
 * The module of an entry: its exports, those that need the WebAssembly through what provides it. Those that need the
 * reader of JSON, too, are in a part of it, a module of its own: with `splitting`, esbuild would load whatever a module
 * leads to that is loaded later. So are those that may load tool calls.
 */
function entryModule(start, entry, kind = 'entry') {
  const lines = []
  for (const [name, from] of exportsOf(join(sources, 'entry', `${entry}.js`))) {
    const build = builds[entry]
    const needsWasm = build !== undefined && reaches(from, BORDERS)
    // What a module loads later comes with its text; elsewhere files are imported with it.
    const needsJson = needsWasm && build === 'blocks' && reaches(from, JSON_READER, { later: start !== 'inline' })
    // A middleware reads nothing before its first request.
    const isLater = needsWasm && build === 'tool-calls' && name !== 'warm' && !reaches(from, MACHINE, { later: false })
    const mayCall = isLater || (needsWasm && build === 'blocks' && reaches(from, FORMAT_TEXT))
    const makesResults = mayCall && reaches(from, RESULTS, { later: false })
    const part = needsJson || (!isLater && entry.startsWith('ai-sdk')) ? 'part' : makesResults ? 'reply-part' : mayCall ? 'later-part' : 'entry'
    if (kind !== 'entry' && kind !== part) continue
    if (kind !== part) lines.push(`export { ${name} } from ${JSON.stringify(`${part}:${start}/${entry}`)}`)
    // A name of its own, since rollup would export it from its chunk, which esbuild would then load with the entry.
    else if (!needsWasm && kind === 'part') lines.push(`import { ${name} as ${name}$ } from ${JSON.stringify(from)}\nexport const ${name} = ${name}$`)
    else if (!needsWasm) lines.push(`export { ${name} } from ${JSON.stringify(from)}`)
    else {
      const needsArguments = build === 'edits' && reaches(from, ARGUMENTS_READER)
      const providers = [...(isLater ? [] : [build]), ...(needsJson ? ['json'] : []), ...(needsArguments ? ['arguments'] : [])].map((build) => providerOf(start, build))
      lines.push(`import { ${name} as ${name}$ } from ${JSON.stringify(from)}`)
      for (const [at, provider] of providers.entries()) lines.push(`import { withWasm as with_${name}${at} } from ${JSON.stringify(provider)}`)
      const provided = providers.reduce((what, _, at) => `/*#__PURE__*/ with_${name}${at}(${what})`, `${name}$`)
      if (mayCall) lines.push(`import { withLater as later_${name} } from ${JSON.stringify(join(sources, 'wasm/start.js'))}`)
      lines.push(`export const ${name} = ${mayCall ? `/*#__PURE__*/ later_${name}(${provided}, 'tool-calls', () => import(${JSON.stringify(providerOf(start, 'tool-calls'))}).then(({ withWasm }) => withWasm()))` : provided}`)
    }
  }
  return lines.join('\n')
}

/** The module that provides a build. */
function providerOf(start, build) {
  return join(sources, 'start', `${start}-${start === 'inline' ? build : fileOf(build)}.js`)
}

/** What a file of src/entry/ or src/public/ exports: for each name the file that has it. */
function exportsOf(path) {
  const text = readFileSync(path, 'utf8')
  const found = new Map()
  for (const [, names, source] of text.matchAll(/^export (\*|\{[^}]*\}) from '([^']+)'/gm)) {
    const from = resolve(dirname(path), source)
    const listed = /[\\/]public[\\/][\w-]+\.js$/.test(from) ? exportsOf(from) : undefined
    const wanted = names === '*' ? [...listed.keys()] : names.slice(1, -1).split(',').map((name) => name.trim()).filter((name) => name !== '')
    for (const name of wanted) if (names !== '*' || !found.has(name)) found.set(name, listed?.get(name) ?? from)
  }
  return found
}

/** Whether a module leads to another one by its imports; `later`: those that it makes when it runs, too. */
function reaches(from, to, { later = true, seen = new Set() } = {}) {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  return importsOf(from, later).some((id) => reaches(id, to, { later, seen }))
}

/** The modules of tsc that a module imports. */
function importsOf(id, later = true) {
  if (!id.startsWith(sources)) return []
  const imports = later ? /\b(?:from|import\(?)\s*'(\.[^']+)'/g : /\b(?:from|import)\s*'(\.[^']+)'/g
  return [...readFileSync(id, 'utf8').matchAll(imports)].map(([, source]) => resolve(dirname(id), source))
}

/** Reads the output of tsc, and makes the entries. */
function readSources() {
  return {
    name: 'sources',
    resolveId(source, importer) {
      if (/^(entry|part|later-part|reply-part):/.test(source) || importer === undefined) return source
      // The program's own.
      if (source === 'react') return { id: source, external: true }
      const wasm = /[^/]+\.wasm(\?module)?$/.exec(source)
      if (wasm) return { id: `wasm:${wasm[0]}`, external: true }
      // In Node.js its name stands for CommonJS.
      if (source === 'yaml') return fileURLToPath(new URL('browser/index.js', import.meta.resolve('yaml/package.json')))
      return source.startsWith('.') || source.startsWith('/') ? resolve(dirname(importer), source) : fileURLToPath(import.meta.resolve(source))
    },
    resolveDynamicImport(source, importer) {
      const id = resolve(dirname(importer), source)
      if (START.test(id)) return id
      const comesAlone = !OF_MIDDLEWARE.test(id) && reaches(id, JSON_READER, { later: false }) && !reaches(importer, JSON_READER, { later: false })
      return comesAlone ? LATER + id : undefined
    },
    load(id) {
      if (id.startsWith(LATER)) {
        const from = id.slice(LATER.length)
        const names = [...readFileSync(from, 'utf8').matchAll(/^export (?:class|(?:async )?function|const) (\w+)/gm)].map(([, name]) => name)
        return [`import { withWasm } from ${JSON.stringify(providerOf('inline', 'json'))}`, ...names.map((name) => `import { ${name} as ${name}$ } from ${JSON.stringify(from)}\nexport const ${name} = /*#__PURE__*/ withWasm(${name}$)`)].join('\n')
      }
      const [, kind, start, entry] = /^(entry|part|later-part|reply-part):([\w-]+)\/([\w-]+)$/.exec(id) ?? []
      if (kind) return entryModule(start, entry, kind)
      const [, runtime, name] = START.exec(id) ?? []
      if (name) return readFileSync(id.replace(`${runtime}-${name}`, runtime), 'utf8').replaceAll('tokenweir', name)
      const [, build] = TEXT.exec(id) ?? []
      return build ? readFileSync(id, 'utf8') : pure(readFileSync(id, 'utf8'))
    },
  }
}

/** A module whose constants a bundler may leave out: its constructors, and what makes a check, do no more than make what they return. */
function pure(code) {
  return code.replace(/^((?:export )?const \w+ = )(?=new |must\(|Object\.assign\()/gm, '$1/*#__PURE__*/ ').replace(/^( +\w+: \[|^ +(?=must))(?=(?:must|word|choice|oneOf)\()/gm, '$1/*#__PURE__*/ ')
}

/** Files without comments, and with lines that a terminal has room for. */
function formatted(files) {
  const folder = mkdtempSync(join(tmpdir(), 'tokenweir-'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(FORMATTED))
  for (const [name, code] of files) write(join(folder, name), readable(code))
  const { status, stderr } = spawnSync(execPath, [fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome')), 'format', '--write', folder], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`biome: ${stderr}`)
  const written = files.map(([name]) => [name, readFileSync(join(folder, name), 'utf8')])
  rmSync(folder, { recursive: true })
  return written
}

/** A module without its comments, but for those that bundlers read, and with long texts in several lines. */
function readable(code) {
  const changes = []
  const onComment = (_, text, start, end) => !/^[@#]__/.test(text.trim()) && changes.push({ start, end, to: '' })
  const onToken = ({ type, start, end }) => type.label === 'string' && end - start > LONGEST_TEXT && changes.push({ start, end, to: inLines(code.slice(start, end)) })
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', onComment, onToken })
  let text = ''
  let at = 0
  for (const { start, end, to } of changes.sort((a, b) => a.start - b.start)) {
    text += code.slice(at, start) + to
    at = end
  }
  return text + code.slice(at)
}

/** A string literal as a sum of shorter ones: bundlers make it one again. What is no sentence is one literal, in lines that go on. */
function inLines(literal) {
  if (WASM_TEXT.test(literal)) return literal.replace(LINE, '$&\\\n')
  const quote = literal[0]
  const lines = ['']
  for (const [character] of literal.slice(1, -1).matchAll(/\\(?:u\{[^}]+\}|u.{4}|x..|[^])|[^\\]/gu)) {
    if (lines.at(-1).length + character.length > LONGEST_TEXT) lines.push('')
    lines[lines.length - 1] += character
  }
  return `(${lines.map((line) => quote + line + quote).join(' + ')})`
}
