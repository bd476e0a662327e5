// What a schema means for a value: which types it may have, and what is inside it.

import { isRecord } from '../own.js'
import type { Listing } from '../json/members.js'
import { type Keywords, type Kind, listingOf, unwrapJsonSchema } from './keywords.js'
import type { Plan } from './plan.js'
import { SchemaReader, listedProperties, requiredArguments } from './reader.js'
import { View } from './view.js'

/** Most properties of a schema that are remembered: a schema stays, and what a model writes must not pile up in it. */
const MOST_REMEMBERED = 256

/** A JSON schema, or a part of one. */
export class Schema {
  /** The ways to fit it. None: nothing is known, or nothing fits. */
  readonly views: readonly View[]
  /** Whether nothing is said of it. */
  readonly isAnything: boolean
  readonly mayBeObject: boolean
  readonly mayBeArray: boolean
  readonly mayBeString: boolean
  readonly mayBeNull: boolean
  /** How its values are handled, as `Plans` found out: it lies here because nothing is asked more often. */
  plan: Plan | undefined
  readonly #schemas: Schemas | undefined
  #types: ReadonlySet<Kind> | undefined
  /** Once it was asked for; null if there is none. */
  #listed: readonly string[] | null | undefined
  readonly #frontLength: number
  /** The properties that were asked for; `undefined` where nothing is said of one. */
  readonly #properties = new Map<string, Schema | undefined>()
  /** The elements that were asked for, up to the first that is like all after it. */
  readonly #elements = new Map<number, Schema>()

  /** `ways`: its views before those that treat values alike became one. */
  constructor(schemas: Schemas | undefined, ways: readonly View[]) {
    this.#schemas = schemas
    const views = distinct(ways)
    const may = (kind: Kind) => views.length === 0 || views.some((view) => view.isOpen || view.expects(kind))
    this.views = views
    this.isAnything = views.every(({ isOpen }) => isOpen)
    this.mayBeObject = may('object')
    this.mayBeArray = may('array')
    this.mayBeString = may('string')
    this.mayBeNull = may('null')
    this.#frontLength = Math.max(0, ...views.map(({ frontLength }) => frontLength))
  }

  /** Whether it is a string, and nothing that has parts. */
  get isText(): boolean {
    return this.mayBeString && !this.mayBeObject && !this.mayBeArray
  }

  /** The arguments without which it allows no call. */
  get requiredArguments(): readonly string[] {
    return requiredArguments(this.views)
  }

  /** The names of the properties that it lists; undefined if it has no list. */
  get listed(): readonly string[] | undefined {
    if (this.#listed === undefined) this.#listed = listedProperties(this.views) ?? null
    return this.#listed ?? undefined
  }

  /** Whether it lists a property by this very name. */
  names(key: string): boolean {
    return this.views.some((view) => view.names(key))
  }

  /** The types that it allows, by name, `const` or `enum`; none if it says nothing of them. */
  get types(): ReadonlySet<Kind> {
    return (this.#types ??= new Set(
      this.views.flatMap(({ kinds, literals }) => [...(kinds ?? []), ...[...(literals ?? [])].map(kindOf)]),
    ))
  }

  /** What a value of it is that comes again. */
  get listing(): Listing {
    return listingOf(this.types, () => this.element(0).types)
  }

  /** Whether it has a place for a property: one that it lists, or that it doesn't refuse. */
  keeps(name: string): boolean {
    if (this.views.length === 0 || this.names(name)) return true
    return this.views.some((view) => {
      const { schema, isRefused, isInvited } = view.property(name)
      return schema !== false && !isRefused && (schema !== undefined || isInvited || !view.limitsNames)
    })
  }

  /** Whether it lists properties, and nothing is said of this one. */
  isStranger(name: string): boolean {
    return this.listed !== undefined && this.property(name) === undefined
  }

  /** Whether one way lists all of these keys, and requires no others. */
  isOf(keys: readonly string[]): boolean {
    return this.views.some(
      (view) => keys.every((key) => view.names(key)) && view.required.every((name) => keys.includes(name)),
    )
  }

  /** A property, by whatever says something of it; undefined if nothing does. */
  property(name: string): Schema | undefined {
    if (this.#properties.has(name)) return this.#properties.get(name)
    const said = this.views
      .map((view) => (view.isOpen || view.expects('object') ? view.property(name).schema : undefined))
      .filter((schema) => schema !== undefined)
    const property = said.length === 0 ? undefined : this.#either(said)
    if (this.#properties.size < MOST_REMEMBERED) this.#properties.set(name, property)
    return property
  }

  /** An array's element. */
  element(at: number): Schema {
    const place = Math.min(at, this.#frontLength)
    let element = this.#elements.get(place)
    if (element === undefined)
      this.#elements.set(
        place,
        (element = this.#either(this.views.filter((view) => view.expects('array')).map((view) => view.element(place)))),
      )
    return element
  }

  /** Anything that fits one of several schemas; anything at all if nothing is known of one of them. */
  #either(schemas: readonly unknown[]): Schema {
    const [first, ...others] = [...new Set(schemas)].map((schema) => this.#schemas?.of(schema) ?? ANYTHING)
    if (first === undefined || others.length === 0) return first ?? ANYTHING
    const all = [first, ...others]
    return all.some(({ views }) => views.length === 0)
      ? ANYTHING
      : made(
          this.#schemas,
          all.flatMap(({ views }) => views),
        )
  }
}

/** A class that makes itself gets a second name from tsc, by an assignment that no bundler leaves out. */
function made(schemas: Schemas | undefined, views: readonly View[]): Schema {
  return new Schema(schemas, views)
}

/** The parts of one schema, each read once. */
export class Schemas {
  readonly #reader: SchemaReader
  readonly #schemas = new WeakMap<object, Schema>()

  /** `$ref`s begin at the root. */
  constructor(root: unknown) {
    this.#reader = new SchemaReader(root)
  }

  /** A part, alone or in the AI SDK's wrapper. */
  of(schema: unknown): Schema {
    if (!isRecord(schema)) return ANYTHING
    let known = this.#schemas.get(schema)
    if (known === undefined) {
      const inner = unwrapJsonSchema(schema)
      known = inner === schema ? new Schema(this, this.#reader.ways(schema)) : this.of(inner)
      this.#schemas.set(schema, known)
    }
    return known
  }
}

/** A schema that says nothing, or that nothing fits. */
export const ANYTHING = new Schema(undefined, [])

/**
 * Without views that only ask for other properties than one before them:
 * `anyOf: [{ required: ['a'] }, { required: ['b'] }]`.
 */
function distinct(views: readonly View[]): readonly View[] {
  if (views.length < 2) return views
  const kept: Array<{ readonly speaking: readonly Keywords[]; view: View }> = []
  for (const view of views) {
    const speaking = view.layers.filter(isSpeaking)
    const same = kept.find(
      (other) =>
        other.speaking.length === speaking.length && speaking.every((layer, at) => layer === other.speaking[at]),
    )
    if (same === undefined) kept.push({ speaking, view })
    else
      same.view = new View(
        same.view.layers,
        same.view.kinds,
        same.view.literals,
        same.view.required.filter((name) => view.required.includes(name)),
      )
  }
  return kept.map(({ view }) => view)
}

/** The type of a literal. */
function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as 'string' | 'number' | 'boolean' | 'object')
}

/** Whether it says anything of a value's type. */
function isSpeaking(schema: Keywords): boolean {
  return SPEAKING.some((keyword) => Object.hasOwn(schema, keyword))
}

const SPEAKING = [
  'type',
  'nullable',
  'const',
  'enum',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'additionalItems',
]
