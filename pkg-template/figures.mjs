// The figures that pages quote: docs/figures.json has them, and a page says one between two comments,
// `<!--figure:formats-->107<!---->`, so that it is the same everywhere.
//
//     npm run docs:figures            builds, measures, and writes the file and the pages
//     node pkg-template/figures.mjs   the same of the package that is there
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { argv, platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { parse } from 'smol-toml'
import { bundled, size, sizeOf, sizes } from './sizes.mjs'
import { expectedCalls, recordedStreams } from '../tests/pkg/support/real-streams.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Programs here import the package as users do. This folder has its manifest, so its name would be the folder itself. */
const tests = join(root, 'tests/')
const require = createRequire(tests)
const file = join(root, 'docs/figures.json')
/** What docs/benchmarks.md says of times, as bench/page.mjs measured it: its `figures`, and its `tables` as lines. */
export const timesFile = join(root, 'docs/times.json')

/** Names with their entry: pages say what a program takes that imports nothing else. */
export const NAMES = {
  visibleText: 'tokenweir',
  readReply: 'tokenweir',
  NativeBlocks: 'tokenweir',
  sentences: 'tokenweir',
  BlockParser: 'tokenweir/blocks',
  ArgumentsReader: 'tokenweir/args',
  CallArguments: 'tokenweir/args',
  parseStreaming: 'tokenweir/args',
  parseFields: 'tokenweir/fields',
  StreamingParser: 'tokenweir/segments',
  EditParser: 'tokenweir/edits',
  EditArguments: 'tokenweir/edits',
  loopMessages: 'tokenweir/formats',
  respond: 'tokenweir/respond',
  guard: 'tokenweir/guard',
  ToolCallParser: 'tokenweir/tool-calls',
  hermesToolMiddleware: 'tokenweir/ai-sdk',
  createToolMiddleware: 'tokenweir/ai-sdk',
  RJSON: 'tokenweir/ai-sdk-tool-parser',
  coerceBySchema: 'tokenweir/ai-sdk-tool-parser',
}

/** The figures of the file, by their names. */
export function figures() {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The times of the file. */
export function times() {
  return JSON.parse(readFileSync(timesFile, 'utf8'))
}

/** A figure as a page says it: thousands have a comma. */
export function written(value) {
  return value.toLocaleString('en-US')
}

const kilobytes = ({ gzipped }) => Math.ceil(gzipped / 1000)

/** Measures all that can be measured. Sizes are in KB of 1,000 bytes, gzipped, and rounded up. */
export async function measured() {
  return { ...(await counted()), ...(await sizesOfEntries()), ...(await sizesOfNames()), ...sizesOfPackage() }
}

async function counted() {
  const { PROVIDERS } = await import('../target/pkg-src/js/provider-name.js')
  const { formats } = require('tokenweir/formats')
  const recordings = recordedStreams()
  return {
    formats: Object.keys(formats).length,
    providers: PROVIDERS.length,
    // To the hundred, so that it needn't be written with each new one.
    cases: Math.floor(cases() / 100) * 100,
    recordings: recordings.length,
    events: recordings.reduce((sum, { events }) => sum + events.length, 0),
    'expected-calls': expectedCalls().reduce((sum, { calls }) => sum + calls.length, 0),
  }
}

/** The cases that are read whole and at each cut. */
function cases() {
  const folders = ['cases/block', 'cases/field', 'cases/segment', 'cases/tool_call', 'cases/edit', 'formats/cases'].map((folder) => join(tests, folder))
  const texts = folders.flatMap((folder) => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  return texts.reduce((sum, [name, text]) => sum + (name.endsWith('.toml') ? parse(text).case.length : text.split('\n').filter((line) => line !== '').length), 0)
}

async function sizesOfEntries() {
  return Object.fromEntries((await sizes(installed(), build)).map(([what, size]) => [`kb.${what}`, kilobytes(size)]))
}

async function sizesOfNames() {
  const found = {}
  for (const [name, entry] of Object.entries(NAMES)) {
    for (const [key, splits] of [[`kb.${name}`, true], [`kb.${name}.whole`, false]]) {
      found[key] = kilobytes(sizeOf((await bundled(build, `export { ${name} } from '${entry}'`, tests, { splits })).first))
    }
  }
  return found
}

function sizesOfPackage() {
  const wasm = (name) => size([join(installed(), `dist/${name}.wasm`)]).gzipped
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--loglevel', 'error'], { cwd: installed(), shell: platform === 'win32', encoding: 'utf8' })
  const [{ size: tarball, unpackedSize }] = Object.values(JSON.parse(packed))
  return { 'kb.blocks.wasm': kilobytes({ gzipped: wasm('blocks') + wasm('json') }), 'package.mb': tenths(tarball), 'package.installed-mb': tenths(unpackedSize) }
}

/** Millions, rounded up to tenths. */
function tenths(bytes) {
  return Math.ceil(bytes / 100_000) / 10
}

function installed() {
  return dirname(require.resolve('tokenweir/package.json'))
}

/** The pages that say figures: those of the repository, or of the project with the tarball. What was is in the changelog. */
export function pages() {
  const inFolder = (folder) => readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md').map((name) => join(folder, name))
  const top = existsSync(join(root, 'README.md')) ? root : installed()
  return [top, join(root, 'docs'), join(root, 'docs/internals')].flatMap(inFolder).concat(join(root, 'examples/README.md'))
}

const MARKED = /<!--figure:([^\s>]+?)-->([^<\n]*)<!---->/g

/** A text with the figures as they are. */
export function withFigures(text, values) {
  return text.replace(MARKED, (place, key, shown) => `<!--figure:${key}-->${Object.hasOwn(values, key) ? written(values[key]) : shown}<!---->`)
}

const TABLE = /(<!--table:([^\s>]+)-->\n)[^]*?(\n<!---->)/g

/** A text with the tables as they are, each of them lines. */
export function withTables(text, tables) {
  return text.replace(TABLE, (place, before, key, after) => (Object.hasOwn(tables, key) ? `${before}\n${tables[key].join('\n')}\n${after}` : place))
}

/** What counts without being marked. */
const UNMARKED = /\b(?:\d[\d,]+|[a-z]+teen|ten|eleven|twelve|twenty) (?:wire formats|formats|providers|recorded replies|recordings)\b|\b\d+ of (?:the )?\d+ KB\b/gi

/** What is wrong with the figures of a text, a sentence for each. */
export function faultsIn(text, values) {
  const marked = [...text.matchAll(MARKED)]
  const faults = marked.flatMap(([, key, shown]) => {
    if (!Object.hasOwn(values, key)) return [`there is no figure ${key}`]
    return shown === written(values[key]) ? [] : [`${key} is ${written(values[key])}, not ${shown}`]
  })
  if (text.split('<!--figure').length - 1 > marked.length) faults.push('a figure is not closed, or its name has spaces')
  if (/^ *<!--figure/m.test(text)) faults.push('a line that begins with a comment is HTML, not Markdown')
  for (const [code] of text.matchAll(/^```[^\n]*\n[^]*?^```$/gm)) if (code.includes('<!--figure')) faults.push('a figure stands in a block of code')
  for (const [phrase] of text.replace(MARKED, '').matchAll(UNMARKED)) faults.push(`"${phrase}" is not marked as a figure`)
  return faults
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const values = await measured()
  writeFileSync(file, `${JSON.stringify(values, null, 2)}\n`)
  for (const page of pages()) {
    const text = readFileSync(page, 'utf8')
    const changed = withFigures(text, values)
    if (changed === text) continue
    writeFileSync(page, changed)
    console.log(relative(root, page))
  }
}
