// The calls of a reply that are not whole. They have the shape of those of `parseReply`.

import type { ToolCallBlock } from '../blocks/types.js'
import type { ReplyProblem } from '../tool-calls/parse-reply.js'

/** Whether a call is the program's: outside of thinking, not run by the provider, not only repeated by the model. */
export function isMeant({ insideThinking, hosted, inText }: ToolCallBlock, runsCallsInText: boolean): boolean {
  return insideThinking !== true && hosted !== true && (inText !== true || runsCallsInText)
}

/** What is wrong with a call, if something is; `isCut`: the reply was cut off. */
export function problemOf(block: ToolCallBlock, runsCallsInText: boolean, isCut: boolean): ReplyProblem | undefined {
  const { toolId, toolName, input, content = JSON.stringify(input), incomplete, problem } = block
  // A call that repeats an argument comes again.
  if (incomplete !== true || problem === 'repeated-argument' || !isMeant(block, runsCallsInText)) return undefined
  const named = toolName === undefined ? 'A call' : `A call of ${JSON.stringify(toolName)}`
  const [dropReason, why] =
    problem !== undefined
      ? ([problem, 'lacks arguments that the tool requires'] as const)
      : isCut
        ? (['unfinished-tool-call', 'was cut off'] as const)
        : toolName === undefined
          ? (['unresolved-tool-name', 'names no tool'] as const)
          : (['malformed-tool-call-body', 'can not be read'] as const)
  return {
    message: `${named} ${why}, and was not run.`,
    metadata: {
      toolCall: content,
      ...(toolName !== undefined && { toolName }),
      ...(toolId !== undefined && { toolCallId: toolId }),
      dropReason,
    },
  }
}
