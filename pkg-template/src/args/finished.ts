// Whether the model had finished, by the reason that it stopped for.

/** Finish reasons that say that the model had finished. */
const FINISHED: ReadonlySet<string> = new Set([
  'stop',
  'tool_calls',
  'tool-calls',
  'tool_use',
  'function_call',
  'end_turn',
  'stop_sequence',
  'STOP',
  'COMPLETE',
  'TOOL_CALL',
  'completed',
])

/** Whether a finish reason says that the model had finished, and was not cut off. */
export function isFinished(reason: string | undefined): boolean {
  return reason !== undefined && FINISHED.has(reason)
}
