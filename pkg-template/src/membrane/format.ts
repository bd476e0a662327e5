// Results of tools as the model reads them.
//
// Source: membrane 0.5.78, `formatToolResults` of src/utils/tool-parser.ts.
// Differences: ids are escaped, and quotes in the content are not.

import { describe } from '../errors.js'
import { fieldsOf, stringOf } from '../untrusted.js'
import { requireResults } from '../blocks/tool-results.js'
import type { ToolResult } from './types.js'

/**
 * Writes the results of tools as the XML that a prefill continues with. An image is
 * mentioned with its type and size. `BlockParser` and `parseAccumulatedIntoBlocks` read
 * the same ids and contents back, whatever characters are in them.
 *
 * @throws TypeError if the results are not a list of results.
 * @example
 * ```ts
 * import { formatToolResults } from 'tokenweir/membrane'
 *
 * console.log(formatToolResults([{ toolUseId: 'toolu_1', content: '5 < 7' }]))
 * ```
 * ```text
 * <function_results>
 * <result tool_use_id="toolu_1">
 * 5 &lt; 7
 * </result>
 * </function_results>
 * ```
 */
export function formatToolResults(results: readonly ToolResult[]): string {
  requireResults('formatToolResults', results)
  return ['<function_results>', ...results.map(elementOf), '</function_results>'].join('\n')
}

/**
 * Writes the result of one tool, as `formatToolResults` does.
 *
 * @throws TypeError if it is not a result.
 * @example
 * ```ts
 * import { formatToolResult } from 'tokenweir/membrane'
 *
 * console.log(formatToolResult({ toolUseId: 'toolu_1', content: 'No such city', isError: true }))
 * ```
 * ```text
 * <function_results>
 * <error tool_use_id="toolu_1">
 * No such city
 * </error>
 * </function_results>
 * ```
 */
export function formatToolResult(result: ToolResult): string {
  return formatToolResults([result])
}

function elementOf({ toolUseId, content, isError }: ToolResult): string {
  const name = isError === true ? 'error' : 'result'
  const text = typeof content === 'string' ? content : content.map(partText).join('\n')
  return `<${name} tool_use_id="${escaped(toolUseId).replaceAll('"', '&quot;')}">\n${escaped(text)}\n</${name}>`
}

/** A part as text. What text can't hold is mentioned. */
function partText(value: unknown): string {
  const part = fieldsOf(value)
  if (part === undefined) throw new TypeError(`formatToolResults: a part of a content must be an object, but is ${describe(value)}`)
  const { type, text } = part as { type?: unknown; text?: unknown }
  if (type === 'text') {
    if (typeof text !== 'string') throw new TypeError(`formatToolResults: the text of a part must be a string, but is ${describe(text)}`)
    return text
  }
  const { data, mediaType } = (fieldsOf(part['source']) ?? {}) as { data?: unknown; mediaType?: unknown }
  if (type !== 'image' || typeof data !== 'string') return `[${stringOf(type) || 'unknown content'}]`
  return `[Image: ${stringOf(mediaType)}, ~${Math.round((data.length * 0.75) / 1024)}KB]`
}

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => REFERENCES[character] as string)
}
