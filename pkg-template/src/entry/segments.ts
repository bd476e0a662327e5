/**
 * Only the segment parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/segments.js'
export { warm } from '../wasm/start.js'
