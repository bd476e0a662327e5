// What a JSON schema says of a value: the ways to fit it.
//
// Read are `type` (and OpenAPI's `nullable`), `const`, `enum`, `properties`,
// `patternProperties`, `additionalProperties`, `unevaluatedProperties`, `required`,
// `items`, `prefixItems`, `$ref` within the schema, `allOf`, `anyOf` and `oneOf`.
// What only checks a value (`minimum`, `format` …) is passed over.
//
// Source: JSON Schema, draft 4 to 2020-12, as far as it says what type a value has.
// Differences: nothing is refused. A schema that is none says nothing, and so does
// one that has too many ways, or leads back to itself before it said anything.

import { isRecord, own } from '../own.js'

export type Keywords = Readonly<Record<string, unknown>>

/** In the order in which they are tried. */
export const KINDS = ['null', 'boolean', 'integer', 'number', 'array', 'object', 'string'] as const
export type Kind = (typeof KINDS)[number]

/** Schemas that a value must fit all of, looked at together. */
export interface View {
  readonly layers: readonly Keywords[]
  /** Undefined: any. */
  readonly kinds: ReadonlySet<Kind> | undefined
  /** The values of `const` and `enum`. */
  readonly literals: ReadonlySet<unknown> | undefined
  readonly required: readonly string[]
}

/** Most schemas inside each other by `$ref`, `allOf`, `anyOf` and `oneOf`, and how many ways these may make. Beyond it they say nothing. */
const MOST_DEPTH = 64
const MOST_VIEWS = 256
const MOST_STEPS = 8_192

/** Reads the parts of one schema. What they mean is worked out once. */
export class Views {
  readonly #root: unknown
  readonly #views = new WeakMap<object, readonly View[]>()

  /** `root` is what `$ref`s begin at. */
  constructor(root: unknown) {
    this.#root = root
  }

  /** The ways to fit a schema. None: nothing fits. */
  of(schema: unknown): readonly View[] {
    if (!isRecord(schema)) return schema === false ? [] : [ANYTHING]
    let views = this.#views.get(schema)
    if (views === undefined) {
      const budget = { steps: MOST_STEPS }
      views = this.#expand(schema, [], budget).map(viewOf)
      this.#views.set(schema, views)
    }
    return views
  }

