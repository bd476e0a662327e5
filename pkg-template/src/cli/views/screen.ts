// The coloured view: text as it arrives, in colours.

import colours from 'picocolors'
import { isHighHalf } from '../../surrogates.js'

/** colours.ts has already decided to use colours. */
const { bold, cyan, dim, green, magenta, red, yellow } = colours.createColors(true)

const STYLES = { cyan, dim, green, magenta, red, yellow, name: (text: string) => bold(cyan(text)) }

/** A colour or another style; `name` is for tools. */
export type Style = keyof typeof STYLES

/** Collects output. */
export class Screen {
  #text = ''
  #isLineOpen = false
  readonly #pairs = new Pairs()

  /** Writes text after the last. */
  write(piece: string, style?: Style): void {
    const text = this.#pairs.take(piece)
    if (text === '') return
    const shown = printable(text)
    this.#text += style === undefined ? shown : STYLES[style](shown)
    this.#isLineOpen = !text.endsWith('\n')
  }

  /** Writes a separate line. */
  line(text: string, style?: Style): void {
    this.endLine()
    this.write(text, style)
    this.endLine()
  }

  /** Ends an open line. */
  endLine(): void {
    if (this.#isLineOpen) this.#text += '\n'
    this.#isLineOpen = false
  }

  /** Returns the output since the last call. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}

/** Control characters as symbols: a model's text must not control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd'
  })
}

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
