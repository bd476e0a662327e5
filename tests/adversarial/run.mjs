// Adversarial inputs: texts made to break a parser, fed to the built package, each in its own process.
//
//     npm run adversarial                       all inputs
//     npm run adversarial -- --md               also writes docs/internals/adversarial-inputs.md
//     npm run adversarial -- --only field       one parser
//     npm run adversarial -- --quick            small texts, one process per parser
//
// Each text is fed at two sizes, one four times the other, in chunks of 4,096 and of one character. The data passed into
// WebAssembly and the pending text may grow linearly with the text; otherwise the program exits with 1. Time is reported
// but not checked, because it depends on the computer: tests/linear.rs and its siblings count steps instead.
import { spawn } from 'node:child_process'
import { argv, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { FRONT_ENDS, inputsOf, isWhole } from './inputs.mjs'
import { facesOf } from './faces.mjs'
import { faultsOf } from './judge.mjs'
import { writePage } from './page.mjs'

/** Lengths and chunk sizes; each length is also run four times as long. */
const SIZES = [[1_000_000, 4_096], [100_000, 1]]
const QUICK_SIZES = [[20_000, 4_096], [5_000, 1]]

/** The same for readers of whole texts, where chunks don't matter. With many records, stretches of 16,384 are copied again. */
const WHOLE_SIZES = [[1_000_000, 4_096]]
const QUICK_WHOLE_SIZES = [[100_000, 4_096]]

/** A hundred megabytes of text that is emitted immediately, of content, and of pending text. */
const LONG = [25_000_000, 65_536]
const LONG_CLASSES = new Set(['text', 'string', 'pending'])

if (argv[1] === fileURLToPath(import.meta.url)) await main()

async function main() {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, md: { type: 'boolean' }, only: { type: 'string', multiple: true } } })
  const unknown = values.only?.find((name) => !FRONT_ENDS.includes(name))
  if (unknown !== undefined) return stop(`npm run adversarial: unknown parser "${unknown}". Known parsers: ${FRONT_ENDS.join(', ')}.`)
  const from = performance.now()
  const rows = []
  for (const frontEnd of values.only ?? FRONT_ENDS) {
    for (const row of await measureAll(frontEnd, values)) {
      rows.push(row)
      for (const fault of row.faults) console.error(`${frontEnd}, ${row.face}, ${row.name}: ${fault}`)
    }
    const found = rows.filter((row) => row.frontEnd === frontEnd)
    console.log(`${frontEnd.padEnd(10)} ${String(found.length).padStart(4)} inputs, ${found.filter(({ faults }) => faults.length > 0).length} out of bounds`)
  }
  const faults = rows.filter((row) => row.faults.length > 0).length
  console.log(`inputs: ${rows.length} in ${((performance.now() - from) / 1000).toFixed(0)} s, ${faults} out of bounds`)
  if (values.md) writePage(rows)
  if (faults > 0) exit(1)
}

/** Runs the inputs of a parser: one row per input and API, with its violations. */
export async function measureAll(frontEnd, { quick = false } = {}) {
  const inputs = inputsOf(frontEnd).flatMap((input) => Object.keys(facesOf(input)).map((face) => ({ input, face, jobs: jobsOf(input, face, quick) })))
  const results = quick ? await measured(inputs.flatMap(({ jobs }) => jobs)) : []
  const rows = []
  for (const { input, face, jobs } of inputs) {
    const runs = quick ? results.splice(0, jobs.length) : await measured(jobs)
    rows.push({ frontEnd, name: input.name, class: input.class, input, face, runs, faults: faultsOf(input, runs) })
  }
  return rows
}

function jobsOf({ frontEnd, name, class: kind }, face, quick) {
  const sizes = isWhole(frontEnd) ? (quick ? QUICK_WHOLE_SIZES : WHOLE_SIZES) : quick ? QUICK_SIZES : [...SIZES, ...(LONG_CLASSES.has(kind) ? [LONG] : [])]
  return sizes.flatMap(([length, chunk]) => [length, 4 * length].map((each) => [frontEnd, name, face, each, chunk]))
}

/** The measurements of one process. */
export function measured(jobs) {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, ['--expose-gc', fileURLToPath(new URL('measure.mjs', import.meta.url)), JSON.stringify(jobs)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (piece) => (text += piece))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const lines = text.split('\n').filter((line) => line !== '')
      if (code === 0) resolve(lines.map((line) => JSON.parse(line)))
      else reject(new Error(`the input ${jobs[lines.length]} ended its process with ${signal ?? code}`))
    })
  })
}

function stop(message) {
  console.error(message)
  exit(2)
}