  /** The alternatives that a schema leaves. */
  #expand(schema: unknown, above: readonly unknown[], budget: { steps: number }): readonly Way[] {
    if (schema === false) return []
    // A schema that leads back to itself says nothing new.
    if (!isRecord(schema) || above.includes(schema) || above.length >= MOST_DEPTH || budget.steps-- <= 0) return SAYS_NOTHING
    const within = [...above, schema]
    let ways: readonly Way[] = [{ layers: [schema], kinds: kindsOf(schema), isNullable: own(schema, 'nullable') === true }]
    const reference = own(schema, '$ref')
    if (typeof reference === 'string') ways = together(ways, this.#expand(this.#target(reference), within, budget))
    for (const part of arrayOf(schema, 'allOf')) ways = together(ways, this.#expand(part, within, budget))
    for (const keyword of ['anyOf', 'oneOf']) {
      const parts = arrayOf(schema, keyword)
      if (parts.length > 0) ways = together(ways, parts.flatMap((part) => this.#expand(part, within, budget)))
    }
    return ways
  }

  /** What a `$ref` names: the schema itself, or a part of it by a JSON pointer. */
  #target(reference: string): unknown {
    if (reference === '#') return this.#root
    if (!reference.startsWith('#/')) return undefined
    let pointer = reference.slice(2)
    try {
      pointer = decodeURIComponent(pointer)
    } catch {
      // A `%` that stands for itself.
    }
    let target: unknown = this.#root
    for (const step of pointer.split('/')) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
      target = typeof target === 'object' && target !== null && Object.hasOwn(target, key) ? (target as Keywords)[key] : undefined
    }
    return target
  }
}

/** Schemas that a value may fit, all of them at once. */
type Way = Pick<View, 'layers' | 'kinds'> & { readonly isNullable: boolean }

const SAYS_NOTHING: readonly Way[] = [{ layers: [], kinds: undefined, isNullable: false }]
const ANYTHING: View = { layers: [], kinds: undefined, literals: undefined, required: [] }

/** What fits one of each, without what no value can fit. */
function together(some: readonly Way[], others: readonly Way[]): readonly Way[] {
  const ways: Way[] = []
  for (const one of some) {
    for (const other of others) {
      const kinds = meet(one.kinds, other.kinds)
      const isNullable = one.isNullable || other.isNullable
      const isPossible = kinds?.size !== 0 || isNullable
      if (isPossible && ways.length < MOST_VIEWS) ways.push({ layers: [...new Set([...one.layers, ...other.layers])], kinds, isNullable })
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
  const required = new Set(layers.flatMap((layer) => arrayOf(layer, 'required')).filter((name) => typeof name === 'string'))
  return {
    layers,
    kinds: isNullable && kinds !== undefined ? new Set([...kinds, 'null']) : kinds,
    literals: isNullable && literals !== undefined ? new Set([...literals, null]) : literals,
    required: [...required] as string[],
  }
}

/** The kinds that a schema's own keywords allow. One that has properties and no type means an object. */
function kindsOf(schema: Keywords): ReadonlySet<Kind> | undefined {
  const type = own(schema, 'type')
  const known = (Array.isArray(type) ? type : [type]).filter((name): name is Kind => KINDS.includes(name as Kind))
  if (known.length > 0) return new Set(known)
  const has = (keyword: string) => Object.hasOwn(schema, keyword)
  if (has('properties') || has('patternProperties') || has('additionalProperties')) return new Set(['object'])
  return has('items') || has('prefixItems') ? new Set(['array']) : undefined
}

/** The values of `const` and `enum`, if none of them is an array or an object. */
function literalsOf(schema: Keywords): ReadonlySet<unknown> | undefined {
  const listed = own(schema, 'enum')
  const values: readonly unknown[] | undefined = Object.hasOwn(schema, 'const') ? [schema['const']] : Array.isArray(listed) ? listed : undefined
  return values === undefined || values.some((value) => typeof value === 'object' && value !== null) ? undefined : new Set(values)
}

function meet(some: ReadonlySet<Kind> | undefined, others: ReadonlySet<Kind> | undefined): ReadonlySet<Kind> | undefined {
  if (some === undefined || others === undefined) return some ?? others
  const has = (kinds: ReadonlySet<Kind>, kind: Kind) => kinds.has(kind) || (kind === 'integer' && kinds.has('number'))
  return new Set(KINDS.filter((kind) => has(some, kind) && has(others, kind)))
}

/** What is said of one field. */
export interface Property {
  /** Undefined if nothing is. */
  readonly schema: unknown
  /** Whether a schema says that it must not be there. */
  readonly isRefused: boolean
  /** Whether a schema says that any fields may be there. */
  readonly isInvited: boolean
}

/** What is said of a field, and whether it must not be there. */
export function property(view: View, name: string): Property {
  const found: unknown[] = []
  let isRefused = false
  let isInvited = false
  for (const layer of view.layers) {
    const properties = own(layer, 'properties')
    const said = isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
    for (const [pattern, schema] of patternsOf(layer)) if (pattern.test(name)) said.push(schema)
    const others = own(layer, 'additionalProperties')
    if (said.length === 0 && others === false) isRefused = true
    else if (said.length === 0 && others === true) isInvited = true
    else if (said.length === 0 && isRecord(others)) said.push(others)
    found.push(...said)
  }
  isRefused ||= found.length === 0 && !isInvited && view.layers.some((layer) => own(layer, 'unevaluatedProperties') === false)
  return { schema: allOf(found), isRefused, isInvited }
}

const NONE: ReadonlyArray<readonly [pattern: RegExp, schema: unknown]> = []
const compiled = new WeakMap<object, typeof NONE>()

/** The `patternProperties` of a layer, compiled once. A pattern that is none fits nothing. */
function patternsOf(layer: Keywords): typeof NONE {
  const patterns = own(layer, 'patternProperties')
  if (!isRecord(patterns)) return NONE
  let known = compiled.get(patterns)
  if (known === undefined) {
    known = Object.entries(patterns).flatMap(([source, schema]) => {
      const pattern = compile(source)
      return pattern === undefined ? [] : [[pattern, schema] as const]
    })
    compiled.set(patterns, known)
  }
  return known
}

function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}

/** What is said of a list's element. */
export function elementSchema(view: View, at: number): unknown {
  const found: unknown[] = []
  for (const layer of view.layers) {
    const items = own(layer, 'items')
    // Draft 4's array of `items` is what `prefixItems` is now.
    const front = Array.isArray(items) ? (items as unknown[]) : arrayOf(layer, 'prefixItems')
    const rest = Array.isArray(items) ? own(layer, 'additionalItems') : items
    const said = at < front.length ? front[at] : rest
    if (said !== undefined) found.push(said)
  }
  return allOf(found)
}

/** Schemas made of several, by the first, so that what they mean is worked out once. */
const made = new WeakMap<object, Array<{ readonly parts: readonly unknown[]; readonly schema: Keywords }>>()

/** One schema of several; undefined of none. */
function allOf(all: readonly unknown[]): unknown {
  if (all.length <= 1) return all[0]
  // Each once: where a schema leads back to itself by several ways, there would else be twice as many at each level of a value.
  const parts = [...new Set(all.filter((part) => part === false || isRecord(part)))]
  const [first] = parts
  if (parts.includes(false)) return false
  if (!isRecord(first)) return true
  if (parts.length === 1) return first
  let known = made.get(first)
  if (known === undefined) made.set(first, (known = []))
  const same = known.find((entry) => entry.parts.length === parts.length && entry.parts.every((part, at) => part === parts[at]))
  if (same !== undefined) return same.schema
  const schema = { allOf: parts }
  known.push({ parts, schema })
  return schema
}

function arrayOf(schema: Keywords, keyword: string): readonly unknown[] {
  const value = own(schema, keyword)
  return Array.isArray(value) ? (value as unknown[]) : []
}
