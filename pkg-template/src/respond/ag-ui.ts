// AG-UI: what 0.0.59 and 1.0 both know of it.
//
// Source: the event schemas of `@ag-ui/core`.

import { randomId } from '../random-id.js'
import { type Writer, textOf } from './operations.js'
import type { RespondOptions } from './options.js'
import { inParts } from './parts.js'

/** Writes events. */
export function agUiWriter({ threadId = randomId(), runId = randomId() }: RespondOptions): Writer {
  const run = { threadId, runId }
  /** The message of the step: of its text, and of its calls. */
  let message = ''
  /** Calls that the provider runs, and has given no result for. */
  const hosted = new Set<string>()
  return inParts({
    start: { type: 'RUN_STARTED', ...run },
    around(isStart) {
      if (isStart) message = randomId()
      const results = [...hosted].map((id) => result(id, 'The provider ran it.'))
      hosted.clear()
      return results
    },
    newId: (kind) => (kind === 'text' ? message : randomId()),
    part(kind, messageId, what, delta) {
      const isText = kind === 'text'
      const step = delta === undefined ? what.toUpperCase() : 'CONTENT'
      const event = {
        type: `${isText ? 'TEXT' : 'REASONING'}_MESSAGE_${step}`,
        messageId,
        ...(what === 'start' && { role: isText ? 'assistant' : 'reasoning' }),
        ...(delta !== undefined && { delta }),
      }
      if (isText || delta !== undefined) return [event]
      const around = { type: `REASONING_${step}`, messageId }
      return what === 'start' ? [around, event] : [event, around]
    },
    call: ({ id: toolCallId, name: toolCallName }) => [
      { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: message },
    ],
    input: ({ id: toolCallId }, delta) => [{ type: 'TOOL_CALL_ARGS', toolCallId, delta }],
    called({ id, isHosted }) {
      if (isHosted) hosted.add(id)
      return [end(id)]
    },
    // A call with a result is run by no client.
    failed: ({ id }, _, why) => [end(id), result(id, why)],
    result({ id }, output, isError) {
      hosted.delete(id)
      return [result(id, textOf(isError ? { error: output } : output))]
    },
    end: (finishReason, usage) => ({
      type: 'RUN_FINISHED',
      ...run,
      ...(usage && { usage: [usage] }),
      result: { finishReason },
    }),
    fault(kind, { code, message }) {
      const word = kind === 'abort' ? kind : code
      return { type: 'RUN_ERROR', message, ...(word && { code: word }) }
    },
  })
}

function end(toolCallId: string): object {
  return { type: 'TOOL_CALL_END', toolCallId }
}

function result(toolCallId: string, content: string): object {
  return { type: 'TOOL_CALL_RESULT', messageId: randomId(), toolCallId, content, role: 'tool' }
}
