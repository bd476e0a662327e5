// Writes tools, calls and results into a prompt, the way the protocols read them.
//
//     Hermes   <tool_call>{"name":"add","arguments":{"a":1}}</tool_call>
//              <tool_response>{"toolName":"add","result":3}</tool_response>
//     Morph    <add><a>1</a></add>
//              <tool_response><tool_name>add</tool_name><result>3</result></tool_response>
//
// Source: facts/ai-sdk-tool-parser.md, 1. Differences: a result that is an error
// says so; arguments that XML has no names for are written as JSON in the tool's
// element.

import { described, resultValue } from '../formats/results.js'
import { isRecord } from '../own.js'
import { stringify } from '../rxml/stringify.js'
import { toJson } from '../schema/to-json.js'
import { fieldsIn } from '../untrusted.js'
import type { FormattedCall, FormattedResult, Tool } from './types.js'

/** What stands around a call, or around a result. */
export interface Tags {
  readonly start: string
  readonly end: string
}

type FormatTools = (arg: {
  readonly tools: readonly Tool[]
  readonly toolSystemPromptTemplate: (tools: string) => string
}) => string

/** One tool in a line, in the form that Hermes and Qwen were trained on. */
export const formatHermesTools: FormatTools = ({ tools, toolSystemPromptTemplate }) => {
  return toolSystemPromptTemplate(
    tools.map((tool) => toJson({ type: 'function', function: described(tool) })).join('\n'),
  )
}

/** One tool in a line. */
export const formatMorphTools: FormatTools = ({ tools, toolSystemPromptTemplate }) => {
  return toolSystemPromptTemplate(tools.map((tool) => toJson(described(tool))).join('\n'))
}

/** A call as JSON between its tags. */
export function formatHermesCall({ toolName, input }: FormattedCall, tags: Tags): string {
  return between(tags, `{"name":${JSON.stringify(toolName)},"arguments":${jsonOf(input)}}`)
}

/** A result as JSON between its tags. */
export function formatHermesResponse(result: FormattedResult, tags: Tags): string {
  return between(tags, toJson({ toolName: result.toolName, result: resultValue(result) ?? null }))
}

/** A call as an element with the tool's name, and one in it for each argument. */
export function formatMorphCall({ toolName, input }: FormattedCall): string {
  return element(toolName, argumentsOf(input))
}

/** A result as an element. */
export function formatMorphResponse(result: FormattedResult): string {
  const content = element('tool_name', result.toolName) + element('result', resultValue(result))
  return `<tool_response>${content}</tool_response>`
}

/** Tags that end in `>` stand in the line; fences have lines of their own. */
function between({ start, end }: Tags, text: string): string {
  const isTag = start.trimEnd().endsWith('>')
  return isTag ? `${start}${text}${end}` : `${start.trimEnd()}\n${text}\n${end.trimStart()}`
}

/** Arguments as JSON. What is JSON already stays as it is; other text is a string. */
function jsonOf(input: unknown): string {
  const value = argumentsOf(input)
  // A text that is JSON keeps its digits.
  return typeof input === 'string' && isRecord(value) && input.trim() !== '' ? input.trim() : toJson(value)
}

/** Arguments as a value. */
function argumentsOf(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {}
  return fieldsIn(input) ?? input
}

function element(name: string, value: unknown): string {
  try {
    return stringify(name, value, { format: false, minimalEscaping: true })
  } catch {
    // A key such as `2 b` is not a name, and a prompt must not fail because of it.
    return `<${name}>${toJson(value).replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'))}</${name}>`
  }
}
