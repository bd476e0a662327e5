// For runtimes that can't compile bytes: workerd imports a file as a compiled module.
// Each build has such a file, as inline.ts says.
import module from '../tokenweir.wasm'
import { startAtImport } from '../wasm/start.js'

startAtImport('tokenweir', () => module)
