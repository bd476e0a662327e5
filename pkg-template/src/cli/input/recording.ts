// The events of a recording, with their line numbers.

import { ParseError, type ReplyFormat, type SentEvent, eventDecoder } from '../../reply/for-cli.js'
import { CliError, INPUT } from '../cli-error.js'

/** The events of a recording, each as soon as it is complete. */
export async function* eventsOf(pieces: AsyncIterable<string>, format: Exclude<ReplyFormat, 'raw'>): AsyncGenerator<SentEvent, void, undefined> {
  const decoder = eventDecoder(format, 'recording')
  try {
    for await (const piece of pieces) yield* decoder.read(piece)
    yield* decoder.finish()
  } catch (error) {
    throw error instanceof ParseError ? new CliError(INPUT, error.message) : error
  }
}
