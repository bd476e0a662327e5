/**
 * The tool-call front-end alone, ready at once after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/tool-calls.js'
