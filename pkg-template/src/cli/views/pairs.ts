// Surrogate pairs that are split between two chunks: UTF-8 output can't contain
// one half.

import { isHighHalf } from '../../surrogates.js'

/** Passes text on, except for half a pair at its end, which waits for the other half. */
export class Pairs {
  #half = ''

  /** The text that can be written now. */
  take(piece: string): string {
    const text = this.#half + piece
    const to = isHighHalf(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length
    this.#half = text.slice(to)
    return text.slice(0, to)
  }

  /** The end: a pending half stays alone. */
  finish(): string {
    const half = this.#half
    this.#half = ''
    return half
  }
}
