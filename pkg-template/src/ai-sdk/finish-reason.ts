// The reason why an answer ended, in either of its forms: a word in AI SDK 5,
// `{ unified, raw }` later.

import { isRecord } from '../own.js'

/** Reasons that say no more than that the model was done. */
const DONE: ReadonlySet<unknown> = new Set(['stop', 'other', 'unknown'])

/** The reason of an answer in whose text calls were found. One that was cut off or filtered stays so. */
export function reasonWithCalls(reason: unknown): unknown {
  return DONE.has(isRecord(reason) ? reason['unified'] : reason) ? toolCalls(reason) : reason
}

/** The reason `tool-calls`, in the form of another one. */
export function toolCalls(reason: unknown): unknown {
  return isRecord(reason) ? { ...reason, unified: 'tool-calls' } : 'tool-calls'
}
