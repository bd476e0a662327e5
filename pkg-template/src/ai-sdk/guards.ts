// Small questions to the AI SDK's parts, which programs with protocols of their own ask.

import { isRecord } from '../own.js'

/** Whether a content part is a call. */
export function isToolCallContent(content: unknown): content is { type: 'tool-call'; toolName: string; input: string } {
  return isRecord(content) && content['type'] === 'tool-call' && typeof content['toolName'] === 'string' && typeof content['input'] === 'string'
}

/** Whether a part of a prompt is a tool's result. */
export function isToolResultPart(part: unknown): part is { type: 'tool-result'; toolName: string; toolCallId: string; output: unknown } {
  return isRecord(part) && part['type'] === 'tool-result' && typeof part['toolName'] === 'string' && typeof part['toolCallId'] === 'string' && 'output' in part
}

/** Whether a value has an `input`. */
export function hasInputProperty(value: unknown): value is { input?: unknown } {
  return isRecord(value) && 'input' in value
}
