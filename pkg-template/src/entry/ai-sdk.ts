/**
 * Tool calls as middleware for the AI SDK, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/ai-sdk.js'
export { warm } from '../wasm/start.js'
