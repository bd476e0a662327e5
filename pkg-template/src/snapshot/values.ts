// Values as plain JSON: with undefined, infinite numbers, maps and sets; an object
// that stands in several places is one again. Keys are written as lists, since some
// databases change the order of an object's keys.

import { put } from '../own.js'
import type { SavedClass } from './saved.js'

/** A value as it is written: what JSON has alone is itself, anything else a list. */
export type Written = null | boolean | number | string | readonly Written[]

/** Classes whose objects a parser makes while it reads, by a name. */
export type Classes = Readonly<Record<string, (abstract new (...options: never[]) => object) & { readonly saved: SavedClass }>>

/** Thrown for a malformed value. */
export class Malformed extends Error {}

/** Refuses what is written. */
export function malformed(what: string): never {
  throw new Malformed(what)
}

type Fields = Record<string, unknown>

/** So many elements may be missing at the beginning of a list. */
const LONGEST = 2 ** 31

/** Writes values that belong to one snapshot. */
export class ValueWriter {
  private readonly seen = new Set<object>()
  private readonly shared = new Map<object, number>()
  private readonly begun = new Set<object>()

  /** `parts`: objects that a new parser has, by their numbers. */
  constructor(
    private readonly parts: ReadonlyMap<object, number>,
    private readonly classes: Classes,
  ) {}

  /** Finds what stands in several places: before anything is written. */
  count(value: unknown): void {
    if (typeof value !== 'object' || value === null || this.parts.has(value)) return
    if (this.seen.has(value)) {
      if (!this.shared.has(value)) this.shared.set(value, this.shared.size)
      return
    }
    this.seen.add(value)
    if (value instanceof Set || (Array.isArray(value) && !lacksFirst(value))) for (const each of value) this.count(each)
    else if (value instanceof Map) for (const pair of value) pair.forEach((each) => this.count(each))
    else for (const name of fieldsOf(value)) this.count((value as Fields)[name])
  }

  write(value: unknown): Written {
    if (value === undefined) return []
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) return ['#', Object.is(value, -0) ? '-0' : String(value)]
    if (typeof value === 'bigint') return ['i', String(value)]
    if (typeof value === 'function' || typeof value === 'symbol') throw new Error(`tokenweir: a ${typeof value} cannot be saved: ${String(value)}`)
    if (typeof value !== 'object' || value === null) return value as Written
    const part = this.parts.get(value)
    if (part !== undefined) return [-1 - part]
    const id = this.shared.get(value)
    if (id === undefined) return this.whole(value)
    if (this.begun.has(value)) return [id]
    this.begun.add(value)
    return ['=', id, this.whole(value)]
  }

  private whole(value: object): Written {
    // Pushed one by one: documents have many small objects.
    if (Array.isArray(value) && lacksFirst(value)) {
      const rest = Object.keys(value).map(Number)
      return ['h', rest[0] ?? value.length, ...rest.map((at) => this.write(value[at]))]
    }
    if (Array.isArray(value) || value instanceof Set) {
      const list: Written[] = [Array.isArray(value) ? 'a' : 's']
      for (const each of value) list.push(this.write(each))
      return list
    }
    if (value instanceof Map) {
      const pairs: Written[] = ['m']
      for (const [key, each] of value) pairs.push(this.write(key), this.write(each))
      return pairs
    }
    const fields: Written[] = this.kindOf(value)
    for (const name of fieldsOf(value)) fields.push(name, this.write((value as Fields)[name]))
    return fields
  }

  private kindOf(value: object): Written[] {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype) return ['o']
    if (prototype === null) return ['n']
    const name = Object.keys(this.classes).find((each) => this.classes[each]?.prototype === prototype)
    if (name === undefined) throw new Error(`tokenweir: an object of ${value.constructor.name} cannot be saved`)
    return ['c', name]
  }
}

/** Reads what `ValueWriter` wrote. */
export class ValueReader {
  private readonly shared = new Map<number, unknown>()
  /** Objects of classes that were made. */
  readonly made: object[] = []

  constructor(
    private readonly parts: readonly object[],
    private readonly classes: Classes,
  ) {}

