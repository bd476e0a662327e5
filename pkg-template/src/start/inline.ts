// Makes parsers work immediately after a plain import: a file of the package
// contains the wasm as text, and this one compiles it synchronously.
//
// Each build has such a file, made from this one (pkg-template/bundle.mjs): its name stands for `tokenweir`.
import { frequent, text } from '../generated/tokenweir-text.js'
import { startAtImport } from '../wasm/start.js'
import { bytesOf } from './text.js'

startAtImport('tokenweir', () => bytesOf(text, frequent))
