// Decodes the records of trees of elements.

import { maybe, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { TREE_FAULTS, TreeBits, TreeOp } from '../generated/ops.js'
import { decodeReferences } from '../references.js'
import { references } from '../wasm/xml.js'

/**
 * What isn't well-formed: a closing tag that nothing opened; a `<` that begins no tag, and is
 * text; an opening tag of its own name inside a raw element, which is text; an element that is too
 * deep; a text that ends in a tag; text where only elements may stand.
 */
export type XmlFault = (typeof TREE_FAULTS)[number]

/** Receives elements, in their order. */
export interface XmlHandler {
  /** An element's tag begins; its `<` is at `at`. */
  open(name: string, at: number): void
  /** An attribute of that tag, decoded; `true` if it has no value. */
  attribute(name: string, value: string | true): void
  /** The tag is whole. With `isEmpty`, `close` follows. */
  opened(isEmpty: boolean): void
  /** It was not a tag after all: `open` and what followed were text, which is passed on again. */
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

/** Passes records of elements to a handler. An attribute waits for its value. */
export class XmlRecords {
  static get saved(): SavedClass {
    return { skips: ['handler'], fields: { attribute: maybe(text) } }
  }
  private attribute: string | undefined

  constructor(private readonly handler: XmlHandler) {}

  /** Passes on one record; `text` is the text at its place. */
  decode(word: number, text: string, start: number): void {
    const { handler } = this
    if (this.attribute !== undefined && (word & TreeBits.OpMask) !== TreeOp.Value) {
      handler.attribute(this.attribute, true)
      this.attribute = undefined
    }
    switch (word & TreeBits.OpMask) {
      case TreeOp.Open:
        handler.open(text, start - 1)
        break
      case TreeOp.Attribute:
        this.attribute = text
        break
      case TreeOp.Value:
        handler.attribute(this.attribute ?? '', decodeReferences(references, text))
        this.attribute = undefined
        break
      case TreeOp.Opened:
        handler.opened((word & TreeBits.OpenedIsEmpty) !== 0)
        break
      case TreeOp.Dropped:
        handler.dropped()
        break
      case TreeOp.Text:
        handler.text(text)
        break
      case TreeOp.Character:
        handler.text(String.fromCodePoint(word >>> TreeBits.CharacterCodeShift))
        break
      case TreeOp.CData:
        handler.cdata(text)
        break
      case TreeOp.Close:
        handler.close(start)
        break
      case TreeOp.Abandon:
        handler.abandon()
        break
      case TreeOp.Fault:
        handler.fault(TREE_FAULTS[word >>> TreeBits.FaultCodeShift] as XmlFault, start)
        break
    }
  }
}
