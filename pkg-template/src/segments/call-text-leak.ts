// A call that a model wrote into its text, where the API has calls of its own.
//
// Source: AutoByteus since May 2026; facts/peers-today.md, 2.

import { requireString } from '../errors.js'
import { isHighHalf } from '../surrogates.js'

/**
 * What `detectApiToolCallTextLeak` says of a text.
 *
 * @example
 * ```ts
 * import { type ApiToolCallTextLeak, detectApiToolCallTextLeak } from 'tokenweir/autobyteus'
 *
 * const leak: ApiToolCallTextLeak | null = detectApiToolCallTextLeak('[TOOL_CALL] run_bash {"command": "pwd"}', 0)
 * console.log(leak?.code, leak?.snippet) // api_tool_call_text_leak [TOOL_CALL] run_bash {"command": "pwd"}
 * ```
 */
export interface ApiToolCallTextLeak {
  /** Always this code. */
  code: 'api_tool_call_text_leak'
  /** What happened, for people. */
  message: string
  /** The message, with the snippet. */
  details: string
  /** The text, with white space as single spaces, and at most 240 units of it. */
  snippet: string
}

/** What such a call begins with; JSON may follow. */
const MARKED_CALL = /\[TOOL_CALL\]\s+[a-z_]/i
const LONGEST_SNIPPET = 240

/**
 * Finds a call that a model wrote into its text as `[TOOL_CALL] name`, with or without JSON after it. Null if there is
 * none, or if the API gave calls.
 *
 * @throws TypeError if the text is not a string.
 * @example
 * ```ts
 * import { detectApiToolCallTextLeak } from 'tokenweir/autobyteus'
 *
 * console.log(detectApiToolCallTextLeak('[TOOL_CALL] run_bash', 1), detectApiToolCallTextLeak('Done.', 0)) // null null
 * ```
 */
export function detectApiToolCallTextLeak(text: string, nativeCalls: number): ApiToolCallTextLeak | null {
  requireString('detectApiToolCallTextLeak', text)
  if (nativeCalls > 0 || !MARKED_CALL.test(text)) return null
  const snippet = snippetOf(text)
  const message = 'the model wrote a tool call into its text, and the API gave none: no tool was executed'
  return { code: 'api_tool_call_text_leak', message, details: `${message}. The text: ${snippet}`, snippet }
}

function snippetOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= LONGEST_SNIPPET) return line
  return `${line.slice(0, isHighHalf(line.charCodeAt(LONGEST_SNIPPET - 1)) ? LONGEST_SNIPPET - 1 : LONGEST_SNIPPET)}…`
}
