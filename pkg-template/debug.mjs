// Starts the debug package, target/debug-pkg: the package's modules, on a WebAssembly
// whose panics say why, and that shows the state of its machines.
import { readFileSync } from 'node:fs'

const folder = new URL('../target/debug-pkg/', import.meta.url)

/** Imports a module of the package, by its path in pkg-template/src. */
export const inside = (path) => import(new URL(`js/${path}`, folder))

/** Starts the debug package. `inspect` gives the state of the machine at work that has a name, `block` or `segment`. */
export async function startDebug() {
  const { initSync, inspect } = await import(new URL('wasm/tokenweir.js', folder))
  const [{ missing }, { Instance }] = await Promise.all(['wasm/borders.js', 'wasm/guard.js'].map(inside))
  const instance = new Instance(initSync({ module: readFileSync(new URL('wasm/tokenweir_bg.wasm', folder)) }))
  for (const border of missing('tokenweir')) border.attach(instance)
  return { instance, inspect }
}
