// For runtimes that compile no bytes: edge-light gives the compiled module of a file.
import module from '../blocks.wasm?module'
import { startAtImport, startBlocks } from '../wasm/start.js'

startAtImport(() => startBlocks(module))
