// Regular expressions that say no more than a head does: literal texts, white space and
// named groups.

/** A text, white space that may be there, a named group, or any text up to what follows. */
export type PatternPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'space'; readonly isLine: boolean }
  | { readonly kind: 'group'; readonly name: string }
  | { readonly kind: 'gap' }

/** Pieces as they may stand in a pattern, the longest first. */
const PIECES = [
  // A named group whose text is a run of characters.
  /\(\?P?<(?<name>\w+)>(?:\\w|\\S|\.|\[(?:[^\\\]]|\\.)+\])[*+]\??\)/y,
  /(?<gap>(?:\.|\[\^(?:[^\\\]]|\\.)+\])\*\??)/y,
  /(?<space>\\s[*+?]\??|\\n[?*]|[ \n][?*])/y,
  /(?<escaped>\\[nt]|\\[^\w\s])/y,
  /(?<plain>[^\\()[\]{}.*+?^$|](?![*+?{]))/y,
]

const CONTROLS: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t' }

/** The pieces of a pattern, or `undefined` if it has others. */
export function readPattern(pattern: string): readonly PatternPiece[] | undefined {
  const pieces: PatternPiece[] = []
  for (let at = 0; at < pattern.length; ) {
    const found = match(pattern, at)
    if (found?.groups === undefined) return undefined
    at += found[0].length
    const { name, gap, space, escaped, plain } = found.groups
    const text = plain ?? (escaped === undefined ? undefined : (CONTROLS[escaped] ?? escaped.slice(1)))
    const last = pieces.at(-1)
    if (text !== undefined && last?.kind === 'text')
      pieces[pieces.length - 1] = { kind: 'text', text: last.text + text }
    else if (text !== undefined) pieces.push({ kind: 'text', text })
    else if (name !== undefined) pieces.push({ kind: 'group', name })
    else if (gap !== undefined) pieces.push({ kind: 'gap' })
    else if (space !== undefined) pieces.push({ kind: 'space', isLine: space.includes('\\n') || space.includes('\n') })
  }
  return pieces
}

function match(pattern: string, at: number): RegExpExecArray | undefined {
  for (const piece of PIECES) {
    piece.lastIndex = at
    const found = piece.exec(pattern)
    if (found !== null) return found
  }
  return undefined
}
