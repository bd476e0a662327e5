// What is worked out once for each schema: its views, and its plan.

import { isRecord } from '../own.js'
import { ObjectMembers } from './members.js'
import { GUESS, type Plan, planOf } from './plan.js'
import { unwrapJsonSchema } from './unwrap.js'
import { type Keywords, type View, Views } from './views.js'

/** A schema as it is asked for. */
export interface Shape {
  /** Views that treat a value alike are one. */
  readonly views: readonly View[]
  readonly plan: Plan
}

const GUESSED: Shape = { views: [], plan: GUESS }

/** Keywords by which views treat values unlike. */
const SPEAKING = ['type', 'nullable', 'const', 'enum', 'properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'items', 'prefixItems', 'additionalItems']

/** The shapes of a schema's parts. */
export class Shapes {
  readonly #views: Views
  readonly #shapes = new WeakMap<object, Shape>()
  readonly #members = new WeakMap<View, ObjectMembers>()
  readonly #nothing: Shape
  readonly #coerce: (value: unknown, schema: unknown) => unknown

  constructor(root: unknown, coerce: (value: unknown, schema: unknown) => unknown) {
    this.#views = new Views(root)
    this.#coerce = coerce
    this.#nothing = { views: [], plan: planOf([], (view) => this.members(view)) }
  }

  of(schema: unknown): Shape {
    if (schema === false) return this.#nothing
    if (!isRecord(schema)) return GUESSED
    let shape = this.#shapes.get(schema)
    if (shape === undefined) {
      const inner = unwrapJsonSchema(schema)
      shape = inner === schema ? this.#read(schema) : this.of(inner)
      this.#shapes.set(schema, shape)
    }
    return shape
  }

  /** A view's members, worked out when they are first asked for. */
  members(view: View): ObjectMembers {
    let members = this.#members.get(view)
    if (members === undefined) this.#members.set(view, (members = new ObjectMembers(view, (schema) => this.of(schema).views, this.#coerce)))
    return members
  }

  #read(schema: Keywords): Shape {
    const views = distinct(this.#views.of(schema))
    return { views, plan: planOf(views, (view) => this.members(view)) }
  }
}

/** Without views that only ask for other members than one in front of them: `anyOf: [{ required: ['a'] }, { required: ['b'] }]`. */
function distinct(views: readonly View[]): readonly View[] {
  if (views.length < 2) return views
  const kept: Array<{ readonly speaking: readonly Keywords[]; view: View }> = []
  for (const view of views) {
    const speaking = view.layers.filter((layer) => SPEAKING.some((keyword) => Object.hasOwn(layer, keyword)))
    const same = kept.find((other) => other.speaking.length === speaking.length && speaking.every((layer, at) => layer === other.speaking[at]))
    if (same === undefined) kept.push({ speaking, view })
    else same.view = { ...same.view, required: same.view.required.filter((name) => view.required.includes(name)) }
  }
  return kept.map(({ view }) => view)
}
