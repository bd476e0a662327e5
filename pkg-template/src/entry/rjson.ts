/**
 * Robust JSON alone, ready at once after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/rjson.js'
