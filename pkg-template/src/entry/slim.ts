/**
 * Everything, without the embedded WebAssembly: call `init` or `initSync` once, with the bytes of
 * `tokenweir/tokenweir.wasm`, before creating the first parser.
 *
 * @packageDocumentation
 */
// Not the one of blocks.
export { readReply } from '../public/reply.js'
export * from '../public/blocks.js'
export * from '../public/reply.js'
export * from '../public/fields.js'
export * from '../public/segments.js'
export * from '../public/edits.js'
export * from '../public/tool-calls.js'
export { RjsonError, RJSON, rjson } from '../public/rjson.js'
export {
  RXML,
  rxml,
  RXMLCoercionError,
  RXMLDuplicateStringTagError,
  RXMLParseError,
  RXMLStringifyError,
} from '../public/rxml.js'
export { coerceBySchema } from '../public/schema-coerce.js'
export { init, initSync } from '../wasm/init.js'
export type { WasmBytes, WasmModule, WasmSource } from '../wasm/init.js'
