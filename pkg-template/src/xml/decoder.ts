// Decodes the records of trees of elements.

import { maybe, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { type TreeRecords, decodeTree } from '../generated/tree-records.js'
import { TREE_FAULTS, TreeBits, TreeOp } from '../generated/ops.js'
import { decodeReferences } from '../references.js'
import type { Reader } from '../reader.js'
import { references } from '../wasm/xml.js'

/**
 * What isn't well-formed: a closing tag that nothing opened; a `<` that begins no tag, and is text; an opening tag of
 * its own name inside a raw element, which is text; an element that is too deep; a text that ends in a tag; text where
 * only elements may stand.
 */
export type XmlFault = (typeof TREE_FAULTS)[number]

/** Receives elements, in their order. Places are UTF-16 code units from the start of the stream. */
export interface XmlHandler extends TreeRecords {
  /** An element's tag begins; its `<` is at `at`. */
  open(name: string, at: number): void
  /** An attribute of that tag, decoded; `true` if it has no value. */
  attribute(name: string, value: string | true): void
  fault(fault: XmlFault, at: number): void
}

/** Passes records of elements to a handler. An attribute waits for its value. */
export class XmlRecords {
  static get saved(): SavedClass {
    return { skips: ['handler'], fields: { attribute: maybe(text) } }
  }
  private attribute: string | undefined

  constructor(private readonly handler: XmlHandler) {}

  /** Passes on one record, and its place in the text at hand. */
  decode(word: number, from: number, to: number, text: Reader): void {
    const { handler } = this
    const op = word & TreeBits.OpMask
    if (this.attribute !== undefined && op !== TreeOp.Value) {
      handler.attribute(this.attribute, true)
      this.attribute = undefined
    }
    switch (op) {
      case TreeOp.Open:
        return handler.open(text.slice(from, to), text.offset + from - 1)
      case TreeOp.Attribute:
        this.attribute = text.slice(from, to)
        return
      case TreeOp.Value:
        handler.attribute(this.attribute ?? '', decodeReferences(references, text.slice(from, to)))
        this.attribute = undefined
        return
      case TreeOp.Fault:
        return handler.fault(TREE_FAULTS[word >>> TreeBits.FaultCodeShift] as XmlFault, text.offset + from)
    }
    decodeTree(op, word, from, to, text, handler)
  }
}
