/**
 * One call for any reply, and the events of providers, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/reply.js'
export { warm } from '../wasm/start.js'
