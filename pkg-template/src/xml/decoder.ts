// Decodes the records of trees of elements.

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

/** The attributes of a tag, decoded; `true` where there is no value. Of those that come twice the first counts. */
export type Attributes = ReadonlyMap<string, string | true>

/** Receives elements, in their order. Places are UTF-16 code units from the start of the stream. */
export interface XmlHandler extends TreeRecords {
  /** An element opens with a tag whose `<` is at `at`. */
  open(name: string, attributes: Attributes | undefined, at: number): void
  fault(fault: XmlFault, at: number): void
}

/** Passes records of elements on. Attributes wait for their tag. */
export class XmlRecords {
  private attributes: Map<string, string | true> | undefined
  /** The one whose value may come. */
  private attribute: string | undefined

  /** Passes on one record, and its place in the text at hand. */
  decode(word: number, from: number, to: number, text: Reader, handler: XmlHandler): void {
    const op = word & TreeBits.OpMask
    switch (op) {
      case TreeOp.Attribute:
        return this.#begin(text.slice(from, to))
      case TreeOp.Value:
        if (this.attribute !== undefined)
          this.attributes?.set(this.attribute, decodeReferences(references, text.slice(from, to)))
        return
      case TreeOp.Open: {
        const { attributes } = this
        this.attributes = undefined
        return handler.open(text.slice(from, to), attributes, text.offset + from - 1)
      }
      case TreeOp.Fault:
        this.forget()
        return handler.fault(TREE_FAULTS[word >>> TreeBits.FaultCodeShift] as XmlFault, text.offset + from)
    }
    decodeTree(op, word, from, to, text, handler)
  }

  /** What looked like a tag is text. */
  forget(): void {
    this.attributes = undefined
  }

  #begin(name: string): void {
    const attributes = (this.attributes ??= new Map())
    this.attribute = attributes.has(name) ? undefined : name
    if (this.attribute !== undefined) attributes.set(name, true)
  }
}
