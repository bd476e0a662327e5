// Why an answer ended: a word in AI SDK 5, `{ unified, raw }` later.

import { isRecord } from '../own.js'

/** Reasons by which an answer may lack its end. */
const CUT_SHORT: readonly unknown[] = ['length', 'content-filter', 'error']

/** The reason's word. */
export function wordOf(reason: unknown): unknown {
  return isRecord(reason) ? reason['unified'] : reason
}

/** Whether the answer may lack its end. */
export function isCutShort(word: unknown): boolean {
  return CUT_SHORT.includes(word)
}
