/**
 * Robust XML alone, ready at once after a plain import.
 *
 * @packageDocumentation
 */
import '../inline.js'

export * from '../public/rxml.js'
