// The elements of a tool's arguments: what opens, what closes, what was never
// closed. Rust reads them; what values they make is in xml-arguments.ts.

import { ELEMENTS, ElementBits, ElementOp } from '../generated/ops.js'
import { engine } from '../wasm/engine.js'
import { readElements } from '../wasm/segments.js'

/** What happened in a text, in order. Places are UTF-16 code units. */
export type ElementToken =
  /** A tag opened an element. `name` is the value of an `<arg>`'s `name`, else the tag's own name. */
  | { readonly kind: 'open'; readonly element: ElementKind; readonly name: string; readonly hasAttributes: boolean; readonly from: number; readonly to: number }
  /** The innermost open element is closed. An empty tag opens and closes. */
  | { readonly kind: 'close'; readonly from: number; readonly to: number }
  /** The innermost open element was never closed. */
  | { readonly kind: 'abandon' }
  /** What is inside the innermost open element is no well-formed markup. */
  | { readonly kind: 'spoil' }
  /** Text that is taken as it is: the inside of `<![CDATA[…]]>` at `innerFrom..innerTo`, or nothing of a comment. */
  | { readonly kind: 'cdata'; readonly innerFrom: number; readonly innerTo: number; readonly from: number; readonly to: number }

/** Elements with a meaning, in any case of letters. `<arg>` without a name is `other`. */
export type ElementKind = (typeof ELEMENTS)[number]

/** The tokens of a text. */
export function elementsOf(text: string): ElementToken[] {
  const tokens: ElementToken[] = []
  let name = ''
  let value: string | undefined
  let inner: readonly [number, number] = [0, 0]
  readElements(text, (count) => {
    for (let at = 0; at < count * 3; at += 3) {
      const word = engine.records[at] as number
      const from = engine.records[at + 1] as number
      const to = engine.records[at + 2] as number
      switch (word & ElementBits.OpMask) {
        case ElementOp.Name:
          name = text.slice(from, to)
          value = undefined
          break
        case ElementOp.NameValue:
          value = text.slice(from, to)
          break
        case ElementOp.Open: {
          const element = ELEMENTS[(word >>> ElementBits.OpenElementShift) & ElementBits.OpenElementMask] as ElementKind
          tokens.push({ kind: 'open', element, name: element === 'arg' ? (value as string) : name, hasAttributes: (word & ElementBits.OpenHasAttributes) !== 0, from, to })
          break
        }
        case ElementOp.Close:
          tokens.push({ kind: 'close', from, to })
          break
        case ElementOp.Abandon:
          tokens.push({ kind: 'abandon' })
          break
        case ElementOp.Spoil:
          tokens.push({ kind: 'spoil' })
          break
        case ElementOp.Inner:
          inner = [from, to]
          break
        case ElementOp.CData:
          tokens.push({ kind: 'cdata', innerFrom: inner[0], innerTo: inner[1], from, to })
          break
      }
    }
  })
  return tokens
}
