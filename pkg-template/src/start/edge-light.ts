// For runtimes that can't compile bytes: edge-light imports a file as a compiled module.
import module from '../tokenweir.wasm?module'
import { startAtImport, startAll } from '../wasm/start.js'

startAtImport(() => startAll(module))
