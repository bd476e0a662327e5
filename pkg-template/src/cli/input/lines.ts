// Splits text that arrives in chunks into numbered lines.

/** A line without its `\n`. A preceding `\r` is white space to all readers. */
export interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
}

/** The lines of a text, each as soon as it ends; the last one needs no newline. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line, void, undefined> {
  let number = 0
  // Chunks of an incomplete line. They are joined once: otherwise each chunk would copy a long line.
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
