// Where values are, by a schema: which keys an object has, in which order, and what the
// first element of an array may be.
//
// For `keys` an object whose `additionalProperties` are not mentioned counts as closed, since
// what matters is whether one of a document's keys is the schema's. Alternatives include
// `then` and `else`.

import { isRecord } from '../own.js'
import { type Keywords, type Kind, othersOf, patternsOf, referenceOf, typesOf, valuesOf } from './keywords.js'
import { schemasIn } from './parts.js'
import { MOST_WAYS, SchemaReader, meet } from './reader.js'
import { References } from './references.js'
import type { Property, View } from './view.js'

/** A kind of JSON value. */
export type JsonKind = Exclude<Kind, 'integer'>

export const ALL_KINDS: ReadonlySet<JsonKind> = new Set(['object', 'array', 'string', 'number', 'boolean', 'null'])

/** What is known of a value before it arrives. */
export interface Outline {
  /** Which kinds of value fit. */
  readonly kinds: ReadonlySet<JsonKind>
  /** The keys of an object; undefined if any key fits. An empty set lists none, so that any key fits it too. */
  readonly keys: ReadonlySet<string> | undefined
  /** What the first element of an array may be; undefined if that is anything. */
  readonly first: readonly Outline[] | undefined
  /** Whether there may be keys that it forbids. */
  readonly mayForbid: boolean
  /** Whether the schema says that an object must not have a key. */
  forbids(key: string): boolean
  /** The only description of what is at a key, or of an array's elements, if there is one. */
  at(step: string | typeof ELEMENT): Outline | undefined
  /** What is inside, in order: by a key, as any element of an array, or as another description of the value itself. */
  inside(): Iterable<readonly [step: string | typeof ELEMENT | typeof SAME, outline: Outline]>
}

/** The step to any element of an array. */
export const ELEMENT = Symbol('element')
/** The step to another description of the same value. */
export const SAME = Symbol('same')

/** The outline of a valid JSON schema. */
export function outlineOf(root: Keywords): Outline {
  return new OutlineReader(root).of(root, root)
}

/** Reads the outlines of one schema. */
class OutlineReader {
  readonly reader: SchemaReader
  readonly references: References
  readonly #outlines = new Map<unknown, Map<unknown, Outline>>()

  constructor(root: Keywords) {
    this.reader = new SchemaReader(root, true)
    this.references = new References(root)
  }

  /** The outline of a schema inside the target of a `$ref`, made once for each target, so that recursion ends. */
  of(schema: unknown, target: unknown): Outline {
    let inTarget = this.#outlines.get(target)
    if (inTarget === undefined) this.#outlines.set(target, (inTarget = new Map<unknown, Outline>()))
    let outline = inTarget.get(schema)
    if (outline === undefined) inTarget.set(schema, (outline = new JsonOutline(this, schema, target)))
    return outline
  }
}

/** Most keys whose descriptions are remembered: what a model writes must not pile up. */
const MOST_REMEMBERED = 256

class JsonOutline implements Outline {
  readonly mayForbid = true
  /** The views of an object, and what they say of its keys, once they are asked for. */
  #objects: ReadonlyArray<View | undefined> | undefined
  readonly #forbids = new Map<string, boolean>()
  readonly #inner = new Map<string | typeof ELEMENT, Outline | undefined>()

  constructor(
    private readonly outlines: OutlineReader,
    private readonly schema: unknown,
    private readonly target: unknown,
  ) {}

  get kinds(): ReadonlySet<JsonKind> {
    const ways = this.ways()
    return new Set([...ALL_KINDS].filter((kind) => ways.some(({ kinds }) => kinds.has(kind))))
  }

  get keys(): ReadonlySet<string> | undefined {
    return union(this.viewsOf('object').map(keysOf))
  }

  get first(): readonly Outline[] | undefined {
    const elements = this.viewsOf('array').map((view) => view?.element(0))
    const isKnown = elements.length > 0 && elements.every((schema) => schema !== undefined && schema !== false)
    return isKnown ? elements.map((schema) => this.outlines.of(schema, schema)) : undefined
  }

