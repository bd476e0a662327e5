/**
 * Only the field parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/fields.js'
export { warm } from '../wasm/start.js'
