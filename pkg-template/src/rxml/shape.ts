// What an element may hold, by its schema: a text that is taken as it is written,
// a list, an object, anything. It is asked for while the elements come, since the
// inside of a string is no markup; types are given afterwards, by the coercion.
//
// Source: spec/tool_call.md, "Morph-XML": a string property keeps its raw inner
// text. Differences: the reference looks for names of string properties anywhere
// in the text and knows `type` alone. Here the place decides, and alternatives and
// references are followed.

import { own } from '../own.js'
import type { Coercion } from '../schema/coercion.js'
import { type View, elementSchema, property } from '../schema/views.js'

/** A name that is an element's place in a list. */
export const PLACE = /^(?:0|[1-9]\d{0,9})$/

/** Most fields of a shape that are remembered: a schema stays, and what a model writes must not pile up in it. */
const MOST_FIELDS = 256

export class Shape {
  /** Whether nothing is said of it. */
  readonly isAnything: boolean
  readonly canObject: boolean
  readonly canArray: boolean
  readonly canString: boolean
  /** Makes what an element without content is, where it can be an object or a list alone. */
  readonly empty: (() => object) | undefined
  readonly #coercion: Coercion | undefined
  readonly #views: readonly View[]
  /** The shapes of fields that were asked for; `undefined` where the schema says nothing of one. */
  readonly #fields = new Map<string, Shape | undefined>()
  /** The shapes of a list's elements that were asked for, up to the first that is like all behind it. */
  readonly #elements = new Map<number, Shape>()
  readonly #firstOfRest: number

  constructor(coercion: Coercion | undefined, views: readonly View[]) {
    const may = (kind: 'object' | 'array' | 'string') => views.length === 0 || views.some((view) => isOpen(view) || hasKind(view, kind))
    this.#coercion = coercion
    this.#views = views
    this.isAnything = views.every(isOpen)
    this.canObject = may('object')
    this.canArray = may('array')
    this.canString = may('string')
    const isContainer = !this.canString && this.canObject !== this.canArray && !views.some(({ kinds }) => kinds?.has('null') === true)
    this.empty = isContainer ? () => (this.canObject ? {} : []) : undefined
    this.#firstOfRest = Math.max(0, ...views.flatMap(({ layers }) => layers.flatMap((layer) => [lengthOf(own(layer, 'items')), lengthOf(own(layer, 'prefixItems'))])))
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
    return this.#field(name) !== undefined
  }

  /** Whether the schema says by name what fields there are, and this is none of them. */
  isStranger(name: string): boolean {
    return this.#views.some(({ layers }) => layers.some((layer) => Object.hasOwn(layer, 'properties'))) && !this.knows(name)
  }

  /** The shape of an element inside it, of which there were `before` others. */
  child(name: string, before: number): Shape {
    const field = this.#field(name)
    if (field !== undefined) return field
    if (!this.canArray || this.isAnything) return ANYTHING
    const isPlace = PLACE.test(name)
    const element = this.#element(isPlace ? Number(name) : before)
    // A list of one, without an element around it: the children are its fields.
    return name !== 'item' && !isPlace && element.knows(name) ? element.child(name, 0) : element
  }

  #field(name: string): Shape | undefined {
    if (this.#fields.has(name)) return this.#fields.get(name)
    const schemas = this.#views.map((view) => (isOpen(view) || hasKind(view, 'object') ? property(view, name).schema : undefined)).filter((schema) => schema !== undefined)
    const field = schemas.length === 0 ? undefined : this.#together(schemas)
    if (this.#fields.size < MOST_FIELDS) this.#fields.set(name, field)
    return field
  }

  #element(at: number): Shape {
    const place = Math.min(at, this.#firstOfRest)
    let element = this.#elements.get(place)
    if (element === undefined) {
      element = this.#together(this.#views.filter((view) => hasKind(view, 'array')).map((view) => elementSchema(view, place)))
      this.#elements.set(place, element)
    }
    return element
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

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}
