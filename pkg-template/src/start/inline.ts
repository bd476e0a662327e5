// Makes all parsers work immediately after a plain import: a file of the package
// contains the wasm as text, and this one compiles it synchronously.
import { frequent, text } from '../generated/tokenweir-text.js'
import { startAll, startAtImport } from '../wasm/start.js'
import { engine } from '../wasm/engine.js'
import { bytesOf } from './text.js'

startAtImport(() => engine.isReady || startAll(bytesOf(text, frequent)))
