// Shared by `npm test` and `npm run test:consumers`: running programs, and the
// project with the installed tarball.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { arch, env, execPath, exit, platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import { findChromium, findFirefox } from '../pkg-template/setup.mjs'
import { install, uninstall } from './pkg/install.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

let project

/** The project, made by the first step that needs it. */
export function projectFolder() {
  project ??= install()
  return project
}

/** Removes the project, if one was made. */
export function removeProject() {
  if (project) uninstall(project)
}

/** Ends with a message. The project of the tarball stays for inspection. */
export function stop(message) {
  if (project) console.error(`\nThe project with the installed tarball is ${project}.`)
  console.error(`\n${message}`)
  exit(1)
}

/** Runs a program with its output shown; throws if it fails. */
export function run(program, args, options) {
  spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
}

export function cargo(...args) {
  run('cargo', args)
}

/** How little `npm test` tries: an eighth. */
export const SAMPLE = '8'

/** Files that `npm run test:all` alone runs: what they look at seldom changes, and takes minutes. */
const NOT_IN_SAMPLE = new Set(['adversarial', 'cli-recordings', 'docs', 'engine-failed', 'promises', 'readme'].map((name) => `${name}.test.mjs`))

/** Files that take long, the longest first: they start first, so that none of them runs alone at the end. */
const LONGEST = [
  ...['tool-conformance', 'readme', 'snapshot', 'segment-conformance', 'adversarial', 'snapshot-calls', 'segment-properties', 'conformance'],
  ...['www/face', 'www/access', 'examples/resumable'],
].map((name) => `tests/pkg/${name}.test.mjs`)

/** Runs the test files of a folder in the project that has the tarball, as many at a time as there are cores, with their output shown. */
export function nodeTest(folder, node = execPath) {
  const files = testFiles(folder).filter((file) => env.THIN !== SAMPLE || !NOT_IN_SAMPLE.has(basename(file))).sort((a, b) => placeOf(a) - placeOf(b))
  const gone = LONGEST.filter((file) => posix.dirname(file) === folder && !existsSync(join(project, file)))
  if (gone.length > 0) throw new Error(`LONGEST in tests/steps.mjs names ${gone.join(', ')}, which is not there.`)
  run(node, ['tests/pkg/support/in-order.mjs', ...files], inProject())
}

/** Where a file stands among the long ones, or after them. */
function placeOf(file) {
  const place = LONGEST.indexOf(file.replaceAll('\\', '/'))
  return place < 0 ? LONGEST.length : place
}

/** Runs them without showing anything, unless one fails; returns how many tests passed. */
export function quietNodeTest(folder, node = execPath) {
  const { stdout } = spawn(node, ['--test', '--test-reporter', 'spec', ...testFiles(folder)], { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', maxBuffer: 2 ** 26, ...inProject() })
  const passed = Number(/^ℹ pass (\d+)$/m.exec(stdout)?.[1])
  if (!(passed > 0)) throw new Error(`No test passed in ${folder}.`)
  return passed
}

/** Node of this major version from tests/pkg/runtimes, independent of the running one. */
export function nodeOfVersion(version) {
  const program = join(root, `tests/pkg/runtimes/node_modules/node-${version}-${platform}-${arch}/bin/node`)
  if (!existsSync(program)) throw new Error(`There is no Node ${version} for ${platform}-${arch} in tests/pkg/runtimes: its package.json names only Linux.`)
  return program
}

function spawn(program, args, { cwd = root, env: more = {}, ...options }) {
  const result = spawnSync(program, args, { cwd, env: { ...env, ...more }, ...options })
  if (result.error) throw new Error(`${program} could not be started (${result.error.code}).`)
  if (result.status !== 0) {
    if (result.stdout) console.log(result.stdout)
    throw new Error(`\`${[basename(program), ...args].join(' ')}\` ended with ${result.signal ?? `exit code ${result.status}`}.`)
  }
  return result
}

/** The test files of a folder of the project. */
function testFiles(folder) {
  const files = readdirSync(join(projectFolder(), folder)).filter((name) => /\.test\.[cm]js$/.test(name))
  if (files.length === 0) throw new Error(`There is no test in ${folder}.`)
  return files.map((name) => join(folder, name))
}

function inProject() {
  return { cwd: project, env: { CHROMIUM: findChromium().browser, FIREFOX: findFirefox() } }
}
