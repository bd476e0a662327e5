// What a change must pass, in order, up to the first failure: `npm test`. It tries a sample of all cuts and random texts, as
// `THIN=n` says: an n-th. `npm run test:all` tries all, and has steps that find what seldom changes.
//
//     npm test                       a sample
//     npm test -- --only package     one step and what it needs
//     npm test -- --list             the steps
//     npm run test:all               all
//     npm run test:all -- --rest     what `npm test` has left out
//     THIN=5 npm test                a fifth, and all files; then --rest has the other steps alone
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { parseArgs } from 'node:util'
import { findChromium, setupOrExit } from '../pkg-template/setup.mjs'
import { checkBudget } from './budget.mjs'
import { runFast } from './consumers.mjs'
import { checkEnglish } from './english.mjs'
import { checkLines } from './lines.mjs'
import { pack, tarball } from './pkg/install.mjs'
import { SAMPLE, cargo, nodeOfVersion, nodeTest, projectFolder, removeProject, root, run, stop } from './steps.mjs'

const wasm = ['--package', 'tokenweir', '--target', 'wasm32-unknown-unknown']

/** Name, description, the steps that must run before, the action, and when it runs. */
const steps = [
  step('format', 'Rust and TypeScript are formatted', [], checkFormat),
  step('clippy', 'no clippy warnings, natively', [], () => cargo('clippy', '--package', 'tokenweir', '--all-targets', '--', '-D', 'warnings')),
  step('clippy-wasm', 'no clippy warnings for wasm32: all parsers, with and without exports, those of each entry, and the debug build', [], clippyWasm, 'all'),
  step('clippy-xtask', 'no clippy warnings in the build program', [], () => cargo('clippy', '--profile', 'xtask', '--package', 'xtask', '--all-targets', '--', '-D', 'warnings'), 'all'),
  step('xtask', 'the tests of the build program', [], () => cargo('test', '--profile', 'xtask', '--package', 'xtask'), 'all'),
  step('english', 'no calques in sources and docs', [], checkEnglish),
  step('layers', 'rooms of TypeScript know only those below, no file leads back to itself, no wing and no class grows', [], checkLayers),
  step('knip', 'knip finds no unused file, export or dependency', [], () => tool('knip/bin/knip.js')),
  step('rust', 'the Rust tests, natively', [], () => cargo('test', '--package', 'tokenweir'), 'both'),
  step('doc', 'no rustdoc warnings', [], () => [['--document-private-items'], []].forEach(rustdoc), 'all'),
  step('crate', 'the crate is packed, builds alone and in a program; its examples run', [], () => run(execPath, ['--test', '--test-reporter', 'spec', 'tests/crate.test.mjs']), 'all'),
  step('release', 'what is missing for a release is named', [], () => run(execPath, ['--test', '--test-reporter', 'spec', 'tests/release.test.mjs']), 'all'),
  step('build', 'the package is built', [], () => cargo('xtask', 'build')),
  step('reproducible', 'another folder makes the same WebAssembly, and the package has its digest', ['build'], () => run(execPath, ['--test', '--test-reporter', 'spec', 'tests/reproducible.test.mjs']), 'all'),
  step('numbers', 'no number of the border is written by hand', ['build'], () => run(execPath, ['--test', '--test-reporter', 'spec', 'tests/numbers.test.mjs'])),
  step('check:formats', 'wire formats are read as their cases say, or differ for a listed reason', ['build'], () => run(execPath, ['tests/formats/check.mjs'])),
  step('debug', 'the debug build: the trace, and panics that say why', ['build'], () => run(execPath, ['--test', '--test-reporter', 'spec', 'tests/debug.test.mjs']), 'all'),
  step('wasm-node', 'the tests of the JavaScript boundary, in Node', [], () => wasmTest('node'), 'all'),
  step('wasm-chromium', 'the tests of the JavaScript boundary, in Chromium', [], () => wasmTest('chromium', { CHROMEDRIVER: findChromium().driver }), 'all'),
  step('typedoc', 'no TypeDoc warnings', ['build'], () => tool('typedoc/bin/typedoc', '--options', 'pkg-template/typedoc.mjs')),
  step('pack', 'the package is packed', ['build'], pack),
  step('publint', 'publint finds no problem in the tarball', ['pack'], () => tool('publint/src/cli.js', 'run', '--strict', tarball())),
  step('attw', 'the types resolve everywhere', ['pack'], () => tool('@arethetypeswrong/cli/dist/index.js', tarball(), '--profile', 'esm-only')),
  step('package', 'tests/pkg/*.test.mjs on the installed tarball', ['pack'], () => nodeTest('tests/pkg'), 'both'),
  step('policy', 'each question has one answer, at every door of the installed tarball', ['pack'], () => nodeTest('tests/policy'), 'both'),
  ...[20, 22, 24].map((version) => step(`node-${version}`, `import and require in Node ${version}`, ['pack'], () => nodeTest('tests/pkg/scenario', nodeOfVersion(version)))),
  step('consumers', 'the installed tarball in runtimes and with bundlers: the fast ones', ['pack'], runFast, 'all'),
  step('www', 'the browser demo with the installed tarball, in Chromium', ['pack'], testPage, 'all'),
  step('site', 'the documentation as a site: links, search, in Chromium', ['build'], () => run(execPath, ['--test', '--test-reporter', 'spec', 'tests/site.test.mjs']), 'all'),
  step('examples', 'each example runs', ['pack'], () => nodeTest('tests/pkg/examples'), 'all'),
]

