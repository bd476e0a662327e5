// The bytes of the package's .wasm file, as a program in Node, Deno or Bun reads them.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const readWasm = () => readFileSync(fileURLToPath(import.meta.resolve('tokenweir/tokenweir.wasm')))
