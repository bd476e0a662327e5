// `readReply` of `tokenweir/blocks`, as it was before calls had one shape: its calls to run are blocks. Until 1.0.

import type { ToolCallBlock } from '../blocks/types.js'
import type { SourceOptions } from '../sources.js'
import type { ReplyOptions } from './options.js'
import { type Reply, type ReplyResult, isToRun, readReply as read } from './reply.js'
import type { ReplySource } from './source.js'

/**
 * `readReply` of `tokenweir/reply`, but with blocks as `toolCalls`.
 *
 * @deprecated Import it from `tokenweir/reply`, whose calls have `toolCallId`, `toolName`, `input` and `args`.
 * @example
 * ```ts
 * import { readReply } from 'tokenweir/blocks'
 *
 * console.log((await readReply('<think>hm</think>Hello').result()).text) // Hello
 * ```
 */
export function readReply(
  source: ReplySource,
  options?: ReplyOptions<readonly []> & SourceOptions,
): Omit<Reply, 'result'> & {
  /** Reads to the end, and returns the whole reply, with blocks as `toolCalls`. */
  result(): Promise<
    Omit<ReplyResult, 'toolCalls'> & {
      /** The calls that the program is to run. */
      toolCalls: ToolCallBlock[]
    }
  >
} {
  const reply = read(source, options)
  const result = reply.result.bind(reply)
  return Object.assign(reply, {
    result: async () => withBlocks((await result()) as ReplyResult, options?.callsInText === true),
  })
}

function withBlocks(result: ReplyResult, runsCallsInText: boolean) {
  const ids = new Set(result.toolCalls.map(({ toolCallId }) => toolCallId))
  const toolCalls = result.blocks.filter(
    (block): block is ToolCallBlock =>
      block.type === 'tool_call' && isToRun(block, runsCallsInText) && ids.has(block.toolId ?? ''),
  )
  return { ...result, toolCalls }
}
