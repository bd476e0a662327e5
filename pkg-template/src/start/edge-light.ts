// For runtimes that can't compile bytes: edge-light imports a file as a compiled module.
// Each build has such a file, as inline.ts says.
import module from '../tokenweir.wasm?module'
import { startAtImport } from '../wasm/start.js'

startAtImport('tokenweir', () => module)
