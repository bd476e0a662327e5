// The events of a recording, with their line numbers.

import { ParseError, type Transport, type SentEvent, eventDecoder } from '../../reply/for-cli.js'
import { CliError, INPUT } from '../cli-error.js'

/** Events, without what says nothing. */
function* events(sent: Iterable<SentEvent>): Generator<SentEvent, void, undefined> {
  for (const event of sent) {
    if (event.fault !== undefined) throw event.fault
    if (event.isIgnored !== true) yield event
  }
}

/** The events of a recording, each as soon as it is complete. */
export async function* eventsOf(
  pieces: AsyncIterable<string>,
  format: Exclude<Transport, 'text'>,
): AsyncGenerator<SentEvent, void, undefined> {
  const decoder = eventDecoder(format, 'recording')
  try {
    for await (const piece of pieces) yield* events(decoder.read(piece))
    yield* events(decoder.finish())
  } catch (error) {
    throw error instanceof ParseError ? new CliError(INPUT, error.message) : error
  }
}
