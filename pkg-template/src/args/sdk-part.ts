// Parts of the AI SDK's streams, which name the same things differently.

import type { Fields } from '../untrusted.js'

/** A chunk of the UI message stream as `fullStream` has it; only tool parts have other names. */
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
