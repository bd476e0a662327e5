// The known word that a word was probably meant to be.

/** The known word that the fewest edits make of a word, case aside; undefined if none is like it. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let found: string | undefined
  let fewest = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const other of known) {
    const edits = editsBetween(word.toLowerCase(), other.toLowerCase(), fewest)
    if (edits < fewest) [found, fewest] = [other, edits]
  }
  return found
}

/** Letters to insert, to leave out or to change; two that changed places count as one. At most `limit`. */
function editsBetween(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const at = (line: readonly number[], index: number) => line[index] as number
      let edits = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, at(before, j - 2) + 1)
      row.push(edits)
    }
    ;[before, above] = [above, row]
  }
  return Math.min(limit, above[b.length] as number)
}
