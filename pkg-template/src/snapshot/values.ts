// Values as plain JSON: with undefined, infinite numbers, maps and sets; an object
// that stands in several places is one again. Keys are written as lists, since some
// databases change the order of an object's keys.

import { put } from '../own.js'
import type { SavedClass } from './saved.js'

/** A value as it is written: what JSON has alone is itself, anything else a list. */
export type Written = null | boolean | number | string | readonly Written[]

/** The classes of which there may be more objects than a new parser has, by a name. */
export type Classes = Readonly<Record<string, (abstract new (...options: never[]) => object) & { readonly saved: SavedClass }>>

/** A written value that is none. */
export class Malformed extends Error {}

/** Refuses what is written. */
export function malformed(what: string): never {
  throw new Malformed(what)
}

type Fields = Record<string, unknown>

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
    if (Array.isArray(value) || value instanceof Set) for (const each of value) this.count(each)
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
    if (Array.isArray(value)) return ['a', ...value.map((each) => this.write(each))]
    if (value instanceof Set) return ['s', ...Array.from(value, (each) => this.write(each))]
    if (value instanceof Map) return ['m', ...[...value].flatMap(([key, each]) => [this.write(key), this.write(each)])]
    const fields = fieldsOf(value).flatMap((name) => [name, this.write((value as Fields)[name])])
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype) return ['o', ...fields]
    if (prototype === null) return ['n', ...fields]
    const name = Object.keys(this.classes).find((each) => this.classes[each]?.prototype === prototype)
    if (name === undefined) throw new Error(`tokenweir: an object of ${value.constructor.name} cannot be saved`)
    return ['c', name, ...fields]
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
    const [kind, ...rest] = written as readonly unknown[]
    if (kind === undefined) return undefined
    if (typeof kind === 'number') return this.known(kind)
    const keep = <Value>(value: Value): Value => {
      if (id !== undefined) this.shared.set(id, value)
      return value
    }
    switch (kind) {
      case '#':
        return rest[0] === '-0' ? -0 : Number(rest[0])
      case 'i':
        return typeof rest[0] === 'string' && /^-?\d{1,100000}$/.test(rest[0]) ? BigInt(rest[0]) : malformed('a number is no number')
      case '=':
        return typeof rest[0] === 'number' && id === undefined ? this.read(rest[1], rest[0]) : malformed('an object has no number')
      case 'a': {
        const value: unknown[] = keep([])
        for (const each of rest) value.push(this.read(each))
        return value
      }
      case 's': {
        const value = keep(new Set())
        for (const each of rest) value.add(this.read(each))
        return value
      }
      case 'm': {
        const value = keep(new Map())
        for (let at = 0; at < rest.length; at += 2) value.set(this.read(rest[at]), this.read(rest[at + 1]))
        return value
      }
      case 'o':
        return this.fields(keep({}), rest)
      case 'n':
        return this.fields(keep(Object.create(null) as object), rest)
      case 'c': {
        const type = typeof rest[0] === 'string' && Object.hasOwn(this.classes, rest[0]) ? this.classes[rest[0]] : undefined
        if (type === undefined) return malformed('there is no such class')
        const value = keep(Object.create(type.prototype as object) as object)
        this.made.push(value)
        return this.fields(value, rest.slice(1))
      }
      default:
        return malformed('there is no such kind of value')
    }
  }

  private known(number: number): unknown {
    if (number < 0) return this.parts[-1 - number] ?? malformed('there is no such part')
    return this.shared.has(number) ? this.shared.get(number) : malformed('there is no such object')
  }

  private fields(value: object, rest: readonly unknown[]): object {
    for (let at = 0; at < rest.length; at += 2) {
      const name = rest[at]
      if (typeof name !== 'string') malformed('a key is no string')
      put(value as Fields, name, this.read(rest[at + 1]))
    }
    return value
  }
}

/** The fields of an object that are saved. */
export function fieldsOf(value: object): string[] {
  const skips = savedOf(value)?.skips
  const names = Object.keys(value)
  return skips === undefined ? names : names.filter((name) => !skips.includes(name))
}

/** How an object of a class is saved, if its class says so. */
export function savedOf(value: object): SavedClass | undefined {
  return isPlain(value) ? undefined : (value.constructor as { readonly saved?: SavedClass }).saved
}

/** Whether a value has no class of its own. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}
