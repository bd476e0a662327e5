// The elements of a text, one text after the other: src/wasm/xml.rs.

import { isHighHalf } from '../surrogates.js'
import { ASKS, COUNT, LONGEST_STRETCH, NEXT, WAITS, turnsFor } from './border.js'
import { engine } from './engine.js'

/**
 * Reads the elements of a text. `tell` is called with the records as often as there are
 * some, three words each; `isRaw` at each opening tag, after its records were told. Both may
 * read other texts in between, but no elements. May be called while records are told.
 */
export function readTreeText(text: string, tell: (words: Int32Array) => void, isRaw: () => boolean): void {
  engine.reading(() => treeTokens(text, tell, isRaw))
}

function treeTokens(text: string, tell: (words: Int32Array) => void, isRaw: () => boolean): void {
  const take = (packed: number) => {
    const count = packed & COUNT
    if (count > 0) tell(engine.records.slice(0, count * 3))
  }
  engine.exports.tree_start()
  let turns = turnsFor(text.length)
  for (let at = 0, longest = LONGEST_STRETCH; at < text.length; ) {
    turns = engine.turn(turns)
    let to = Math.min(text.length, at + longest)
    if (to < text.length && isHighHalf(text.charCodeAt(to - 1))) to--
    const packed = engine.exports.tree_run(engine.write(text, at, to), at, 0)
    at = engine.outcome[NEXT] as number
    const asks = (packed & ASKS) !== 0
    take(packed)
    if (asks) engine.exports.tree_answer(Number(isRaw()), 0)
    else if ((packed & WAITS) !== 0 && to === text.length) break
    // What is behind a tag was written in vain.
    longest = asks ? FIRST_STRETCH : Math.min(LONGEST_STRETCH, longest * 2)
  }
  let packed: number
  do {
    turns = engine.turn(turns)
    packed = engine.exports.tree_finish(text.length)
    take(packed)
  } while ((packed & WAITS) !== 0)
}

/** Length of the stretch behind what was asked about. */
const FIRST_STRETCH = 256
