/**
 * membrane's class and its functions for whole replies, on the block parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/membrane.js'
export { warm } from '../wasm/start.js'
