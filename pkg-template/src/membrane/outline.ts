// Where blocks of calls open in a text, wherever the tag stands: also in a parameter
// that was never closed, which has swallowed the text after it.

import { onlyTags } from './only-tags.js'
import { lastTag, Walk } from './walk.js'

/** A part of a text. */
interface Section {
  readonly start: number
  readonly end: number
  /** Whether it begins with a block of calls whose closing tag doesn't come. */
  readonly isCutOff: boolean
}

/** The openings of blocks of calls, and the text divided at those that are never closed. */
export interface Outline {
  /** Where they begin, in order. */
  readonly openings: readonly number[]
  readonly sections: readonly Section[]
}

/** Reads a text for blocks of calls alone. */
export function outlineOf(text: string): Outline {
  const openings: number[] = []
  const unclosed: number[] = []
  const walk = new Walk({ tags: onlyTags('function_calls') })
  let depth = 0
  for (const { emissions, open } of walk.feed(text)) {
    const [start] = lastTag(emissions) ?? [0]
    if (open.functionCalls > depth) {
      openings.push(start)
      unclosed.push(start)
    } else if (open.functionCalls < depth) {
      unclosed.pop()
    }
    depth = open.functionCalls
  }
  return { openings, sections: [...sectionsOf(text.length, openings, new Set(unclosed))] }
}

/** A block that is never closed ends where the next one opens. */
function* sectionsOf(length: number, openings: readonly number[], unclosed: ReadonlySet<number>): Generator<Section> {
  let start = 0
  let isCutOff = false
  for (const opening of openings) {
    const wasCutOff = isCutOff
    isCutOff = unclosed.has(opening)
    if (!wasCutOff && !isCutOff) continue
    yield { start, end: opening, isCutOff: wasCutOff }
    start = opening
  }
  yield { start, end: length, isCutOff }
}
