// The plans of the schemas that are read.

import type { Kind } from './keywords.js'
import { KEEP, ObjectMembers } from './members.js'
import type { ArrayPlan, Member, ObjectPlan, Plan } from './plan.js'
import { ANYTHING, type Schema, type Schemas } from './schema.js'
import type { View } from './view.js'

const KEEP_MEMBER: Member = { schema: KEEP, action: 'keep' }
const KEEP_OBJECT: ObjectPlan = { member: () => KEEP_MEMBER, leftovers: () => [] }
const KEEP_ARRAY: ArrayPlan = { element: () => KEEP }

export const KEEP_ALL: Plan = {
  keepsStrings: true,
  keepsNumbers: true,
  keepsWords: true,
  guesses: false,
  object: KEEP_OBJECT,
  array: KEEP_ARRAY,
}
/** The plan of values without a schema. */
const GUESS: Plan = { ...KEEP_ALL, keepsStrings: false, guesses: true }

/** The plans of one schema's parts, each worked out when it is first asked for. */
export class Plans {
  readonly #schemas: Schemas
  readonly #coerce: (value: unknown, schema: unknown) => unknown
  readonly #members = new WeakMap<View, ObjectMembers>()

  /** `coerce` is what leftovers go through. */
  constructor(schemas: Schemas, coerce: (value: unknown, schema: unknown) => unknown) {
    this.#schemas = schemas
    this.#coerce = coerce
  }

  of(schema: unknown): Plan {
    return schema === false ? KEEP_ALL : this.planOf(this.#schemas.of(schema))
  }

  planOf(schema: Schema): Plan {
    return (schema.plan ??= schema === ANYTHING ? GUESS : this.#read(schema.views))
  }

  /** How the properties of an object are handled, by one view. */
  members(view: View): ObjectMembers {
    let members = this.#members.get(view)
    if (members === undefined)
      this.#members.set(
        view,
        (members = new ObjectMembers(view, (schema) => this.#schemas.of(schema).views, this.#coerce)),
      )
    return members
  }

  #read(views: readonly View[]): Plan {
    if (views.length === 0) return KEEP_ALL
    const plain = views.filter(({ literals }) => literals === undefined)
    const keeps = (kind: Kind) => plain.some(({ kinds }) => kinds === undefined || kinds.has(kind))
    const none = (...kinds: Kind[]) => views.every((view) => kinds.every((kind) => view.kinds?.has(kind) !== true))
    const isString = (view: View) => view.literals !== undefined && view.expects('string')
    const isSure = none('string', 'array') && !views.some(isString)
    return {
      // With other kinds, and with `const` and `enum`, a string may stand for another value.
      keepsStrings: plain.some(
        ({ kinds }) =>
          kinds === undefined ||
          (kinds.has('string') && [...kinds].every((kind) => kind === 'string' || kind === 'null')),
      ),
      keepsNumbers: keeps('number') || isSure,
      keepsWords: (keeps('boolean') || isSure) && (keeps('null') || none('array')),
      guesses: false,
      object: this.#object(views),
      array: arrayPlan(views),
    }
  }

  #object(views: readonly View[]): ObjectPlan | undefined {
    const [view, ...others] = views.filter((view) => view.takes('object'))
    if (view === undefined || others.length > 0) return undefined
    return view.isOpen ? KEEP_OBJECT : this.members(view)
  }
}

function arrayPlan(views: readonly View[]): ArrayPlan | undefined {
  const [view, ...others] = views.filter((view) => view.takes('array'))
  if (others.length > 0) return undefined
  if (view !== undefined) return view.isOpen ? KEEP_ARRAY : elementPlan(view)
  // An array stays as it is where none is expected.
  return views.some(({ kinds }) => kinds?.has('array')) ? undefined : KEEP_ARRAY
}

const known = new WeakMap<View, ArrayPlan>()

/** How an array is taken by one view. */
export function elementPlan(view: View): ArrayPlan {
  let plan = known.get(view)
  if (plan === undefined) known.set(view, (plan = new ArrayElements(view)))
  return plan
}

class ArrayElements implements ArrayPlan {
  readonly #front: readonly unknown[]
  readonly #rest: unknown

  constructor(view: View) {
    this.#front = Array.from({ length: view.frontLength }, (_, at) => view.element(at))
    this.#rest = view.element(view.frontLength)
  }

  element(index: number): unknown {
    return index < this.#front.length ? this.#front[index] : this.#rest
  }
}
