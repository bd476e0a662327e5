// The coloured view: text as it flows, in colours.

import colours from 'picocolors'
import { Pairs } from './pairs.js'

/** Whether there are colours was decided before: see colours.ts. */
const { bold, cyan, dim, green, inverse, magenta, red, yellow } = colours.createColors(true)

const STYLES = { cyan, dim, green, inverse, magenta, red, yellow, name: (text: string) => bold(cyan(text)) }

/** A colour or another style; `name` is for tools. */
export type Style = keyof typeof STYLES

/** Gathers what is to be written. */
export class Screen {
  #text = ''
  #isLineOpen = false
  readonly #pairs = new Pairs()

  /** Writes text where the last ended. */
  write(piece: string, style?: Style): void {
    const text = this.#pairs.take(piece)
    if (text === '') return
    const shown = printable(text)
    this.#text += style === undefined ? shown : STYLES[style](shown)
    this.#isLineOpen = !text.endsWith('\n')
  }

  /** Writes a line of its own. */
  line(text: string, style?: Style): void {
    this.endLine()
    this.write(text, style)
    this.endLine()
  }

  /** Ends the line that is open. */
  endLine(): void {
    if (this.#isLineOpen) this.#text += '\n'
    this.#isLineOpen = false
  }

  /** What was written since the last time. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}

/** Control characters as pictures: what a model writes must not drive the terminal. */
export function printable(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd'
  })
}
