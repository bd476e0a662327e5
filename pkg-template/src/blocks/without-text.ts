// What was done, without most of the text of the blocks that are open: of each the two ends stay, and what is between
// them is left out.
//
//     '<thinking>The user greets. (100 KB) Say Hello.</thin'
//     '<thinking>The user'   skip 99,900   'Say Hello.</thin'

import type { Done } from '../journal.js'

type Calls = Done['calls']

/** Leaves out the text so far. */
export const DROP = ['dropText', '[]'] as const

/** The last character of a text, if nothing that ends in it waits for what comes after. */
export function lastOf(text: string): string {
  return /[^<&]$/su.exec(text.slice(-2))?.[0] ?? ''
}

/** So much is kept at both ends, in UTF-16 code units. */
const KEPT = 64

/** `pending`: units at the end that are not decided. `contents`: of the open blocks, innermost first. */
export function withoutText(calls: Calls, pending: number, contents: readonly string[]): Calls {
  const at = calls.findLastIndex((call) => call.length > 4 * KEPT)
  const last = calls[at]
  const after = calls.slice(at + 1)
  if (typeof last !== 'string' || !after.every((call) => typeof call === 'string')) return calls
  const kept: Array<Calls[number]> = []
  let end = last.length
  let to = end - Math.max(0, pending - after.join('').length)
  for (const content of contents) {
    // What began before this text stands at its start.
    const text = content.slice(-to)
    const start = last.lastIndexOf(text, to - text.length)
    const [from, until] = [afterLetter(last, start + KEPT), afterLetter(last, start + text.length - KEPT)]
    if (start < 0 || until > start + text.length || from >= until) continue
    kept.unshift(['skip', JSON.stringify([until - from])], last.slice(until, end))
    end = from
    to = start
  }
  return [...calls.slice(0, at), last.slice(0, end), ...kept, ...after]
}

/** A place after a letter, from some place on: nothing that is read up to there waits for what comes after it. */
function afterLetter(text: string, from: number): number {
  let at = from
  while (at < text.length && !/[A-Za-z0-9]/.test(text[at - 1] ?? '')) at++
  return at
}
