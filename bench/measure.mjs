/**
 * Measuring and printing for all benches: same process, rounds interleaved, medians, ratios within the rounds.
 *
 * A round runs each contestant once, each round in a different order; a ratio is the median of the ratios
 * within the rounds, so that other load on the computer affects both sides.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { random } from './corpus.mjs'

// Options and output.

export function fail(message) {
  console.error(message)
  process.exit(1)
}

/** The options of all benches, and those in `more`; prints `usage` for `--help`. */
export function readOptions(usage, more = {}) {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      md: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
      ...more,
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  return values
}

/** Runs a bench of this folder in a process of its own, and ends with its exit code if it fails. */
export function runBench(file, options) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...options], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * The selection of `--only`: a function that says whether a part of the bench, `{ kind: 'ascii', size: 16 }`, is
 * selected. `groups` has the allowed words by their kind.
 */
export function readOnly({ only }, groups) {
  const wanted = only.map((text) => {
    const words = {}
    for (const word of text.split(',').filter((part) => part !== '')) {
      const group = Object.keys(groups).find((name) => groups[name].map(String).includes(word))
      if (group === undefined) {
        fail(`--only ${text}: ${word} is not one of ${Object.entries(groups).map(([name, values]) => `${name} (${values.join(', ')})`).join(', ')}`)
      }
      words[group] = word
    }
    return words
  })
  return (part) => wanted.length === 0 || wanted.some((words) => Object.keys(words).every((name) => String(part[name]) === words[name]))
}

/** Tables for `--md`, and for a terminal. */
export function printerFor({ md }) {
  return {
    heading(text) {
      console.log(md ? `#### ${text}\n` : `${text}\n`)
    },
    printTable(heads, rows) {
      if (md) {
        console.log(`| ${heads.join(' | ')} |\n|${heads.map(() => ' ---: |').join('')}`)
        for (const row of rows) console.log(`| ${row.join(' | ')} |`)
      } else {
        const widths = heads.map((head, index) => Math.max(head.length, ...rows.map((row) => row[index].length)))
        for (const row of [heads, ...rows]) console.log(row.map((text, index) => text.padStart(widths[index])).join('  '))
      }
      console.log()
    },
  }
}

/** Nanoseconds in few characters. */
export function time(nanoseconds) {
  if (nanoseconds < 1000) return nanoseconds.toFixed(nanoseconds < 100 ? 1 : 0)
  return `${(nanoseconds / 1000).toFixed(nanoseconds < 100_000 ? 1 : 0)}k`
}

/** A ratio, and whether it meets its target. */
export function against({ value, least, most, ok }) {
  const text = `x${value.toFixed(value < 10 ? 2 : value < 1000 ? 1 : 0)}`
  const target = least ?? most
  return target === undefined ? text : `${text} ${ok ? 'ok' : 'miss'} (${target})`
}

/** The same for the growth of a time. */
export function growing({ growth, most, ok }) {
  return `x${growth.toFixed(2)} ${ok ? 'ok' : 'miss'} (${most})`
}

/** The start of a report. */
export function machine() {
  return { node: process.version, v8: process.versions.v8, cpu: cpus()[0]?.model ?? 'unknown', date: new Date().toISOString() }
}

/** Prints how many targets were met, and writes the report to the file of `--json`. */
export function finish({ json }, report, marks) {
  const wanted = marks.filter((mark) => mark.least !== undefined || mark.most !== undefined)
  const met = wanted.filter((mark) => mark.ok).length
  console.log(`${met} of ${wanted.length} targets met. ${(performance.now() / 1000).toFixed(0)} s.`)
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
}

// Measuring.

/** The maximum growth of the time per character from 40 KB to 4 MB. */
export const GROWTH = 1.25

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** How many times as long `slow` takes, over the rounds of both. */
export function ratio(slow, fast) {
  const shared = Math.min(slow.length, fast.length)
  return median(slow.slice(0, shared).map((time, round) => time / fast[round]))
}

const chance = random(11)

/** The numbers below `length`, in a different order each time: the predecessor of a contestant must vary too. */
export function shuffled(length) {
  const order = Array.from({ length }, (_, index) => index)
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(chance() * (i + 1))
    const moved = order[i]
    order[i] = order[j]
    order[j] = moved
  }
  return order
}

// Without a collection before each sample, a contestant pays for the garbage of the previous one: 20 %
// between two copies of the same code. Only a minor one: a full one shrinks V8's nursery, and slows
// everything after it.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

/**
 * Times `runs` (functions without arguments; promises are awaited) in rounds; returns for each its times in ms.
 *
 * Many short samples, not a few long ones: on a busy machine the median then still finds quiet moments. A
 * run that takes so long that its rounds would pass `budget` (in ms) is in the first rounds alone, but in
 * one at the least.
 */
export async function interleave(runs, { quick, rounds, budget = Infinity }) {
  /** Shortest time of one sample, in milliseconds. */
  const sample = quick ? 2 : 4
  const repeats = []
  const limits = []
  for (const run of runs) {
    // Warm up, and find how many repetitions make a sample long enough to time.
    let fastest = Infinity
    const end = performance.now() + (quick ? 60 : 200)
    let times = 0
    do {
      const start = performance.now()
      const pending = run()
      if (pending instanceof Promise) await pending
      fastest = Math.min(fastest, performance.now() - start)
      times++
    } while (performance.now() < end || (times < 2 && fastest < 1000))
    repeats.push(Math.max(1, Math.ceil(sample / fastest)))
    limits.push(Math.max(1, Math.min(rounds, Math.floor(budget / fastest))))
  }
  const times = runs.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const which of shuffled(runs.length)) {
      if (round >= limits[which]) continue
      const run = runs[which]
      const count = repeats[which]
      collectGarbage({ type: 'minor' })
      const start = performance.now()
      for (let i = 0; i < count; i++) {
        const pending = run()
        if (pending instanceof Promise) await pending
      }
      times[which].push((performance.now() - start) / count)
    }
  }
  return times
}

/** An export of the package's WebAssembly that does nothing; undefined where the package isn't built. */
function findEmptyCrossing() {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL('../pkg/dist/blocks.wasm', import.meta.url)))).exports.input_size
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
}

let emptyCrossing

/**
 * What nobody can go below, as runs for the same rounds: a callback for each chunk, with an object of its own; a search
 * through each chunk; a call of an exported function that does nothing for each chunk.
 */
export function floorsFor(chunks) {
  emptyCrossing ??= findEmptyCrossing()
  const crossing = emptyCrossing
  let sink = 0
  const onChunk = (text, meta) => {
    sink += text.length * (meta.visible ? 2 : 1)
  }
  const floors = {
    'empty callback': () => {
      for (let i = 0; i < chunks.length; i++) onChunk(chunks[i], { type: 'text', visible: true, blockIndex: i })
      return sink
    },
    'indexOf': () => {
      for (let i = 0; i < chunks.length; i++) sink += chunks[i].indexOf('\0')
      return sink
    },
  }
  if (crossing === undefined) return floors
  return {
    ...floors,
    'empty crossing': () => {
      for (let i = 0; i < chunks.length; i++) sink += crossing()
      return sink
    },
  }
}

/** The same as columns of a table of ns per chunk. */
export const FLOORS = ['empty callback', 'indexOf', 'empty crossing']
