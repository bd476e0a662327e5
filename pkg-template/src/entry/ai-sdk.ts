/**
 * Tool calls as middleware for the AI SDK, ready at once after a plain import.
 *
 * @packageDocumentation
 */
export * from '../public/ai-sdk.js'
