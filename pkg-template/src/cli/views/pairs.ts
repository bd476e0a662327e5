// Surrogate pairs that are cut between two pieces: output is UTF-8, in which a
// half can't be written.

import { isHighHalf } from '../../surrogates.js'

/** Passes text on, but for half a pair at its end, which waits for the other. */
export class Pairs {
  #half = ''

  /** The text that can be written now. */
  take(piece: string): string {
    const text = this.#half + piece
    const to = isHighHalf(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length
    this.#half = text.slice(to)
    return text.slice(0, to)
  }

  /** The end: a half that waits has no other. */
  end(): string {
    const half = this.#half
    this.#half = ''
    return half
  }
}
