// The calls of a reply that are not whole. They have the shape of those of `parseReply`.

import { isMeant } from '../args/meant.js'
import type { ToolCallBlock } from '../blocks/types.js'
import type { FinishReason } from '../finish-reason.js'
import type { ReplyProblem } from '../tool-calls/parse-reply.js'
import type { DropReason } from '../tool-calls/types.js'
import type { DynamicCall, KnownCall } from '../tool-calls/to-run.js'
import { jsonOf } from '../untrusted.js'

/** What is wrong with a call, by its reason. */
const WHY = {
  'missing-arguments': 'lacks arguments that its tool requires',
  'unfinished-tool-call': 'was cut off',
  'unresolved-tool-name': 'names no tool',
  'malformed-tool-call-body': 'can not be read',
  'call-in-thinking': 'stands in thinking',
  'repeated-id': 'has the id of one before it and other arguments',
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

/** A whole call of a reply that broke off. */
export function interrupted({ toolCallId, toolName, input }: KnownCall | DynamicCall): ReplyProblem {
  return {
    message: `A call of ${JSON.stringify(toolName)} was whole, but the reply broke off, and it was not run.`,
    metadata: { toolCall: input, dropReason: 'interrupted', toolName, toolCallId },
  }
}

/** What is asked of any block. */
interface AnyBlock {
  readonly type: string
  readonly hosted?: unknown
  readonly insideThinking?: unknown
}

/** What a reply was so far. */
interface Read {
  readonly blocks: readonly AnyBlock[]
  readonly problems: readonly ReplyProblem[]
  readonly finishReason?: FinishReason
}

/** Whether a call came, whoever runs it. */
function isCall(block: AnyBlock): boolean {
  return block.type === 'tool_call' && (block.hosted === true || isMeant(block, true))
}

/** Events that a reply's problems name. */
export interface OddEvents {
  /** What was not understood first. */
  unknown?: object
  /** What says that the reply goes on with no other one, though it was to. */
  other?: object
}

/** A problem that is no call's. */
function ofEvent(event: object, dropReason: DropReason, message: string): ReplyProblem {
  return { message, metadata: { toolCall: jsonOf(event), dropReason } }
}

/**
 * What is wrong with a reply that is over, besides its calls: it lacks the call that its finish reason declares, or all
 * of it, since nothing was understood; or it goes on with no other one.
 */
export function lackIn({ blocks, problems, finishReason }: Read, { unknown, other }: OddEvents): ReplyProblem[] {
  const found: ReplyProblem[] = []
  const hasCall = blocks.some((block) => isCall(block))
  if (finishReason === 'tool-calls' && !hasCall && problems.length === 0)
    found.push({
      message: 'The reply ended with a call that never came.',
      metadata: { toolCall: '', dropReason: 'missing-call' },
    })
  else if (blocks.length === 0 && unknown !== undefined)
    found.push(ofEvent(unknown, 'unknown-content', 'Nothing in the reply is of a kind that is known.'))
  const why =
    'The reply is of another provider, or another response, than what it was to go on with: it was read alone.'
  if (other !== undefined) found.push(ofEvent(other, 'other-reply', why))
  return found
}
