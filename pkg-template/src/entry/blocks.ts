/**
 * The block front-end alone, ready at once after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/blocks.js'
