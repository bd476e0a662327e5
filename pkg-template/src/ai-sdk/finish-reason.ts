// The reason of an answer that is a call, in either of its forms: a word in AI SDK
// 5, `{ unified, raw }` later.

import { isRecord } from '../own.js'

/** `tool-calls`, in the form of another reason, whatever that was. */
export function toolCalls(reason: unknown): unknown {
  return isRecord(reason) ? { ...reason, unified: 'tool-calls' } : 'tool-calls'
}
