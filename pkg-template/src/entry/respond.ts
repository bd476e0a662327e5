/**
 * Answers in the protocol of another API: a reply that was read, written as a streaming `Response`.
 *
 * @packageDocumentation
 */
export type { LoopResult } from '../formats/loop.js'
export type { Step } from '../respond/answer.js'
export type { Protocol, RespondOptions } from '../respond/options.js'
export { protocolEvents, respond } from '../respond/respond.js'
