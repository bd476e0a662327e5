// Makes all parsers work at once after a plain import: the wasm comes in a file
// of the package as text, and is compiled here, synchronously.
import { frequent, text } from '../generated/tokenweir-text.js'
import { startAll, startAtImport } from '../wasm/start.js'
import { engine } from '../wasm/engine.js'
import { bytesOf } from './text.js'

startAtImport(() => engine.isReady || startAll(bytesOf(text, frequent)))
