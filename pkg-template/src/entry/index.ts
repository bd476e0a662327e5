/**
 * Everything, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/blocks.js'
export * from '../public/fields.js'
export * from '../public/segments.js'
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
export { warm } from '../wasm/start.js'
