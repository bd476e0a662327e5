// AG-UI: what 0.0.59 and 1.0 both know of it.
//
// Source: the event schemas of `@ag-ui/core`.

import { type Write, newId, textOf } from './operations.js'
import type { RespondOptions } from './options.js'
import { inParts } from './parts.js'

const MESSAGE = { text: 'TEXT_MESSAGE_', thinking: 'REASONING_MESSAGE_' }

/** Writes events. */
export function agUiWriter({ threadId = newId(), runId = newId() }: RespondOptions): Write {
  const run = { threadId, runId }
  /** The message of the step: of its text, and of its calls. */
  let message = ''
  /** Calls that the provider runs, and has given no result for. */
  const hosted = new Set<string>()
  return inParts({
    start: { type: 'RUN_STARTED', ...run },
    startStep: () => {
      message = newId()
      return []
    },
    endStep: () => {
      const results = [...hosted].map((id) => result(id, 'The provider ran it.'))
      hosted.clear()
      return results
    },
    newId: (kind) => (kind === 'text' ? message : newId()),
    open: ({ kind, id: messageId }) => {
      const isText = kind === 'text'
      const start = { type: `${MESSAGE[kind]}START`, messageId, role: isText ? 'assistant' : 'reasoning' }
      return isText ? [start] : [{ type: 'REASONING_START', messageId }, start]
    },
    delta: ({ kind, id: messageId }, delta) => ({ type: `${MESSAGE[kind]}CONTENT`, messageId, delta }),
    close: ({ kind, id: messageId }) => {
      const end = { type: `${MESSAGE[kind]}END`, messageId }
      return kind === 'text' ? [end] : [end, { type: 'REASONING_END', messageId }]
    },
    call: (operation) => {
      const { id: toolCallId, name: toolCallName, isHosted } = operation.call
      const end = { type: 'TOOL_CALL_END', toolCallId }
      switch (operation.kind) {
        case 'call':
          return [{ type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: message }]
        case 'input':
          return [{ type: 'TOOL_CALL_ARGS', toolCallId, delta: operation.text }]
        case 'called':
          if (isHosted) hosted.add(toolCallId)
          return [end]
        case 'failed':
          // A call with a result is run by no client.
          return [end, result(toolCallId, operation.why)]
        case 'result': {
          const { output, isError } = operation
          hosted.delete(toolCallId)
          return [result(toolCallId, textOf(isError ? { error: output } : output))]
        }
      }
    },
    finish: ({ usage, reason: finishReason }) => ({
      type: 'RUN_FINISHED',
      ...run,
      ...(usage && { usage: [usage] }),
      result: { finishReason },
    }),
    error: ({ kind, fault }) => failure(fault.message, kind === 'abort' ? kind : fault.code),
  })
}

function result(toolCallId: string, content: string): object {
  return { type: 'TOOL_CALL_RESULT', messageId: newId(), toolCallId, content, role: 'tool' }
}

function failure(message: string, code: string | undefined): object {
  return { type: 'RUN_ERROR', message, ...(code && { code }) }
}
