// Gives values that were written as text the types of a JSON schema.
//
// Read are `type` (and OpenAPI's `nullable`), `const`, `enum`, `properties`,
// `patternProperties`, `additionalProperties`, `required`, `items`, `prefixItems`,
// `$ref` within the schema, `allOf`, `anyOf` and `oneOf`. What only checks a value
// (`minimum`, `format` …) is passed over. A value that doesn't fit stays the text.
//
// Where several types fit, the one is taken of which least is wrong; of equals a
// `const` or `enum`, then null, booleans, numbers, arrays and objects, then strings:
// with `string | integer`, `3` is a number and `three` is a string. A string alone
// is the text, whatever it looks like. Of equal objects the one is taken whose
// schema speaks of the most fields.
//
// Source: spec/segment.md, "Arguments". AutoByteus has strings only.

import { jsonIn } from './json-calls.js'
import { isRecord, own, put } from '../own.js'
import type { JsonSchema, SegmentValue } from './types.js'

/** A value before it has a type. */
export interface Written {
  /** All of it. */
  readonly text: string
  /** Its elements, if it is written as a list. */
  readonly list: readonly Written[] | undefined
  /** Its fields, if it is written as an object. One that is written as a list may have them too, all named `item`. */
  readonly fields: readonly WrittenField[] | undefined
}

/** A field of an object before it has a type. */
export interface WrittenField extends Written {
  readonly name: string
}

type Keywords = Readonly<Record<string, unknown>>

/** In the order in which they are tried. */
const KINDS = ['null', 'boolean', 'integer', 'number', 'array', 'object', 'string'] as const
type Kind = (typeof KINDS)[number]

/** Schemas that a value must fit all of, looked at together. */
interface View {
  readonly layers: readonly Keywords[]
  /** Undefined: any. */
  readonly kinds: ReadonlySet<Kind> | undefined
  /** The values of `const` and `enum`. */
  readonly literals: ReadonlySet<unknown> | undefined
  readonly required: readonly string[]
}

/** A way to read a value. */
interface Fit {
  /** How much is wrong with it. The fit with the least is taken. */
  readonly misfits: number
  /** Of equals the one with the lowest is taken. */
  readonly rank: number
  /** Fields that the schema doesn't speak of. Of equals the one with the fewest is taken. */
  readonly strangers?: number
  value(): SegmentValue
}

const LITERAL = 0
const TYPED = 1
const AS_TEXT = 2
/** An element with nothing in it is an empty string if it may be a string, else an empty list or object. */
const EMPTY = 3

/** Most schemas inside each other by `$ref`, `allOf`, `anyOf` and `oneOf`, and how many ways these may make. Beyond it they say nothing. */
const MOST_DEPTH = 64
const MOST_VIEWS = 256
const MOST_STEPS = 8_192

/** A number beyond this is none that JavaScript has. */
const LONGEST_NUMBER = 400
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Types the arguments of one tool. */
export class Typing {
  readonly #root: JsonSchema
  readonly #views = new WeakMap<object, readonly View[]>()

  /** `root` describes the object of all arguments. */
  constructor(root: JsonSchema) {
    this.#root = root
  }

