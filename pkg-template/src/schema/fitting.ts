// Fits one value to a schema.
//
// Where a schema leaves several ways, the one is taken into which the value fits with
// the fewest misfits, then the fewest fields that nobody speaks of, then the least
// change; the first of equals. An object is not made what is no object, nor an array
// what is no array, where a way takes it as it is.
//
// Within one way, where a string is expected too, a string is only taken for what it
// cannot but mean: JSON, a boolean, a number. Else it is all that it can be read as.
//
// Each value is tried once against each schema, so that time stays linear in the value.

import { put } from '../own.js'
import type { Coercion } from './coercion.js'
import { Digits } from './digits.js'
import { MOST_LEVELS, isWithin, tooDeep } from './levels.js'
import { literalFor } from './literals.js'
import type { ObjectMembers } from './members.js'
import { type ArrayPlan, elementsOf, isOpen, takes } from './plan.js'
import type { Shapes } from './shape.js'
import { type Grammar, booleanIn, containerIn, guess, isNullWord, isWhole, numberIn, partsOf } from './texts.js'
import type { Kind, View } from './views.js'
import { xmlObject } from './xml-text.js'

/** Most arrays that are made around one value. */
const MOST_WRAPS = 4

/** A value that isn't the one literal of a schema is a value of another schema: it tells the ways of a discriminated union apart. */
const WRONG_CONST = 1_000

/** What becomes of a value, from little to much. */
const CONVERTED = 1
const FROM_JSON = 2
const REBUILT = 4

type Fields = Readonly<Record<string, unknown>>
type Kinds = ReadonlySet<Kind>

/** What a way made of a value, and how well that fitted. */
interface Outcome {
  readonly value: unknown
  readonly misfits: number
  readonly strangers: number
  readonly changes: number
}

/** What strings hold inside the outermost value with several ways, and what was chosen there: alternatives of alternatives would else try it over and over. */
interface Memory {
  readonly chosen: Map<object, Map<unknown, Outcome>>
  readonly read: Record<Grammar, Map<string, ReturnType<typeof containerIn>>>
}

/** Takes one value, with all that is in it. */
export class Fitting {
  readonly #coercion: Coercion
  readonly #shapes: Shapes
  readonly #keepsDigits: boolean
  #memory: Memory | undefined
  #misfits = 0
  #strangers = 0
  #changes = 0

  constructor(coercion: Coercion, shapes: Shapes) {
    this.#coercion = coercion
    this.#shapes = shapes
    this.#keepsDigits = coercion.keepsDigits
  }

  /** `depth` is the number of arrays and objects around the value, `wraps` how many of them were made for it. */
  take(value: unknown, schema: unknown, depth: number, wraps = 0): unknown {
    const { views, plan } = this.#shapes.of(schema)
    if (typeof value === 'string' && plan.keepsStrings) return value
    if (typeof value === 'string' && plan.guesses) return this.#guess(value, depth)
    const [view] = views
    if (view === undefined) return keep(value, depth)
    return views.length === 1 ? this.#fit(value, view, schema, depth, wraps) : this.#choose(value, views, schema, depth, wraps)
  }

