/**
 * Redacts and stops a text while it comes: nothing of what must not be shown is ever out.
 *
 * @packageDocumentation
 */
export { type GuardedReply, type GuardedResult, type ReplyGuardOptions, guard } from '../guard/guard.js'
export { guardText } from '../guard/guard-text.js'
export { TextGuard } from '../guard/text-guard.js'
export type { Find, GuardOptions, Rule, Stopped } from '../guard/types.js'
export type { SourceOptions, TextSource } from '../sources.js'
