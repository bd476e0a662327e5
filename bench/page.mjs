/**
 * Measures what docs/benchmarks.md says, and writes it: docs/times.json, and the tables and figures of the page.
 *
 *     npm run docs:times     builds before
 *
 * The same programs measure as for `npm run bench`, here with short rounds and only the cells that the page has. A
 * quiet machine is needed. tests/pkg/figures.test.mjs fails if the page says something else than the file.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { figures, timesFile, withFigures, withTables } from '../pkg-template/figures.mjs'
import { runBench } from './measure.mjs'

const page = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tokenweir-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true }))

/** Texts of segments, how long their chunks are, and how the page calls them. */
const SEGMENTS = [
  ['write-file', 4, '`<write_file path>`'],
  ['tool-write-file-markers', 16, 'the same with markers'],
  ['tool', 16, '`<tool name>` with arguments'],
  ['text', 4, 'plain text'],
  ['json', 16, 'JSON tool'],
]

const blocks = report('bench.mjs', ...[4, 16, 64, 1024].flatMap((size) => ['--only', String(size)]))
const args = report('args.mjs')
const fields = report('fields.mjs', ...['10k,4', '10k,16', '100k,4', '100k,16'].flatMap((cell) => ['--only', cell]))
const segments = report('segments.mjs', ...SEGMENTS.flatMap(([text, size]) => ['--only', `${text},${size},peers`]))
const calls = report('tool-calls.mjs', '--only', '16,peers')
const snapshots = report('snapshot.mjs')
const start = report('start.mjs')

const times = {
  figures: {
    node: process.versions.node.replace(/\.\d+$/, ''),
    cpu: blocks.cpu.replace(/ \d*-Core Processor$/, ''),
    'ns.block.4': Math.round(blockCell('ascii', 4).nanoseconds['blocks-callbacks']),
    'ns.block.prose': Math.round(blockCell('prose', 4).nanoseconds['blocks-callbacks']),
    'ns.argument.100k': Math.round(growthOf(100_000)),
    'ns.argument.4m': Math.round(growthOf(4_000_000)),
    'ms.short-file': tenths(start.inNode['tokenweir/formats/hermes'].import - start.inNode['an empty module'].import),
  },
  tables: {
    blocks: table(
      ['characters a chunk', 'ASCII', '10 % CJK', 'full of `<`', 'prose', 'dense with calls', 'drop-in'],
      [4, 16, 64, 1024].map((size) => [
        size.toLocaleString('en'),
        ...['ascii', 'cjk', 'angle', 'prose', 'calls'].map((kind) => ratioOf(blockCell(kind, size), 'callbacks')),
        ratioOf(blockCell('ascii', size), 'incremental'),
      ]),
    ),
    arguments: table(
      ['', '10 KB, chunks of 4', '10 KB, 16', '100 KB, 4', '100 KB, 16'],
      [
        ['`ArgumentsReader`, ms', ...argumentCells().map(({ results }) => results[0].milliseconds.toFixed(1))],
        ...Object.entries({
          'tokenweir partial': 'the same with `partial()` at each chunk',
          jsonriver: 'jsonriver',
          parsePartialJson: '`parsePartialJson` of ai 7',
          'partial-json': 'partial-json with each prefix',
          readUIMessageStream: '`readUIMessageStream` of ai 7',
        }).map(([name, label]) => [label, ...argumentCells().map(({ results }) => ratio(results.find((each) => each.name === name)?.value) ?? 'over 10 s')]),
      ],
    ),
    fields: table(
      ['document, characters a chunk', 'jsonriver', '@streamparser/json', 'partial-json', '`parsePartialJson`', 'ns'],
      fields.cells.map((cell) => [
        `${cell.document === '10k' ? 10 : 100} KB, ${cell.size}`,
        ...['jsonriver', '@streamparser/json', 'partial-json', 'parsePartialJson'].map((name) => ratio(cell.ratios.find(({ key }) => key === name)?.value) ?? 'over 10 s'),
        whole(cell.nanoseconds.tokenweir),
      ]),
    ),
    segments: table(
      ['text', 'chunk', 'JavaScript', 'handler', 'ns'],
      SEGMENTS.map(([text, size, label]) => {
        const { ratios, nanoseconds } = segments.peers.find((cell) => cell.text === text && cell.size === size)
        return [label, size, ratio(ratios.straightforward), ratio(ratios.handler), whole(nanoseconds.tokenweir)]
      }),
    ),
    calls: table(
      ['arguments', '1 KB', '10 KB', '100 KB', 'a stream'],
      ['hermes', 'morph'].flatMap((protocol) =>
        ['string', 'rows'].map((shape) => {
          const rows = calls.peers.filter((row) => row.protocol === protocol && row.shape === shape)
          const over = rows.map(({ identity }) => identity.value.toFixed(1)).sort()
          const label = `${protocol === 'hermes' ? 'Hermes' : 'Morph'}, ${shape === 'rows' ? 'an array' : 'a string'}`
          return [label, ...rows.map(({ faster }) => `${faster.bound ? '>' : ''}${ratio(faster.value)}`), `x${over[0]} to x${over.at(-1)}`]
        }),
      ),
    ),
    snapshots: table(
      ['parser', 'bytes', 'snapshot', 'restore'],
      snapshots.rows.map(({ name, bytes, snapshot, restore }) => [name, bytes.toLocaleString('en'), micro(snapshot), micro(restore)]),
    ),
    start: table(
      ['entry', 'import', 'first event', 'after `warm()`', 'in Chromium'],
      ['tokenweir', 'tokenweir/blocks', 'tokenweir/fields', 'tokenweir/segments', 'tokenweir/tool-calls'].map((entry) => {
        const { import: imported, first, warmed } = start.inNode[entry]
        return [`\`${entry}\``, ...[imported - start.inNode['an empty module'].import, first, warmed, start.inChromium[entry]].map((value) => value.toFixed(1))]
      }),
    ),
  },
}
writeFileSync(timesFile, `${JSON.stringify(times, null, 2)}\n`)
writeFileSync(page, withTables(withFigures(readFileSync(page, 'utf8'), { ...figures(), ...times.figures }), times.tables))

/** Runs a benchmark and returns its figures. */
function report(file, ...options) {
  const to = join(folder, 'report.json')
  runBench(file, ['--quick', '--json', to, ...options])
  return JSON.parse(readFileSync(to, 'utf8'))
}

function blockCell(kind, size) {
  return blocks.cells.find((cell) => cell.kind === kind && cell.size === size)
}

function ratioOf({ ratios }, name) {
  return ratio(ratios.find(({ key }) => key === name).value)
}

function argumentCells() {
  return args.cells.filter((cell) => cell.document === 'file')
}

function growthOf(length) {
  return args.growth.find((each) => each.name === 'tokenweir' && each.length === length).nanoseconds
}

/** How many times as long. */
function ratio(value) {
  return value === undefined ? undefined : `x${value < 10 ? value.toFixed(1) : whole(value)}`
}

/** A whole number, with a comma for thousands. */
function whole(value) {
  return Math.round(value).toLocaleString('en')
}

function tenths(value) {
  return Math.round(value * 10) / 10
}

/** Microseconds. */
function micro(value) {
  return `${whole(value < 100 ? value : Math.round(value / 10) * 10)} µs`
}

/** A table as lines of Markdown: the first column is words, the others are figures. */
function table(heads, rows) {
  return [heads, ['---', ...heads.slice(1).map(() => '---:')], ...rows].map((row) => `| ${row.join(' | ')} |`)
}
