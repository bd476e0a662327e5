// The one reader of JSON schemas: what a schema means for a value.
//
// `$ref`s within the schema, `allOf`, `anyOf` and `oneOf` are followed.
//
// Nothing is refused: an invalid schema says nothing, and neither does one that has too
// many ways, or that leads back to itself before it has said anything.

import { isRecord } from '../own.js'
import { type Keywords, KINDS, type Kind, allOf, groupsOf, isNullable, isSpeaking, kindsOf, literalsOf, referenceOf, requiredOf } from './keywords.js'
import { References } from './references.js'
import { unwrapJsonSchema } from './unwrap.js'
import { View } from './view.js'

/** Most schemas inside each other by `$ref`, `allOf`, `anyOf` and `oneOf`, and how many ways these may make. Beyond it they say nothing. */
const MOST_DEPTH = 64
export const MOST_WAYS = 256
const MOST_STEPS = 8_192

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
  readonly #frontLength: number
  /** The properties that were asked for; `undefined` where nothing is said of one. */
  readonly #properties = new Map<string, Schema | undefined>()
  /** The elements that were asked for, up to the first that is like all after it. */
  readonly #elements = new Map<number, Schema>()

  /** `ways`: its views before those that treat values alike became one. */
  constructor(
    readonly reader: SchemaReader,
    readonly ways: readonly View[],
  ) {
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

  /** The arguments without which no way allows a call; none if some way needs none. */
  get requiredArguments(): readonly string[] {
    const choices = [this.views, this.ways].map((views) => views.filter((view) => view.takes('object')))
    return choices.find((views) => views.every(({ required }) => required.length > 0))?.[0]?.required ?? []
  }

  /** The names of all properties that it lists; undefined if it has no list. */
  get listed(): readonly string[] | undefined {
    const lists = this.views.flatMap(({ listed }) => (listed === undefined ? [] : [listed]))
    return lists.length === 0 ? undefined : lists.flat()
  }

  /** Whether it lists a property by this very name. */
  names(key: string): boolean {
    return this.views.some((view) => view.names(key))
  }

  /** Whether it lists properties, and nothing is said of this one. */
  isStranger(name: string): boolean {
    return this.listed !== undefined && this.property(name) === undefined
  }

  /** Whether one way lists all of these keys, and requires no others. */
  isOf(keys: readonly string[]): boolean {
    return this.views.some((view) => keys.every((key) => view.names(key)) && view.required.every((name) => keys.includes(name)))
  }

  /** A property, by whatever says something of it; undefined if nothing does. */
  property(name: string): Schema | undefined {
    if (this.#properties.has(name)) return this.#properties.get(name)
    const said = this.views.map((view) => (view.isOpen || view.expects('object') ? view.property(name).schema : undefined)).filter((schema) => schema !== undefined)
    const property = said.length === 0 ? undefined : this.#either(said)
    if (this.#properties.size < MOST_REMEMBERED) this.#properties.set(name, property)
    return property
  }

  /** An array's element. */
  element(at: number): Schema {
    const place = Math.min(at, this.#frontLength)
    let element = this.#elements.get(place)
    if (element === undefined) this.#elements.set(place, (element = this.#either(this.views.filter((view) => view.expects('array')).map((view) => view.element(place)))))
    return element
  }

  /** What fits one of several schemas. One of which nothing is known stays so among others. */
  #either(schemas: readonly unknown[]): Schema {
    const [first, ...others] = [...new Set(schemas)].map((schema) => this.reader.of(schema))
    if (first === undefined || others.length === 0) return first ?? ANYTHING
    const all = [first, ...others]
    return all.some(({ views }) => views.length === 0) ? ANYTHING : new Schema(this.reader, all.flatMap(({ views }) => views))
  }
}

/** Reads the parts of one schema, each once. */
export class SchemaReader {
  readonly #references: References
  readonly #schemas = new WeakMap<object, Schema>()
  readonly #conditions: boolean

  /** `$ref`s begin at the root. `conditions`: `then` and `else` are ways too. */
  constructor(root: unknown, { conditions = false } = {}) {
    this.#references = new References(root)
    this.#conditions = conditions
  }

  /** A part, by itself or in the AI SDK's wrapper. `false` is nothing, and anything else that is not an object says nothing. */
  of(schema: unknown): Schema {
    if (!isRecord(schema)) return ANYTHING
    let known = this.#schemas.get(schema)
    if (known === undefined) {
      const inner = unwrapJsonSchema(schema)
      known = inner === schema ? new Schema(this, this.#expand(schema, [], { steps: MOST_STEPS }).map(viewOf)) : this.of(inner)
      this.#schemas.set(schema, known)
    }
    return known
  }

  /** The alternatives that a schema leaves. */
  #expand(schema: unknown, above: readonly unknown[], budget: { steps: number }): readonly Way[] {
    if (schema === false) return []
    // A schema that leads back to itself says nothing new.
    if (!isRecord(schema) || above.includes(schema) || above.length >= MOST_DEPTH || budget.steps-- <= 0) return SAYS_NOTHING
    const within = [...above, schema]
    let ways: readonly Way[] = [{ layers: [schema], kinds: kindsOf(schema), isNullable: isNullable(schema) }]
    const reference = referenceOf(schema)
    if (typeof reference === 'string') ways = together(ways, this.#expand(this.#references.find(reference), within, budget))
    for (const part of allOf(schema)) ways = together(ways, this.#expand(part, within, budget))
    for (const group of groupsOf(schema, this.#conditions)) ways = together(ways, group.flatMap((part) => this.#expand(part, within, budget)))
    return ways
  }
}

/** Schemas that a value may fit, all of them at once. */
type Way = Pick<View, 'layers' | 'kinds'> & { readonly isNullable: boolean }

const SAYS_NOTHING: readonly Way[] = [{ layers: [], kinds: undefined, isNullable: false }]

/** What nothing is known of. */
export const ANYTHING = new Schema(new SchemaReader(undefined), [])

/** What fits one of each, without what no value can fit. */
function together(some: readonly Way[], others: readonly Way[]): readonly Way[] {
  const ways: Way[] = []
  for (const one of some) {
    for (const other of others) {
      const kinds = meet(one.kinds, other.kinds)
      const nullable = one.isNullable || other.isNullable
      if ((kinds?.size !== 0 || nullable) && ways.length < MOST_WAYS) ways.push({ layers: [...new Set([...one.layers, ...other.layers])], kinds, isNullable: nullable })
    }
  }
  return ways
}

function viewOf({ layers, kinds, isNullable }: Way): View {
  let literals: ReadonlySet<unknown> | undefined
  for (const layer of layers) {
    const said = literalsOf(layer)
    if (said !== undefined) literals = literals === undefined ? said : new Set([...literals].filter((value) => said.has(value)))
  }
  return new View(
    layers,
    isNullable && kinds !== undefined ? new Set([...kinds, 'null']) : kinds,
    isNullable && literals !== undefined ? new Set([...literals, null]) : literals,
    [...new Set(layers.flatMap(requiredOf))],
  )
}

/** The kinds that both allow. */
export function meet(some: ReadonlySet<Kind> | undefined, others: ReadonlySet<Kind> | undefined): ReadonlySet<Kind> | undefined {
  if (some === undefined || others === undefined) return some ?? others
  const has = (kinds: ReadonlySet<Kind>, kind: Kind) => kinds.has(kind) || (kind === 'integer' && kinds.has('number'))
  return new Set(KINDS.filter((kind) => has(some, kind) && has(others, kind)))
}

/** Without views that only ask for other properties than one before them: `anyOf: [{ required: ['a'] }, { required: ['b'] }]`. */
function distinct(views: readonly View[]): readonly View[] {
  if (views.length < 2) return views
  const kept: Array<{ readonly speaking: readonly Keywords[]; view: View }> = []
  for (const view of views) {
    const speaking = view.layers.filter(isSpeaking)
    const same = kept.find((other) => other.speaking.length === speaking.length && speaking.every((layer, at) => layer === other.speaking[at]))
    if (same === undefined) kept.push({ speaking, view })
    else same.view = new View(same.view.layers, same.view.kinds, same.view.literals, same.view.required.filter((name) => view.required.includes(name)))
  }
  return kept.map(({ view }) => view)
}

const documents = new WeakMap<object, Schema>()

/** A whole schema, read once. */
export function schemaOf(root: unknown): Schema {
  let schema = isRecord(root) ? documents.get(root) : ANYTHING
  if (schema === undefined) documents.set(root as object, (schema = new SchemaReader(unwrapJsonSchema(root)).of(root)))
  return schema
}
