// How the members of an object are handled, by one view of its schema.
//
// A key that the schema doesn't know is kept, and dropped if the schema forbids it
// (by `additionalProperties: false`, or because its own schema is `false`);
// but if it is nearly the name of a required member that isn't there, it is that
// member: `user_name` for `userName`, `tag` for `tags` if that takes a list.
//
// Source: facts/ai-sdk-tool-parser.md, 2c. Differences: the reference keeps what a
// schema forbids, and leaves `{ tag: 'x' }`, whose value is not a list, as it is.

import { type Literals, literalFor } from './literals.js'
import type { Member, ObjectPlan } from './plan.js'
import type { View } from './view.js'

/** A schema that says nothing, not even that a string may be guessed at: values are kept. */
export const KEEP: Readonly<Record<string, never>> = Object.freeze({})

/** A member, and whether the schema speaks of it. */
export interface KnownMember extends Member {
  readonly isStranger: boolean
}

/** A waiting member, and what it is taken for. */
export interface Renamed {
  readonly from: string
  readonly to: string
  readonly schema: unknown
}

const DROPPED: KnownMember = { schema: KEEP, action: 'drop', isStranger: true }
const WAITING: KnownMember = { schema: KEEP, action: 'wait', isStranger: true }
/** A key that the schema doesn't speak of: strings are guessed at. */
const GUESSED: KnownMember = { schema: undefined, action: 'keep', isStranger: true }
/** One that `additionalProperties: true` invites. */
const INVITED: KnownMember = { schema: KEEP, action: 'keep', isStranger: true }

/** A view of an object's schema, ready to be asked for its members. */
export class ObjectMembers implements ObjectPlan {
  readonly required: readonly string[]
  readonly #view: View
  readonly #declared = new Map<string, KnownMember>()
  /** Required members by names that may stand for them, once a key is met that the schema forbids. */
  #likely: ReadonlyMap<string, string> | undefined
  /** Members with one value that is right, once it is asked for. */
  #consts: ReadonlyArray<readonly [name: string, literals: Literals]> | undefined
  readonly #viewsOf: (schema: unknown) => readonly View[]
  readonly #coerce: (value: unknown, schema: unknown) => unknown

  /** `viewsOf` reads the members' schemas; `coerce` is what leftovers go through. */
  constructor(
    view: View,
    viewsOf: (schema: unknown) => readonly View[],
    coerce: (value: unknown, schema: unknown) => unknown,
  ) {
    this.#view = view
    this.#viewsOf = viewsOf
    this.#coerce = coerce
    this.required = view.required
    for (const name of view.listed ?? []) this.#declared.set(name, this.#read(name))
  }

  member(key: string): KnownMember {
    return this.#declared.get(key) ?? this.#read(key)
  }

  /** Whether the schema says that a member may be there: by its name, by a pattern, or with all others. */
  allows(key: string): boolean {
    const member = this.member(key)
    return member === INVITED || !member.isStranger
  }

  /** Whether the schema names a member. */
  declares(key: string): boolean {
    return this.#declared.has(key)
  }

  get declaresAny(): boolean {
    return this.#declared.size > 0
  }

  leftovers(
    waiting: ReadonlyMap<string, unknown>,
    seen: ReadonlySet<string>,
  ): ReadonlyArray<readonly [key: string, value: unknown]> {
    return this.renamed(waiting.keys(), seen).map(({ from, to, schema }) => [
      to,
      this.#coerce(waiting.get(from), schema),
    ])
  }

  /** What waiting members are taken for; the first of several wins, the others are dropped. */
  renamed(waiting: Iterable<string>, seen: ReadonlySet<string>): readonly Renamed[] {
    const renamed = new Map<string, Renamed>()
    for (const from of waiting) {
      const to = this.#target(from)
      if (to !== undefined && !seen.has(to) && !renamed.has(to))
        renamed.set(to, { from, to, schema: this.member(to).schema })
    }
    return [...renamed.values()]
  }

  /** How many members have another value than the only one that is right. */
  wrongConsts(fields: Readonly<Record<string, unknown>>): number {
    this.#consts ??= [...this.#declared].flatMap(([name, { schema }]) => {
      const [view, ...others] = this.#viewsOf(schema)
      return others.length === 0 && view?.literals?.size === 1 ? [[name, view.literals] as const] : []
    })
    return this.#consts.filter(
      ([name, literals]) => Object.hasOwn(fields, name) && literalFor(fields[name], literals) === undefined,
    ).length
  }

  #takesArrays(name: string): boolean {
    return this.#viewsOf(this.member(name).schema).some(({ kinds }) => kinds?.has('array') === true)
  }

  #read(key: string): KnownMember {
    const { schema, isRefused, isInvited } = this.#view.property(key)
    if (schema === false) return DROPPED
    if (schema !== undefined) return { schema, action: 'keep', isStranger: false }
    if (isRefused) return this.#target(key) === undefined ? DROPPED : WAITING
    return isInvited ? INVITED : GUESSED
  }

  /** The required member that a key may stand for. */
  #target(key: string): string | undefined {
    this.#likely ??= this.#likelyNames()
    return this.#likely.get(plainName(key))
  }

  #likelyNames(): ReadonlyMap<string, string> {
    const likely = new Map<string, string>()
    const add = (plain: string, name: string) => likely.has(plain) || likely.set(plain, name)
    for (const name of this.required) if (this.declares(name)) add(plainName(name), name)
    for (const name of this.required)
      if (this.declares(name) && this.#takesArrays(name))
        for (const other of otherNumbers(plainName(name))) add(other, name)
    return likely
  }
}

/** The longest name that is compared: keys may be long. */
const LONGEST_NAME = 256

/** A name without capitals and separators. */
function plainName(name: string): string {
  return name.length > LONGEST_NAME ? name : name.replace(/[_\-\s]/g, '').toLowerCase()
}

/** What a list may be called for one of its elements, or for more of them. */
function otherNumbers(name: string): string[] {
  const found = [`${name}s`]
  if (name.endsWith('ies')) found.push(`${name.slice(0, -3)}y`)
  if (/(?:s|x|z|ch|sh)es$/.test(name)) found.push(name.slice(0, -2))
  if (name.endsWith('s')) found.push(name.slice(0, -1))
  return found
}
