// What an atom of a pattern matches, as the places where that begins and ends among all UTF-16 code units: `[b-d]` is
// [98, 101]. JavaScript itself is asked, so that classes, escapes and the flag `i` mean what they mean there.

/** No code unit: before the text, and after it. */
export const NONE = -1

export const WORD = '\\w'
export const LINE_END = '[\\n\\r\\u2028\\u2029]'

/** So many atoms are kept for the next rules. */
const MOST = 1_000

const known = new Map<string, readonly number[]>()
let all: string | undefined

/** The edges of an atom. */
export function edgesOf(atom: string, flags = ''): readonly number[] {
  const key = flags + atom
  let edges = known.get(key)
  if (edges === undefined) {
    all ??= Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit)).join('')
    const runs = all.matchAll(new RegExp(`(?:${atom})+`, `${flags}g`))
    edges = Array.from(runs, ({ 0: run, index }) => [index, index + run.length]).flat()
    if (known.size > MOST) known.clear()
    known.set(key, edges)
  }
  return edges
}

/** Whether a unit is between edges. */
export function isIn(edges: readonly number[], unit: number): boolean {
  let before = 0
  while ((edges[before] ?? Infinity) <= unit) before++
  return before % 2 === 1
}
