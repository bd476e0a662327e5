/**
 * Only robust XML, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/rxml.js'
export { warm } from '../wasm/start.js'
