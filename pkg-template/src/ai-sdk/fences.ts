// The texts around calls that were found in an answer.
//
//     I add:                        text
//     ```json
//     {"name": "add", …}            call
//     ```
//     Done.                         text
//
// A fence that has nothing but calls in it is markup of theirs, as tags are, and so is
// white space that is alone next to a call.

import type { FoundCalls, Place } from './json-calls.js'

/** A text, or calls. */
export type Piece = string | FoundCalls

export function cutAtCalls(text: string, found: readonly FoundCalls[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (let index = 0; index < found.length; ) {
    const group = groupAt(text, found, index)
    const { start, end } = withFence(text, at, {
      start: (group[0] as FoundCalls).start,
      end: (group.at(-1) as FoundCalls).end,
    })
    addText(pieces, text.slice(at, start))
    pieces.push(...group)
    at = end
    index += group.length
  }
  if (found.length === 0) return [text]
  addText(pieces, text.slice(at))
  return pieces
}

/** The calls from one on that have only white space between them. */
function groupAt(text: string, found: readonly FoundCalls[], first: number): FoundCalls[] {
  const isNextTo = (index: number) =>
    text.slice((found[index - 1] as FoundCalls).end, (found[index] as FoundCalls).start).trim() === ''
  let end = first + 1
  while (end < found.length && isNextTo(end)) end++
  return found.slice(first, end)
}

/** The place of calls with the fence around them, if there is one. It may end with the text. */
function withFence(text: string, from: number, place: Place): Place {
  const before = text.slice(from, place.start).trimEnd()
  const line = before.lastIndexOf('\n') + 1
  const [, fence] = /^[ \t>]*(`{3,}|~{3,})[^`]*$/.exec(before.slice(line)) ?? []
  if (fence === undefined || (line === 0 && from > 0)) return place
  let end = place.end
  while (end < text.length && isSpace(text, end)) end++
  const close = end
  while (text.charAt(end) === fence.charAt(0)) end++
  if (end < text.length && end - close < fence.length) return place
  let rest = end
  while (text.charAt(rest) === ' ' || text.charAt(rest) === '\t') rest++
  if (rest < text.length && text.charAt(rest) !== '\n' && text.charAt(rest) !== '\r') return place
  return { start: from + line, end }
}

function isSpace(text: string, at: number): boolean {
  return text.charAt(at).trim() === ''
}

function addText(pieces: Piece[], text: string): void {
  if (text.trim() !== '') pieces.push(text)
}
