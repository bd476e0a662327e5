/**
 * The field front-end alone, ready at once after a plain import.
 *
 * @packageDocumentation
 */
import '../inline.js'

export * from '../public/fields.js'
