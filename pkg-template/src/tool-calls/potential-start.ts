/**
 * Finds where in a text `searched` begins, or may begin when more text arrives: the place of a whole occurrence, else
 * of the longest ending that `searched` begins with, in UTF-16 code units. `null` if there is neither, and for an empty
 * `searched`.
 *
 * Source: the function of that name in `@ai-sdk-tool/parser`.
 *
 * @example
 * ```ts
 * import { getPotentialStartIndex } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(getPotentialStartIndex('abc<to', '<tool_call>')) // 3
 * console.log(getPotentialStartIndex('abc', '<tool_call>')) // null
 * ```
 */
export function getPotentialStartIndex(text: string, searched: string): number | null {
  if (searched === '') return null
  const whole = text.indexOf(searched)
  if (whole >= 0) return whole
  for (let length = Math.min(text.length, searched.length - 1); length > 0; length--) {
    if (text.endsWith(searched.slice(0, length))) return text.length - length
  }
  return null
}
