// What a schema means for a value before all of it is there.
//
// A value that streams can be passed on as it comes if nothing that may still come
// changes what becomes of it. A plan says when that is so, and whoever has the
// whole value goes by the same plan, so that both ways give the same.

import { own } from '../own.js'
import type { ObjectMembers } from './members.js'
import { elementSchema, type Kind, type View } from './views.js'

/** What is done with values of one schema. */
export interface Plan {
  /** Whether a string is taken as it is. */
  readonly keepsStrings: boolean
  /** Whether a number is. */
  readonly keepsNumbers: boolean
  /** Whether `true`, `false` and `null` are. */
  readonly keepsWords: boolean
  /** Whether there is no schema: a string that reads as a number, a boolean or JSON is converted, all others are kept. */
  readonly guesses: boolean
  /** How an object is taken member by member; undefined: only as a whole. */
  readonly object: ObjectPlan | undefined
  /** The same of arrays. */
  readonly array: ArrayPlan | undefined
}

/** How an object is taken member by member. */
export interface ObjectPlan {
  /**
   * What is done with a member. `wait`: no key of the schema, which forbids others, but it may stand
   * for one that is missing; what becomes of it is told by `leftovers`.
   */
  member(key: string): Member
  /**
   * The members that waiting ones become at the object's end, with their values coerced. `seen` are the keys that were kept.
   *
   * @throws RangeError if a value is nested more than 512 levels deep.
   */
  leftovers(waiting: ReadonlyMap<string, unknown>, seen: ReadonlySet<string>): ReadonlyArray<readonly [key: string, value: unknown]>
}

/** What is done with one member. */
export interface Member {
  readonly schema: unknown
  readonly action: 'keep' | 'drop' | 'wait'
}

/** How an array is taken element by element. */
export interface ArrayPlan {
  /** The schema of an element. */
  element(index: number): unknown
}

/** A schema that says nothing, not even that a string may be guessed at: values are kept. */
export const KEEP: Readonly<Record<string, never>> = Object.freeze({})

const KEEP_MEMBER: Member = { schema: KEEP, action: 'keep' }
const KEEP_OBJECT: ObjectPlan = { member: () => KEEP_MEMBER, leftovers: () => [] }
const KEEP_ARRAY: ArrayPlan = { element: () => KEEP }

export const KEEP_ALL: Plan = { keepsStrings: true, keepsNumbers: true, keepsWords: true, guesses: false, object: KEEP_OBJECT, array: KEEP_ARRAY }
/** Of values without a schema. */
export const GUESS: Plan = { ...KEEP_ALL, keepsStrings: false, guesses: true }

/** Whether a view says nothing of its values. */
export function isOpen({ kinds, literals }: View): boolean {
  return kinds === undefined && literals === undefined
}

/** Whether a view takes arrays or objects as they are. */
export function takes(view: View, kind: 'array' | 'object'): boolean {
  return view.literals === undefined && (view.kinds === undefined || view.kinds.has(kind))
}

/** The plan of a schema that leaves these views. `membersOf` makes the plan of an object by one of them. */
export function planOf(views: readonly View[], membersOf: (view: View) => ObjectMembers): Plan {
  if (views.length === 0) return KEEP_ALL
  const plain = views.filter(({ literals }) => literals === undefined)
  const keeps = (kind: Kind) => plain.some(({ kinds }) => kinds === undefined || kinds.has(kind))
  const none = (...kinds: Kind[]) => views.every((view) => kinds.every((kind) => view.kinds?.has(kind) !== true))
  const hasStringLiterals = views.some(({ literals }) => [...(literals ?? [])].some((literal) => typeof literal === 'string'))
  return {
    // With other kinds, and with `const` and `enum`, a string may stand for another value.
    keepsStrings: plain.some(({ kinds }) => kinds === undefined || (kinds.has('string') && [...kinds].every((kind) => kind === 'string' || kind === 'null'))),
    keepsNumbers: keeps('number') || (none('string', 'array') && !hasStringLiterals),
    keepsWords: (keeps('boolean') || (none('string', 'array') && !hasStringLiterals)) && (keeps('null') || none('array')),
    guesses: false,
    object: objectPlan(views, membersOf),
    array: arrayPlan(views),
  }
}

function objectPlan(views: readonly View[], membersOf: (view: View) => ObjectMembers): ObjectPlan | undefined {
  const taking = views.filter((view) => takes(view, 'object'))
  const [view] = taking
  if (view === undefined || taking.length > 1) return undefined
  return isOpen(view) ? KEEP_OBJECT : membersOf(view)
}

function arrayPlan(views: readonly View[]): ArrayPlan | undefined {
  const taking = views.filter((view) => takes(view, 'array'))
  const [view] = taking
  if (taking.length > 1) return undefined
  if (view !== undefined) return isOpen(view) ? KEEP_ARRAY : elementsOf(view)
  // Nothing becomes of an array where none is expected.
  return views.some(({ kinds }) => kinds?.has('array')) ? undefined : KEEP_ARRAY
}

const known = new WeakMap<View, ArrayPlan>()

/** How an array is taken by one view. */
export function elementsOf(view: View): ArrayPlan {
  let plan = known.get(view)
  if (plan === undefined) known.set(view, (plan = new ArrayElements(view)))
  return plan
}

class ArrayElements implements ArrayPlan {
  readonly #front: readonly unknown[]
  readonly #rest: unknown

  constructor(view: View) {
    const front: unknown[] = []
    for (let at = 0; at < longestFront(view); at++) front.push(elementSchema(view, at))
    this.#front = front
    this.#rest = elementSchema(view, front.length)
  }

  element(index: number): unknown {
    return index < this.#front.length ? this.#front[index] : this.#rest
  }
}

function longestFront({ layers }: View): number {
  const lengths = layers.flatMap((layer) => [own(layer, 'items'), own(layer, 'prefixItems')].map((front) => (Array.isArray(front) ? front.length : 0)))
  return Math.max(0, ...lengths)
}
