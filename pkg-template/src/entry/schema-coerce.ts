/**
 * Only coercion by a JSON schema, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/schema-coerce.js'
export { warm } from '../wasm/start.js'
