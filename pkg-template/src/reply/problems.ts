// The calls of a reply that are not whole. They have the shape of those of `parseReply`.

import { isMeant } from '../args/meant.js'
import type { ToolCallBlock } from '../blocks/types.js'
import type { ReplyProblem } from '../tool-calls/parse-reply.js'

/** What is wrong with a call, by its reason. */
const WHY = {
  'missing-arguments': 'lacks arguments that its tool requires',
  'unfinished-tool-call': 'was cut off',
  'unresolved-tool-name': 'names no tool',
  'malformed-tool-call-body': 'can not be read',
  'call-in-thinking': 'stands in thinking',
}

/** What is wrong with a call, if something is; `isCut`: the reply was cut off. */
export function problemOf(block: ToolCallBlock, runsCallsInText: boolean, isCut: boolean): ReplyProblem | undefined {
  const { toolId, toolName, input, content = JSON.stringify(input), incomplete, problem } = block
  // A call that repeats an argument comes again.
  if (incomplete !== true || problem === 'repeated-argument' || !isMeant(block, runsCallsInText)) return undefined
  const dropReason =
    problem ??
    (isCut ? 'unfinished-tool-call' : toolName === undefined ? 'unresolved-tool-name' : 'malformed-tool-call-body')
  const name = toolName === undefined ? '' : ` of ${JSON.stringify(toolName)}`
  return {
    message: `A call${name} ${WHY[dropReason]}, and was not run.`,
    metadata: {
      toolCall: content,
      dropReason,
      ...(toolName !== undefined && { toolName }),
      ...(toolId !== undefined && { toolCallId: toolId }),
    },
  }
}
