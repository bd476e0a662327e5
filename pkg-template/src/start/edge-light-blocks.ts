// For runtimes that can't compile bytes: edge-light imports a file as a compiled module.
import module from '../blocks.wasm?module'
import { startAtImport, startBlocks } from '../wasm/start.js'

startAtImport(() => startBlocks(module))