  #choose(value: unknown, views: readonly View[], schema: unknown, depth: number, wraps: number): unknown {
    const kind = containerKind(value)
    let taking = kind === undefined ? [] : views.filter((view) => takes(view, kind))
    if (kind === 'object' && taking.length > 1) taking = this.#leastWrong(value as Fields, taking)
    const [only] = taking
    if (only !== undefined && taking.length === 1) return this.#fit(value, only, schema, depth, wraps)
    const isOutermost = this.#memory === undefined
    this.#memory ??= { chosen: new Map(), read: { strict: new Map(), relaxed: new Map() } }
    try {
      const outcome = this.#remembered(value, schema, () => this.#best(value, taking.length > 0 ? taking : views, schema, depth, wraps))
      this.#misfits += outcome.misfits
      this.#strangers += outcome.strangers
      this.#changes += outcome.changes
      return outcome.value
    } finally {
      if (isOutermost) this.#memory = undefined
    }
  }

  /** The ways whose `const`s the object has: those of a discriminated union need not all be tried. */
  #leastWrong(fields: Fields, views: readonly View[]): View[] {
    const wrong = views.map((view) => (isOpen(view) ? 0 : this.#shapes.members(view).wrongConsts(fields)))
    const least = Math.min(...wrong)
    return views.filter((_, at) => wrong[at] === least)
  }

  #remembered(value: unknown, schema: unknown, choose: () => Outcome): Outcome {
    if (typeof value !== 'object' || value === null || this.#memory === undefined) return choose()
    const { chosen } = this.#memory
    let bySchema = chosen.get(value)
    if (bySchema === undefined) chosen.set(value, (bySchema = new Map<unknown, Outcome>()))
    let outcome = bySchema.get(schema)
    if (outcome === undefined) bySchema.set(schema, (outcome = choose()))
    return outcome
  }

  #best(value: unknown, views: readonly View[], schema: unknown, depth: number, wraps: number): Outcome {
    let best: Outcome | undefined
    for (const view of views) {
      const outcome = this.#attempt(() => this.#fit(value, view, schema, depth, wraps))
      if (best === undefined || isBetter(outcome, best)) best = outcome
      if (best.misfits + best.strangers + best.changes === 0) break
    }
    return best as Outcome
  }

  /** Tries something without counting it. */
  #attempt(take: () => unknown): Outcome {
    const [misfits, strangers, changes] = [this.#misfits, this.#strangers, this.#changes]
    this.#misfits = this.#strangers = this.#changes = 0
    const value = take()
    const outcome = { value, misfits: this.#misfits, strangers: this.#strangers, changes: this.#changes }
    this.#misfits = misfits
    this.#strangers = strangers
    this.#changes = changes
    return outcome
  }

  /** Counts what was tried. */
  #accept({ value, misfits, strangers, changes }: Outcome): unknown {
    this.#misfits += misfits
    this.#strangers += strangers
    this.#changes += changes
    return value
  }

  #changed<Value>(value: Value, how: number): Value {
    this.#changes += how
    return value
  }

  /** It stays as it is, although it doesn't fit. */
  #misfit(value: unknown, depth: number): unknown {
    this.#misfits++
    return keep(value, depth)
  }

  #guess(text: string, depth: number): unknown {
    const value = guess(text, this.#keepsDigits)
    if (value === text || !isWithin(value, MOST_LEVELS - depth)) return text
    return this.#changed(value, CONVERTED)
  }

  #fit(value: unknown, view: View, schema: unknown, depth: number, wraps: number): unknown {
    const { kinds, literals } = view
    if (literals === undefined) return kinds === undefined ? keep(value, depth) : this.#fitKinds(value, view, kinds, schema, depth, wraps)
    const literal = literalFor(value, literals)
    if (literal !== undefined) return literal === value ? value : this.#changed(literal, CONVERTED)
    const kind = containerKind(value)
    const inner = kind === 'object' ? this.#onlyMember(value as Fields, view, schema, depth) : undefined
    if (inner !== undefined) return this.#accept(inner)
    // Some other value, which may still have the right type.
    const other = kinds === undefined ? undefined : this.#attempt(() => this.#fitKinds(value, view, kinds, schema, depth, wraps))
    this.#misfits += literals.size === 1 ? WRONG_CONST : 1
    return other === undefined ? keep(value, depth) : other.value
  }

  #fitKinds(value: unknown, view: View, kinds: Kinds, schema: unknown, depth: number, wraps: number): unknown {
    if (typeof value === 'string') return this.#text(value, view, kinds, schema, depth, wraps)
    if (typeof value === 'boolean') return this.#scalar(value, kinds.has('boolean'), view, kinds, depth, wraps)
    if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Digits) {
      return this.#scalar(value, kinds.has('number') || (kinds.has('integer') && isWhole(value)), view, kinds, depth, wraps)
    }
    if (value === null) return kinds.has('null') ? null : kinds.has('array') ? this.#wrap(null, elementsOf(view), depth, wraps) : this.#misfit(null, depth)
    switch (containerKind(value)) {
      case 'array':
        return kinds.has('array') ? this.#array(value as readonly unknown[], elementsOf(view), depth) : this.#misfit(value, depth)
      case 'object':
        return this.#fields(value as Fields, view, kinds, schema, depth)
      case undefined:
        // `undefined`, functions, dates: nothing that JSON has.
        return value
    }
  }

  #scalar(value: number | bigint | boolean | Digits, isTaken: boolean, view: View, kinds: Kinds, depth: number, wraps: number): unknown {
    if (isTaken) return value
    if (kinds.has('string')) return this.#changed(String(value), CONVERTED)
    return kinds.has('array') ? this.#wrap(value, elementsOf(view), depth, wraps) : this.#misfit(value, depth)
  }

  #text(text: string, view: View, kinds: Kinds, schema: unknown, depth: number, wraps: number): unknown {
    const maybe = kinds.has('string')
    if (maybe && kinds.size === 1) return text
    const trimmed = text.trim()
    if (!maybe && kinds.has('null') && isNullWord(trimmed)) return this.#changed(null, CONVERTED)
    if (kinds.has('object') || kinds.has('array')) {
      const container = this.#containerIn(trimmed, maybe ? 'strict' : 'relaxed', depth)
      if (Array.isArray(container) && kinds.has('array')) return this.#changed(this.#array(container, elementsOf(view), depth), FROM_JSON)
      if (containerKind(container) === 'object' && kinds.has('object')) {
        return this.#changed(this.#object(container as Fields, this.#shapes.members(view), depth), FROM_JSON)
      }
      if (!maybe && kinds.has('object')) {
        const members = this.#shapes.members(view)
        const fields = xmlObject(trimmed, schema, this.#coercion)
        // Markup in prose makes an object as well; one with fields that nobody asked for is none.
        const isAsked = fields !== undefined && (!members.declaresAny || Object.keys(fields).some((key) => members.declares(key)))
        if (isAsked && isWithin(fields, MOST_LEVELS - depth)) return this.#changed(this.#object(fields, members, depth), REBUILT)
      }
    }
    const boolean = kinds.has('boolean') ? booleanIn(trimmed) : undefined
    if (boolean !== undefined) return this.#changed(boolean, CONVERTED)
    const number = kinds.has('number') || kinds.has('integer') ? numberIn(trimmed, this.#keepsDigits) : undefined
    // `007` may well be a string.
    if (number !== undefined && (kinds.has('number') || isWhole(number)) && (!maybe || String(number) === trimmed)) return this.#changed(number, CONVERTED)
    if (maybe) return text
    return kinds.has('array') ? this.#listIn(text, trimmed, view, schema, depth, wraps) : this.#misfit(text, depth)
  }

  /** The array or object that a text is, if there is room for its levels. */
  #containerIn(text: string, grammar: Grammar, depth: number): ReturnType<typeof containerIn> {
    const read = this.#memory?.read[grammar]
    if (read?.has(text) === true) return read.get(text)
    const container = containerIn(text, grammar, this.#keepsDigits)
    const value = isWithin(container, MOST_LEVELS - depth) ? container : undefined
    read?.set(text, value)
    return value
  }

  /** A list that is written without brackets. */
  #listIn(text: string, trimmed: string, view: View, schema: unknown, depth: number, wraps: number): unknown {
    const plan = elementsOf(view)
    if (isNullWord(trimmed) || wraps >= MOST_WRAPS) return this.#misfit(text, depth)
    if (trimmed === '') return this.#changed([], REBUILT)
    const object = trimmed[0] === '{' ? this.#containerIn(trimmed, 'relaxed', depth) : undefined
    if (object !== undefined) return this.#takesObjects(plan) ? this.#listOf(object as Fields, view, depth) : this.#wrap(trimmed, plan, depth, wraps)
    const elements = xmlObject(trimmed, schema, this.#coercion)
    if (elements !== undefined && Object.keys(elements).join() === 'item' && isWithin(elements, MOST_LEVELS - depth)) return this.#listOf(elements, view, depth)
    const parts = partsOf(trimmed)
    const [only] = parts
    if (only !== undefined && parts.length === 1) return this.#wrap(only, plan, depth, wraps)
    return this.#changed(parts.map((part, at) => this.take(part, plan.element(at), depth + 1, wraps + 1)), REBUILT)
  }

  /** An array of the value alone. */
  #wrap(value: unknown, plan: ArrayPlan, depth: number, wraps: number): unknown {
    if (wraps >= MOST_WRAPS) return this.#misfit(value, depth)
    const element = this.#attempt(() => this.take(value, plan.element(0), depth + 1, wraps + 1))
    if (element.misfits === 0) return this.#changed([this.#accept(element)], REBUILT)
    return this.#changed([this.#misfit(value, depth)], REBUILT)
  }

  #array(elements: readonly unknown[], plan: ArrayPlan, depth: number): unknown[] {
    if (depth >= MOST_LEVELS) throw tooDeep()
    return Array.from(elements, (element, at) => this.take(element, plan.element(at), depth + 1))
  }

  #fields(fields: Fields, view: View, kinds: Kinds, schema: unknown, depth: number): unknown {
    if (kinds.has('object')) return this.#object(fields, this.#shapes.members(view), depth)
    if (kinds.has('array')) return this.#listOf(fields, view, depth)
    const inner = this.#onlyMember(fields, view, schema, depth)
    return inner === undefined ? this.#misfit(fields, depth) : this.#accept(inner)
  }

  /** `{ value: '5' }` where a number is expected: the one member, if it is a scalar that fits. */
  #onlyMember(fields: Fields, view: View, schema: unknown, depth: number): Outcome | undefined {
    const [inner, ...others] = Object.values(fields)
    if (others.length > 0 || inner === undefined || inner === null || containerKind(inner) !== undefined) return undefined
    const outcome = this.#attempt(() => this.#changed(this.#fit(inner, view, schema, depth + 1, MOST_WRAPS), REBUILT))
    return outcome.misfits === 0 ? outcome : undefined
  }

  #object(fields: Fields, members: ObjectMembers, depth: number): Record<string, unknown> {
    if (depth >= MOST_LEVELS) throw tooDeep()
    const object: Record<string, unknown> = {}
    const waiting: string[] = []
    for (const key of Object.keys(fields)) {
      const { schema, action, isStranger } = members.member(key)
      if (isStranger) this.#strangers++
      if (action === 'keep') put(object, key, this.take(fields[key], schema, depth + 1))
      else if (action === 'wait') waiting.push(key)
      if (action !== 'keep') this.#misfits++
    }
    if (waiting.length > 0) {
      for (const { from, to, schema } of members.renamed(waiting, new Set(Object.keys(object)))) {
        put(object, to, this.#changed(this.take(fields[from], schema, depth + 1), REBUILT))
        this.#misfits--
      }
    }
    for (const name of members.required) if (!Object.hasOwn(object, name)) this.#misfits++
    return object
  }

  /** An object where an array is expected. */
  #listOf(fields: Fields, view: View, depth: number): unknown {
    if (depth >= MOST_LEVELS) throw tooDeep()
    const plan = elementsOf(view)
    const list = this.#listInside(fields, plan, depth)
    if (list !== undefined) return this.#changed(this.#accept(list), REBUILT)
    // Alone in an array. Not if it would be taken for one again.
    const element = this.#takesObjects(plan) ? this.take(fields, plan.element(0), depth + 1) : this.#misfit(fields, depth)
    return this.#changed([element], REBUILT)
  }

  /** What an object is as a list: `{ item: [1, 2] }`, `{ 0: 1, 1: 2 }`, `{ number: [1, 2] }`, `{ x: [1, 2], y: [3, 4] }`. */
  #listInside(fields: Fields, plan: ArrayPlan, depth: number): Outcome | undefined {
    const members = this.#membersOf(plan.element(0))
    const takesObjects = this.#takesObjects(plan)
    const isDeclared = (key: string) => members.some((view) => view.declares(key))
    // What rxml makes of attributes.
    const keys = Object.keys(fields).filter((key) => !key.startsWith('@_'))
    const [key] = keys
    if (key === undefined) return undefined
    const inside = (value: unknown) => this.#attempt(() => (Array.isArray(value) ? this.#array(value, plan, depth + 1) : [this.take(value, plan.element(0), depth + 2)]))

    if (Object.hasOwn(fields, 'item') && !isDeclared('item') && (keys.length === 1 || !takesObjects)) return inside(fields['item'])
    if (keys.every((key) => /^\d{1,9}$/.test(key) && !isDeclared(key))) return inside([...keys].sort((a, b) => Number(a) - Number(b)).map((key) => fields[key]))
    if (keys.length === 1 && !isDeclared(key)) {
      const value = fields[key]
      const kind = containerKind(value)
      if (!takesObjects) {
        const list = inside(value)
        return kind === 'array' || list.misfits === 0 ? list : undefined
      }
      if (kind === undefined || members.length === 0) return undefined
      if (members.every((view) => view.member(key).action !== 'keep')) return inside(value)
      const alone = this.#attempt(() => this.take(fields, plan.element(0), depth + 1))
      return alone.misfits > 0 ? [inside(value)].find(({ misfits }) => misfits === 0) : undefined
    }
    const rows = rowsOf(fields, keys, (key) => isDeclared(key) && !members.some((view) => this.#takesArrays(view.member(key).schema)))
    return rows && inside(rows)
  }

  #takesObjects(plan: ArrayPlan): boolean {
    const { views } = this.#shapes.of(plan.element(0))
    return views.length === 0 || views.some((view) => takes(view, 'object'))
  }

  #takesArrays(schema: unknown): boolean {
    const { views } = this.#shapes.of(schema)
    return views.length === 0 || views.some((view) => takes(view, 'array'))
  }

  /** The ways to take an object of a schema that says something of objects. */
  #membersOf(schema: unknown): ObjectMembers[] {
    const { views } = this.#shapes.of(schema)
    return views.filter((view) => takes(view, 'object') && !isOpen(view)).map((view) => this.#shapes.members(view))
  }
}

