// Opens the input, and detects its format.

import { TransportFront, type Transport } from '../../reply/for-cli.js'
import { textOf } from './files.js'

/** Text in chunks, and its format. */
export interface Input {
  readonly format: Transport
  readonly pieces: AsyncGenerator<string, void, undefined>
}

/** Opens a file, or standard input, and reads enough of it to detect the format. */
export async function openInput(path: string | undefined, forced: Transport | undefined): Promise<Input> {
  const pieces = textOf(path)
  if (forced !== undefined) return { format: forced, pieces }
  const front = new TransportFront()
  for (;;) {
    const next = await pieces.next()
    const format = next.done === true ? front.finish() : front.read(next.value)
    if (format !== undefined) return { format, pieces: after(front.text, pieces) }
  }
}

async function* after(
  head: string,
  pieces: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  if (head !== '') yield head
  yield* pieces
}
