/**
 * How a program starts: what importing an entry takes, and the first event of its parser, in Node and in Chromium.
 *
 *     npm run bench:start [-- --quick --md --json file]
 *
 * Each figure is the median of fresh processes, or of fresh pages; those of all entries are interleaved. An import is
 * measured in the process, from before `import()` to after it, and beside the import of an empty module. The first
 * event is measured from before the constructor, with the WebAssembly compiled in between.
 */

import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { findChromium } from '../pkg-template/setup.mjs'
import { finish, machine, median, printerFor, readOptions } from './measure.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The most that each may take, in milliseconds: of an import more than of an empty module. */
const GOALS = { import: 3, first: 5 }

/** The entries, and what gives the first event of each; `api` is the module. */
const FIRST = {
  'tokenweir/blocks': "new api.BlockParser().processChunk('Hello <thinking>hm</thinking>').emissions.length",
  'tokenweir/fields': `new api.StreamingJSONParser().parseChunk('{"a": "Hello').length`,
  'tokenweir/segments': "new api.StreamingParser().feed('Hello <run_bash>').length",
  'tokenweir/tool-calls': "new api.ToolCallParser({ protocol: api.hermesProtocol(), tools: [] }).text('Hello').length",
  tokenweir: "await api.visibleText('Hello <thinking>hm</thinking>').next()",
}
/** The goal for imports is that of the smallest one. */
const HAS_GOAL = 'tokenweir/blocks'
const EMPTY = 'an empty module'
/** The floor: Node finds a package and reads one short file of it. */
const SHORT = 'tokenweir/formats/hermes'

const options = readOptions(`npm run bench:start -- [options]
  --quick        fewer processes and pages
  --json file    write all figures
  --md           print Markdown tables`)
const { printTable } = printerFor(options)
/** Whether each figure that has a goal met it. */
const marks = []
const rounds = options.quick ? 7 : 25

const node = inNode()
const pages = await inChromium()
printTable(['', 'import, ms', 'more than an empty module, ms', 'first event, ms', 'after warm, ms', 'first event in Chromium, ms'], [
  [EMPTY, ms(node[EMPTY].import), '', '', '', ''],
  [`${SHORT}, 1 KB of data`, ms(node[SHORT].import), ms(node[SHORT].import - node[EMPTY].import), '', '', ''],
  ...Object.keys(FIRST).map((entry) => {
    const { import: imported, first, warmed } = node[entry]
    return [entry, ms(imported), withGoal(imported - node[EMPTY].import, entry === HAS_GOAL ? GOALS.import : undefined), withGoal(first, GOALS.first), ms(warmed), pages === undefined ? '' : withGoal(pages[entry], GOALS.first)]
  }),
])
finish(options, { ...machine(), goals: GOALS, inNode: node, inChromium: pages }, marks)

/** Medians of fresh processes of Node. */
function inNode() {
  const found = {}
  for (let round = 0; round < rounds; round++) {
    for (const entry of [EMPTY, SHORT, ...Object.keys(FIRST)]) {
      for (const isWarm of entry in FIRST ? [false, true] : [false]) {
        const figures = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program(entry, isWarm)], { cwd: root, encoding: 'utf8' }))
        for (const [name, value] of Object.entries(figures)) ((found[entry] ??= {})[name] ??= []).push(value)
      }
    }
  }
  return Object.fromEntries(Object.entries(found).map(([entry, lists]) => [entry, Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, median(list)]))]))
}

function program(entry, isWarm) {
  const source = entry === EMPTY ? 'data:text/javascript,' : entry
  return `const from = performance.now()
const api = await import(${JSON.stringify(source)})
const imported = performance.now() - from
${isWarm ? 'await api.warm()' : ''}
const start = performance.now()
${FIRST[entry] ?? ''}
const first = performance.now() - start
process.stdout.write(JSON.stringify(${isWarm ? '{ warmed: first }' : '{ import: imported, first }'}))`
}

/** Medians of fresh pages of Chromium; undefined without one. */
async function inChromium() {
  const { browser: program } = findChromium()
  if (!program || !existsSync(program)) return undefined
  const scripts = Object.fromEntries(await Promise.all(Object.entries(FIRST).map(async ([entry, code]) => [entry, await bundled(entry, code)])))
  const server = createServer((request, response) => {
    const entry = decodeURIComponent(request.url.slice(1))
    response.setHeader('content-type', 'text/html; charset=utf-8')
    // A page in isolation has the finest clock.
    response.setHeader('cross-origin-opener-policy', 'same-origin')
    response.setHeader('cross-origin-embedder-policy', 'require-corp')
    response.end(`<!doctype html><script type="module">${scripts[entry] ?? ''}</script>`)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  try {
    const found = {}
    for (let round = 0; round < rounds; round++) {
      for (const entry of Object.keys(FIRST)) {
        const page = await browser.newPage()
        await page.goto(`http://127.0.0.1:${server.address().port}/${encodeURIComponent(entry)}`)
        await page.waitForFunction('globalThis.first !== undefined')
        ;(found[entry] ??= []).push(await page.evaluate('globalThis.first'))
        await page.close()
      }
    }
    return Object.fromEntries(Object.entries(found).map(([entry, list]) => [entry, median(list)]))
  } finally {
    await browser.close()
    server.close()
  }
}

/** A page's script: the entry as a bundler puts it there. */
async function bundled(entry, code) {
  const contents = `import * as api from ${JSON.stringify(entry)}
const start = performance.now()
${code}
globalThis.first = performance.now() - start`
  const { outputFiles } = await build({ stdin: { contents, resolveDir: root }, bundle: true, minify: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' })
  return outputFiles[0].text.replaceAll('</script', '<\\/script')
}

function ms(value) {
  return value.toFixed(2)
}

/** A figure beside its goal. */
function withGoal(value, goal) {
  if (goal === undefined) return ms(value)
  marks.push({ most: goal, ok: value <= goal })
  return `${ms(value)} (goal ${goal}${value <= goal ? '' : ', missed'})`
}
