/**
 * The names that programs of AutoByteus use, on the segment parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/autobyteus.js'
export { warm } from '../wasm/start.js'
