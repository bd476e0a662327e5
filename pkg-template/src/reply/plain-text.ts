// The model's text as it is: what was said of it, also by a reply before that it goes on with.

import type { BlockReading } from '../blocks/reading.js'
import type { BlockEmission } from '../blocks/types.js'
import { SentAgain } from '../sent-again.js'

/** Reads the text of a reply, and of the one before it. */
export class PlainText {
  /** All that was said. */
  said: string
  /** What the reply before has given. */
  readonly primed: readonly BlockEmission[]
  readonly #again: SentAgain

  constructor(
    private readonly reading: BlockReading,
    before: string,
  ) {
    this.said = before
    this.#again = new SentAgain(before, false)
    this.primed = before === '' ? [] : reading.processChunk(before).emissions
  }

  read(text: string): readonly BlockEmission[] {
    return this.#add(this.#again.read(text))
  }

  finish(): readonly BlockEmission[] {
    return [...this.#add(this.#again.finish()), ...this.reading.flush().emissions]
  }

  #add(text: string): readonly BlockEmission[] {
    this.said += text
    return text === '' ? [] : this.reading.processChunk(text).emissions
  }
}
