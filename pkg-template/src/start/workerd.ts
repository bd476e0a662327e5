// For runtimes that can't compile bytes: workerd imports a file as a compiled module.
// Each build has such a file, as inline.ts says.
import module from '../tokenweir.wasm'
import { provide } from '../wasm/start.js'

/** What needs the wasm, with the wasm: so that a bundler takes both or neither. */
export function withWasm<What>(what: What): What {
  provide('tokenweir', () => module)
  return what
}
