// The objects of a JSON text, each as soon as it closes: one object, several in a row,
// or those of an array, as Gemini's stream has them without `alt=sse`.

import { Brackets } from '../json/brackets.js'
import type { Line } from './lines.js'

const SPACE = /[\s\uFEFF]/

/** Splits a JSON text into objects. They are not parsed. */
export class JsonValues {
  #brackets = new Brackets()
  /** Depth of the objects: 1 inside of an array. */
  #base = 0
  /** Pieces of an object that is open, and the line where it begins. */
  #open: string[] = []
  #from = 1
  #line = 1
  /** Whether the array was closed. */
  #isOver = false

  /** Whether the objects are those of an array. */
  get isArray(): boolean {
    return this.#base === 1
  }

  /** The objects that close in a chunk, each with the line where it begins; what is no object is one as well. */
  read(chunk: string): Line[] {
    const values: Line[] = []
    for (let at = 0; at < chunk.length; ) {
      if (this.#open.length === 0) {
        const char = chunk.charAt(at)
        if (char === '\n') this.#line++
        if (this.#isBetween(char)) {
          at++
          continue
        }
        this.#from = this.#line
      }
      const to = this.#endOf(chunk, at)
      const piece = chunk.slice(at, to)
      this.#open.push(piece)
      for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', end + 1)) this.#line++
      if (this.#brackets.depth === this.#base && piece !== '' && /[}\]]$/.test(piece)) values.push(this.#value())
      at = to
    }
    return values
  }

  /** What is left at the end: an object that doesn't close. */
  finish(): Line[] {
    return this.#open.length > 0 ? [this.#value()] : []
  }

  /** Whether a character outside of objects is nothing to read. */
  #isBetween(char: string): boolean {
    if (SPACE.test(char)) return true
    if (this.#isOver) return false
    if (this.#base === 1) {
      if (char === ']') this.#isOver = true
      return char === ',' || char === ']'
    }
    if (char !== '[') return false
    this.#brackets.read(char)
    this.#base = 1
    return true
  }

  #endOf(chunk: string, at: number): number {
    return this.#brackets.read(chunk, at, this.#base)
  }

  #value(): Line {
    const text = this.#open.join('')
    this.#open = []
    return { text, number: this.#from }
  }
}
