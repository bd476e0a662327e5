// Whether a text ends inside a tool call, or in a tag of one.

import { requireString } from '../errors.js'
import { BlockParser } from '../blocks/parser.js'

/**
 * Returns whether a text leaves a block of calls open, or a call. Tags that a closed
 * `<thinking>` or a parameter quotes don't count.
 *
 * @throws TypeError if the text is not a string.
 * @example
 * ```ts
 * import { hasUnclosedToolBlock } from 'tokenweir/membrane'
 *
 * console.log(hasUnclosedToolBlock('<function_calls><invoke name="now"/>')) // true
 * console.log(hasUnclosedToolBlock('<function_calls><invoke name="now"/></function_calls>')) // false
 * ```
 */
export function hasUnclosedToolBlock(text: string): boolean {
  requireString('hasUnclosedToolBlock', text)
  const parser = new BlockParser()
  parser.push(text)
  return parser.isInsideFunctionCalls() || parser.getCurrentBlockType() === 'tool_call'
}

/**
 * Returns whether a text leaves a block of calls open, as `hasUnclosedToolBlock` does, or
 * ends in the middle of something that may become one of its tags.
 *
 * @throws TypeError if the text is not a string.
 * @example
 * ```ts
 * import { endsWithPartialToolBlock } from 'tokenweir/membrane'
 *
 * console.log(endsWithPartialToolBlock('One moment. <function_ca')) // true
 * console.log(endsWithPartialToolBlock('I <3 you')) // false
 * ```
 */
export function endsWithPartialToolBlock(text: string): boolean {
  if (hasUnclosedToolBlock(text)) return true
  const parser = new BlockParser({ tags: ONLY_CALLS })
  parser.processChunk(text)
  // Outside of calls, only what may become a tag is pending.
  return parser.flush().emissions.some(({ kind }) => kind === 'content')
}

/** Tags of other elements are text here. */
const ONLY_CALLS = { think: false, thinking: false, function_results: false, result: false, error: false } as const
