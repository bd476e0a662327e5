/**
 * Only robust JSON, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/rjson.js'
export { warm } from '../wasm/start.js'
