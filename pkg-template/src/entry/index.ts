/**
 * Everything, ready at once after a plain import.
 *
 * @packageDocumentation
 */
import '../inline.js'

export * from '../public/blocks.js'
export * from '../public/fields.js'
export * from '../public/segments.js'
