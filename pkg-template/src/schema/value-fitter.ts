// Fits JSON values to a schema, and repairs them.
//
// If there are several ways, the best is the one with the fewest misfits, then with the fewest
// fields that the schema does not speak of, then with the least change. Where some way
// takes an object or an array as it is, it does not become anything else.
//
// Within one way, where a string is expected too, a string is only converted if it
// can't mean anything else: JSON, a boolean, a number. Otherwise it is all that it can
// be read as.

import { put } from '../own.js'
import { Digits } from '../json/digits.js'
import { Fitter, type Fit } from './fitter.js'
import type { Kind } from './keywords.js'
import { MOST_LEVELS, isWithin, tooDeep } from './levels.js'
import { type Literals, literalFor } from './literals.js'
import type { ObjectMembers } from './members.js'
import type { ArrayPlan } from './plan.js'
import { elementPlan, type Plans } from './plans.js'
import type { Schemas } from './schema.js'
import { type Grammar, containerIn, guess, isWhole, numberIn, partsOf, booleanIn, isNullWord } from './texts.js'
import { View } from './view.js'

/** Most arrays that are made around one value where the schema leaves a choice. */
const MOST_WRAPS = 4
/** Most lists inside lists that are made around it where it leaves none. */
const MOST_LISTS = 16

/** How much a value was changed. */
const CONVERTED = 1
const FROM_JSON = 2
const REBUILT = 4

type Fields = Readonly<Record<string, unknown>>
type Kinds = ReadonlySet<Kind>

/** The elements that an object has where an array is expected. */
interface Inside {
  readonly elements: readonly unknown[]
  /** How many levels lie between the object and their array. */
  readonly levels: number
  /** Whether they are that even if they don't fit. */
  readonly isSure: boolean
}

/** The object that the elements of a text make by a schema; undefined if the text isn't elements from end to end. */
type XmlObject = (text: string, schema: unknown) => Readonly<Record<string, unknown>> | undefined

/** Fits one value, with everything inside it. */
export class ValueFitter extends Fitter {
  readonly #schemas: Schemas
  readonly #plans: Plans
  readonly #keepsDigits: boolean
  readonly #xmlObject: XmlObject
  readonly #guesses: boolean

  /** `xmlObject` reads an object that is written as XML in a string; `guesses` as in `CoercionOptions`. */
  constructor(schemas: Schemas, plans: Plans, keepsDigits: boolean, xmlObject: XmlObject, guesses = true) {
    super(['misfits', 'strangers', 'changes'])
    this.#xmlObject = xmlObject
    this.#guesses = guesses
    this.#schemas = schemas
    this.#plans = plans
    this.#keepsDigits = keepsDigits
  }

  /**
   * `depth` is the number of arrays and objects around the value, `wraps` that of the arrays that were made around it.
   */
  take(value: unknown, schema: unknown, depth: number, wraps = 0): unknown {
    if (schema === false) return keep(value, depth)
    const read = this.#schemas.of(schema)
    if (typeof value === 'string') {
      const plan = this.#plans.planOf(read)
      if (plan.keepsStrings) return value
      if (plan.guesses) return this.#guesses ? this.#guess(value, depth) : value
    }
    const { views } = read
    if (views.length === 0) return keep(value, depth)
    const kind = containerKind(value)
    const taking = views.length === 1 || kind === undefined ? views : this.#taking(value as object, kind, views)
    return taking.length === 1
      ? this.fit(value, taking[0] as View, schema, depth, wraps)
      : this.choose(value, keyOf(value), taking, schema, depth, wraps)
  }

  /**
   * The ways that take a container as it is, if there are any; of a discriminated union those whose `const`s an object
   * has.
   */
  #taking(value: object, kind: 'array' | 'object', views: readonly View[]): readonly View[] {
    const taking = views.filter((view) => view.takes(kind))
    if (taking.length === 0) return views
    if (taking.length === 1 || kind === 'array') return taking
    const wrong = taking.map((view) => (view.isOpen ? 0 : this.#plans.members(view).wrongConsts(value as Fields)))
    const least = Math.min(...wrong)
    return taking.filter((_, at) => wrong[at] === least)
  }

  #changed<Value>(value: Value, how: number): Value {
    this.changes += how
    return value
  }