  /** The arguments as an object. */
  arguments(fields: readonly WrittenField[]): Record<string, SegmentValue> {
    const fitting = new Fitting((schema) => this.#viewsOf(schema))
    const views = this.#viewsOf(this.#root).filter(({ kinds }) => kinds === undefined || kinds.has('object'))
    const fit = best(views.map((view) => fitting.object(fields, view)))
    return fit === undefined ? untypedObject(fields) : (fit.value() as Record<string, SegmentValue>)
  }

  /** The ways to fit a schema. None: nothing fits. */
  #viewsOf(schema: unknown): readonly View[] {
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

/** A value as it is written, without a schema. */
function untyped(written: Written): SegmentValue {
  if (written.list !== undefined) return written.list.map(untyped)
  return written.fields === undefined ? written.text : untypedObject(written.fields)
}

/** An object as it is written: of fields with one name the last counts. */
export function untypedObject(fields: readonly WrittenField[]): Record<string, SegmentValue> {
  const object: Record<string, SegmentValue> = {}
  for (const field of new Map(fields.map((field) => [field.name, field])).values()) put(object, field.name, untyped(field))
  return object
}

/** A list that is written as a field that comes again and again. As a text the last one counts. */
class Repeated implements Written {
  readonly fields = undefined

  constructor(
    private readonly last: Written,
    readonly list: readonly Written[],
  ) {}

  get text(): string {
    return this.last.text
  }
}

/** Tries values against schemas. One lives as long as one tool call. */
class Fitting {
  /** What was tried: alternatives of alternatives would else try the same value over and over. */
  readonly #tried = new Map<Written, Map<unknown, Fit | undefined>>()
  readonly #json = new Map<Written, SegmentValue | undefined>()

  constructor(private readonly viewsOf: (schema: unknown) => readonly View[]) {}

  /** The fields of an object; none is left out. */
  object(fields: readonly WrittenField[], view: View): Fit {
    const groups = new Map<string, WrittenField[]>()
    for (const field of fields) {
      const group = groups.get(field.name)
      if (group === undefined) groups.set(field.name, [field])
      else group.push(field)
    }
    let misfits = view.required.reduce((count, name) => (groups.has(name) ? count : count + 1), 0)
    let strangers = 0
    const fits: Array<readonly [name: string, fit: Fit]> = []
    for (const [name, group] of groups) {
      const { schema, isRefused } = property(view, name)
      const last = group.at(-1) as WrittenField
      const isList = group.length > 1 && this.viewsOf(schema).some(({ kinds }) => kinds?.has('array') === true)
      const fit = this.#fitOrText(isList ? new Repeated(last, group) : last, schema)
      misfits += fit.misfits + (isRefused ? 1 : 0)
      strangers += (fit.strangers ?? 0) + (schema === undefined ? 1 : 0)
      fits.push([name, fit])
    }
    const value = () => {
      const object: Record<string, SegmentValue> = {}
      for (const [name, fit] of fits) put(object, name, fit.value())
      return object
    }
    return { misfits, rank: TYPED, strangers, value }
  }

  #list(elements: readonly Written[], view: View): Fit {
    const fits = elements.map((element, at) => this.#fitOrText(element, elementSchema(view, at)))
    const sum = (count: (fit: Fit) => number) => fits.reduce((sum, fit) => sum + count(fit), 0)
    return { misfits: sum((fit) => fit.misfits), rank: TYPED, strangers: sum((fit) => fit.strangers ?? 0), value: () => fits.map((fit) => fit.value()) }
  }

  #fitOrText(written: Written, schema: unknown): Fit {
    return this.#fit(written, schema) ?? { misfits: 1, rank: AS_TEXT, value: () => written.text }
  }

  #fit(written: Written, schema: unknown): Fit | undefined {
    let tried = this.#tried.get(written)
    if (tried === undefined) this.#tried.set(written, (tried = new Map<unknown, Fit | undefined>()))
    if (!tried.has(schema)) tried.set(schema, best(this.viewsOf(schema).map((view) => this.#fitView(written, view))))
    return tried.get(schema)
  }

  #fitView(written: Written, view: View): Fit | undefined {
    if (view.literals !== undefined) return literal(written.text, view.literals)
    const { kinds } = view
    if (kinds === undefined) return { misfits: 0, rank: AS_TEXT, value: () => untyped(written) }
    return best(KINDS.map((kind) => (kinds.has(kind) ? this.#fitKind(written, kind, view) : undefined)))
  }

  #fitKind(written: Written, kind: Kind, view: View): Fit | undefined {
    const { list, fields } = written
    switch (kind) {
      case 'string':
        return { misfits: 0, rank: AS_TEXT, value: () => written.text }
      case 'array':
        if (list !== undefined) return this.#list(list, view)
        return fields === undefined ? this.#container(written, '[') : undefined
      case 'object':
        if (fields === undefined) return list === undefined ? this.#container(written, '{') : undefined
        return list === undefined || view.layers.some((layer) => own(own(layer, 'properties'), 'item') !== undefined) ? this.object(fields, view) : undefined
      default: {
        const value = list === undefined && fields === undefined ? scalar(written.text.trim(), kind) : undefined
        return value === undefined ? undefined : { misfits: 0, rank: TYPED, value: () => value }
      }
    }
  }

  /** An array or an object that is written as JSON. */
  #container(written: Written, opener: '[' | '{'): Fit | undefined {
    if (written.text === '') return { misfits: 0, rank: EMPTY, value: () => (opener === '[' ? [] : {}) }
    if (written.text.trimStart()[0] !== opener) return undefined
    if (!this.#json.has(written)) this.#json.set(written, jsonIn(written.text))
    const value = this.#json.get(written)
    return value === undefined ? undefined : { misfits: 0, rank: TYPED, value: () => value }
  }
}

/** The best fit, the first of equals. */
function best(fits: ReadonlyArray<Fit | undefined>): Fit | undefined {
  let best: Fit | undefined
  for (const fit of fits) if (fit !== undefined && (best === undefined || isBetter(fit, best))) best = fit
  return best
}

function isBetter(fit: Fit, other: Fit): boolean {
  if (fit.misfits !== other.misfits) return fit.misfits < other.misfits
  return fit.rank === other.rank ? (fit.strangers ?? 0) < (other.strangers ?? 0) : fit.rank < other.rank
}

function literal(text: string, literals: ReadonlySet<unknown>): Fit | undefined {
  if (literals.has(text)) return { misfits: 0, rank: LITERAL, value: () => text }
  for (const kind of ['null', 'boolean', 'number'] as const) {
    const value = scalar(text.trim(), kind)
    if (value !== undefined && literals.has(value)) return { misfits: 0, rank: LITERAL, value: () => value }
  }
  return undefined
}

/** A null, a boolean or a number. Words in any case: models write `True`. */
function scalar(text: string, kind: 'null' | 'boolean' | 'integer' | 'number'): null | boolean | number | undefined {
  if (kind === 'null') return /^null$/i.test(text) ? null : undefined
  if (kind === 'boolean') return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined
  const value = numberOf(text)
  return kind === 'integer' && !Number.isInteger(value) ? undefined : value
}

function numberOf(text: string): number | undefined {
  if (text.length > LONGEST_NUMBER || !NUMBER.test(text)) return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) return undefined
  // An id of many digits would become another one.
  if (!Number.isSafeInteger(value) && /^-?\d+$/.test(text) && BigInt(text) !== BigInt(value)) return undefined
  return value
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
      if (isPossible && ways.length < MOST_VIEWS) ways.push({ layers: [...one.layers, ...other.layers], kinds, isNullable })
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

/** What is said of a field, and whether it must not be there. */
function property(view: View, name: string): { schema: unknown; isRefused: boolean } {
  const found: unknown[] = []
  let isRefused = false
  for (const layer of view.layers) {
    const properties = own(layer, 'properties')
    const patterns = own(layer, 'patternProperties')
    const said = isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
    if (isRecord(patterns)) for (const pattern of Object.keys(patterns)) if (fitsPattern(name, pattern)) said.push(patterns[pattern])
    const others = own(layer, 'additionalProperties')
    if (said.length === 0 && others === false) isRefused = true
    else if (said.length === 0 && isRecord(others)) said.push(others)
    found.push(...said)
  }
  return { schema: allOf(found), isRefused }
}

function fitsPattern(name: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name)
  } catch {
    return false
  }
}

/** What is said of a list's element. */
function elementSchema(view: View, at: number): unknown {
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
function allOf(parts: readonly unknown[]): unknown {
  const [first] = parts
  if (parts.length <= 1) return first
  if (!isRecord(first)) return { allOf: parts }
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
