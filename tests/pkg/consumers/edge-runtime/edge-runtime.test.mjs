// edge-runtime as hosts configure it: neither text nor bytes become code. Such a
// host bundles a function under the condition `edge-light`, and compiles the
// imports of `.wasm?module`; so does this test. Without such a host it lets bytes
// become code, and there a plain import works too.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { EdgeRuntime } from 'edge-runtime'
import { build } from 'esbuild'
import { byEntry } from '../../scenario/by-entry.mjs'
import { assertChecks } from '../../support/programs.mjs'

/** The modules compiled by the host, by path. */
const modules = {}

/** Next.js and Vercel handle a `.wasm?module` like this. */
const compiled = {
  name: 'compiled',
  setup(build) {
    build.onResolve({ filter: /\.wasm\?module$/ }, async ({ path, kind, importer, resolveDir }) => ({
      path: (await build.resolve(path.slice(0, -'?module'.length), { kind, importer, resolveDir })).path,
      namespace: 'compiled',
    }))
    build.onLoad({ filter: /./, namespace: 'compiled' }, ({ path }) => {
      modules[path] ??= new WebAssembly.Module(readFileSync(path))
      return { contents: `export default globalThis.compiledModules[${JSON.stringify(path)}]` }
    })
  },
}

async function bundled(conditions) {
  const { outputFiles, warnings } = await build({
    entryPoints: [fileURLToPath(new URL('edge-function.mjs', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    conditions,
    plugins: [compiled],
    logLevel: 'silent',
  })
  assert.deepEqual(warnings, [])
  return outputFiles[0].text
}

for (const [name, conditions, codeGeneration] of [
  ['where bytes are not compiled', ['edge-light'], { strings: false, wasm: false }],
  ['where they are, without the condition', [], { strings: false, wasm: true }],
]) {
  test(name, async (t) => {
    const initialCode = await bundled(conditions)
    for (const entry of Object.keys(byEntry)) {
      await t.test(entry, async () => {
        const runtime = new EdgeRuntime({ initialCode, codeGeneration, extend: (context) => Object.assign(context, { compiledModules: modules }) })
        const response = await runtime.dispatchFetch(`https://edge.example/?entry=${entry}`)
        assertChecks(await response.text())
      })
    }
  })
}