  /** It stays as it is, although it doesn't fit. */
  #misfit(value: unknown, depth: number): unknown {
    this.misfits++
    return keep(value, depth)
  }

  #guess(text: string, depth: number): unknown {
    const value = guess(text, this.#keepsDigits)
    if (value === text || !isWithin(value, MOST_LEVELS - depth)) return text
    return this.#changed(value, CONVERTED)
  }

  protected fit(value: unknown, view: View, schema: unknown, depth: number, wraps: number): unknown {
    const { kinds, literals } = view
    if (literals !== undefined) return this.#fitLiterals(value, view, literals, schema, depth, wraps)
    if (kinds === undefined) return keep(value, depth)
    if (typeof value !== 'object' || value === null) return this.#fitKinds(value, view, kinds, schema, depth, wraps)
    if (Array.isArray(value))
      return kinds.has('array') ? this.#array(value, elementPlan(view), depth) : this.#misfit(value, depth)
    if (value instanceof Digits)
      return this.#scalar(
        value,
        kinds.has('number') || (kinds.has('integer') && isWhole(value)),
        view,
        kinds,
        depth,
        wraps,
      )
    // Dates, maps: not JSON values.
    if (containerKind(value) === undefined) return value
    if (kinds.has('object')) return this.#object(value as Fields, this.#plans.members(view), depth)
    return kinds.has('array')
      ? this.#listOf(value as Fields, view, depth, wraps)
      : (this.#onlyMember(value as Fields, view, schema, depth) ?? this.#misfit(value, depth))
  }

  #fitLiterals(value: unknown, view: View, literals: Literals, schema: unknown, depth: number, wraps: number): unknown {
    const literal = literalFor(value, literals)
    if (literal !== undefined) return literal === value ? value : this.#changed(literal, CONVERTED)
    const inner = containerKind(value) === 'object' ? this.#onlyMember(value as Fields, view, schema, depth) : undefined
    if (inner !== undefined) return inner
    // Some other value, which may still have the right type.
    const before = this.begin()
    const other = this.end(before, this.fit(value, withoutLiterals(view), schema, depth, wraps))
    this.misfits++
    return other.value
  }

  /** Anything but arrays and objects. */
  #fitKinds(value: unknown, view: View, kinds: Kinds, schema: unknown, depth: number, wraps: number): unknown {
    switch (typeof value) {
      case 'string':
        return this.#text(value, view, kinds, schema, depth, wraps)
      case 'boolean':
        return this.#scalar(value, kinds.has('boolean'), view, kinds, depth, wraps)
      case 'number':
      case 'bigint':
        return this.#scalar(
          value,
          kinds.has('number') || (kinds.has('integer') && isWhole(value)),
          view,
          kinds,
          depth,
          wraps,
        )
      case 'object':
        return kinds.has('null')
          ? null
          : kinds.has('array')
            ? this.#wrap(null, elementPlan(view), depth, wraps)
            : this.#misfit(null, depth)
      default:
        // `undefined`, functions: not JSON values.
        return value
    }
  }

  #scalar(
    value: number | bigint | boolean | Digits,
    isTaken: boolean,
    view: View,
    kinds: Kinds,
    depth: number,
    wraps: number,
  ): unknown {
    if (isTaken) return value
    if (kinds.has('string')) return this.#changed(String(value), CONVERTED)
    return kinds.has('array') ? this.#wrap(value, elementPlan(view), depth, wraps) : this.#misfit(value, depth)
  }

  #text(text: string, view: View, kinds: Kinds, schema: unknown, depth: number, wraps: number): unknown {
    const maybe = kinds.has('string')
    if (maybe && kinds.size === 1) return text
    const trimmed = text.trim()
    if (!maybe && kinds.has('null') && isNullWord(trimmed)) return this.#changed(null, CONVERTED)
    if (kinds.has('object') || kinds.has('array')) {
      const container = this.#containerIn(trimmed, maybe ? 'strict' : 'relaxed', depth)
      if (Array.isArray(container) && kinds.has('array'))
        return this.#changed(this.#array(container, elementPlan(view), depth), FROM_JSON)
      if (containerKind(container) === 'object' && kinds.has('object')) {
        return this.#changed(this.#object(container as Fields, this.#plans.members(view), depth), FROM_JSON)
      }
      if (!maybe && kinds.has('object')) {
        const members = this.#plans.members(view)
        const fields = this.#xmlObject(trimmed, schema)
        // Markup in prose would make an object as well; one without any listed field stays text.
        const isAsked =
          fields !== undefined && (!members.declaresAny || Object.keys(fields).some((key) => members.declares(key)))
        if (isAsked && isWithin(fields, MOST_LEVELS - depth))
          return this.#changed(this.#object(fields, members, depth), REBUILT)
      }
    }
    const boolean = kinds.has('boolean') ? booleanIn(trimmed) : undefined
    if (boolean !== undefined) return this.#changed(boolean, CONVERTED)
    const number = kinds.has('number') || kinds.has('integer') ? numberIn(trimmed, this.#keepsDigits) : undefined
    // `007` may well be a string.
    if (number !== undefined && (kinds.has('number') || isWhole(number)) && (!maybe || String(number) === text))
      return this.#changed(number, CONVERTED)
    if (maybe) return text
    return kinds.has('array') ? this.#listIn(text, trimmed, view, schema, depth, wraps) : this.#misfit(text, depth)
  }

  /** The array or object that a text is, if there is room for its levels. */
  #containerIn(text: string, grammar: Grammar, depth: number): ReturnType<typeof containerIn> {
    const read = this.memory?.read[grammar]
    if (read?.has(text) === true) return read.get(text)
    const container = containerIn(text, grammar, this.#keepsDigits)
    const value = isWithin(container, MOST_LEVELS - depth) ? container : undefined
    read?.set(text, value)
    return value
  }

  /** A list that is written without brackets. */
  #listIn(text: string, trimmed: string, view: View, schema: unknown, depth: number, wraps: number): unknown {
    const plan = elementPlan(view)
    if (isNullWord(trimmed) || wraps >= MOST_WRAPS) return this.#misfit(text, depth)
    if (trimmed === '') return this.#changed([], REBUILT)
    const object = trimmed[0] === '{' ? this.#containerIn(trimmed, 'relaxed', depth) : undefined
    if (object !== undefined)
      return this.#takesObjects(plan)
        ? this.#listOf(object as Fields, view, depth, wraps)
        : this.#wrap(trimmed, plan, depth, wraps)
    const elements = this.#xmlObject(trimmed, schema)
    if (elements !== undefined && Object.keys(elements).join() === 'item' && isWithin(elements, MOST_LEVELS - depth))
      return this.#listOf(elements, view, depth, wraps)
    const parts = partsOf(trimmed)
    const [only] = parts
    if (only !== undefined && parts.length === 1) return this.#wrap(only, plan, depth, wraps)
    return this.#changed(
      parts.map((part, at) => this.take(part, plan.element(at), depth, wraps + 1)),
      REBUILT,
    )
  }

  /** An array of the value alone. */
  #wrap(value: unknown, plan: ArrayPlan, depth: number, wraps: number): unknown {
    if (wraps >= MOST_WRAPS) return this.#misfit(value, depth)
    const lists = this.#listsIn(plan)
    const element =
      lists > MOST_LISTS
        ? this.#misfit(value, depth)
        : this.take(value, plan.element(0), depth, lists > 0 ? wraps : wraps + 1)
    return this.#changed([element], REBUILT)
  }

  /**
   * How many lists of nothing but lists an element is: there may be no end of them, and a value is not put into all of
   * those.
   */
  #listsIn(plan: ArrayPlan): number {
    let inner = plan
    for (let lists = 0; ; lists++) {
      const [view, ...others] = this.#schemas.of(inner.element(0)).views
      const isList = view?.literals === undefined && view?.kinds?.size === 1 && view.kinds.has('array')
      if (!isList || others.length > 0 || lists > MOST_LISTS) return lists
      inner = elementPlan(view)
    }
  }

  #array(elements: readonly unknown[], plan: ArrayPlan, depth: number): unknown[] {
    if (depth >= MOST_LEVELS) throw tooDeep()
    const array: unknown[] = []
    for (let at = 0; at < elements.length; at++) array.push(this.take(elements[at], plan.element(at), depth + 1))
    return array
  }

  /** `{ value: '5' }` where a number is expected: the one member, if it is a scalar that fits. */
  #onlyMember(fields: Fields, view: View, schema: unknown, depth: number): unknown {
    const [inner, ...others] = Object.values(fields)
    if (others.length > 0 || inner === undefined || inner === null || containerKind(inner) !== undefined)
      return undefined
    const before = this.begin()
    const outcome = this.end(before, this.fit(inner, view, schema, depth + 1, MOST_WRAPS))
    if (outcome.misfits > 0) return undefined
    return this.#changed(this.accept(outcome), REBUILT)
  }

  #object(fields: Fields, members: ObjectMembers, depth: number): Record<string, unknown> {
    if (depth >= MOST_LEVELS) throw tooDeep()
    const object: Record<string, unknown> = {}
    const waiting: string[] = []
    const keys = Object.keys(fields)
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as string
      const member = members.member(key)
      if (member.isStranger) this.strangers++
      if (member.action !== 'keep') this.misfits++
      if (member.action === 'keep') put(object, key, this.take(fields[key], member.schema, depth + 1))
      else if (member.action === 'wait') waiting.push(key)
    }
    this.#complete(object, fields, waiting, members, depth)
    return object
  }

  /** Adds the members that waited, and counts the missing ones. */
  #complete(
    object: Record<string, unknown>,
    fields: Fields,
    waiting: readonly string[],
    members: ObjectMembers,
    depth: number,
  ): void {
    const renamed = waiting.length > 0 ? members.renamed(waiting, new Set(Object.keys(object))) : []
    for (const { from, to, schema } of renamed) {
      put(object, to, this.#changed(this.take(fields[from], schema, depth + 1), REBUILT))
      this.misfits--
    }
    for (const name of members.required) if (!Object.hasOwn(object, name)) this.misfits++
  }

  /** An object where an array is expected. */
  #listOf(fields: Fields, view: View, depth: number, wraps: number): unknown {
    if (depth >= MOST_LEVELS) throw tooDeep()
    if (wraps >= MOST_WRAPS) return this.#misfit(fields, depth)
    const plan = elementPlan(view)
    const inside = this.#inside(fields, plan)
    if (inside?.isSure === true)
      return this.#changed(this.#array(inside.elements, plan, depth + inside.levels), REBUILT)
    if (inside === undefined) return this.#wrap(fields, plan, depth, wraps)
    const isOutermost = this.memory === undefined
    const lists = this.remembered().lists
    let known = lists.get(fields)
    if (known === undefined) lists.set(fields, (known = new Map<View, Fit[]>()))
    let list = known.get(view)?.[wraps]
    if (list === undefined) {
      const before = this.begin()
      list = this.end(before, this.#listOrWrap(fields, inside, plan, depth, wraps))
      const made = known.get(view) ?? []
      made[wraps] = list
      known.set(view, made)
    }
    if (isOutermost) this.memory = undefined
    return this.accept(list)
  }

  /** The list that an object may be, or one of it alone: tried at most once, as there may be such objects in it. */
  #listOrWrap(fields: Fields, { elements, levels }: Inside, plan: ArrayPlan, depth: number, wraps: number): unknown {
    if (!this.#takesObjects(plan) || this.#isWrong(fields, plan.element(0), depth)) {
      const before = this.begin()
      const list = this.end(before, this.#array(elements, plan, depth + levels))
      if (list.misfits === 0) return this.#changed(this.accept(list), REBUILT)
    }
    return this.#wrap(fields, plan, depth, wraps)
  }

  #isWrong(value: unknown, schema: unknown, depth: number): boolean {
    const before = this.begin()
    return this.end(before, this.take(value, schema, depth)).misfits > 0
  }

  /**
   * What an object is as a list: `{ item: [1, 2] }`, `{ 0: 1, 1: 2 }`, `{ number: [1, 2] }`,
   * `{ x: [1, 2], y: [3, 4] }`.
   */
  #inside(fields: Fields, plan: ArrayPlan): Inside | undefined {
    const members = this.#membersOf(plan.element(0))
    const takesObjects = this.#takesObjects(plan)
    const isDeclared = (key: string) => members.some((view) => view.declares(key))
    // A key that an element of the list may have is not taken for one around the list.
    const isAllowed = (key: string) => members.some((view) => view.allows(key))
    // `@_` is what rxml makes of attributes.
    const keys = Object.keys(fields).filter((key) => !key.startsWith('@_') || isDeclared(key))
    const [key] = keys
    if (key === undefined) return undefined

    const isForbidden = (key: string) =>
      members.length > 0 && members.every((view) => view.member(key).action !== 'keep')
    if (
      Object.hasOwn(fields, 'item') &&
      !isAllowed('item') &&
      (keys.length === 1 || !takesObjects || isForbidden('item'))
    )
      return insideOf(fields['item'], true)
    // JavaScript gives such keys in the order of their numbers.
    if (keys.every((key) => /^(?:0|[1-9]\d{0,8})$/.test(key) && !isAllowed(key)))
      return { elements: keys.map((key) => fields[key]), levels: 0, isSure: true }
    if (keys.length === 1 && !isAllowed(key)) {
      const kind = containerKind(fields[key])
      if (!takesObjects) return insideOf(fields[key], kind === 'array')
      if (kind === undefined || members.length === 0) return undefined
      return insideOf(fields[key], isForbidden(key))
    }
    // case coerce/items-with-a-member-item
    const isElements =
      keys.length === 1 &&
      key === 'item' &&
      areObjects(fields[key]) &&
      !members.some((view) => this.#takes(view.member(key).schema, 'object'))
    if (isElements) return insideOf(fields[key], false)
    const elements = rowsOf(
      fields,
      keys,
      (key) => isDeclared(key) && !members.some((view) => this.#takes(view.member(key).schema, 'array')),
    )
    return elements && { elements, levels: 0, isSure: true }
  }

  #takesObjects(plan: ArrayPlan): boolean {
    return this.#takes(plan.element(0), 'object')
  }

  #takes(schema: unknown, kind: 'array' | 'object'): boolean {
    const { views } = this.#schemas.of(schema)
    return views.length === 0 || views.some((view) => view.takes(kind))
  }

  /** The ways to take an object of a schema that says something of objects. */
  #membersOf(schema: unknown): ObjectMembers[] {
    const { views } = this.#schemas.of(schema)
    return views.filter((view) => view.takes('object') && !view.isOpen).map((view) => this.#plans.members(view))
  }
}

