// What a record says of elements. The numbers are those of `TreeOp` in src/xml/tree.rs.

import { engine } from './wasm/engine.js'

const OPEN = 16
const ATTRIBUTE = 17
const VALUE = 18
const OPENED = 19
const DROPPED = 20
const TEXT = 21
const CHARACTER = 22
const CDATA = 23
const CLOSE = 24
const ABANDON = 25
const FAULT = 26

/** What isn't well-formed, by the numbers of `TreeFault`. */
const FAULTS = ['stray-closer', 'loose-less', 'own-tag', 'too-deep', 'cut-tag', 'text'] as const

/**
 * What isn't well-formed: a closing tag that nothing opened; a `<` that begins no tag, and is
 * text; an opener of its own name inside a raw element, which is text; an element that is too
 * deep; a text that ends in a tag; text where only elements may stand.
 */
export type XmlFault = (typeof FAULTS)[number]

/** What is heard of elements, in their order. */
export interface XmlTeller {
  /** An element's tag begins; its `<` stands at `at`. */
  open(name: string, at: number): void
  /** An attribute of that tag, decoded; `true` if it has no value. */
  attribute(name: string, value: string | true): void
  /** The tag is whole. With `isEmpty`, `close` follows. */
  opened(isEmpty: boolean): void
  /** It was no tag after all: `open` and what followed were text, which is told again. */
  dropped(): void
  /** Text of the innermost element, decoded. */
  text(piece: string): void
  /** The inside of a CDATA section of the innermost element, or a piece of it. */
  cdata(piece: string): void
  /** The innermost element is closed. `start` is where its closing tag begins. */
  close(start: number): void
  /** The innermost element was never closed. */
  abandon(): void
  fault(fault: XmlFault, at: number): void
}

/** Tells records of elements. An attribute waits for its value. */
export class XmlRecords {
  #attribute: string | undefined

  constructor(private readonly teller: XmlTeller) {}

  /** Tells one record; `text` is the text at its place. */
  tell(word: number, text: string, start: number): void {
    const { teller } = this
    if (this.#attribute !== undefined && (word & 0xff) !== VALUE) {
      teller.attribute(this.#attribute, true)
      this.#attribute = undefined
    }
    switch (word & 0xff) {
      case OPEN:
        teller.open(text, start - 1)
        break
      case ATTRIBUTE:
        this.#attribute = text
        break
      case VALUE:
        teller.attribute(this.#attribute ?? '', text.includes('&') ? engine.decodeReferences(text) : text)
        this.#attribute = undefined
        break
      case OPENED:
        teller.opened(word >>> 8 !== 0)
        break
      case DROPPED:
        teller.dropped()
        break
      case TEXT:
        teller.text(text)
        break
      case CHARACTER:
        teller.text(String.fromCodePoint(word >>> 8))
        break
      case CDATA:
        teller.cdata(text)
        break
      case CLOSE:
        teller.close(start)
        break
      case ABANDON:
        teller.abandon()
        break
      case FAULT:
        teller.fault(FAULTS[word >>> 8] as XmlFault, start)
        break
    }
  }
}
