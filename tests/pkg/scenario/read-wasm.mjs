// Reads the bytes of the package's .wasm file, like a program in Node, Deno or Bun.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export const readWasm = () => readFileSync(createRequire(import.meta.url).resolve('tokenweir/tokenweir.wasm'))
