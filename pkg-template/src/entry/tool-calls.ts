/**
 * The tool-call front-end alone, ready at once after a plain import.
 *
 * @packageDocumentation
 */
import '../inline.js'

export * from '../public/tool-calls.js'
