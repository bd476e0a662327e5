/**
 * Only the block parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/blocks.js'
export { warm } from '../wasm/start.js'
