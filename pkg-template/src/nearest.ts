// The known word that a word was probably meant to be.

/** The first known word that one edit makes of a word, or two of a long one, case aside; undefined if none is like it. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const words = [...known]
  const find = (edits: number) => words.find((other) => isNear(word.toLowerCase(), other.toLowerCase(), edits))
  return find(1) ?? (word.length > 5 ? find(2) : undefined)
}

/** Whether so many letters left out, put in, changed, or swapped with the next one make `b` of `a`. */
function isNear(a: string, b: string, edits: number): boolean {
  if (a === b) return true
  if (a !== '' && a[0] === b[0]) return isNear(a.slice(1), b.slice(1), edits)
  const less = (fromA: number, fromB: number) => isNear(a.slice(fromA), b.slice(fromB), edits - 1)
  return edits > 0 && (less(1, 0) || less(0, 1) || less(1, 1) || (a[0] === b[1] && a[1] === b[0] && less(2, 2)))
}
