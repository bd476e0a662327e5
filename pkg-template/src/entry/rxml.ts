/**
 * Robust XML alone, ready at once after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/rxml.js'