function isBetter(outcome: Outcome, other: Outcome): boolean {
  if (outcome.misfits !== other.misfits) return outcome.misfits < other.misfits
  return outcome.strangers === other.strangers ? outcome.changes < other.changes : outcome.strangers < other.strangers
}

/** Columns of equal length as rows: `{ x: [1, 2], y: [3, 4] }` as `[{ x: 1, y: 3 }, { x: 2, y: 4 }]`. */
function rowsOf(fields: Fields, keys: readonly string[], isColumn: (key: string) => boolean): Fields[] | undefined {
  const columns = keys.map((key) => fields[key])
  const [first] = columns
  if (!Array.isArray(first) || !columns.every((column) => Array.isArray(column) && column.length === first.length) || !keys.every(isColumn)) return undefined
  return first.map((_, at) => {
    const row: Record<string, unknown> = {}
    keys.forEach((key, column) => put(row, key, (columns[column] as unknown[])[at]))
    return row
  })
}

/** Whether a value is an array, or an object that is one for JSON: no date, no map. */
function containerKind(value: unknown): 'array' | 'object' | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return 'array'
  const parent: unknown = Object.getPrototypeOf(value)
  // The second is an object of another realm.
  return parent === null || parent === Object.prototype || Object.getPrototypeOf(parent) === null ? 'object' : undefined
}

function keep(value: unknown, depth: number): unknown {
  if (!isWithin(value, MOST_LEVELS - depth)) throw tooDeep()
  return value
}
