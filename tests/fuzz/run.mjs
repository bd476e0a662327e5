// Runs the fuzzer's targets, each for so many seconds.
//
//     npm run fuzz -- block 60       one target
//     npm run fuzz -- --all 20       each in turn
//     npm run fuzz -- --list         the targets
//     npm run fuzz -- --show block FILE   what an input that was found is, and what is wrong with it
//     npm run fuzz -- --min block FILE    makes it smaller, for a minute
//     npm run fuzz -- --seeds        makes the seeds anew, from tests/cases
//
// A target is a program of cargo-fuzz, or one of Node that takes the seconds and prints a line
// `executions: ` with their number. Each begins with its seeds and with what it found worth
// keeping before (tests/fuzz/corpus, which git ignores). The seed of its random numbers is
// printed; `SEED=` and a number sets it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { env, execPath, exit } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setupOrExit } from '../../pkg-template/setup.mjs'

const folder = dirname(fileURLToPath(import.meta.url))
const root = join(folder, '../..')

/** Longest inputs in bytes, how long one may take in seconds, and how much memory in MB. */
const LIMITS = { max_len: 1024, timeout: 20, rss_limit_mb: 2048 }

/** Name, and what it reads. One of Node has its program. */
const targets = [
  { name: 'block', what: 'blocks: src/block' },
  { name: 'segment', what: 'segments: src/segment' },
  { name: 'edit', what: 'edits: src/edit' },
  { name: 'field', what: 'fields: src/field' },
  { name: 'tool_call', what: 'tool calls: src/tool_call' },
  { name: 'format', what: 'wire formats, by every row of the catalogue: src/format' },
  { name: 'json', what: 'JSON by any rules: src/json' },
  { name: 'xml', what: 'tags, references, elements of arguments: src/xml' },
  { name: 'rxml', what: 'trees: src/xml/tree.rs' },
  { name: 'coerce', what: 'coercion, and the values of robust JSON and XML: TypeScript', node: 'tests/fuzz/coerce.mjs' },
]

await main()

async function main() {
  const { values, positionals } = read()
  if (values.list) return targets.forEach(({ name, what }) => console.log(`${name.padEnd(10)} ${what}`))
  if (values.seeds) return makeSeeds()
  if (values.show) return show(...positionals)
  if (values.min) return minimise(...positionals)

  const [name, ...others] = values.all ? [undefined, ...positionals] : positionals
  const seconds = Number(others[0])
  if (others.length !== 1 || !(seconds > 0) || !Number.isInteger(seconds)) stop('The target and the seconds are needed: npm run fuzz -- block 60, or npm run fuzz -- --all 20.')
  const wanted = values.all ? targets : [find(name)]

  setupOrExit({ fuzz: true })
  build(wanted)
  const ends = []
  for (const target of wanted) {
    console.log(`\n── ${target.name}: ${target.what}`)
    ends.push({ target, ...(await (target.node ? runNode(target, seconds) : runRust(target, seconds))) })
  }
  console.log()
  for (const { target, executions, seconds: took, artifact, status } of ends) {
    const end = status === 0 ? '' : artifact ? `  FOUND ${artifact}` : `  FAILED with exit code ${status}`
    console.log(`${target.name.padEnd(10)} ${String(executions ?? '?').padStart(10)} executions in ${took.toFixed(0)} s${end}`)
  }
  const found = ends.filter(({ status }) => status !== 0)
  if (found.length === 0) return
  const { target, artifact } = found[0]
  if (artifact) console.error(`\nWhat was found: npm run fuzz -- --show ${target.name} ${artifact}`)
  exit(1)
}

function read() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: Object.fromEntries(['all', 'list', 'show', 'min', 'seeds'].map((name) => [name, { type: 'boolean' }])),
    })
  } catch (error) {
    return stop(error.message)
  }
}

function find(name) {
  return targets.find((target) => target.name === name) ?? stop(`There is no target "${name}". The targets: ${targets.map(({ name }) => name).join(', ')}.`)
}

