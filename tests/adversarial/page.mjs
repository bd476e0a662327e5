// Writes docs/internals/adversarial-inputs.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { version } from 'node:process'

const page = new URL('../../docs/internals/adversarial-inputs.md', import.meta.url)
const START = '<!-- tables -->'

const TITLES = { block: 'Blocks', segment: 'Segments', edit: 'Edits', field: 'Fields', tool_call: 'Tool calls', rjson: 'Robust JSON, whole texts', rxml: 'Robust XML, whole texts' }

/** Writes the measured tables after the page's prose. */
export function writePage(rows) {
  const prose = readFileSync(page, 'utf8').split(START)[0]
  const machine = `Measured on ${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${version}.`
  writeFileSync(page, `${prose}${START}\n\n${machine}\n${Object.keys(TITLES).map((frontEnd) => tableOf(frontEnd, rows)).join('')}`)
}

function tableOf(frontEnd, rows) {
  const found = rows.filter((row) => row.frontEnd === frontEnd)
  if (found.length === 0) return ''
  const lines = found.map(({ name, class: kind, face, runs, input }) => {
    const cells = [name, kind, face]
    for (const size of [4_096, 1]) {
      const pair = runs.filter(({ chunk }) => chunk === size).slice(0, 2)
      cells.push(pair.map(({ time }) => Math.round(time)).join(' → '), pair.map(({ peak }) => (Math.max(0, peak) / 1e6).toFixed(1)).join(' → '))
    }
    const long = runs.find(({ units, chunk }) => chunk === 65_536 && units >= 100_000_000)
    cells.push(long === undefined ? '' : `${(long.time / 1000).toFixed(1)} s, ${(Math.max(0, long.peak) / 1e6).toFixed(1)} MB${long.codes.includes('call-too-long') ? ', `call-too-long`' : ''}`)
    cells.push(input.codes.length === 0 ? 'read' : input.codes.map((code) => `\`${code}\``).join(', '))
    return `| ${cells.join(' | ')} |`
  })
  return `\n## ${TITLES[frontEnd]}\n\n| text | targets | API | 1 → 4 MB in chunks of 4,096: ms | heap MB | 100 → 400 KB by character: ms | heap MB | 100 MB | outcome |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n${lines.join('\n')}\n`
}
