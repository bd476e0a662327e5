// Results of tools as the model reads them.
//
// Source: membrane 0.5.78 and its versions after 0.5.86, `formatToolResults` of src/utils/tool-parser.ts.
// Differences: ids are escaped, and quotes in the content are not.

import { describe } from '../errors.js'
import { fieldsOf, stringOf } from '../untrusted.js'
import { requireResults } from '../blocks/tool-results.js'
import type { ToolCallNotice, ToolResult } from './types.js'

/**
 * Writes the results of tools as the XML that a prefill continues with, and notices about calls after them. A result
 * that has a `toolName` is written with it and without its id, as membrane does now; one that has none is written with
 * its id. An image is mentioned with its type and size. `BlockParser` reads ids and contents back, and
 * `parseAccumulatedIntoBlocks` both forms, whatever characters are in them.
 *
 * @throws TypeError if the results are not a list of results, or the notices one of notices.
 * @example
 * ```ts
 * import { formatToolResults } from 'tokenweir/membrane'
 *
 * console.log(
 *   formatToolResults([
 *     { toolUseId: 'toolu_1', content: '5 < 7' },
 *     { toolUseId: 'toolu_2', toolName: 'now', content: 'noon' },
 *   ]),
 * )
 * ```
 * ```text
 * <function_results>
 * <result tool_use_id="toolu_1">
 * 5 &lt; 7
 * </result>
 * <result>
 * <tool_name>now</tool_name>
 * <stdout>
 * noon
 * </stdout>
 * </result>
 * </function_results>
 * ```
 */
export function formatToolResults(results: readonly ToolResult[], notices: readonly ToolCallNotice[] = []): string {
  requireResults('formatToolResults', results)
  if (!Array.isArray(notices))
    throw new TypeError(`formatToolResults: the notices must be an array, but are ${describe(notices)}`)
  return [
    '<function_results>',
    ...results.map(elementOf),
    ...notices.map(formatToolCallNotice),
    '</function_results>',
  ].join('\n')
}

/**
 * Writes what is wrong with a call, for the model to read beside the results.
 *
 * @throws TypeError if it is not a notice.
 * @example
 * ```ts
 * import { formatToolCallNotice } from 'tokenweir/membrane'
 *
 * console.log(formatToolCallNotice({ invoke: 1, toolName: 'now', kind: 'refused', message: 'It was cut off.' }))
 * ```
 * ```text
 * <tool_call_notice invoke="1" tool="now" kind="refused">It was cut off.</tool_call_notice>
 * ```
 */
export function formatToolCallNotice(notice: ToolCallNotice): string {
  const { invoke, toolName, kind, message } = (fieldsOf(notice) ?? {}) as Partial<ToolCallNotice>
  if (
    !Number.isInteger(invoke) ||
    typeof toolName !== 'string' ||
    typeof message !== 'string' ||
    (kind !== 'refused' && kind !== 'warning')
  ) {
    throw new TypeError(
      `formatToolCallNotice takes a notice with invoke, toolName, kind and message, but got ${describe(notice)}`,
    )
  }
  return (
    `<tool_call_notice invoke="${invoke}" tool="${quoted(toolName)}" ` +
    `kind="${kind}">${escaped(message)}</tool_call_notice>`
  )
}

/**
 * Writes the value of a parameter so that it is read as what it is: a string as CDATA, anything else as JSON.
 *
 * @returns undefined for undefined.
 * @example
 * ```ts
 * import { encodeParameterValue } from 'tokenweir/membrane'
 *
 * console.log(encodeParameterValue('a < b'), encodeParameterValue({ a: 5 })) // <![CDATA[a < b]]> {"a":5}
 * ```
 */
export function encodeParameterValue(value: unknown): string | undefined {
  if (typeof value === 'string') return `<![CDATA[${value.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
  const json = JSON.stringify(value) as string | undefined
  // So many digits are read as text.
  if (typeof value === 'number' && json !== undefined && /^-?\d{16,}$/.test(json)) return value.toExponential()
  return json?.replaceAll('<', '\\u003c')
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

function elementOf({ toolUseId, toolName, content, isError }: ToolResult): string {
  const name = isError === true ? 'error' : 'result'
  const text = escaped(typeof content === 'string' ? content : content.map(partText).join('\n'))
  if (toolName === undefined) return `<${name} tool_use_id="${quoted(toolUseId)}">\n${text}\n</${name}>`
  if (isError === true) return `<error>\n${text}\n</error>`
  return `<result>\n<tool_name>${escaped(toolName)}</tool_name>\n<stdout>\n${text}\n</stdout>\n</result>`
}

/** A text in a quoted attribute. */
function quoted(text: string): string {
  return escaped(text).replaceAll('"', '&quot;')
}

/** A part as text. What text can't hold is mentioned. */
function partText(value: unknown): string {
  const part = fieldsOf(value)
  if (part === undefined)
    throw new TypeError(`formatToolResults: a part of a content must be an object, but is ${describe(value)}`)
  const { type, text } = part as { type?: unknown; text?: unknown }
  if (type === 'text') {
    if (typeof text !== 'string')
      throw new TypeError(`formatToolResults: the text of a part must be a string, but is ${describe(text)}`)
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
