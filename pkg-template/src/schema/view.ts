// One way to fit a schema: schemas that a value must fit all of, looked at together.

import { isRecord, own } from '../own.js'
import {
  type Keywords,
  type Kind,
  elementsOf,
  othersOf,
  patternsOf,
  propertiesOf,
  refusesUnevaluated,
} from './keywords.js'

/** What is said of one property. */
export interface Property {
  /** Undefined if nothing is. */
  readonly schema: unknown
  /** Whether a schema says that it must not be there. */
  readonly isRefused: boolean
  /** Whether a schema says that any properties may be there. */
  readonly isInvited: boolean
}

/** A way to fit a schema. */
export class View {
  constructor(
    readonly layers: readonly Keywords[],
    /** Undefined: any. */
    readonly kinds: ReadonlySet<Kind> | undefined,
    /** The values of `const` and `enum`. */
    readonly literals: ReadonlySet<unknown> | undefined,
    readonly required: readonly string[],
  ) {}

  /** Whether it says nothing of its values. */
  get isOpen(): boolean {
    return this.kinds === undefined && this.literals === undefined
  }

  /** Whether it takes arrays or objects as they are. */
  takes(kind: 'array' | 'object'): boolean {
    return this.literals === undefined && (this.kinds === undefined || this.kinds.has(kind))
  }

  /** Whether it expects values of a kind. */
  expects(kind: Kind): boolean {
    if (this.literals !== undefined)
      return kind === 'string' && [...this.literals].some((value) => typeof value === 'string')
    return this.kinds?.has(kind) === true
  }

  /** The names of the properties that it lists; undefined if it has no list. */
  get listed(): readonly string[] | undefined {
    const lists = this.layers.map(propertiesOf).filter((properties) => properties !== undefined)
    return lists.length === 0 ? undefined : lists.flatMap((properties) => Object.keys(properties))
  }

  /** Whether it says which properties there are: by their names, or by patterns of them. */
  get limitsNames(): boolean {
    return this.listed !== undefined || this.layers.some((layer) => patternsOf(layer).length > 0)
  }

  /** Whether it lists a property. */
  names(key: string): boolean {
    return this.layers.some((layer) => own(propertiesOf(layer), key) !== undefined)
  }

  /** What is said of a property. */
  property(name: string): Property {
    const found: unknown[] = []
    let isRefused = false
    let isInvited = false
    for (const layer of this.layers) {
      const properties = propertiesOf(layer)
      const said = properties !== undefined && Object.hasOwn(properties, name) ? [properties[name]] : []
      for (const [pattern, schema] of patternsOf(layer)) if (pattern.test(name)) said.push(schema)
      const others = othersOf(layer)
      if (said.length === 0 && others === false) isRefused = true
      else if (said.length === 0 && others === true) isInvited = true
      else if (said.length === 0 && isRecord(others)) said.push(others)
      found.push(...said)
    }
    isRefused ||= found.length === 0 && !isInvited && this.layers.some(refusesUnevaluated)
    return { schema: mergedSchema(found), isRefused, isInvited }
  }

  /** The schema of an array's element. */
  element(at: number): unknown {
    const said = this.layers.map((layer) => {
      const { front, rest } = elementsOf(layer)
      return at < front.length ? front[at] : rest
    })
    return mergedSchema(said.filter((schema) => schema !== undefined))
  }

  /** How many of an array's first elements have schemas of their own. */
  get frontLength(): number {
    return Math.max(0, ...this.layers.map((layer) => elementsOf(layer).front.length))
  }
}

/** Schemas made of several, by the first, so that each is read once. */
const made = new WeakMap<object, Array<{ readonly parts: readonly unknown[]; readonly schema: Keywords }>>()

/** One schema of several; undefined of none. */
function mergedSchema(all: readonly unknown[]): unknown {
  if (all.length <= 1) return all[0]
  // Each once: where a schema leads back to itself by several ways, there would else be twice as many at each level of
  // a value.
  const parts = [...new Set(all.filter((part) => part === false || isRecord(part)))]
  const [first] = parts
  if (parts.includes(false)) return false
  if (!isRecord(first)) return true
  if (parts.length === 1) return first
  let known = made.get(first)
  if (known === undefined) made.set(first, (known = []))
  const same = known.find(
    (entry) => entry.parts.length === parts.length && entry.parts.every((part, at) => part === parts[at]),
  )
  if (same !== undefined) return same.schema
  const schema = { allOf: parts }
  known.push({ parts, schema })
  return schema
}
