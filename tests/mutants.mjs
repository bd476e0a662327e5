// Mutation testing: each mutant is the code with one change, and some test must fail
// on it. Equivalent mutants are listed in tests/mutants/known.txt with the reason.
// The list is a ratchet: an unlisted survivor is an error, and so is a listed mutant
// that a test catches.
//
//     npm run mutants -- text                  all mutants of a room, src/text
//     npm run mutants -- json --sample 2/8     the second of eight parts
//     npm run mutants -- json --file src/json/state.rs
//     npm run mutants -- json --quick          the first round only
//     npm run mutants -- json --again FILE     those that an earlier run missed, by its output in the file
//
// In the first round tests have a hundredth of their random texts and cuts, and
// tests that count steps are left out. Survivors are tried again with more programs,
// and what still survives with all programs, all tests and a tenth of the texts.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { parseArgs } from 'node:util'
import { setupOrExit } from '../pkg-template/setup.mjs'
import { root, stop } from './steps.mjs'

/**
 * The test programs of each room, besides the tests in src/: those of the first round, and those that each further
 * round adds. They are compiled again for each mutant, so the first round has few.
 */
const ROOMS = {
  text: [['tool_call', 'snapshot'], ['json', 'field', 'border', 'conformance'], ['segment', 'properties', 'linear']],
  scan: [['conformance'], ['segment'], ['properties', 'splits', 'linear']],
  xml: [['conformance', 'tool_call'], ['border', 'segment'], ['properties', 'splits', 'linear']],
  json: [['json'], ['field', 'tool_call'], ['segment', 'conformance']],
  block: [['conformance'], ['border'], ['properties', 'splits', 'linear']],
  field: [['field'], ['border'], []],
  edit: [['edit'], ['snapshot'], []],
  segment: [['segment'], ['border'], []],
  tool_call: [['tool_call'], ['border'], []],
  format: [['tool_call'], ['format'], ['border']],
}
/** Tests of the tests, which don't test the code. */
const JUDGES = ['bad_parsers_are_caught', 'a_forgetful_parser_is_caught', 'random_texts_are_worth_reading']

const ROUNDS = [
  { name: 'first', thin: '100', seconds: '8', skipped: [...JUDGES, 'linear::'] },
  { name: 'second', thin: '100', seconds: '12', skipped: [...JUDGES, 'linear::'] },
  { name: 'third', thin: '10', seconds: '200', skipped: JUDGES },
]

const { values, positionals } = parseArgs({ allowPositionals: true, options: { sample: { type: 'string' }, file: { type: 'string', multiple: true }, quick: { type: 'boolean' }, again: { type: 'string' } } })
const [room] = positionals
const [, part, parts] = /^(\d+)\/(\d+)$/.exec(values.sample ?? '1/1') ?? []

if (!Object.hasOwn(ROOMS, room ?? '') || positionals.length > 1) stop(`npm run mutants -- <room>: The rooms: ${Object.keys(ROOMS).join(', ')}.`)
if (!part || Number(part) < 1 || Number(part) > Number(parts)) stop('npm run mutants: --sample takes a part of the mutants, such as 2/8.')
setupOrExit({ mutants: true })
main()

function main() {
  const listed = listedMutants()
  const [first, ...others] = ROUNDS
  const files = values.file ?? [`src/${room}/**`]
  const sample = ['--shard', `${Number(part) - 1}/${parts}`, '--sharding', 'round-robin']
  let outcomes = round(first, 1, values.again ? ofNames(missedIn(values.again)) : [...files.flatMap((file) => ['--file', file]), ...sample])
  for (const [at, next] of (values.quick ? [] : others).entries()) {
    const surprising = unlisted(outcomes.filter(survives), listed)
    if (surprising.length === 0) break
    // cargo-mutants always tries mutants that delete a field, so others may be among them.
    const again = new Map(round(next, at + 2, ofNames(surprising)).map((mutant) => [mutant.name, mutant]))
    outcomes = outcomes.map((mutant) => (survives(mutant) ? (again.get(mutant.name) ?? mutant) : mutant))
  }
  report(outcomes, listed)
}

/** The arguments that make cargo-mutants try these. */
function ofNames(mutants) {
  return mutants.flatMap(({ name }) => ['--file', name.split(':')[0], '--re', `^${escaped(name)}$`])
}

/** The current mutants that an earlier output calls missed, by their names without lines. */
function missedIn(file) {
  const lines = readFileSync(file, 'utf8').matchAll(/^(?:MISSED|survives:) +(src\/.+)$/gm)
  const keys = new Set([...lines].map(([, name]) => keyOf(name)))
  const mutants = mutantsOfRoom().filter(({ key }) => keys.has(key))
  if (mutants.length === 0) stop(`npm run mutants: None of the room is called missed in ${file}.`)
  return mutants
}

