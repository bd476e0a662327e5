// Whether a text ends inside a tool call, or in a tag of one.

import { BlockParser } from '../blocks/parser.js'
import { requireString } from '../errors.js'
import { TAG_ROLES, THINKING_TAGS } from '../generated/ops.js'
import { checkOptions } from '../options.js'
import { elementsOf } from './elements.js'
import { TEXT_OPTIONS } from './options.js'
import type { ToolTextOptions } from './types.js'
import { unquoted } from './unquoted.js'

/**
 * Returns whether a text leaves a block of calls open, or a call. Tags that a closed `<thinking>` or a parameter quotes
 * don't count.
 *
 * @throws TypeError if the text is not a string, or for an unknown option.
 * @example
 * ```ts
 * import { hasUnclosedToolBlock } from 'tokenweir/membrane'
 *
 * console.log(hasUnclosedToolBlock('<function_calls><invoke name="now"/>')) // true
 * console.log(hasUnclosedToolBlock('<function_calls><invoke name="now"/></function_calls>')) // false
 * ```
 */
export function hasUnclosedToolBlock(text: string, options: ToolTextOptions = {}): boolean {
  requireString('hasUnclosedToolBlock', text)
  checkOptions('hasUnclosedToolBlock', options, TEXT_OPTIONS)
  return isUnclosed(unquoted(text, options), options)
}

function isUnclosed(text: string, { tools }: ToolTextOptions): boolean {
  const parser = new BlockParser({ tools })
  parser.push(text)
  const open = parser.getCurrentBlockType()
  // Thinking that is not closed hides nothing, as in membrane.
  if (open === 'thinking')
    return elementsOf(text, text, { historyLength: text.length, envelopes: undefined }).isUnclosed
  return parser.isInsideFunctionCalls() || open === 'tool_call'
}

/**
 * Returns whether a text leaves a block of calls open, as `hasUnclosedToolBlock` does, or ends in the middle of
 * something that may become one of its tags.
 *
 * @throws TypeError if the text is not a string, or for an unknown option.
 * @example
 * ```ts
 * import { endsWithPartialToolBlock } from 'tokenweir/membrane'
 *
 * console.log(endsWithPartialToolBlock('One moment. <function_ca')) // true
 * console.log(endsWithPartialToolBlock('I <3 you')) // false
 * ```
 */
export function endsWithPartialToolBlock(text: string, options: ToolTextOptions = {}): boolean {
  requireString('endsWithPartialToolBlock', text)
  checkOptions('endsWithPartialToolBlock', options, TEXT_OPTIONS)
  const written = unquoted(text, options)
  return isUnclosed(written, options) || endsInTag(written)
}

/** Whether a text ends in what may become a tag of calls. */
export function endsInTag(text: string): boolean {
  // Outside of a call a parameter's tag is text; here its beginning counts as that of calls does.
  const parser = new BlockParser({
    tags: { ...onlyTags('function_calls', 'invoke', 'parameter'), parameter: 'function_calls' },
  })
  parser.processChunk(text)
  // Outside of calls, only what may become a tag is pending.
  return parser.flush().emissions.some(({ kind }) => kind === 'content')
}

type Role = (typeof TAG_ROLES)[number]

/**
 * The option `tags` with which only the default tags of some roles are tags. A role's own name is one, and thinking has
 * more.
 */
function onlyTags(...roles: readonly Role[]): Readonly<Record<string, false>> {
  const others = TAG_ROLES.filter((role) => !roles.includes(role)).flatMap((role) =>
    role === 'thinking' ? THINKING_TAGS : [role],
  )
  return Object.fromEntries(others.map((name) => [name, false]))
}
