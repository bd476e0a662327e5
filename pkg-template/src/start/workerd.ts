// For runtimes that compile no bytes: workerd gives the compiled module of a file.
import module from '../tokenweir.wasm'
import { startAtImport, startAll } from '../wasm/start.js'

startAtImport(() => startAll(module))
