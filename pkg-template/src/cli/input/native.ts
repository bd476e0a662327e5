// A recording's blocks. `NativeBlocks` is the one reader of what providers
// send; the commands take what they need from what it tells.

import type { BlockEmission, NativeBlocks } from 'tokenweir/blocks'
import { Fault, INPUT } from '../fault.js'
import { type Provider, errorOf, providerOf } from './provider.js'
import type { RecordedEvent } from './recording.js'
import { asFullStreamPart } from './ui-chunk.js'

/** Reads the events of one recording. */
export class NativeRecording {
  #provider: Provider | undefined

  constructor(private readonly blocks: NativeBlocks) {}

  /** What an event tells. @throws Fault if it is nobody's event, or tells of an error. */
  read({ event, line }: RecordedEvent): BlockEmission[] {
    const error = errorOf(event)
    if (error !== undefined) throw new Fault(INPUT, `line ${line} of the recording is an error of the provider: ${error}`)
    this.#provider ??= providerOf(event)
    switch (this.#provider) {
      case undefined:
        throw new Fault(INPUT, `line ${line} of the recording is no event of Anthropic, OpenAI or the AI SDK`)
      case 'aiSdk':
        return this.blocks.aiSdk(asFullStreamPart(event)).emissions
      default:
        return this.blocks[this.#provider](event).emissions
    }
  }

  /** The end of the recording: what is open was cut off. */
  finish(): BlockEmission[] {
    return this.blocks.flush().emissions
  }
}
