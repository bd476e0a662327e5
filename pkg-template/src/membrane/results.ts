// The results of an element of results, and notices about calls beside them.
//
//     result ::= '<result tool_use_id="…">' text '</result>'
//              | '<result>' '<tool_name>' name '</tool_name>' '<stdout>' text '</stdout>' '</result>'
//     error  ::= '<error tool_use_id="…">' text '</error>' | '<error>' text '</error>'
//     notice ::= '<tool_call_notice invoke="1" tool="f" kind="refused">' text '</tool_call_notice>'
//
// Source: membrane 0.5.78 and its versions after 0.5.86, src/utils/tool-parser.ts and tool-schema.ts.

import { BlockParser } from '../blocks/parser.js'
import { decodeReferences } from '../references.js'
import { blockReferences } from '../wasm/blocks.js'
import type { Enclosed } from './elements.js'
import type { ToolCallNotice } from './types.js'

export interface WrittenResult {
  readonly toolUseId: string | undefined
  readonly toolName: string | undefined
  readonly content: string
  readonly isError: boolean
}

const OPENER = '<tool_call_notice'
const CLOSER = '</tool_call_notice>'

/** The results of an element. */
export function resultsIn(text: string, { start, end }: Pick<Enclosed, 'start' | 'end'>): WrittenResult[] {
  const written = withoutNotices(text.slice(start, end))
  const results: WrittenResult[] = []
  const parser = new BlockParser({
    spans: true,
    onBlock(event) {
      if (event.event !== 'block_complete' || event.block.type !== 'tool_result' || event.block.incomplete === true)
        return
      const { toolId, content = '', isError = false, contentSpan = [0, 0] } = event.block
      const named = toolId === undefined ? innerForm(content, written.slice(...contentSpan)) : undefined
      results.push({
        toolUseId: toolId,
        toolName: named?.toolName,
        content: named?.output ?? unframed(content),
        isError,
      })
    },
  })
  parser.processChunk(written)
  parser.flush()
  return results
}

/** A result in the form with the tool's name: `content` is decoded, `written` is not. */
function innerForm(content: string, written: string): { toolName: string; output: string } | undefined {
  if (!/^\s*<tool_name>/.test(written) || !/<\/stdout>\s*$/.test(written)) return undefined
  const [, toolName, output] = /^\s*<tool_name>([^]*?)<\/tool_name>\s*<stdout>([^]*)<\/stdout>\s*$/.exec(content) ?? []
  return toolName === undefined || output === undefined ? undefined : { toolName, output: unframed(output) }
}

/** A content without the line breaks that `formatToolResults` writes around it. */
function unframed(content: string): string {
  return content.length > 1 && content.startsWith('\n') && content.endsWith('\n') ? content.slice(1, -1) : content
}

/** The notices in an element of results. */
export function noticesIn(text: string): ToolCallNotice[] {
  return Array.from(noticePlaces(text), ([start, end]) => {
    const message = text.indexOf('>', start) + 1
    const attributes = text.slice(start, message)
    return {
      invoke: Number(attributeIn(attributes, 'invoke')),
      toolName: attributeIn(attributes, 'tool'),
      kind: attributeIn(attributes, 'kind') === 'warning' ? 'warning' : 'refused',
      message: decodeReferences(blockReferences, text.slice(message, end - CLOSER.length)),
    }
  })
}

function* noticePlaces(text: string): Generator<readonly [start: number, end: number]> {
  for (let at = 0; ; ) {
    const start = text.indexOf(OPENER, at)
    const closer = start === -1 ? -1 : text.indexOf(CLOSER, start)
    if (closer === -1) return
    at = closer + CLOSER.length
    yield [start, at]
  }
}

function withoutNotices(text: string): string {
  let written = ''
  let at = 0
  for (const [start, end] of noticePlaces(text)) {
    written += text.slice(at, text[start - 1] === '\n' ? start - 1 : start)
    at = end
  }
  return written + text.slice(at)
}

function attributeIn(attributes: string, name: string): string {
  return decodeReferences(blockReferences, new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
}
