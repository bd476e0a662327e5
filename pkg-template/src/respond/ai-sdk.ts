// The UI message stream of the AI SDK: what 6.0.0 knows of it. 5 knows all of that.
//
// Source: `uiMessageChunkSchema` of `ai`.

import { type CallOperation, type Write, textOf } from './operations.js'
import type { RespondOptions } from './options.js'
import { inParts } from './parts.js'

/** Writes UI message chunks. */
export function aiSdkWriter({ id: messageId, usage: isCounted }: RespondOptions): Write {
  let parts = 0
  return inParts({
    start: { type: 'start', ...(messageId !== undefined && { messageId }) },
    step: (isStart) => [{ type: `${isStart ? 'start' : 'finish'}-step` }],
    newId: () => String(++parts),
    part: (kind, id, what, delta) => [
      { type: `${kind === 'text' ? kind : 'reasoning'}-${what}`, id, ...(delta !== undefined && { delta }) },
    ],
    call: (operation) => [callChunk(operation)],
    finish: (finishReason, usage) => ({
      type: 'finish',
      finishReason,
      ...(isCounted && usage && { messageMetadata: { usage } }),
    }),
    error: (type, fault) => ({ type, ...(type === 'error' && { errorText: fault.message }) }),
  })
}

function callChunk(operation: CallOperation): object {
  const { id: toolCallId, name: toolName, isHosted, isDynamic } = operation[1]
  const origin = { ...(isHosted && { providerExecuted: true }), ...(isDynamic && { dynamic: true }) }
  const input = { toolCallId, toolName, ...origin }
  switch (operation[0]) {
    case 'call':
      return { type: 'tool-input-start', ...input }
    case 'input':
      return { type: 'tool-input-delta', toolCallId, inputTextDelta: operation[2] }
    case 'called':
      return { type: 'tool-input-available', ...input, input: operation[2] }
    case 'failed':
      return { type: 'tool-input-error', ...input, input: operation[2], errorText: operation[3] }
    case 'result': {
      const [, , output, isError] = operation
      const result = isError ? { errorText: textOf(output) } : { output }
      return { type: `tool-output-${isError ? 'error' : 'available'}`, toolCallId, ...result, ...origin }
    }
  }
}
