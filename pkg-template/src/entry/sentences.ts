/**
 * The sentences of a text while it is written, for a speech server.
 *
 * @packageDocumentation
 */
export * from '../public/sentences.js'
