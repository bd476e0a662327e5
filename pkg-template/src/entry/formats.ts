/**
 * The wire formats of models, as data: how they write tool calls and reasoning as text.
 *
 * @packageDocumentation
 */
export * from '../public/formats.js'
