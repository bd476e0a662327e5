/**
 * Everything, without the WebAssembly in it: call `init` or `initSync` once,
 * with the bytes of `tokenweir/tokenweir.wasm`, before the first parser is made.
 *
 * @packageDocumentation
 */
export * from '../public/blocks.js'
export * from '../public/fields.js'
export * from '../public/segments.js'
export { init, initSync } from '../wasm.js'
export type { WasmBytes, WasmModule, WasmSource } from '../wasm.js'
