// The second argument of `JSON.parse`.
//
// Source: ECMA-262, InternalizeJSONProperty. Differences: what a reviver puts
// into the tree may be at most 512 levels deep, and an inherited key is never
// read, not even where the reviver deleted the own one.
import { isRecord, own, put } from '../own.js'
import type { Reviver } from './options.js'

/** Deepest tree that is walked. */
const DEEPEST = 512

/** Gives every value to a reviver, the innermost first, and gives back what it made of the whole. */
export function revive(value: unknown, reviver: Reviver): unknown {
  return revived({ '': value }, '', value, reviver, 0)
}

function revived(holder: object, key: string, value: unknown, reviver: Reviver, depth: number): unknown {
  if (depth > DEEPEST) throw new RangeError(`parse: the reviver made a tree of more than ${DEEPEST} levels`)
  if (Array.isArray(value)) {
    for (let index = 0, { length } = value; index < length; index++) {
      const element = revived(value, String(index), value[index], reviver, depth + 1)
      if (element === undefined) delete value[index]
      else value[index] = element
    }
  } else if (isRecord(value)) {
    const object: Record<string, unknown> = value
    for (const name of Object.keys(object)) {
      const member = revived(object, name, own(object, name), reviver, depth + 1)
      if (member === undefined) delete object[name]
      else put(object, name, member)
    }
  }
  return reviver.call(holder, key, value)
}
