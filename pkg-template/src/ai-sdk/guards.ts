// Small questions to the AI SDK's parts, which programs with protocols of their own ask.

import { isRecord } from '../own.js'

/**
 * Returns whether a content part is a call.
 *
 * @example
 * ```ts
 * import { isToolCallContent } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(isToolCallContent({ type: 'tool-call', toolName: 'add', input: '{}' })) // true
 * ```
 */
export function isToolCallContent(content: unknown): content is {
  /** The part's kind. */
  type: 'tool-call'
  /** The tool that is called. */
  toolName: string
  /** Its arguments, as JSON text. */
  input: string
} {
  return (
    isRecord(content) &&
    content['type'] === 'tool-call' &&
    typeof content['toolName'] === 'string' &&
    typeof content['input'] === 'string'
  )
}

/**
 * Returns whether a part of a prompt is a tool's result.
 *
 * @example
 * ```ts
 * import { isToolResultPart } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(isToolResultPart({ type: 'tool-result', toolName: 'add', toolCallId: 'call_1', output: 3 })) // true
 * ```
 */
export function isToolResultPart(part: unknown): part is {
  /** The part's kind. */
  type: 'tool-result'
  /** The tool that gave it. */
  toolName: string
  /** Id of the call that it answers. */
  toolCallId: string
  /** The result. */
  output: unknown
} {
  return (
    isRecord(part) &&
    part['type'] === 'tool-result' &&
    typeof part['toolName'] === 'string' &&
    typeof part['toolCallId'] === 'string' &&
    'output' in part
  )
}

/**
 * Returns whether a value is an object with an `input`.
 *
 * @example
 * ```ts
 * import { hasInputProperty } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(hasInputProperty({ input: '{}' }), hasInputProperty(null)) // true false
 * ```
 */
export function hasInputProperty(value: unknown): value is {
  /** What it is, if anything. */
  input?: unknown
} {
  return isRecord(value) && 'input' in value
}
