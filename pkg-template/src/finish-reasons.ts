// What providers say when a model had finished what it wanted to write.

const FINISHED: ReadonlySet<unknown> = new Set(
  'stop tool_calls tool-calls tool_use function_call end_turn stop_sequence STOP COMPLETE TOOL_CALL completed'.split(
    ' ',
  ),
)

/** Whether a reason says so. */
export function hasFinished(reason: string | null | undefined): boolean {
  return FINISHED.has(reason)
}
