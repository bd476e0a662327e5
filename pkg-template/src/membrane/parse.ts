// membrane's functions for a reply as a whole.
//
// Source: membrane 0.5.78, src/utils/tool-parser.ts.

import { requireFunction, requireOptions, requireString, requireWord } from '../errors.js'
import { randomToolId } from '../blocks/tool-id.js'
import type { MembraneBlock } from '../blocks/types.js'
import { type Element, type Enclosed, elementsOf } from './elements.js'
import type { BlockParseOptions, ContentBlock, ParsedBlocks, ParsedToolCalls, ToolCall, ToolParseOptions, ToolTextOptions } from './types.js'

/**
 * Finds the calls to execute: those of the last block of calls that is closed and
 * has no results after it. Calls that are not whole are left out; so are those
 * inside thinking.
 *
 * @returns null if there is no such block.
 * @throws TypeError if the text is not a string, or for an unknown option; what `generateId` throws.
 * @example
 * ```ts
 * import { parseToolCalls } from 'tokenweir/membrane'
 *
 * const text = 'Let me see.\n<function_calls>\n<invoke name="weather">\n<parameter name="days">3</parameter>\n</invoke>\n</function_calls>'
 * const parsed = parseToolCalls(text, { generateId: () => 'toolu_1' })
 * console.log(parsed?.calls) // [ { id: 'toolu_1', name: 'weather', input: { days: 3 } } ]
 * console.log(parsed?.beforeText.trim()) // Let me see.
 * ```
 */
export function parseToolCalls(text: string, options: ToolParseOptions = {}): ParsedToolCalls | null {
  requireString('parseToolCalls', text)
  requireParseOptions('parseToolCalls', options, [])
  const elements = elementsOf(text, options)
  const block = elements.findLast((element, at): element is Enclosed => element.kind === 'calls' && element.isClosed && elements[at + 1]?.kind !== 'results')
  if (block === undefined) return null
  const { start, end, blocks } = block
  return { calls: blocks.map((call) => toolCall(call, newId(options))), beforeText: text.slice(0, start), afterText: text.slice(end), fullMatch: text.slice(start, end) }
}

/**
 * Divides a reply into blocks of content: text, thinking, calls and results, in order.
 *
 * Calls and results that are cut off come as text, as written, and as `incomplete`.
 * A call has the id of its result, and a result without an id that of its call.
 *
 * @throws TypeError if the text is not a string, or for an unknown option; what `generateId` throws.
 * @example
 * ```ts
 * import { parseAccumulatedIntoBlocks } from 'tokenweir/membrane'
 *
 * const { blocks } = parseAccumulatedIntoBlocks('<thinking>hm</thinking>\nIt rains. <function_calls><invoke name="now">')
 * for (const block of blocks) console.log(JSON.stringify(block))
 * ```
 * ```text
 * {"type":"thinking","thinking":"hm"}
 * {"type":"text","text":"It rains."}
 * {"type":"text","text":"<function_calls><invoke name=\"now\">","incomplete":true}
 * ```
 */
export function parseAccumulatedIntoBlocks(text: string, options: BlockParseOptions = {}): ParsedBlocks {
  requireString('parseAccumulatedIntoBlocks', text)
  requireParseOptions('parseAccumulatedIntoBlocks', options, ['startInsideBlock'])
  const whole = openingTag(options.startInsideBlock) + text
  const parsed: ParsedBlocks = { blocks: [], toolCalls: [], toolResults: [] }
  /** Calls that no result has answered yet. */
  let unanswered: ToolCall[] = []
  const elements = elementsOf(whole, options)
  for (const [at, element] of elements.entries()) {
    if (element.kind === 'text') {
      parsed.blocks.push({ type: 'text', text: element.text })
    } else if (element.kind === 'thinking') {
      const thinking = whole.slice(...element.inside)
      parsed.blocks.push(element.isClosed ? { type: 'thinking', thinking } : { type: 'thinking', thinking, incomplete: true })
    } else {
      const rawXml = whole.slice(element.start, element.end)
      if (!element.isClosed || element.blocks.length === 0) {
        parsed.blocks.push({ type: 'text', text: rawXml.trim(), incomplete: true })
      } else if (element.kind === 'calls') {
        const calls = element.blocks.map((call, index) => toolCall(call, idOfResult(elements[at + 1], index) ?? newId(options)))
        for (const call of calls) parsed.blocks.push({ type: 'tool_use', ...call, rawXml })
        parsed.toolCalls.push(...calls)
        unanswered = calls
      } else {
        for (const [index, result] of element.blocks.entries()) addResult(parsed, result, unanswered[index]?.id ?? '', rawXml)
        unanswered = []
      }
    }
  }
  return parsed
}

/** The tag that the prefill has left open. */
function openingTag(block: BlockParseOptions['startInsideBlock']): string {
  if (block === undefined) return ''
  const name = { thinking: 'thinking', tool_call: 'function_calls', tool_result: 'function_results' }[block]
  if (name === undefined) throw new TypeError(`parseAccumulatedIntoBlocks: startInsideBlock must be thinking, tool_call or tool_result, but is ${JSON.stringify(block)}`)
  return `<${name}>`
}

function addResult(parsed: ParsedBlocks, { content, toolId, isError = false }: MembraneBlock, idOfCall: string, rawXml: string): void {
  const result = { toolUseId: toolId ?? idOfCall, content: unframed(content ?? ''), isError }
  parsed.toolResults.push(result)
  parsed.blocks.push({ type: 'tool_result', ...result, rawXml } satisfies ContentBlock)
}

/** A result's content without the line breaks that `formatToolResults` writes around it. */
function unframed(content: string): string {
  return content.length > 1 && content.startsWith('\n') && content.endsWith('\n') ? content.slice(1, -1) : content
}

/** The id that the results after a block of calls name for one of them. */
function idOfResult(element: Element | undefined, index: number): string | undefined {
  return element?.kind === 'results' && element.isClosed ? element.blocks[index]?.toolId : undefined
}

function toolCall({ toolName = '', input = {} }: MembraneBlock, id: string): ToolCall {
  return { id, name: toolName, input }
}

function newId({ generateId = randomToolId }: ToolParseOptions): string {
  return generateId()
}

function requireParseOptions(place: string, options: ToolParseOptions, more: readonly string[]): void {
  requireTextOptions(place, options, ['generateId', ...more])
  requireFunction(`${place}: generateId`, options.generateId)
}

/** Refuses options that don't exist or have the wrong type. */
export function requireTextOptions(place: string, options: ToolTextOptions, more: readonly string[] = []): void {
  requireOptions(place, options, ['tools', 'fences', ...more])
  requireWord(`${place}: fences`, options.fences, ['parse', 'text'])
}