/** All programs of cargo-fuzz in one build, with what may panic, and without a sanitizer: there is no unsafe code. */
function build(wanted) {
  if (wanted.every(({ node }) => node)) return
  const { status } = spawnSync('cargo', ['+nightly', 'fuzz', 'build', '--fuzz-dir', folder, '--sanitizer', 'none', '--no-trace-compares'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) stop(`The targets could not be built: cargo fuzz ended with exit code ${status}.`)
}

async function runRust({ name }, seconds) {
  const [corpus, artifacts] = ['corpus', 'artifacts'].map((kind) => join(folder, kind, name))
  for (const path of [corpus, artifacts]) mkdirSync(path, { recursive: true })
  const limits = Object.entries({ ...LIMITS, max_total_time: seconds, seed: env.SEED ?? 0 }).map(([option, value]) => `-${option}=${value}`)
  const lines = await linesOf(programOf(name), [...limits, '-print_final_stats=1', '-reload=0', `-artifact_prefix=${artifacts}/`, corpus, join(folder, 'seeds', name)], isWorthReading)
  const executions = lines.match(/^stat::number_of_executed_units: (\d+)$/m)?.[1] ?? lines.match(/^#(\d+)(?![\s\S]*^#\d)/m)?.[1]
  const written = lines.match(/Test unit written to (.+)$/m)?.[1]
  return { ...lines.end, executions, artifact: written && relative(root, written) }
}

async function runNode({ node }, seconds) {
  const lines = await linesOf(execPath, [join(root, node), String(seconds)], () => true)
  return { ...lines.end, executions: lines.match(/^executions: (\d+)$/m)?.[1] }
}

/** libFuzzer reports each input that it keeps. Its pulse lines are enough. */
function isWorthReading(line) {
  return !/^#\d+\s+(NEW|REDUCE|RELOAD)\b/.test(line) && !/^(INFO: (Loaded|seed corpus)|\s*\(\d+ counters\)|stat::(new|slowest|peak|average))/.test(line)
}

/** Runs a program to its end. Gives all its lines, and shows some as they come. */
async function linesOf(program, args, isShown) {
  const start = performance.now()
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const all = []
  const take = async (stream) => {
    for await (const line of createInterface({ input: stream })) {
      // A pulse alone is of interest, and only the last.
      if (/^#\d/.test(line) && /^#\d/.test(all.at(-1) ?? '')) all.pop()
      all.push(line)
      if (isShown(line)) console.log(line)
    }
  }
  const status = new Promise((done) => {
    child.on('error', (error) => done(error.code))
    child.on('close', (code, signal) => done(code ?? signal))
  })
  await Promise.all([take(child.stdout), take(child.stderr)])
  const text = all.join('\n')
  const end = { status: await status, seconds: (performance.now() - start) / 1000 }
  return { end, match: (pattern) => text.match(pattern) }
}

/** Prints an input as the target reads it, and runs it. */
function show(name, file) {
  const program = built(name, file)
  const shown = join(folder, 'artifacts', 'shown.txt')
  mkdirSync(dirname(shown), { recursive: true })
  spawnSync(program, [file], { cwd: root, stdio: 'ignore', env: { ...env, RUST_LIBFUZZER_DEBUG_PATH: shown } })
  console.log(readFileSync(shown, 'utf8'))
  exit(spawnSync(program, [file], { cwd: root, stdio: 'inherit', env: { RUST_BACKTRACE: '0', ...env } }).status)
}

/** The smallest input that was found to fail as well is beside the file. */
function minimise(name, file) {
  const program = built(name, file)
  const smaller = `${file}.min`
  spawnSync(program, ['-minimize_crash=1', '-max_total_time=60', `-exact_artifact_path=${smaller}`, file], { cwd: root, stdio: 'ignore' })
  if (!existsSync(smaller)) stop('Nothing smaller fails.')
  console.log(`${smaller}\nnpm run fuzz -- --show ${name} ${smaller}`)
}

/** The program of a target that is to read a file. */
function built(name, file) {
  const target = find(name)
  if (target.node) stop(`${name} prints what it finds, with the seed to find it again.`)
  if (!file || !existsSync(join(root, file))) stop(`The file is needed, such as tests/fuzz/artifacts/${name}/crash-…`)
  setupOrExit({ fuzz: true })
  build([target])
  return programOf(name)
}

/** Below the machine's name, as cargo-fuzz builds for it by name. */
function programOf(name) {
  const programs = readdirSync(join(folder, 'target')).map((machine) => join(folder, 'target', machine, 'release', name))
  return programs.find((program) => existsSync(program)) ?? stop(`${name} is not there, though it was built.`)
}

function makeSeeds() {
  setupOrExit({ fuzz: true })
  exit(spawnSync('cargo', ['run', '--quiet', '--manifest-path', join(folder, 'Cargo.toml'), '--example', 'seeds'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status)
}

function stop(message) {
  console.error(`npm run fuzz: ${message}`)
  exit(1)
}
