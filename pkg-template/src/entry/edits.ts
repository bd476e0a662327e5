/**
 * What a model changes in files, while it writes it; ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/edits.js'
export { warm } from '../wasm/start.js'
