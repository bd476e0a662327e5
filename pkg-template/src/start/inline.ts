// Makes parsers work immediately after a plain import: a file of the package
// contains the wasm as text, and the first parser compiles it, synchronously.
//
// Each build has such a file, made from this one (pkg-template/bundle.mjs): its name stands for `tokenweir`.
import { text } from '../generated/tokenweir-text.js'
import { provide } from '../wasm/start.js'
import { bytesOf } from './text.js'

/** What needs the wasm, with the wasm: so that a bundler takes both or neither. */
export function withWasm<What>(what: What): What {
  provide('tokenweir', () => bytesOf(text))
  return what
}
