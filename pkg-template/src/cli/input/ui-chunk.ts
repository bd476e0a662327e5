// Converts chunks of the AI SDK's UI message stream to parts of `fullStream`.
//
// Source: ai-sdk.dev, versions 5 and 6, "UI Message Stream Protocol". Text and
// reasoning are the same in both; only tool parts have other names.

import { type Fields } from '../../untrusted.js'

/** The part as `fullStream` has it; it may already be one. */
export function asFullStreamPart(part: Fields): Fields {
  const id = part['toolCallId']
  switch (part['type']) {
    case 'tool-input-start':
      return id === undefined ? part : { ...part, id }
    case 'tool-input-delta':
      return id === undefined ? part : { type: 'tool-input-delta', id, delta: part['inputTextDelta'] }
    case 'tool-input-available':
      return { ...part, type: 'tool-call' }
    case 'tool-output-available':
      return { ...part, type: 'tool-result' }
    case 'tool-output-error':
      return { type: 'tool-error', toolCallId: id, error: part['errorText'] }
    default:
      return part
  }
}
