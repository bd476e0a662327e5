// Runs examples as their head comments describe.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { after, before } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import ts from 'typescript'

/** The folder of the examples. */
export const folder = fileURLToPath(new URL('../../../examples/', import.meta.url))

const { FORCE_COLOR: _, NO_COLOR: __, MODEL: ___, UPSTREAM: ____, ...plain } = process.env

/** Runs an example to its end. */
export function run(name, args = [], { env = {}, input = '' } = {}) {
  return spawnSync(execPath, [name, ...args], { cwd: folder, encoding: 'utf8', timeout: 60_000, input, env: { ...plain, ...env } })
}

/** The same without blocking this process, for examples that communicate with it. */
export async function runBeside(name, args = [], env = {}) {
  const child = spawn(execPath, [name, ...args], { cwd: folder, env: { ...plain, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (text) => (said[stream] += text))
  const [status] = await once(child, 'close')
  return { status, ...said }
}

/** Starts a server; returns the first URL that it prints, its process id, its output so far, and a function to end it. */
export async function serve(args, { cwd = folder, env = {} } = {}) {
  const child = spawn(execPath, args, { cwd, env: { ...plain, NO_COLOR: '1', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const address = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        said += text
        const [found] = /http:\/\/\S+/.exec(said) ?? []
        if (found && said.slice(said.indexOf(found) + found.length).includes('\n')) resolve(found)
      })
    }
    child.once('close', (code) => reject(new Error(`${args.join(' ')} ended with ${code}:\n${said}`)))
  })
  return {
    address,
    pid: child.pid,
    said: () => said,
    async stop(signal = 'SIGTERM') {
      const ended = once(child, 'close')
      child.kill(signal)
      await ended
    },
  }
}

/** A program of a page, in JavaScript. */
export function transpiled(code) {
  return ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } }).outputText
}

/** Waits until something is so. */
export async function until(what, isSo) {
  for (let turn = 0; turn < 800; turn += 1) {
    if (await isSo()) return
    await wait(25)
  }
  throw new Error(`${what}: not within 20 seconds`)
}

/** Debian's Chromium. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })
}

/** Chromium, and the server of the examples' pages, while the tests of a file or of a group run. */
export function served(args = [], options) {
  const at = {}
  before(async () => {
    at.server = await serve(['serve.mjs', ...args, '--port', '0'], options)
    at.browser = await launch()
  })
  after(async () => {
    await at.browser?.close()
    await at.server?.stop()
  })
  return at
}

/** A new page, and its errors. */
export async function open(browser, address) {
  const page = await browser.newPage()
  const complaints = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(address)
  return { page, complaints }
}
