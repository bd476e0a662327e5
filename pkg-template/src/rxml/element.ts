// Elements as a tree, built from what the XML reader emits.
//
// Reading is in Rust (src/xml/tree.rs), values are in value.ts. The tree is never
// deeper than the reader reads, which is 512 elements.

import type { Coercion } from '../schema/coercion.js'
import { ANYTHING, type Schema } from '../schema/schema.js'
import { type Attributes, type XmlHandler } from '../xml/decoder.js'

export class XmlElement {
  children: XmlElement[] = []
  /** The text directly in it, joined, with references decoded and the inside of CDATA as it is. */
  text = ''
  /** Whether it was never closed. */
  isUnclosed = false
  /** Where in `text` the first CDATA begins and the last ends. */
  private kept: { readonly from: number; to: number } | undefined

  constructor(
    readonly name: string,
    readonly attributes: Attributes | undefined,
    /** What it may hold, by its schema. */
    public schema: Schema,
    /** Where its tag begins, in UTF-16 code units. */
    readonly at: number,
    /** Whether elements inside it count as its siblings. */
    readonly isTransparent: boolean,
  ) {}

  /** The text without white space at its ends, except inside CDATA. */
  get trimmed(): string {
    const { text } = this
    const kept = this.kept
    if (kept === undefined) return text.trim()
    return text.slice(0, kept.from).trimStart() + text.slice(kept.from, kept.to) + text.slice(kept.to).trimEnd()
  }

  /** Adds the inside of a CDATA section, or a piece of it. */
  addCdata(piece: string): void {
    const from = this.text.length
    this.text += piece
    if (this.kept === undefined) this.kept = { from, to: this.text.length }
    else this.kept.to = this.text.length
  }

  /** After a restore: sets the schemas of it and of what is in it. */
  typeBy(schema: Schema): void {
    this.schema = schema
    for (const [before, child] of this.children.entries()) child.typeBy(childOf(schema, child.name, before))
  }

  /** Takes over the content of an element that has none itself. */
  adopt(child: XmlElement): void {
    for (const grandchild of child.children) this.children.push(grandchild)
    child.children = []
    this.text += child.text
    child.text = ''
  }
}

/** How `ElementBuilder` reads. */
export interface ElementRules {
  /** Names of elements that are empty if they are not closed, such as `<br>`. */
  readonly empty?: ReadonlySet<string> | undefined
  /** Whether elements inside one that the root's schema doesn't know are read as if they stood at the root. */
  readonly unwraps?: boolean | undefined
  /** Where elements begin that are read as markup although they are raw: the elements in them follow them. */
  readonly markupAt?: ReadonlySet<number> | undefined
}

/**
 * Builds elements from what the reader emits, except faults.
 *
 * `schema` describes the object whose fields the outermost elements are. What is complete is in `root.children`.
 */
export class ElementBuilder implements Omit<XmlHandler, 'fault'> {
  readonly root: XmlElement
  private readonly elements: XmlElement[] = []
  private readonly rules: ElementRules
  private inner: XmlElement

  constructor(schema: unknown, coercion: Coercion | undefined, rules: ElementRules = {}) {
    this.root = new XmlElement('', undefined, coercion?.of(schema) ?? ANYTHING, 0, false)
    this.inner = this.root
    this.rules = rules
  }

  /** After a restore: sets the schemas of an outermost element. */
  typeArgument(element: XmlElement): void {
    element.typeBy(childOf(this.root.schema, element.name, 0))
  }

  /** How many elements are open. */
  get depth(): number {
    return this.elements.length
  }

  /** Whether the inside of the innermost element is text, whatever it looks like. */
  get isRaw(): boolean {
    return this.inner.schema.isText && !this.inner.isTransparent
  }

  /** The innermost open element, or the root. */
  get innermost(): XmlElement {
    return this.inner
  }

  /** What is around the innermost open element. */
  get around(): XmlElement {
    return this.elements.at(-2) ?? this.root
  }

  open(name: string, attributes: Attributes | undefined, at: number): void {
    let around = this.inner
    let isTransparent = false
    if (around.isTransparent) around = this.elements.findLast((element) => !element.isTransparent) ?? this.root
    if (this.inner === this.root) isTransparent = this.rules.unwraps === true && this.root.schema.isStranger(name)
    const schema = isTransparent ? ANYTHING : childOf(around.schema, name, this.inner.children.length)
    if (!isTransparent && schema.isText) isTransparent = this.rules.markupAt?.has(at) === true
    this.inner = new XmlElement(name, attributes, schema, at, isTransparent)
    this.elements.push(this.inner)
  }

  text(piece: string): void {
    this.inner.text += piece
  }

  cdata(piece: string): void {
    this.inner.addCdata(piece)
  }

  close(): void {
    const element = this.elements.pop()
    if (element === undefined) return
    this.inner = this.elements.at(-1) ?? this.root
    this.inner.children.push(element)
    if (!element.isTransparent || !element.schema.isText) return
    for (const child of element.children) this.inner.children.push(child)
    element.children = []
  }

  abandon(): void {
    const element = this.inner
    const isEmpty = this.rules.empty?.has(element.name) === true
    element.isUnclosed = !isEmpty
    this.close()
    if (isEmpty) this.inner.adopt(element)
  }
}

/** A name that is an element's place in a list. */
export const PLACE = /^(?:0|[1-9]\d{0,9})$/

/** What an element may hold, by its name and the number of elements before it. */
function childOf(schema: Schema, name: string, before: number): Schema {
  const field = schema.property(name)
  if (field !== undefined) return field
  if (!schema.mayBeArray || schema.isAnything) return ANYTHING
  const isPlace = PLACE.test(name)
  const element = schema.element(isPlace ? Number(name) : before)
  // A list of one, without an element around it: the children are its fields.
  return name !== 'item' && !isPlace && element.property(name) !== undefined ? childOf(element, name, 0) : element
}
