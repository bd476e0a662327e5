// What to tell a model that has no native tool calling.
//
// Source: spec/reply.md, 5.

import { checkOptions, elsewhere } from '../options.js'
import { own } from '../own.js'
import type { FunctionTool, ToolSet } from '../schema/tool-list.js'
import { formats } from './catalogue.js'
import { instructions, writtenOf } from './prompt.js'
import type { AnyFormat, Format } from './types.js'
import type { FormatId } from '../generated/format-ids.js'
import { type DescribedTool, describeTools } from './write.js'

/**
 * What to tell a model about its tools, in the system prompt: which there are, how a call looks in the format, and what
 * to keep to.
 *
 * `undefined` for a format whose markers are special tokens of the model, such as `<|tool_calls_section_begin|>`: a
 * server reads them neither in a prompt's text nor lets them out of a reply, so its chat template has to write the
 * tools. Give them to the server as `tools`. (docs/local-models.md)
 *
 * @throws TypeError for an unknown format, and for what is no tool.
 * @example
 * ```ts
 * import { instructionsFor } from 'tokenweir/formats'
 *
 * const tools = { weather: { description: 'The weather', inputSchema: { type: 'object', properties: {} } } }
 * console.log(instructionsFor(tools, { format: 'qwen3-coder' })?.includes('<function=')) // true
 * console.log(instructionsFor(tools, { format: 'kimi-k2' })) // undefined
 * ```
 */
export function instructionsFor(
  tools: ReadonlyArray<DescribedTool | FunctionTool> | ToolSet,
  options: {
    /** The format, or its id; of several the first is written. */
    readonly format: FormatId | Format | AnyFormat
  },
): string | undefined {
  checkOptions('instructionsFor', options, { format: [elsewhere] })
  const format = writtenOf('instructionsFor', options?.format)
  const described = describeTools(tools, { format })
  return hasSpecial(format, (own(formats, format.id) as Format | undefined) ?? format)
    ? undefined
    : instructions(format, described)
}

/** Whether markers of calls are special tokens, and not plain tags, which a prompt can have as text, such as `<tool_call>`. */
function hasSpecial({ call, section, messages }: Format, { special = [] }: Format): boolean {
  const openers = [...(section?.open ?? []), ...(call?.open ?? []), ...(messages?.open ?? [])]
  return openers.some((opener) => (special === 'all' || special.includes(opener)) && !/^<[\w:-]+>?\s*$/.test(opener))
}