  read(written: unknown, id?: number): unknown {
    if (typeof written !== 'object' || written === null) return written
    if (!Array.isArray(written)) malformed('an object stands where a list should')
    const list = written as readonly unknown[]
    const [kind, first] = list
    if (kind === undefined) return undefined
    if (typeof kind === 'number') return this.known(kind)
    switch (kind) {
      case '#':
        return first === '-0' ? -0 : Number(first)
      case 'i':
        return typeof first === 'string' && /^-?\d{1,100000}$/.test(first) ? BigInt(first) : malformed('a number is no number')
      case '=':
        return typeof first === 'number' && id === undefined ? this.read(list[2], first) : malformed('an object has no number')
      case 'a': {
        const value: unknown[] = this.keep([], id)
        for (let at = 1; at < list.length; at++) value.push(this.read(list[at]))
        return value
      }
      case 'h': {
        const value: unknown[] = this.keep([], id)
        if (!Number.isInteger(first) || (first as number) < 1 || (first as number) > LONGEST) malformed('a list has no length')
        value.length = first as number
        for (let at = 2; at < list.length; at++) value.push(this.read(list[at]))
        return value
      }
      case 's': {
        const value = this.keep(new Set(), id)
        for (let at = 1; at < list.length; at++) value.add(this.read(list[at]))
        return value
      }
      case 'm': {
        const value = this.keep(new Map(), id)
        for (let at = 1; at < list.length; at += 2) value.set(this.read(list[at]), this.read(list[at + 1]))
        return value
      }
      case 'o':
        return this.fields(this.keep({}, id), list, 1)
      case 'n':
        return this.fields(this.keep(Object.create(null) as object, id), list, 1)
      case 'c': {
        const type = typeof first === 'string' && Object.hasOwn(this.classes, first) ? this.classes[first] : undefined
        if (type === undefined) return malformed('there is no such class')
        const value = this.keep(Object.create(type.prototype as object) as object, id)
        this.made.push(value)
        return this.fields(value, list, 2)
      }
      default:
        return malformed('there is no such kind of value')
    }
  }

  /** An object that others may name. */
  private keep<Value>(value: Value, id: number | undefined): Value {
    if (id !== undefined) this.shared.set(id, value)
    return value
  }

  private known(number: number): unknown {
    if (number < 0) return this.parts[-1 - number] ?? malformed('there is no such part')
    return this.shared.has(number) ? this.shared.get(number) : malformed('there is no such object')
  }

  private fields(value: object, list: readonly unknown[], from: number): object {
    for (let at = from; at < list.length; at += 2) {
      const name = list[at]
      if (typeof name !== 'string') malformed('a key is no string')
      put(value as Fields, name, this.read(list[at + 1]))
    }
    return value
  }
}

/** Whether a list lacks its first elements, which a snapshot left out. Nothing may walk its whole length. */
function lacksFirst(list: readonly unknown[]): boolean {
  return list.length > 0 && !(0 in list)
}

/** What is known of a class: `saved` makes its answer anew each time, and classes are few. */
interface Known {
  readonly saved: SavedClass | undefined
  readonly skips: ReadonlySet<string>
}

const known = new WeakMap<object, Known>()

function knownOf(value: object): Known | undefined {
  const prototype = Object.getPrototypeOf(value) as object | null
  if (prototype === null || prototype === Object.prototype || Array.isArray(value)) return undefined
  let found = known.get(prototype)
  if (found === undefined) {
    const { saved } = value.constructor as { readonly saved?: SavedClass }
    known.set(prototype, (found = { saved, skips: new Set(saved?.skips) }))
  }
  return found
}

/** The fields of an object that are saved. */
export function fieldsOf(value: object): string[] {
  const skips = knownOf(value)?.skips
  const names = Object.keys(value)
  return skips === undefined || skips.size === 0 ? names : names.filter((name) => !skips.has(name))
}

/** How an object of a class is saved, if its class says so. */
export function savedOf(value: object): SavedClass | undefined {
  return knownOf(value)?.saved
}

/** Whether a value has no class of its own. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}
