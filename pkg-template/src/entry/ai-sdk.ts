/**
 * Tool calls as middleware for the AI SDK, ready at once after a plain import.
 *
 * @packageDocumentation
 */
import '../inline.js'

export * from '../public/ai-sdk.js'
