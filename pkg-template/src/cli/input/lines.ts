// Lines of a text that comes in pieces, with their numbers.

/** A line without its `\n`. A `\r` before that is white space to all who read it. */
export interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
}

/** The lines of a text, each as soon as its end came; the last one needs none. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line, void, undefined> {
  let number = 0
  // Pieces of a line that is not whole yet. They are joined once, or a long line in small pieces would be copied with each.
  let open: string[] = []
  for await (const piece of pieces) {
    let from = 0
    for (let to = piece.indexOf('\n'); to !== -1; to = piece.indexOf('\n', from)) {
      open.push(piece.slice(from, to))
      yield lineOf(open, ++number)
      open = []
      from = to + 1
    }
    if (from < piece.length) open.push(piece.slice(from))
  }
  if (open.length > 0) yield lineOf(open, ++number)
}

function lineOf(pieces: readonly string[], number: number): Line {
  return { text: pieces.join(''), number }
}
