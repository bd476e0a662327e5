// Tests the package as users install it: the packed tarball, in each runtime and
// with each bundler of tests/pkg/consumers.
//
//     npm run test:consumers                      all of them
//     npm run test:consumers -- deno vite         some of them
//     npm run test:consumers -- --slow --packed   those that `npm test` leaves out, with the tarball it packed
import { argv, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setupOrExit } from '../pkg-template/setup.mjs'
import { pack } from './pkg/install.mjs'
import { cargo, nodeOfVersion, quietNodeTest, removeProject, stop } from './steps.mjs'

/** The fast ones are a step of `npm test` too. */
const consumers = [
  consumer('typescript', 'fast', 'strict programs, with each module resolution'),
  consumer('requests', 'fast', 'messages that go back, by the types of SDKs'),
  consumer('protocols', 'fast', 'clients of the protocols that respond writes'),
  consumer('deno', 'fast'),
  consumer('bun', 'fast'),
  consumer('edge-runtime', 'fast'),
  // Its bundler, wrangler, needs Node 22.
  consumer('workerd', 'fast', 'a Worker, bundled by wrangler', 22),
  consumer('no-wasm', 'fast', 'runtimes without WebAssembly'),
  consumer('jest', 'fast', 'with jsdom'),
  consumer('vitest', 'fast'),
  consumer('esbuild', 'fast'),
  consumer('rollup', 'fast'),
  consumer('chromium', 'fast'),
  consumer('firefox', 'slow'),
  consumer('web-worker', 'slow', 'workers in Chromium'),
  consumer('csp', 'slow', 'pages with a Content-Security-Policy'),
  consumer('vite', 'slow', 'its build and its development server, in Chromium'),
  consumer('webpack', 'slow', 'its bundles in Chromium'),
  consumer('next', 'slow', 'a page, a server component and routes of Next.js'),
]

function consumer(name, speed, what = '', node = undefined) {
  return { name, speed, what, node }
}

/** Runs the fast ones; throws if one fails. */
export function runFast() {
  runAll(consumers.filter(({ speed }) => speed === 'fast'))
}

/** Runs each, and prints a line with its time, and the output of a failing one. Throws at the end if one failed. */
function runAll(chosen) {
  const failed = []
  for (const { name, what, node } of chosen) {
    const start = performance.now()
    let outcome
    try {
      outcome = `${quietNodeTest(`tests/pkg/consumers/${name}`, node ? nodeOfVersion(node) : execPath)} tests`
    } catch (error) {
      failed.push(name)
      outcome = `failed: ${error.message}`
    }
    console.log(`${name.padEnd(14)} ${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${outcome}${what && `  (${what})`}`)
  }
  console.log(`consumers: ${chosen.length - failed.length} passed, ${failed.length} failed`)
  if (failed.length > 0) throw new Error(`Failed: ${failed.join(', ')}. To run one alone: npm run test:consumers -- ${failed[0]}`)
}

function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { slow: { type: 'boolean' }, packed: { type: 'boolean' } } })
  const unknown = positionals.find((name) => !consumers.some((consumer) => consumer.name === name))
  if (unknown) return stop(`npm run test:consumers: There is no consumer "${unknown}". The consumers: ${consumers.map(({ name }) => name).join(', ')}.`)
  const chosen = consumers.filter(({ name, speed }) => (positionals.length === 0 || positionals.includes(name)) && !(values.slow && speed === 'fast'))
  setupOrExit({ tests: true, consumers: true })
  try {
    if (!values.packed) {
      cargo('xtask', 'build')
      pack()
    }
    runAll(chosen)
  } catch (error) {
    return stop(`npm run test:consumers: ${error.message}`)
  }
  removeProject()
}

if (argv[1] === fileURLToPath(import.meta.url)) main()
