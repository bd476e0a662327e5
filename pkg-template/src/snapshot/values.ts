// Values as plain JSON: with undefined, infinite numbers, maps and sets; an object
// that stands in several places is one again. Keys are written as lists, since some
// databases change the order of an object's keys.

import { put } from '../own.js'
import type { SavedClass } from './saved.js'

/** A value as it is written: what JSON has alone is itself, anything else a list. */
export type Written = null | boolean | number | string | readonly Written[]

/** Classes whose objects a parser makes while it reads, by a name. */
export type Classes = Readonly<
  Record<string, (abstract new (...options: never[]) => object) & { readonly saved: SavedClass }>
>

/** Thrown for a malformed value. */
export class Malformed extends Error {}

/** Refuses what is written. */
export function malformed(what: string): never {
  throw new Malformed(what)
}

type Fields = Record<string, unknown>

/** So many elements may be missing at the beginning of a list: 2^31, as a number that bundlers can leave out. */
const LONGEST = 2_147_483_648

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
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return ['#', Object.is(value, -0) ? '-0' : String(value)]
    if (typeof value === 'bigint') return ['i', String(value)]
    if (typeof value === 'function' || typeof value === 'symbol')
      throw new Error(`tokenweir: a ${typeof value} cannot be saved: ${String(value)}`)
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

/** An object whose parts are being read, from a place of its list on. */
interface Filling {
  readonly into: object
  readonly list: readonly unknown[]
  at: number
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

  /** Not recursive: a document may be deeper than the stack. */
  read(written: unknown): unknown {
    const open: Filling[] = []
    const whole = this.begin(written, open)
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      if (top.at >= top.list.length) open.pop()
      else this.fill(top, open)
    }
    return whole
  }

  /** Reads the next part of an object. */
  private fill(top: Filling, open: Filling[]): void {
    const { into, list } = top
    const first = list[top.at++]
    if (Array.isArray(into)) into.push(this.begin(first, open))
    else if (into instanceof Set) into.add(this.begin(first, open))
    else if (into instanceof Map) {
      // Its keys are no objects with parts.
      into.set(this.begin(first, open), this.begin(list[top.at++], open))
    } else {
      if (typeof first !== 'string') malformed('a key is no string')
      put(into as Fields, first, this.begin(list[top.at++], open))
    }
  }

  /** A value, if it is an object without its parts, which are read next. */
  private begin(written: unknown, open: Filling[], id?: number): unknown {
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
        return typeof first === 'string' && /^-?\d{1,100000}$/.test(first)
          ? BigInt(first)
          : malformed('a number is no number')
      case '=':
        return typeof first === 'number' && id === undefined
          ? this.begin(list[2], open, first)
          : malformed('an object has no number')
      case 'c':
        break
      default:
        return this.opened(emptyOf(kind, first), list, kind === 'h' ? 2 : 1, open, id)
    }
    const type = typeof first === 'string' && Object.hasOwn(this.classes, first) ? this.classes[first] : undefined
    if (type === undefined) return malformed('there is no such class')
    const value = Object.create(type.prototype as object) as object
    this.made.push(value)
    return this.opened(value, list, 2, open, id)
  }

  private opened(into: object, list: readonly unknown[], at: number, open: Filling[], id: number | undefined): object {
    if (id !== undefined) this.shared.set(id, into)
    open.push({ into, list, at })
    return into
  }

  private known(number: number): unknown {
    if (number < 0) return this.parts[-1 - number] ?? malformed('there is no such part')
    return this.shared.has(number) ? this.shared.get(number) : malformed('there is no such object')
  }
}

function emptyOf(kind: unknown, first: unknown): object {
  switch (kind) {
    case 'a':
      return []
    case 'h': {
      if (!Number.isInteger(first) || (first as number) < 1 || (first as number) > LONGEST)
        malformed('a list has no length')
      const value: unknown[] = []
      value.length = first as number
      return value
    }
    case 's':
      return new Set()
    case 'm':
      return new Map()
    case 'o':
      return {}
    case 'n':
      return Object.create(null) as object
    default:
      return malformed('there is no such kind of value')
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
