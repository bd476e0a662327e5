// The elements of a tool's arguments: what opens, what closes, what was never
// closed. Rust reads them; what values they make is in xml-arguments.ts.

import { ELEMENTS, ElementBits, ElementOp } from '../generated/ops.js'
import { type Decoder, Reader } from '../reader.js'
import { elementSession } from '../wasm/segments.js'

/** What happened in a text, in order. Places are UTF-16 code units. */
export type ElementToken =
  /** A tag opened an element. `name` is the value of an `<arg>`'s `name`, else the tag's own name. */
  | {
      readonly kind: 'open'
      readonly element: ElementKind
      readonly name: string
      readonly hasAttributes: boolean
      readonly from: number
      readonly to: number
    }
  /** The innermost open element is closed. An empty tag opens and closes. */
  | { readonly kind: 'close'; readonly from: number; readonly to: number }
  /** The innermost open element was never closed. */
  | { readonly kind: 'abandon' }
  /**
   * The argument that closed last goes on, up to the closing tag at the place: what was read since then is a part of
   * its value.
   */
  | { readonly kind: 'reclose'; readonly from: number; readonly to: number }
  /** Text follows the argument that closed last. */
  | { readonly kind: 'stray' }
  /** The closing tag is missing of the element that is closed next. */
  | { readonly kind: 'lacks' }
  /** What is inside the innermost open element is not well-formed markup. */
  | { readonly kind: 'spoil' }
  /** Text that is taken as it is: the inside of `<![CDATA[…]]>` at `innerFrom..innerTo`, or nothing of a comment. */
  | {
      readonly kind: 'cdata'
      readonly innerFrom: number
      readonly innerTo: number
      readonly from: number
      readonly to: number
    }

/** Elements with a meaning, in any case of letters. `<arg>` without a name is `other`. */
export type ElementKind = 'arg' | 'item' | 'arguments' | 'other'

/** The tokens of a text. */
export function elementsOf(text: string): ElementToken[] {
  const tokens = new ElementTokens()
  new Reader(elementSession(), tokens).readText(text)
  return tokens.list
}

class ElementTokens implements Decoder {
  readonly modes = []
  readonly list: ElementToken[] = []
  private name = ''
  private value: string | undefined
  private inner: readonly [number, number] = [0, 0]

  record(word: number, from: number, to: number, text: Reader): void {
    switch (word & ElementBits.OpMask) {
      case ElementOp.Name:
        this.name = text.slice(from, to)
        this.value = undefined
        break
      case ElementOp.NameValue:
        this.value = text.slice(from, to)
        break
      case ElementOp.Open: {
        const element = ELEMENTS[(word >>> ElementBits.OpenElementShift) & ElementBits.OpenElementMask] as ElementKind
        this.list.push({
          kind: 'open',
          element,
          name: element === 'arg' ? (this.value as string) : this.name,
          hasAttributes: (word & ElementBits.OpenHasAttributes) !== 0,
          from,
          to,
        })
        break
      }
      case ElementOp.Close:
        this.list.push({ kind: 'close', from, to })
        break
      case ElementOp.Abandon:
        this.list.push({ kind: 'abandon' })
        break
      case ElementOp.Reclose:
        this.list.push({ kind: 'reclose', from, to })
        break
      case ElementOp.Stray:
        this.list.push({ kind: 'stray' })
        break
      case ElementOp.Lacks:
        this.list.push({ kind: 'lacks' })
        break
      case ElementOp.Spoil:
        this.list.push({ kind: 'spoil' })
        break
      case ElementOp.Inner:
        this.inner = [from, to]
        break
      case ElementOp.CData:
        this.list.push({ kind: 'cdata', innerFrom: this.inner[0], innerTo: this.inner[1], from, to })
        break
    }
  }
}
