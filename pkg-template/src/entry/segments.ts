/**
 * The segment front-end alone, ready at once after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/segments.js'
