/**
 * The arguments of a call while they are written: which values are done, and what there is of the others.
 *
 * @packageDocumentation
 */
export * from '../public/args.js'
export { warm } from '../wasm/start.js'
