/**
 * The parser that programs of Agently use, on the field parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/agently.js'
export { warm } from '../wasm/start.js'
