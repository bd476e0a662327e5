// The elements of a tool's arguments: what opens, what closes, what was never
// closed. Rust reads them; what values they make is in xml-arguments.ts.

/** What happened in a text, in order. */
export type ElementToken =
  /** A tag opened an element. `name` is the value of an `<arg>`'s `name`, else the tag's own name. */
  | { readonly kind: 'open'; readonly element: ElementKind; readonly name: string; readonly hasAttributes: boolean; readonly from: number; readonly to: number }
  /** The innermost open element is closed. An empty tag opens and closes. */
  | { readonly kind: 'close'; readonly from: number; readonly to: number }
  /** The innermost open element was never closed. */
  | { readonly kind: 'abandon' }
  /** What is inside the innermost open element is no well-formed markup. */
  | { readonly kind: 'spoil' }
  /** Text that is taken as it is: the inside of `<![CDATA[…]]>` at `innerFrom..innerTo`. */
  | { readonly kind: 'cdata'; readonly innerFrom: number; readonly innerTo: number; readonly from: number; readonly to: number }

/** Elements with a meaning, in any case of letters. `<arg>` without a name is `other`. */
export type ElementKind = 'arg' | 'item' | 'arguments' | 'other'

/** The tokens of a text. Places are UTF-16 code units. */
export function elementsOf(text: string): ElementToken[] {
  throw new Error(`not there yet: ${text.length}`)
}
