// Which provider an event belongs to, by its shape, and whether it reports an error.

import { type Fields, fieldsOf, stringOf } from '../../untrusted.js'

/** Names of the methods of `NativeBlocks` that take events. */
export type Provider = 'anthropic' | 'openai' | 'openaiResponses' | 'aiSdk'

const ANTHROPIC: ReadonlySet<string> = new Set(['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop', 'ping'])

/** Parts of `fullStream`, of a provider's `doStream` and of the UI message stream. */
const AI_SDK = /^(start|stream-start|start-step|finish-step|finish|abort|response-metadata|message-metadata|(text|reasoning)-(start|delta|end)|tool-(call|result|error|input-[a-z]+|output-[a-z]+|approval-[a-z]+)|source|source-(url|document)|file|raw|data-.+)$/

/** Whether an event may have this `type`. */
export function isEventType(type: string): boolean {
  return type === 'error' || ANTHROPIC.has(type) || type.startsWith('response.') || AI_SDK.test(type)
}

/** The provider that sends such events; undefined for an unknown shape. */
export function providerOf(event: Fields): Provider | undefined {
  const type = stringOf(event['type'])
  if (Array.isArray(event['choices'])) return 'openai'
  if (type.startsWith('response.')) return 'openaiResponses'
  if (ANTHROPIC.has(type)) return 'anthropic'
  return AI_SDK.test(type) ? 'aiSdk' : undefined
}

/** The provider's error message, if the event reports an error. */
export function errorOf(event: Fields): string | undefined {
  const type = stringOf(event['type'])
  if (type === 'response.failed') return describeError(fieldsOf(event['response'])?.['error'])
  if (type === 'error') return describeError(event['error'] ?? event['errorText'] ?? event)
  // OpenAI's chunks have no type; an error replaces the choices, or comes with them.
  const error = event['error']
  return type === '' && error !== undefined && error !== null ? describeError(error) : undefined
}

function describeError(error: unknown): string {
  if (typeof error === 'string') return error
  const fields = fieldsOf(error) ?? {}
  const kind = [fields['type'], fields['code']].map((name) => (typeof name === 'number' ? String(name) : stringOf(name))).find((name) => name !== '' && name !== 'error')
  return [kind, stringOf(fields['message'])].filter(Boolean).join(': ') || 'no reason given'
}
