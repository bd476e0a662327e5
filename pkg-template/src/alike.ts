// Calls that are alike but for a few strings or numbers, as most events of a stream are: of each only what differs is
// kept.
//
//     first   {"index":0,"delta":{"type":"text","text":"The"}}        leaves   0  "text"  "The"
//     next    {"index":0,"delta":{"type":"text","text":" weir"}}      at [2]   " weir"

import { own, put } from './own.js'

/** Several calls: the first, and of each of the others its leaves at some places. */
interface Alike {
  readonly first: readonly unknown[]
  readonly at: readonly number[]
  readonly rows: ReadonlyArray<readonly unknown[]>
}

/** Calls as JSON has them: what one is given, or several. */
type WrittenCalls = readonly unknown[] | Alike

/** So many leaves may differ. */
const MOST = 4

/** What one method was given, by calls that follow each other. */
export class AlikeCalls {
  private readonly first: readonly unknown[]
  private leaves: readonly unknown[] | undefined
  private at: readonly number[] | undefined
  private readonly rows: unknown[][] = []

  constructor(
    readonly method: string,
    given: readonly unknown[],
  ) {
    // What JSON has of it: its places are those of a restored call, and the program may change its own.
    this.first = plain(given) as unknown[]
  }

  /** Adds another call, if it is alike. */
  takes(method: string, given: readonly unknown[]): boolean {
    if (method !== this.method) return false
    const leaves = (this.leaves ??= leavesOf(this.first))
    const found = new Difference()
    if (!found.compare(this.first, given)) return false
    const { at = found.at } = this
    if (!found.at.every((place) => at.includes(place))) return false
    this.at = at
    this.rows.push(at.map((place) => leafAt(place, found.at, found.leaves, leaves[place])))
    return true
  }

  /** As JSON. */
  toJSON(): WrittenCalls {
    const { first, at, rows } = this
    return at === undefined ? first : { first, at, rows }
  }
}

/** The key of a number that JSON doesn't have, as text. */
const NUMBER = '\0number'

/** Whether JSON has a value that is no object. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  return typeof value === 'string' || typeof value === 'boolean'
}

/**
 * A copy of what JSON has of a value. Left out are members that throw, as results of the AI SDK have, and a value
 * inside itself, as an error may be.
 */
function plain(value: unknown, around: readonly object[] = []): unknown {
  if (typeof value !== 'object' || value === null) {
    if (isPlain(value)) return value
    return typeof value === 'bigint' || typeof value === 'number' ? { [NUMBER]: shown(value) } : null
  }
  if (around.includes(value)) return null
  const within = [...around, value]
  if (Array.isArray(value)) return value.map((each) => plain(each, within))
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const member = memberOf(value, name)
    if (member !== undefined && typeof member !== 'function') put(copy, name, plain(member, within))
  }
  return copy
}

function memberOf(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}

/** The leaves in which a value differs from another one of the same form. */
class Difference {
  readonly at: number[] = []
  readonly leaves: unknown[] = []
  private place = 0

  /** False if it has another form, or differs in more than may be. */
  compare(form: unknown, value: unknown): boolean {
    if (typeof form !== 'object' || form === null || typeof value !== 'object' || value === null) {
      const at = this.place++
      if (form === value) return true
      this.at.push(at)
      this.leaves.push(value)
      return typeof form === typeof value && isPlain(value) && this.at.length <= MOST
    }
    if (Array.isArray(form)) {
      const isAsLong = Array.isArray(value) && value.length === form.length
      return isAsLong && form.every((each, at) => this.compare(each, value[at]))
    }
    const names = namesOf(form)
    let count = 0
    for (const name in value) {
      if (names[count++] !== name) return false
      const one = form[name as keyof typeof form]
      const other = memberOf(value, name)
      // Most members are the same text or number; no object is the same, since the form is a copy.
      if (one === other) this.place++
      else if (!this.compare(one, other)) return false
    }
    return count === names.length && !Array.isArray(value)
  }
}

/** The names of objects that others are compared with, one after the other. */
const known = new WeakMap<object, readonly string[]>()

function namesOf(form: object): readonly string[] {
  let names = known.get(form)
  if (names === undefined) known.set(form, (names = Object.keys(form)))
  return names
}

/** All calls, one by one. */
export function* callsIn(written: WrittenCalls): Generator<readonly unknown[]> {
  if (Array.isArray(written)) return yield written
  const { first, at, rows } = written as Alike
  yield first
  for (const row of rows) {
    let place = 0
    yield eachLeaf(first, (leaf) => leafAt(place++, at, row, leaf)) as unknown[]
  }
}

function shown(value: number | bigint): string {
  return typeof value === 'bigint' ? `${value}n` : Object.is(value, -0) ? '-0' : String(value)
}

/** Reads such JSON. @throws SyntaxError if it is malformed. */
export function readCalls(text: string): unknown {
  return JSON.parse(text, numberIn)
}

function numberIn(_: string, value: unknown): unknown {
  const written = own(value, NUMBER)
  if (typeof written !== 'string') return value
  return written.endsWith('n') ? BigInt(written.slice(0, -1)) : Number(written)
}

/** Whether something is such JSON. */
export function areCalls(value: unknown): value is WrittenCalls {
  const { first, at, rows } = (value ?? {}) as Partial<Alike>
  const isAlike = Array.isArray(first) && Array.isArray(at) && Array.isArray(rows) && rows.every(Array.isArray)
  return Array.isArray(value) || isAlike
}

/** What stands at a place: the other leaf if there is one, or this. */
function leafAt(place: number, at: readonly number[], others: readonly unknown[], leaf: unknown): unknown {
  const index = at.indexOf(place)
  return index < 0 ? leaf : others[index]
}

function leavesOf(value: unknown): readonly unknown[] {
  const leaves: unknown[] = []
  eachLeaf(value, (leaf) => void leaves.push(leaf))
  return leaves
}

/** A copy of a value, with what is made of each leaf. */
function eachLeaf(value: unknown, make: (leaf: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return make(value)
  if (Array.isArray(value)) return value.map((each) => eachLeaf(each, make))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, eachLeaf(each, make)]))
}
