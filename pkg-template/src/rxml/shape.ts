// What an element may hold, by its schema: a text that is taken as it is written,
// a list, an object, anything. It is asked for while the elements come, since the
// inside of a string is no markup; types are given afterwards, by the coercion.
//
// Source: spec/tool_call.md, "Morph-XML": a string property keeps its raw inner
// text. Differences: the reference looks for names of string properties anywhere
// in the text and knows `type` alone. Here the place decides, and alternatives and
// references are followed.

import type { Coercion } from '../schema/coercion.js'
import { type View, elementSchema, property } from '../schema/views.js'

/** A name that is an element's place in a list. */
export const PLACE = /^(?:0|[1-9]\d{0,9})$/

export class Shape {
  /** Whether nothing is said of it. */
  readonly isAnything: boolean
  readonly canObject: boolean
  readonly canArray: boolean
  readonly canString: boolean
  readonly #coercion: Coercion | undefined
  readonly #views: readonly View[]

  constructor(coercion: Coercion | undefined, views: readonly View[]) {
    const may = (kind: 'object' | 'array' | 'string') => views.length === 0 || views.some((view) => isOpen(view) || hasKind(view, kind))
    this.#coercion = coercion
    this.#views = views
    this.isAnything = views.every(isOpen)
    this.canObject = may('object')
    this.canArray = may('array')
    this.canString = may('string')
  }

  /** The shape of what a schema describes. Without a coercion all shapes are the same. */
  static of(schema: unknown, coercion: Coercion | undefined): Shape {
    if (coercion === undefined || typeof schema !== 'object' || schema === null) return ANYTHING
    let shapes = known.get(coercion)
    if (shapes === undefined) known.set(coercion, (shapes = new WeakMap<object, Shape>()))
    let shape = shapes.get(schema)
    if (shape === undefined) shapes.set(schema, (shape = new Shape(coercion, coercion.views(schema))))
    return shape
  }

  /** Whether the inside is text, whatever it looks like: it may be a string, and nothing that is made of elements. */
  get isRaw(): boolean {
    return this.canString && !this.canObject && !this.canArray
  }

  /** Whether it or, in a list, one of its elements may have attributes. */
  get hasAttributes(): boolean {
    return this.canObject || (this.canArray && this.element.canObject)
  }

  /** The shape of the first element of a list. */
  get element(): Shape {
    return this.#element(0)
  }

  /** Whether the schema speaks of a field. */
  knows(name: string): boolean {
    return this.#properties(name).length > 0
  }

  /** Whether the schema says by name what fields there are, and this is none of them. */
  isStranger(name: string): boolean {
    return this.#views.some(({ layers }) => layers.some((layer) => Object.hasOwn(layer, 'properties'))) && !this.knows(name)
  }

  /** The shape of an element inside it, of which there were `before` others. */
  child(name: string, before: number): Shape {
    const properties = this.#properties(name)
    if (properties.length > 0) return this.#together(properties)
    if (!this.canArray || this.isAnything) return ANYTHING
    const isPlace = PLACE.test(name)
    const element = this.#element(isPlace ? Number(name) : before)
    // A list of one, without an element around it: the children are its fields.
    return name !== 'item' && !isPlace && element.knows(name) ? element.child(name, 0) : element
  }

  #properties(name: string): unknown[] {
    return this.#views.map((view) => (isOpen(view) || hasKind(view, 'object') ? property(view, name).schema : undefined)).filter((schema) => schema !== undefined)
  }

  #element(at: number): Shape {
    return this.#together(this.#views.filter((view) => hasKind(view, 'array')).map((view) => elementSchema(view, at)))
  }

  /** What fits one of several schemas. */
  #together(schemas: readonly unknown[]): Shape {
    const distinct = [...new Set(schemas)]
    const coercion = this.#coercion
    if (coercion === undefined || distinct.length === 0) return ANYTHING
    if (distinct.length === 1) return Shape.of(distinct[0], coercion)
    const shapes = distinct.map((schema) => Shape.of(schema, coercion))
    // One that is open stays so among others.
    if (shapes.some((shape) => shape.#views.length === 0)) return ANYTHING
    return new Shape(coercion, shapes.flatMap((shape) => shape.#views))
  }
}

/** What nothing is known of. */
export const ANYTHING = new Shape(undefined, [])

const known = new WeakMap<Coercion, WeakMap<object, Shape>>()

/** Whether a view says nothing of the kind of its values. */
function isOpen(view: View): boolean {
  return view.kinds === undefined && view.literals === undefined
}

function hasKind(view: View, kind: 'object' | 'array' | 'string'): boolean {
  if (view.literals !== undefined) return kind === 'string' && [...view.literals].some((value) => typeof value === 'string')
  return view.kinds?.has(kind) === true
}