main()

function main() {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, list: { type: 'boolean' }, all: { type: 'boolean' }, rest: { type: 'boolean' } } })
  const isGiven = (env.THIN ?? SAMPLE) !== SAMPLE
  env.THIN ??= values.all ? '1' : SAMPLE
  if (values.list) {
    for (const { name, what, when } of steps) console.log(`${name.padEnd(14)} ${when.padEnd(6)} ${what}`)
    return
  }
  const unknown = values.only?.find((name) => !steps.some((step) => step.name === name))
  if (unknown) return stop(`npm test: There is no step "${unknown}". The steps: ${steps.map(({ name }) => name).join(', ')}.`)

  // Where `THIN` was given, `npm test` has tried so much of all of its steps.
  const left = isGiven ? ['all'] : ['all', 'both']
  const chosen = steps.filter(({ name, when }) => values.only?.includes(name) ?? (values.rest ? left.includes(when) : values.all || when !== 'all'))
  const wanted = steps.filter(({ name }) => chosen.some((other) => other.name === name || needs(other.name).has(name)))
  console.log('── setup')
  setupOrExit({ tests: true, meanwhile: wanted.some(({ name }) => name === 'rust') ? compileRust : undefined })
  const done = []
  try {
    for (const { name, what, act } of wanted) {
      console.log(`\n── ${name}: ${what}`)
      const start = performance.now()
      act()
      done.push({ name, seconds: (performance.now() - start) / 1000 })
    }
  } catch (error) {
    const { name } = wanted[done.length]
    stop(`npm test: The step "${name}" failed: ${error.message}\nTo run it alone: npm test -- --only ${name}`)
  }
  removeProject()
  console.log('\n── all steps passed')
  for (const { name, seconds } of done) console.log(`${name.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s`)
  console.log(`steps: ${done.length} passed, 0 failed`)
}

/** `when`: `all` is not in the sample, `both` is a sample of what `npm run test:all` tries. */
function step(name, what, before, act, when = 'sample') {
  return { name, what, before, act, when }
}

/** The steps that must run before this one. */
function needs(name) {
  const { before } = steps.find((step) => step.name === name)
  return new Set(before.flatMap((other) => [other, ...needs(other)]))
}

function clippyWasm() {
  const entries = ['block', 'field', 'segment,json,xml', 'tool_call,json,xml', 'json', 'json,xml', 'arguments', 'edit'].map((features) => ['--no-default-features', '--features', `exports,${features}`])
  for (const options of [[], ['--features', 'exports', '--test', 'wasm*'], ...entries, ['--features', 'debug']]) cargo('clippy', ...wasm, '--lib', ...options, '--', '-D', 'warnings')
}

/** Compiles the Rust tests while packages come over the network. Their step says what fails. */
function compileRust() {
  spawn('cargo', ['test', '--package', 'tokenweir', '--no-run'], { cwd: root, stdio: 'ignore' }).unref()
}

/** Documents all items, then only the public ones; the second run leaves its pages. */
function rustdoc(options) {
  run('cargo', ['doc', '--package', 'tokenweir', '--no-deps', ...options], { env: { RUSTDOCFLAGS: '-D warnings' } })
}

function wasmTest(place, more = {}) {
  run('cargo', ['run', '--quiet', '--profile', 'xtask', '--package', 'xtask', '--features', 'test-runner', '--', 'wasm-test', place], { env: more })
}

function tool(script, ...args) {
  run(execPath, [join(root, 'node_modules', script), ...args])
}

function checkLayers() {
  tool('dependency-cruiser/bin/dependency-cruise.mjs', '--config', 'tests/layers.cjs', 'pkg-template/src')
  checkBudget()
  run(execPath, ['--test', '--test-reporter', 'spec', 'tests/house.test.mjs'])
}

function checkFormat() {
  cargo('fmt', '--all', '--check')
  tool('@biomejs/biome/bin/biome', 'format')
  checkLines()
}

/** Checks the types of the browser demo, builds it with the installed tarball, and runs its tests. */
function testPage() {
  const project = projectFolder()
  tool('typescript/bin/tsc', '-p', 'www')
  run(execPath, ['www/build.mjs', '--package', project, '--outdir', join(project, 'www/dist')])
  nodeTest('tests/pkg/www')
}
