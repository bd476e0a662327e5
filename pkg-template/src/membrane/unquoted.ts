// A text without the tags that it quotes in Markdown code.

import { BlockParser } from '../blocks/parser.js'
import type { ToolTextOptions } from './types.js'

/**
 * With `fences: 'text'`, blanks the `<` of visible text, which begin no tag; places stay as they are. What is undecided
 * at the end stays, too, unless the text is `whole`.
 */
export function unquoted(text: string, { tools, fences }: ToolTextOptions, whole = false): string {
  if (fences !== 'text') return text
  let written = ''
  let at = 0
  const parser = new BlockParser({ tools, fences, spans: true })
  const { emissions } = parser.processChunk(text)
  for (const emission of whole ? [...emissions, ...parser.flush().emissions] : emissions) {
    if (emission.kind !== 'content' || !emission.meta.visible) continue
    const [from, to] = emission.meta.span as readonly [number, number]
    written += text.slice(at, from) + emission.text.replaceAll('<', ' ')
    at = to
  }
  return written + text.slice(at)
}