/** Runs cargo-mutants with the programs of the first `rounds` rounds, and returns the outcome of each mutant. */
function round({ name, thin, seconds, skipped }, rounds, selection) {
  const output = join(root, 'target/mutants-out', `${room}-${name}`)
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  // Not after `--`, or all other tests would be compiled too.
  const programs = ROOMS[room].slice(0, rounds).flat()
  const tests = ['--lib', ...programs.flatMap((program) => ['--test', program])].map((arg) => `--cargo-arg=${arg}`)
  const args = ['mutants', ...selection, ...tests, '--output', output, '--jobs', '1', '--no-times', '--colors', 'never', '--', '--', ...skipped.flatMap((test) => ['--skip', test])]
  const { status, error } = spawnSync('cargo', args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // The dependencies are compiled once for all runs.
    env: { ...env, CARGO_TARGET_DIR: join(root, 'target/mutants-build'), THIN: thin, MUTANT_SECONDS: seconds, [runnerOfHost()]: 'sh tests/mutants/limited.sh' },
  })
  const results = join(output, 'mutants.out/outcomes.json')
  // 2: some were missed; 3: some ran out of time.
  if (error || ![0, 2, 3].includes(status) || !existsSync(results)) stop(`npm run mutants: cargo-mutants ended with ${error?.code ?? `exit code ${status}`}.`)
  return JSON.parse(readFileSync(results, 'utf8')).outcomes.filter(({ scenario }) => scenario.Mutant).map(({ scenario, summary, log_path }) => ({
    name: scenario.Mutant.name,
    key: keyOf(scenario.Mutant.name),
    summary: summary === 'CaughtMutant' && isOutOfTime(join(output, 'mutants.out', log_path)) ? 'Timeout' : summary,
  }))
}

/** Whether the limit of `limited.sh` ended a test: cargo then reports the signal. */
function isOutOfTime(log) {
  return /SIGXCPU|signal: (24|9)\b/.test(readFileSync(log, 'utf8'))
}

function survives({ summary }) {
  return summary === 'MissedMutant'
}

/** The list: how often each mutant is in it. Mutants have no line numbers, because lines change, so a name may occur several times. */
function listedMutants() {
  const listed = new Map()
  let reason = ''
  for (const line of readFileSync(join(root, 'tests/mutants/known.txt'), 'utf8').split('\n')) {
    if (line.startsWith('#')) reason = line
    else if (line === '') reason = ''
    else if (reason === '') stop(`tests/mutants/known.txt: "${line}" has no reason above it.`)
    else listed.set(line, (listed.get(line) ?? 0) + 1)
  }
  return listed
}

/** The survivors beyond the listed number of their name. */
function unlisted(survivors, listed) {
  const left = new Map(listed)
  return survivors.filter(({ key }) => {
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}

function report(outcomes, listed) {
  const survivors = outcomes.filter(survives)
  const surprising = unlisted(survivors, listed)
  const everyMutant = mutantsOfRoom()
  const count = (summary) => outcomes.filter((mutant) => mutant.summary === summary).length
  const [caught, timeouts, unviable] = ['CaughtMutant', 'Timeout', 'Unviable'].map(count)
  const explained = survivors.length - surprising.length
  const judged = outcomes.length - unviable - explained
  const score = judged === 0 ? 100 : (100 * (caught + timeouts)) / judged
  console.log(`\n${room}: ${outcomes.length} mutants of ${everyMutant.length}: ${caught} caught, ${timeouts} out of time, ${unviable} don't compile, ${explained} explained, ${surprising.length} survive: ${score.toFixed(1)} %`)
  for (const { name } of surprising) console.log(`survives: ${name}`)

  // A listed mutant that was tried as often as it is listed, but survives less often.
  const [tried, surviving] = [grouped(outcomes), grouped(survivors)]
  const all = grouped(everyMutant)
  const stale = [...listed].filter(([key, times]) => {
    const of = (groups) => groups.get(key)?.length ?? 0
    return of(tried) > 0 && of(tried) === of(all) && of(surviving) < times
  })
  for (const [key] of stale) console.log(`listed in tests/mutants/known.txt, but caught: ${key}`)
  if (surprising.length + stale.length > 0) process.exitCode = 1
}

/** All mutants of the room, tried or not. */
function mutantsOfRoom() {
  const { stdout } = spawnSync('cargo', ['mutants', '--list', '--file', `src/${room}/**`], { cwd: root, encoding: 'utf8' })
  return stdout.trim().split('\n').map((name) => ({ name, key: keyOf(name) }))
}

/** The name without its line, which changes with the code above. */
function keyOf(name) {
  return name.replace(/:\d+:\d+: /, ': ')
}

function grouped(mutants) {
  const groups = new Map()
  for (const mutant of mutants) groups.set(mutant.key, [...(groups.get(mutant.key) ?? []), mutant])
  return groups
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The environment variable that names cargo's test runner. */
function runnerOfHost() {
  const { stdout } = spawnSync('cargo', ['-vV'], { encoding: 'utf8' })
  const [, host] = /^host: (.+)$/m.exec(stdout)
  return `CARGO_TARGET_${host.toUpperCase().replaceAll('-', '_')}_RUNNER`
}
