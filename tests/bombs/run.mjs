// Bombs: texts that are meant to hurt, fed to the built package, each in a process of its own.
//
//     npm run bombs                       all, with a table
//     npm run bombs -- --md               and writes docs/bombs.md
//     npm run bombs -- --only field       one front-end
//     npm run bombs -- --quick            small texts, a process for each front-end
//
// Each is fed at two sizes, one four times the other, in chunks of 4,096 and of one character. What crosses into
// WebAssembly and what is held may grow by as much as the text, and not by more; else the program ends with 1. Time is
// told and not judged: it hangs on the machine. That the machine makes no more moves for a longer text is counted by
// tests/linear.rs and its like.
import { spawn } from 'node:child_process'
import { argv, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { FRONT_ENDS, bombsOf, isWhole } from './bombs.mjs'
import { facesOf } from './faces.mjs'
import { faultsOf } from './judge.mjs'
import { writePage } from './page.mjs'

/** Lengths and chunks, each length beside four times as much. */
const SIZES = [[1_000_000, 4_096], [100_000, 1]]
const QUICK_SIZES = [[20_000, 4_096], [5_000, 1]]

/** The same of what reads whole texts, where chunks are nothing. A stretch of 16,384 is written again where records are many. */
const WHOLE_SIZES = [[1_000_000, 4_096]]
const QUICK_WHOLE_SIZES = [[100_000, 4_096]]

/** A hundred megabytes, of text that is told at once, of what is content and of what is held. */
const LONG = [25_000_000, 65_536]
const LONG_CLASSES = new Set(['text', 'string', 'held'])

if (argv[1] === fileURLToPath(import.meta.url)) await main()

async function main() {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, md: { type: 'boolean' }, only: { type: 'string', multiple: true } } })
  const unknown = values.only?.find((name) => !FRONT_ENDS.includes(name))
  if (unknown !== undefined) return stop(`npm run bombs: there is no front-end "${unknown}". There are: ${FRONT_ENDS.join(', ')}.`)
  const from = performance.now()
  const rows = []
  for (const frontEnd of values.only ?? FRONT_ENDS) {
    for (const row of await bombsAt(frontEnd, values)) {
      rows.push(row)
      for (const fault of row.faults) console.error(`${frontEnd}, ${row.face}, ${row.name}: ${fault}`)
    }
    const found = rows.filter((row) => row.frontEnd === frontEnd)
    console.log(`${frontEnd.padEnd(10)} ${String(found.length).padStart(4)} bombs, ${found.filter(({ faults }) => faults.length > 0).length} over their bounds`)
  }
  const faults = rows.filter((row) => row.faults.length > 0).length
  console.log(`bombs: ${rows.length} in ${((performance.now() - from) / 1000).toFixed(0)} s, ${faults} over their bounds`)
  if (values.md) writePage(rows)
  if (faults > 0) exit(1)
}

/** Runs the bombs of a front-end: a row for each of them at each face, with what is wrong with it. */
export async function bombsAt(frontEnd, { quick = false } = {}) {
  const bombs = bombsOf(frontEnd).flatMap((bomb) => Object.keys(facesOf(bomb)).map((face) => ({ bomb, face, jobs: jobsOf(bomb, face, quick) })))
  const told = quick ? await measured(bombs.flatMap(({ jobs }) => jobs)) : []
  const rows = []
  for (const { bomb, face, jobs } of bombs) {
    const runs = quick ? told.splice(0, jobs.length) : await measured(jobs)
    rows.push({ frontEnd, name: bomb.name, class: bomb.class, bomb, face, runs, faults: faultsOf(bomb, runs) })
  }
  return rows
}

function jobsOf({ frontEnd, name, class: kind }, face, quick) {
  const sizes = isWhole(frontEnd) ? (quick ? QUICK_WHOLE_SIZES : WHOLE_SIZES) : quick ? QUICK_SIZES : [...SIZES, ...(LONG_CLASSES.has(kind) ? [LONG] : [])]
  return sizes.flatMap(([length, chunk]) => [length, 4 * length].map((each) => [frontEnd, name, face, each, chunk]))
}

/** What a process measures. */
function measured(jobs) {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, ['--expose-gc', fileURLToPath(new URL('measure.mjs', import.meta.url)), JSON.stringify(jobs)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (piece) => (text += piece))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const lines = text.split('\n').filter((line) => line !== '')
      if (code === 0) resolve(lines.map((line) => JSON.parse(line)))
      else reject(new Error(`the bomb ${jobs[lines.length]} ended its process with ${signal ?? code}`))
    })
  })
}

function stop(message) {
  console.error(message)
  exit(2)
}
