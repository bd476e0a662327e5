/**
 * The names of `@ai-sdk-tool/parser`, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/ai-sdk-tool-parser.js'
export { warm } from '../wasm/start.js'
