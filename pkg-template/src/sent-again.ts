// A server that goes on with a text may send it again first: it is read once.
//
//     sent "Hello "    comes "Hel" "lo wor" "ld"     new "wor" "ld"
//
// Source: spec/message.md, 20; Mistral's `prefix`, and `echo` of vLLM and llama.cpp.

/** Of a text that is as long, nobody begins the next one with the same by chance. */
const LONGEST_CHANCE = 8

/** Leaves out a text that was sent, where it comes again. */
export class SentAgain {
  readonly #sent: string
  /** What has come, while it may be that text. */
  #heard: string | undefined
  /** The white space at its end, as far as it may come again: it was sent, or not. */
  #space: string

  /** `isSure`: the server is known to send it again, however short it is. */
  constructor(before: string, isSure: boolean) {
    this.#sent = before.trimEnd()
    this.#space = before.slice(this.#sent.length)
    if (this.#sent !== '' && (isSure || this.#sent.length >= LONGEST_CHANCE)) this.#heard = ''
    else this.#space = ''
  }

  /** What of a text is new. */
  read(text: string): string {
    if (this.#heard === undefined) return this.#afterSpace(text)
    const heard = this.#heard + text
    const sent = this.#sent
    this.#heard = heard
    if (heard.length < sent.length && sent.startsWith(heard)) return ''
    this.#heard = undefined
    if (heard.startsWith(sent)) return this.#afterSpace(heard.slice(sent.length))
    this.#space = ''
    return heard
  }

  /** What was held, when nothing follows. */
  finish(): string {
    const heard = this.#heard ?? ''
    this.#heard = undefined
    this.#space = ''
    return heard
  }

  #afterSpace(text: string): string {
    const space = this.#space
    let length = 0
    while (length < text.length && length < space.length && text[length] === space[length]) length++
    this.#space = length === text.length ? space.slice(length) : ''
    return text.slice(length)
  }
}