const bare = new WeakMap<View, View>()

/** A view of values of the right type. */
function withoutLiterals(view: View): View {
  let known = bare.get(view)
  if (known === undefined) bare.set(view, (known = new View(view.layers, view.kinds, undefined, view.required)))
  return known
}

/** What a choice is remembered by: values in which there are others. */
function keyOf(value: unknown): object | string | undefined {
  if (typeof value === 'string') return /^\s*[[{<]/.test(value) ? value : undefined
  return typeof value === 'object' && value !== null ? value : undefined
}

/** Whether it is an object, or a list of objects. */
function areObjects(value: unknown): boolean {
  return (Array.isArray(value) ? value : [value]).every((each) => containerKind(each) === 'object')
}

/** A list, or a list of one. */
function insideOf(value: unknown, isSure: boolean): Inside {
  return Array.isArray(value)
    ? { elements: value as readonly unknown[], levels: 1, isSure }
    : { elements: [value], levels: 0, isSure }
}

/** Columns of equal length as rows: `{ x: [1, 2], y: [3, 4] }` as `[{ x: 1, y: 3 }, { x: 2, y: 4 }]`. */
function rowsOf(fields: Fields, keys: readonly string[], isColumn: (key: string) => boolean): Fields[] | undefined {
  const columns = keys.map((key) => fields[key])
  const [first] = columns
  if (
    !Array.isArray(first) ||
    !columns.every((column) => Array.isArray(column) && column.length === first.length) ||
    !keys.every(isColumn)
  )
    return undefined
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
