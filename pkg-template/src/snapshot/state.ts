// The state of a parser: what differs from a new one with the same options.
//
// Both are walked side by side, from the same beginning through the same fields. An
// object of a class that both have is a part, with a number; what a part's fields
// have that a new one's haven't is written (values.ts). To restore is to make a new
// parser and to set these fields. Functions are never saved: those of a new parser
// stay. So a field that is added later is saved without a word about it; only a
// field whose kind its first value doesn't show has to be declared (saved.ts).

import { checksum } from '../hash.js'
import { count } from './checks.js'
import { type Machine, loadMachine, savedMachine } from './machine.js'
import {
  type Classes,
  ValueReader,
  ValueWriter,
  type Written,
  fieldsOf,
  isPlain,
  malformed,
  savedOf,
} from './values.js'

type Fields = Record<string, unknown>

/** The parts of a new parser, in the order in which a walk finds them. `peer`: those of another one are beside them. */
function partsOf(fresh: object, peer?: object): { parts: object[]; peers: Map<object, number> } {
  const parts: object[] = [fresh]
  const found = new Set<object>(parts)
  const peers = new Map<object, number>()
  const besides: Array<object | undefined> = [peer]
  const add = (inner: unknown, other: unknown) => {
    if (typeof inner !== 'object' || inner === null || !isPart(inner) || found.has(inner)) return
    found.add(inner)
    parts.push(inner)
    const isPeer =
      typeof other === 'object' &&
      other !== null &&
      Object.getPrototypeOf(other) === Object.getPrototypeOf(inner) &&
      !besides.includes(other)
    besides.push(isPeer ? other : undefined)
  }
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as object
    const beside = besides[at]
    if (beside !== undefined) peers.set(beside, at)
    if (savedOf(part)?.isMachine === true) continue
    for (const name of fieldsOf(part)) {
      const inner = (part as Fields)[name]
      const other = (beside as Fields | undefined)?.[name]
      if (Array.isArray(inner))
        for (const [index, each] of inner.entries()) add(each, Array.isArray(other) ? other[index] : undefined)
      else add(inner, other)
    }
  }
  return { parts, peers }
}

/** Objects of the classes of a parser, and not of JavaScript's. */
function isPart(value: object): boolean {
  return (
    !isPlain(value) &&
    !(value instanceof Map || value instanceof Set || value instanceof RegExp || ArrayBuffer.isView(value)) &&
    Object.getPrototypeOf(value) !== Object.prototype
  )
}

/** A number for the form of a new parser: another version's has another one, if it has other fields. */
function formOf(parts: readonly object[]): string {
  return checksum(parts.map((part) => fieldsOf(part).join()).join(';'))
}

/**
 * What differs in `live` from `fresh`, and the form of both. `omitted`: parts that are left as they are in a new one.
 */
export function stateOf(
  live: object,
  fresh: object,
  classes: Classes,
  omitted: ReadonlySet<object>,
): { state: Written[]; form: string } {
  const { parts, peers } = partsOf(fresh, live)
  const writer = new ValueWriter(peers, classes)
  const changes: Array<[part: number, name: string, value: unknown]> = []
  const state: Written[] = []
  for (const [object, number] of peers) {
    if (omitted.has(object)) continue
    const saved = savedOf(object)
    if (saved?.isMachine === true) {
      const machine = savedMachine(object as Machine)
      if (machine !== '') changes.push([number, '', machine])
      continue
    }
    saved?.tidy?.(object as never)
    const first = parts[number] as Fields
    for (const name of fieldsOf(object)) {
      const value = (object as Fields)[name]
      if (isSame(value, first[name], peers, parts)) continue
      if (!mayBe(value, first, name))
        throw new Error(
          `tokenweir: ${object.constructor.name}.${name} is not declared as what it is, so it cannot be saved`,
        )
      changes.push([number, name, value])
      writer.count(value)
    }
  }
  for (const [part, name, value] of changes) state.push(part, name, writer.write(value))
  return { state, form: formOf(parts) }
}

/** The parts of a new parser, and its form. */
export function partsOfNew(fresh: object): { parts: readonly object[]; form: string } {
  const { parts } = partsOf(fresh)
  return { parts, form: formOf(parts) }
}

/**
 * Sets in the parts of a new parser what differed. Throws `Malformed` for a malformed state; the parser must not be
 * used then.
 */
export function setState(parts: readonly object[], state: unknown, classes: Classes): void {
  if (!Array.isArray(state) || state.length % 3 !== 0) return malformed('the state is not a list of changes')
  const reader = new ValueReader(parts, classes)
  const changes: Array<[part: Fields, name: string, value: unknown]> = []
  for (let at = 0; at < state.length; at += 3) {
    const part = (parts[state[at] as number] ?? malformed('there is no such part')) as Fields
    const name: unknown = state[at + 1]
    const value = reader.read(state[at + 2])
    if (typeof name !== 'string') return malformed('a field has no name')
    const isMachine = savedOf(part)?.isMachine === true
    if (isMachine ? name !== '' || typeof value !== 'string' : !fieldsOf(part).includes(name))
      return malformed(`there is no field ${name}`)
    changes.push([part, name, value])
  }
  for (const made of reader.made) {
    const fields = savedOf(made)?.fields ?? {}
    for (const name of new Set([...Object.keys(made), ...Object.keys(fields)])) {
      if (fields[name]?.((made as Fields)[name]) !== true) malformed(`${name} is not what it may be`)
    }
  }
  for (const [part, name, value] of changes)
    if (name !== '' && !mayBe(value, part, name)) malformed(`${name} is not what it may be`)
  for (const [part, name, value] of changes) {
    if (name !== '') part[name] = value
    else if (!loadMachine(part as unknown as Machine, value as string))
      malformed('the machine is in no state that it can be in')
  }
  for (const object of [...parts, ...reader.made]) {
    const saved = savedOf(object)
    if (saved?.isSound?.(object as never) === false) malformed('what was saved does not fit together')
    saved?.wake?.(object as never)
  }
}

/** Whether a field of a part has the value that it has in a new one. */
function isSame(value: unknown, first: unknown, peers: ReadonlyMap<object, number>, parts: readonly object[]): boolean {
  if (Object.is(value, first)) return true
  if (typeof value === 'function') return typeof first === 'function'
  if (typeof value !== 'object' || value === null || typeof first !== 'object' || first === null) return false
  const number = peers.get(value)
  if (number !== undefined) return parts[number] === first
  if (Object.getPrototypeOf(value) !== Object.getPrototypeOf(first)) return false
  if (value instanceof Map || value instanceof Set) return value.size === 0 && (first as typeof value).size === 0
  if (!isPlain(value)) return ArrayBuffer.isView(value) || value instanceof RegExp
  const names = Object.keys(value)
  return (
    names.length === Object.keys(first).length &&
    names.every(
      (name) => Object.hasOwn(first, name) && isSame((value as Fields)[name], (first as Fields)[name], peers, parts),
    )
  )
}

/** Whether a field of a part may have a value, by what its class declares or by its first value. */
function mayBe(value: unknown, part: Fields, name: string): boolean {
  const first = part[name]
  const check = savedOf(part)?.fields?.[name]
  if (check !== undefined) return check(value)
  if (typeof first === 'number') return count(value) || (value === Infinity && first === Infinity)
  if (typeof first === 'string' || typeof first === 'boolean') return typeof value === typeof first
  return (
    isPart(Object(first) as object) &&
    isPart(Object(value) as object) &&
    Object.getPrototypeOf(value) === Object.getPrototypeOf(first)
  )
}
