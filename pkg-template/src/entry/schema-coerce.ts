/**
 * Coercion by a JSON schema alone, ready at once after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/schema-coerce.js'
