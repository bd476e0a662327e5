// The program `tokenweir`, as users start it: npm's link in the project with the
// tarball, or the file in pkg/ in the repository.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

const manifest = createRequire(import.meta.url).resolve('tokenweir/package.json')
const link = fileURLToPath(new URL('../../../node_modules/.bin/tokenweir', import.meta.url))

/** A program and its first arguments. */
export const program = existsSync(link) ? [link] : [execPath, join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.tokenweir)]

const { NO_COLOR: _1, FORCE_COLOR: _2, AUTOBYTEUS_STREAM_PARSER: _3, ...rest } = env

/** The environment without variables that affect the program. */
export const clean = rest

/** Starts it; its input is a pipe. */
export function start(args, more = {}) {
  const [file, ...first] = program
  const child = spawn(file, [...first, ...args], { env: { ...clean, ...more.env }, cwd: more.cwd })
  const out = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (out[name] += text))
  // It may end before it has read everything.
  child.stdin.on('error', () => {})
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ ...out, code, signal }))
  })
  return { child, out, ended }
}

/** Runs it with an `input`. */
export function run(args, input = '', more = {}) {
  const { child, ended } = start(args, more)
  child.stdin.end(input)
  return ended
}

/** The objects that `--json` prints. */
export async function json(args, input, more) {
  const { stdout, stderr, code } = await run([...args, '--json'], input, more)
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`)
  return stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** Waits for a condition on a program's output. */
export async function until(condition, what) {
  for (let waited = 0; !condition(); waited += 10) {
    if (waited > 20_000) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
