// Random choices for generators of documents.
import { cutAt, random } from '../pkg/support/cuts.mjs'

/** Choices that a seed and a number reproduce: each document has its own. */
export function choices(seed, nth) {
  const below = random(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(nth + 1, 0x85ebca6b))
  // The first numbers of adjacent seeds are similar.
  for (let warm = 0; warm < 4; warm++) below(2)
  const among = (list) => list[below(list.length)]
  return {
    below,
    among,
    chance: (parts, of) => below(of) < parts,
    many: (most, make) => Array.from({ length: below(most + 1) }, make),
    /** A text in up to `most` + 1 chunks. */
    cut: (text, most = 8) => cutAt(text, Array.from({ length: below(most + 1) }, () => below(text.length + 1)).sort((a, b) => a - b)),
  }
}

/** Choices that depend on the text, so that a listed text is always cut the same way. */
export function choicesOf(text) {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return choices(hash, text.length)
}

/** What is read of a text. No rule excuses that it depends on where the text is cut. */
export function readAtCuts(text, read, whole = read([text])) {
  for (const chunks of [[...text], choicesOf(text).cut(text)]) {
    const streamed = read(chunks)
    if (streamed !== whole) throw new Error(`${JSON.stringify(text)} is ${streamed} in a stream, but ${whole} as a whole`)
  }
  return whole
}
