// Writes the table of docs/internals/adversarial-inputs.md: of each parser and API the texts that cost most.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { version } from 'node:process'

const page = new URL('../../docs/internals/adversarial-inputs.md', import.meta.url)
const START = '<!-- table -->'

const TITLES = { block: 'blocks', segment: 'segments', edit: 'edits', field: 'fields', tool_call: 'tool calls', rjson: 'robust JSON, whole texts', rxml: 'robust XML, whole texts' }

/** Writes what was measured after the page's prose. */
export function writePage(rows) {
  const prose = readFileSync(page, 'utf8').split(START)[0]
  const machine = `Measured on ${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${version}. Other programs may have run at the same time.`
  const nameOf = ({ frontEnd, face }) => `${TITLES[frontEnd]} | ${face}`
  const apis = new Set(rows.map(nameOf))
  const head = '| parser | API | texts | slowest 4 MB, ms | slowest 400 KB by character, ms | most heap for 4 MB, MB | slowest 100 MB, s | rejected |\n| --- | --- | ---: | --- | --- | --- | --- | --- |'
  writeFileSync(page, `${prose}${START}\n\n${machine}\n\n${head}\n${[...apis].map((name) => lineOf(name, rows.filter((row) => nameOf(row) === name))).join('\n')}\n`)
}

function lineOf(name, rows) {
  const runs = rows.flatMap(({ name, runs }) => runs.map((run) => ({ ...run, name })))
  const [large, each, long] = [(run) => run.chunk === 4_096 && run.units >= 3_500_000, (run) => run.chunk === 1, (run) => run.units >= 100_000_000].map((is) => runs.filter(is))
  const heap = large.map((run) => ({ ...run, time: Math.max(0, run.peak) / 1e6 }))
  const codes = new Set(rows.flatMap(({ input, runs }) => [...input.codes, ...runs.flatMap(({ codes }) => codes)]))
  const cells = [rows.length, most(large), most(each), most(heap), most(long.map((run) => ({ ...run, time: run.time / 1000 })), 1), [...codes].map((code) => `\`${code}\``).join(', ')]
  return `| ${name} | ${cells.join(' | ')} |`
}

/** The largest figure, and the text that has it. */
function most(runs, digits = 0) {
  const [first] = runs.toSorted((one, other) => other.time - one.time)
  return first === undefined ? '' : `${first.time.toFixed(digits)}: ${first.name}`
}
