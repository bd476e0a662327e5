/**
 * The text of a reply, live, and one call for all of it; each parser has an entry of its own. Ready immediately after a
 * plain import.
 *
 * @packageDocumentation
 */
export * from '../public/index.js'
export { warm } from '../wasm/start.js'
