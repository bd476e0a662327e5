// For runtimes that compile no bytes: edge-light gives the compiled module of a file.
import module from '../tokenweir.wasm?module'
import { startAtImport, startAll } from '../wasm/start.js'

startAtImport(() => startAll(module))