  forbids(key: string): boolean {
    let forbids = this.#forbids.get(key)
    if (forbids !== undefined) return forbids
    this.#objects ??= this.viewsOf('object')
    forbids =
      this.#objects.length > 0 && this.#objects.every((view) => view !== undefined && isForbidden(view.property(key)))
    if (this.#forbids.size < MOST_REMEMBERED) this.#forbids.set(key, forbids)
    return forbids
  }

  at(step: string | typeof ELEMENT): Outline | undefined {
    if (this.#inner.has(step)) return this.#inner.get(step)
    const [view, ...others] = this.viewsOf(step === ELEMENT ? 'array' : 'object')
    const isOne = view !== undefined && others.length === 0 && (step !== ELEMENT || view.frontLength === 0)
    const schema = !isOne ? undefined : step === ELEMENT ? view.element(0) : view.property(step).schema
    const outline = isRecord(schema) ? this.outlines.of(schema, schema) : undefined
    if (this.#inner.size < MOST_REMEMBERED) this.#inner.set(step, outline)
    return outline
  }

  *inside(): ReturnType<Outline['inside']> {
    if (!isRecord(this.schema)) return
    const { outlines, target } = this
    const same: Array<readonly [typeof SAME, Outline]> = []
    for (const { role, steps, schema } of schemasIn(this.schema)) {
      const inner = outlines.of(schema, target)
      if (role === 'same') same.push([SAME, inner])
      else yield [role === 'element' ? ELEMENT : String(steps[1]), inner]
    }
    const reference = referenceOf(this.schema)
    const referred = typeof reference === 'string' ? outlines.references.find(reference) : undefined
    if (referred !== undefined) yield [SAME, outlines.of(referred, referred)]
    yield* same
  }

  private ways(): ReadonlyArray<{ readonly view: View | undefined; readonly kinds: ReadonlySet<JsonKind> }> {
    const ways = this.outlines.reader.ways(this.schema)
    if (!isRecord(this.schema)) return [{ view: undefined, kinds: ALL_KINDS }]
    // If there are more ways, some were not looked at.
    return ways.map((view) => ({ view: ways.length < MOST_WAYS ? view : undefined, kinds: jsonKinds(view) }))
  }

  private viewsOf(kind: 'object' | 'array'): Array<View | undefined> {
    return this.ways().flatMap(({ view, kinds }) => (kinds.has(kind) ? [view] : []))
  }
}

function isForbidden({ schema, isRefused }: Property): boolean {
  return isRefused || schema === false
}

/** The kinds that fit a view, by `const` and `enum` too. */
function jsonKinds({ layers, kinds }: View): ReadonlySet<JsonKind> {
  const byValues = layers.map((layer) => (typesOf(layer).length === 0 ? valuesOf(layer)?.map(kindOf) : undefined))
  const all = byValues.reduce<ReadonlySet<Kind> | undefined>((met, some) => meet(met, some && new Set(some)), kinds)
  return all === undefined ? ALL_KINDS : new Set([...all].map((kind) => (kind === 'integer' ? 'number' : kind)))
}

function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object'
}

/** The keys that a view lists; undefined if it has no list, or fits others too. */
function keysOf(view: View | undefined): ReadonlySet<string> | undefined {
  const others = view?.layers.map(othersOf) ?? []
  const isOpen =
    others.some((schema) => schema !== undefined && schema !== false) ||
    view?.layers.some((layer) => patternsOf(layer).length > 0) === true
  const listed = view?.listed ?? (others.includes(false) ? [] : undefined)
  return isOpen ? undefined : listed && new Set(listed)
}

/** The union; undefined, which stands for anything, if there are no sets or one of them is anything. */
export function union<Value>(sets: ReadonlyArray<ReadonlySet<Value> | undefined>): ReadonlySet<Value> | undefined {
  const known = sets.flatMap((set) => set ?? [])
  return known.length === 0 || known.length < sets.length ? undefined : new Set(known.flatMap((set) => [...set]))
}
