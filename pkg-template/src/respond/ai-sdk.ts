// The UI message stream of the AI SDK: what 6.0.0 knows of it. 5 knows all of that.
//
// Source: `uiMessageChunkSchema` of `ai`.

import { type Call, type Writer, textOf } from './operations.js'
import type { RespondOptions } from './options.js'
import { inParts } from './parts.js'

/** Writes UI message chunks. */
export function aiSdkWriter({ id: messageId, usage: isCounted }: RespondOptions): Writer {
  let parts = 0
  return inParts({
    start: { type: 'start', ...(messageId !== undefined && { messageId }) },
    around: (isStart) => [{ type: `${isStart ? 'start' : 'finish'}-step` }],
    newId: () => String(++parts),
    part: (kind, id, what, delta) => [
      { type: `${kind === 'text' ? kind : 'reasoning'}-${what}`, id, ...(delta !== undefined && { delta }) },
    ],
    call: (call) => [{ type: 'tool-input-start', ...headOf(call) }],
    input: ({ id: toolCallId }, inputTextDelta) => [{ type: 'tool-input-delta', toolCallId, inputTextDelta }],
    called: (call, input) => [{ type: 'tool-input-available', ...headOf(call), input }],
    failed: (call, input, errorText) => [{ type: 'tool-input-error', ...headOf(call), input, errorText }],
    result: (call, output, isError) => {
      const { toolName, ...origin } = headOf(call)
      const result = isError ? { errorText: textOf(output) } : { output }
      return [{ type: `tool-output-${isError ? 'error' : 'available'}`, ...origin, ...result }]
    },
    end: (finishReason, usage) => ({
      type: 'finish',
      finishReason,
      ...(isCounted && usage && { messageMetadata: { usage } }),
    }),
    fault: (type, fault) => ({ type, ...(type === 'error' && { errorText: fault.message }) }),
  })
}

/** What most events of a call have. */
function headOf({ id: toolCallId, name: toolName, isHosted, isDynamic }: Call) {
  return { toolCallId, toolName, ...(isHosted && { providerExecuted: true }), ...(isDynamic && { dynamic: true }) }
}
