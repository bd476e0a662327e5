// For runtimes that can't compile bytes: workerd imports a file as a compiled module.
import module from '../blocks.wasm'
import { startAtImport, startBlocks } from '../wasm/start.js'

startAtImport(() => startBlocks(module))
