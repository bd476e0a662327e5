// Makes the constructors work at once after a plain import: the wasm comes in
// this file's neighbour as base64 and is compiled here, synchronously.
// `tokenweir/slim` goes without this file.
import { bytes } from './generated/inline.js'
import { initSync } from './wasm.js'

initSync(bytes())
