// Gives values that were written as text the types of a JSON schema.
//
// What is read of a schema is in schema/views.ts. A value that doesn't fit stays the text.
//
// Where several types fit, the one is taken of which least is wrong; of equals a
// `const` or `enum`, then null, booleans, numbers, arrays and objects, then strings:
// with `string | integer`, `3` is a number and `three` is a string. A string alone
// is the text, whatever it looks like. Of equal objects the one is taken whose
// schema speaks of the most fields.
//
// Source: spec/segment.md, "Arguments". AutoByteus has strings only.

import { jsonIn } from './json-calls.js'
import { own, put } from '../own.js'
import { KINDS, type Kind, type View, Views, elementSchema, property } from '../schema/views.js'
import type { JsonSchema, SegmentValue } from './types.js'

/** A value before it has a type. */
interface Written {
  /** All of it. */
  readonly text: string
  /** Its elements, if it is written as a list. */
  readonly list: readonly Written[] | undefined
  /** Its fields, if it is written as an object. One that is written as a list may have them too, all named `item`. */
  readonly fields: readonly WrittenField[] | undefined
  /** Whether these are fields only if a schema says that it is an object: without one it is markup, and a text. */
  readonly isMarkup: boolean
}

/** A field of an object before it has a type. */
export interface WrittenField extends Written {
  readonly name: string
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

/** A number beyond this is none that JavaScript has. */
const LONGEST_NUMBER = 400
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Types the arguments of one tool. */
export class Typing {
  readonly #root: JsonSchema
  readonly #views: Views

  /** `root` describes the object of all arguments. */
  constructor(root: JsonSchema) {
    this.#root = root
    this.#views = new Views(root)
  }

  /** The arguments as an object. */
  arguments(fields: readonly WrittenField[]): Record<string, SegmentValue> {
    const fitting = new Fitting(this.#views)
    const views = this.#views.of(this.#root).filter(({ kinds }) => kinds === undefined || kinds.has('object'))
    const fit = best(views.map((view) => fitting.object(fields, view)))
    return fit === undefined ? untypedObject(fields) : (fit.value() as Record<string, SegmentValue>)
  }
}

/** A value as it is written, without a schema. */
function untyped(written: Written): SegmentValue {
  if (written.list !== undefined) return written.list.map(untyped)
  return written.fields === undefined || written.isMarkup ? written.text : untypedObject(written.fields)
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
  readonly isMarkup = false

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

  constructor(private readonly views: Views) {}

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
      const isList = group.length > 1 && this.views.of(schema).some(({ kinds }) => kinds?.has('array') === true)
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
    if (!tried.has(schema)) tried.set(schema, best(this.views.of(schema).map((view) => this.#fitView(written, view))))
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
