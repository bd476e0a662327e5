// What a record says of elements.

import { TREE_FAULTS, TreeBits, TreeOp } from './generated/ops.js'
import { engine } from './wasm/engine.js'

/**
 * What isn't well-formed: a closing tag that nothing opened; a `<` that begins no tag, and is
 * text; an opener of its own name inside a raw element, which is text; an element that is too
 * deep; a text that ends in a tag; text where only elements may stand.
 */
export type XmlFault = (typeof TREE_FAULTS)[number]

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
    if (this.#attribute !== undefined && (word & TreeBits.OpMask) !== TreeOp.Value) {
      teller.attribute(this.#attribute, true)
      this.#attribute = undefined
    }
    switch (word & TreeBits.OpMask) {
      case TreeOp.Open:
        teller.open(text, start - 1)
        break
      case TreeOp.Attribute:
        this.#attribute = text
        break
      case TreeOp.Value:
        teller.attribute(this.#attribute ?? '', text.includes('&') ? engine.decodeReferences(text) : text)
        this.#attribute = undefined
        break
      case TreeOp.Opened:
        teller.opened((word & TreeBits.OpenedIsEmpty) !== 0)
        break
      case TreeOp.Dropped:
        teller.dropped()
        break
      case TreeOp.Text:
        teller.text(text)
        break
      case TreeOp.Character:
        teller.text(String.fromCodePoint(word >>> TreeBits.CharacterCodeShift))
        break
      case TreeOp.CData:
        teller.cdata(text)
        break
      case TreeOp.Close:
        teller.close(start)
        break
      case TreeOp.Abandon:
        teller.abandon()
        break
      case TreeOp.Fault:
        teller.fault(TREE_FAULTS[word >>> TreeBits.FaultCodeShift] as XmlFault, start)
        break
    }
  }
}
