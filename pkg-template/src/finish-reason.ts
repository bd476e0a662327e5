// Why a reply ended, in the words of all providers, and whether that lets its end be repaired: every parser asks here.
//
//     stop, tool-calls     it ended on its own: a call may lack its own end marker
//     interrupted          it broke off, and nobody said why
//     anything else        it was cut off: such a call is incomplete

import { isRecord } from './own.js'

/**
 * Why a reply ended, in the words of the AI SDK. A reply with a call ends with `tool-calls`, whatever the provider's
 * word; one whose provider didn't say why it ended, and that had no end, is `interrupted`.
 *
 * @example
 * ```ts
 * import { type FinishReason, NativeBlocks } from 'tokenweir'
 *
 * const blocks = new NativeBlocks()
 * blocks.openai({ choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: 'length' }] })
 * const reason: FinishReason | undefined = blocks.getFinishReason()
 * console.log(reason) // length
 * ```
 */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'interrupted' | 'other'

/** The providers' words for each reason. */
const WORDS: Readonly<Record<FinishReason, RegExp>> = {
  stop: /^(stop|end_turn|stop_sequence|complete|completed|eos|word)$/,
  length: /^(length|limit|max_tokens|max_output_tokens|model_length|model_context_window_exceeded|incomplete)$/,
  'tool-calls': /^(tool_calls?|tool_use|function_call|tool-calls|requires_action)$/,
  'content-filter':
    /^(content_filter|content-filter|content_filtered|sensitive|guardrail_intervened|refusal|(image_)?(safety|recitation|prohibited_content)|blocklist|spii|language|error_toxic)$/,
  error:
    /^(error|failed|cancelled|abort|insufficient_system_resource|network_error|malformed_function_call|unexpected_tool_call|too_many_tool_calls|malformed_model_output|malformed_tool_use)$/,
  interrupted: /^interrupted$/,
  other: /./,
}

/** The reason that a provider's word stands for. */
export function reasonOf(word: string): FinishReason {
  const lower = word.toLowerCase()
  return (Object.keys(WORDS) as FinishReason[]).find((name) => WORDS[name].test(lower)) ?? 'other'
}

/** A reason's word: the AI SDK has `{ unified, raw }` since version 6. */
export function wordOf(reason: unknown): unknown {
  return isRecord(reason) ? reason['unified'] : reason
}

/** Whether a reply ended on its own: as its reason says, or a text for which nobody gives one. */
export function endedByItself(reason: unknown): boolean {
  const word = wordOf(reason)
  const raw = isRecord(reason) ? reason['raw'] : undefined
  if (typeof word !== 'string') return true
  const isCut = typeof raw === 'string' && ['length', 'content-filter', 'error'].includes(reasonOf(raw))
  return ['stop', 'tool-calls'].includes(reasonOf(word)) && !isCut
}

/** The reason to finish with calls, in the form that it had: a reply that was not whole keeps its own. */
export function calledReason(reason: unknown): unknown {
  if (wordOf(reason) !== 'stop' || !endedByItself(reason)) return reason
  return isRecord(reason) ? { unified: 'tool-calls', raw: reason['raw'] } : 'tool-calls'
}

/**
 * How a stream ends whose program knows it.
 *
 * @example
 * ```ts
 * import { type StreamEnd, ToolCallParser } from 'tokenweir/tool-calls'
 *
 * const end: StreamEnd = { reason: 'length' }
 * const parser = new ToolCallParser({ format: 'qwen3-coder', tools: [{ name: 'add' }] })
 * const parts = parser.text('<function=add><parameter=a>1</parameter>')
 * console.log([...parts, ...parser.finish(end)].some(({ type }) => type === 'tool-call')) // false
 * ```
 */
export interface StreamEnd {
  /**
   * Why the reply ended, in any provider's words: unless that is `stop` or `tool-calls`, what lacks its own end marker
   * is not whole. @defaultValue it ended on its own
   */
  readonly reason?: string | null | undefined
}
