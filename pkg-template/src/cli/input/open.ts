// Opens the input, and says what it is.

import { textOf } from './files.js'
import { type Format, recognise } from './recognise.js'

/** Text in pieces, and what it is. */
export interface Input {
  readonly format: Format
  readonly pieces: AsyncGenerator<string, void, undefined>
}

/** Beyond this many units only the end of a line can tell more. */
const FRONT = 1_024

/** Opens a file, or standard input, and reads as much of it as says what it is. */
export async function openInput(path: string | undefined, forced: Format | undefined): Promise<Input> {
  const pieces = textOf(path)
  if (forced !== undefined) return { format: forced, pieces }
  let head = ''
  for (;;) {
    const next = await pieces.next()
    const piece = next.done === true ? '' : next.value
    head += piece
    const format = next.done === true || head.length <= FRONT + piece.length || piece.includes('\n') ? recognise(head, next.done === true) : undefined
    if (format !== undefined) return { format, pieces: behind(head, pieces) }
  }
}

async function* behind(head: string, pieces: AsyncGenerator<string, void, undefined>): AsyncGenerator<string, void, undefined> {
  if (head !== '') yield head
  yield* pieces
}
