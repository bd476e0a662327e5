// For runtimes that compile no bytes: workerd gives the compiled module of a file.
import module from '../blocks.wasm'
import { startAtImport, startBlocks } from '../wasm/start.js'

startAtImport(() => startBlocks(module))
