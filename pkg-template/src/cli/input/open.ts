// Opens the input, and detects its format.

import { textOf } from './files.js'
import { type Format, recognise } from './recognise.js'

/** Text in chunks, and its format. */
export interface Input {
  readonly format: Format
  readonly pieces: AsyncGenerator<string, void, undefined>
}

/** Beyond this many units, only the end of a line can decide the format. */
const FRONT = 1_024

/** Opens a file, or standard input, and reads enough of it to detect the format. */
export async function openInput(path: string | undefined, forced: Format | undefined): Promise<Input> {
  const pieces = textOf(path)
  if (forced !== undefined) return { format: forced, pieces }
  let head = ''
  for (;;) {
    const next = await pieces.next()
    const piece = next.done === true ? '' : next.value
    head += piece
    const format = next.done === true || head.length <= FRONT + piece.length || piece.includes('\n') ? recognise(head, next.done === true) : undefined
    if (format !== undefined) return { format, pieces: after(head, pieces) }
  }
}

async function* after(head: string, pieces: AsyncGenerator<string, void, undefined>): AsyncGenerator<string, void, undefined> {
  if (head !== '') yield head
  yield* pieces
}
