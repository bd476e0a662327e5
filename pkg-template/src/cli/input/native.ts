// A recording's blocks. Only `NativeBlocks` reads providers' events; the commands
// use its emissions.

import type { BlockEmission, NativeBlocks } from 'tokenweir/blocks'
import { CliError, INPUT } from '../cli-error.js'
import { type Provider, errorOf, providerOf } from './provider.js'
import type { RecordedEvent } from './recording.js'
import { asFullStreamPart } from './ui-chunk.js'

/** Reads the events of one recording. */
export class NativeRecording {
  #provider: Provider | undefined

  constructor(private readonly blocks: NativeBlocks) {}

  /** The emissions of an event. @throws CliError if the event is unknown, or reports an error. */
  read({ event, line }: RecordedEvent): BlockEmission[] {
    const error = errorOf(event)
    if (error !== undefined) throw new CliError(INPUT, `line ${line} of the recording is an error from the provider: ${error}`)
    this.#provider ??= providerOf(event)
    switch (this.#provider) {
      case undefined:
        throw new CliError(INPUT, `line ${line} of the recording is not an event of Anthropic, OpenAI or the AI SDK`)
      case 'aiSdk':
        return this.blocks.aiSdk(asFullStreamPart(event)).emissions
      default:
        return this.blocks[this.#provider](event).emissions
    }
  }

  /** The end of the recording: an open block was cut off. */
  finish(): BlockEmission[] {
    return this.blocks.flush().emissions
  }
}
