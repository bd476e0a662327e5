// Reads the bytes of the package's .wasm file, like a program in Node, Deno or Bun.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const readWasm = () => readFileSync(fileURLToPath(import.meta.resolve('tokenweir/tokenweir.wasm')))
