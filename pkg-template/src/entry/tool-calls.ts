/**
 * Only the tool-call parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/tool-calls.js'
export { warm } from '../wasm/start.js'
