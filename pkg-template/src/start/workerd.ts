// For runtimes that can't compile bytes: workerd imports a file as a compiled module.
import module from '../tokenweir.wasm'
import { startAtImport, startAll } from '../wasm/start.js'

startAtImport(() => startAll(module))
