// Writers of whole turns. Most wire formats have markers around all calls of a turn, or
// write them as one list; so with its results. A protocol writes one call at a time, which
// is all that users' own protocols can do.

import type { FormattedCall, FormattedResult, ToolCallProtocol } from './types.js'

/** Writes the calls, or the results, of one turn. */
export interface TurnWriter<Item> {
  /** `first` is the number of the first call, counted from 0 through the conversation; `text` stands before calls. */
  write(items: readonly Item[], first: number, text?: string): string
}

/** By the method that writes one, so that a protocol whose method was replaced is not passed by. */
const writers = /* @__PURE__ */ new WeakMap<object, TurnWriter<FormattedCall> | TurnWriter<FormattedResult>>()

/** Says how a protocol writes turns. */
export function setTurnWriters(
  { formatToolCall, formatToolResponse }: Pick<Required<ToolCallProtocol>, 'formatToolCall' | 'formatToolResponse'>,
  calls: TurnWriter<FormattedCall>,
  results: TurnWriter<FormattedResult>,
): void {
  writers.set(formatToolCall, calls)
  writers.set(formatToolResponse, results)
}

/** What writes all calls of a turn, where a protocol has it. */
export function callsWriter({
  formatToolCall,
}: Pick<ToolCallProtocol, 'formatToolCall'>): TurnWriter<FormattedCall> | undefined {
  return writers.get(formatToolCall) as TurnWriter<FormattedCall> | undefined
}

/** What writes all results of a turn, where a protocol has it. */
export function resultsWriter({
  formatToolResponse,
}: Pick<ToolCallProtocol, 'formatToolResponse'>): TurnWriter<FormattedResult> | undefined {
  return formatToolResponse === undefined
    ? undefined
    : (writers.get(formatToolResponse) as TurnWriter<FormattedResult> | undefined)
}
