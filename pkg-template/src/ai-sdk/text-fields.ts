// A text of an answer's content that was read: what it carries besides its text
// (`providerMetadata`, and whatever else) is kept.

import type { StreamPart } from '../tool-calls/types.js'
import { makePart } from './parts.js'

/** What a text became: texts, and anything else. */
export type ReadContent = { readonly type: 'text'; readonly text: string } | (StreamPart & { readonly text?: unknown })

/**
 * The pieces that a text became, as content. A text that is unchanged is the same object. The first piece of text has
 * its fields; where no text is left, an empty one has them.
 */
export function withFieldsOf(whole: StreamPart, text: string, pieces: readonly ReadContent[]): StreamPart[] {
  if (pieces.every(({ type }) => type === 'text') && pieces.map((piece) => piece.text).join('') === text) return [whole]
  let isFirst = true
  const content = pieces.map((piece): StreamPart => {
    if (piece.type !== 'text' || !isFirst) return piece
    isFirst = false
    return makePart('text', { ...whole, text: piece.text })
  })
  return isFirst && hasFields(whole) ? [makePart('text', { ...whole, text: '' }), ...content] : content
}

/** Whether a part has more than its type and its text. */
export function hasFields(part: StreamPart): boolean {
  return Object.entries(part).some(([key, value]) => key !== 'type' && key !== 'text' && value !== undefined)
}
