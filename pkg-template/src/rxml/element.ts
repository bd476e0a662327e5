// Elements as a tree, built from what the XML reader emits.
//
// Reading is in Rust (src/xml/tree.rs), values are in value.ts. The tree is never
// deeper than the reader reads, which is 512 elements.

import type { Coercion } from '../schema/coercion.js'
import { ANYTHING, type Schema } from '../schema/schema.js'
import type { XmlHandler } from '../xml/decoder.js'

/** An element with all that is in it. */
export class XmlElement {
  attributes: Map<string, string | true> | undefined
  children: XmlElement[] = []
  /** The text directly in it, joined, with references decoded and the inside of CDATA as it is. */
  text = ''
  /** Whether it was never closed. */
  isUnclosed = false
  /** Where in `text` the first CDATA begins and the last ends. */
  #kept: { readonly from: number; to: number } | undefined

  constructor(
    readonly name: string,
    /** What it may hold, by its schema. */
    readonly schema: Schema,
    /** Where its tag begins, in UTF-16 code units. */
    readonly at: number,
    /** Whether elements inside it count as its siblings. */
    readonly isTransparent: boolean,
  ) {}

  /** The text without white space at its ends, except inside CDATA. */
  get trimmed(): string {
    const { text } = this
    const kept = this.#kept
    if (kept === undefined) return text.trim()
    return text.slice(0, kept.from).trimStart() + text.slice(kept.from, kept.to) + text.slice(kept.to).trimEnd()
  }

  /** Adds the inside of a CDATA section, or a piece of it. */
  addCdata(piece: string): void {
    const from = this.text.length
    this.text += piece
    if (this.#kept === undefined) this.#kept = { from, to: this.text.length }
    else this.#kept.to = this.text.length
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
 * `schema` describes the object whose fields the outermost elements are. What is
 * complete is in `root.children`.
 */
export class ElementBuilder implements Omit<XmlHandler, 'fault'> {
  readonly root: XmlElement
  readonly #open: XmlElement[] = []
  readonly #rules: ElementRules
  #innermost: XmlElement

  constructor(schema: unknown, coercion: Coercion | undefined, rules: ElementRules = {}) {
    this.root = new XmlElement('', coercion?.of(schema) ?? ANYTHING, 0, false)
    this.#innermost = this.root
    this.#rules = rules
  }

  /** How many elements are open. */
  get depth(): number {
    return this.#open.length
  }

  /** Whether the inside of the innermost element is text, whatever it looks like. */
  get isRaw(): boolean {
    return this.#innermost.schema.isText && !this.#innermost.isTransparent
  }

  /** The innermost open element, or the root. */
  get innermost(): XmlElement {
    return this.#innermost
  }

  open(name: string, at: number): void {
    let around = this.#innermost
    let isTransparent = false
    if (around.isTransparent) around = this.#open.findLast((element) => !element.isTransparent) ?? this.root
    if (this.#innermost === this.root) isTransparent = this.#rules.unwraps === true && this.root.schema.isStranger(name)
    const schema = isTransparent ? ANYTHING : childOf(around.schema, name, this.#innermost.children.length)
    if (!isTransparent && schema.isText) isTransparent = this.#rules.markupAt?.has(at) === true
    this.#innermost = new XmlElement(name, schema, at, isTransparent)
    this.#open.push(this.#innermost)
  }

  attribute(name: string, value: string | true): void {
    const attributes = (this.#innermost.attributes ??= new Map<string, string | true>())
    if (!attributes.has(name)) attributes.set(name, value)
  }

  opened(): void {
    // Whether its inside is raw is asked by `isRaw`.
  }

  dropped(): void {
    this.#open.pop()
    this.#innermost = this.#open.at(-1) ?? this.root
  }

  text(piece: string): void {
    this.#innermost.text += piece
  }

  cdata(piece: string): void {
    this.#innermost.addCdata(piece)
  }

  close(): void {
    const element = this.#open.pop()
    if (element === undefined) return
    this.#innermost = this.#open.at(-1) ?? this.root
    this.#innermost.children.push(element)
    if (!element.isTransparent || !element.schema.isText) return
    for (const child of element.children) this.#innermost.children.push(child)
    element.children = []
  }

  abandon(): void {
    const element = this.#innermost
    const isEmpty = this.#rules.empty?.has(element.name) === true
    element.isUnclosed = !isEmpty
    this.close()
    if (isEmpty) this.#innermost.adopt(element)
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
