// The one reader of JSON schemas: the ways to fit them.
//
// `$ref`s within the schema, `allOf`, `anyOf` and `oneOf` are followed.
//
// Nothing is refused: an invalid schema says nothing, and neither does one that has too
// many ways, or that leads back to itself before it has said anything.

import { isRecord } from '../own.js'
import {
  KINDS,
  type Kind,
  allOf,
  groupsOf,
  isNullable,
  kindsOf,
  literalsOf,
  referenceOf,
  requiredOf,
} from './keywords.js'
import { References } from './references.js'
import { View } from './view.js'

/**
 * Most schemas inside each other by `$ref`, `allOf`, `anyOf` and `oneOf`, and how many ways these may make. Beyond it
 * they say nothing.
 */
const MOST_DEPTH = 64
export const MOST_WAYS = 256
const MOST_STEPS = 8_192

/** Reads the parts of one schema, each once. */
export class SchemaReader {
  readonly #references: References
  readonly #ways = new WeakMap<object, readonly View[]>()
  readonly #conditions: boolean

  /** `$ref`s begin at the root. `conditions`: `then` and `else` are ways too. */
  constructor(root: unknown, conditions = false) {
    this.#references = new References(root)
    this.#conditions = conditions
  }

  /** The ways to fit a part. None: nothing fits. */
  ways(schema: unknown): readonly View[] {
    if (!isRecord(schema)) return schema === false ? [] : [ANYTHING]
    let ways = this.#ways.get(schema)
    if (ways === undefined) this.#ways.set(schema, (ways = this.#expand(schema, [], { steps: MOST_STEPS }).map(viewOf)))
    return ways
  }

  /** The alternatives that a schema leaves. */
  #expand(schema: unknown, above: readonly unknown[], budget: { steps: number }): readonly Way[] {
    if (schema === false) return []
    // A schema that leads back to itself says nothing new.
    if (!isRecord(schema) || above.includes(schema) || above.length >= MOST_DEPTH || budget.steps-- <= 0)
      return SAYS_NOTHING
    const within = [...above, schema]
    let ways: readonly Way[] = [{ layers: [schema], kinds: kindsOf(schema), isNullable: isNullable(schema) }]
    const reference = referenceOf(schema)
    if (typeof reference === 'string')
      ways = together(ways, this.#expand(this.#references.find(reference), within, budget))
    for (const part of allOf(schema)) ways = together(ways, this.#expand(part, within, budget))
    for (const group of groupsOf(schema, this.#conditions))
      ways = together(
        ways,
        group.flatMap((part) => this.#expand(part, within, budget)),
      )
    return ways
  }
}

/** Schemas that a value may fit, all of them together. */
type Way = Pick<View, 'layers' | 'kinds'> & { readonly isNullable: boolean }

const SAYS_NOTHING: readonly Way[] = [{ layers: [], kinds: undefined, isNullable: false }]

const ANYTHING = new View([], undefined, undefined, [])

/** What fits one of each, without what no value can fit. */
function together(some: readonly Way[], others: readonly Way[]): readonly Way[] {
  const ways: Way[] = []
  for (const one of some) {
    for (const other of others) {
      const kinds = meet(one.kinds, other.kinds)
      const nullable = one.isNullable || other.isNullable
      if ((kinds?.size !== 0 || nullable) && ways.length < MOST_WAYS)
        ways.push({ layers: [...new Set([...one.layers, ...other.layers])], kinds, isNullable: nullable })
    }
  }
  return ways
}

function viewOf({ layers, kinds, isNullable }: Way): View {
  let literals: ReadonlySet<unknown> | undefined
  for (const layer of layers) {
    const said = literalsOf(layer)
    if (said !== undefined)
      literals = literals === undefined ? said : new Set([...literals].filter((value) => said.has(value)))
  }
  return new View(
    layers,
    isNullable && kinds !== undefined ? new Set([...kinds, 'null']) : kinds,
    isNullable && literals !== undefined ? new Set([...literals, null]) : literals,
    [...new Set(layers.flatMap(requiredOf))],
  )
}

/** The kinds that both allow. */
export function meet(
  some: ReadonlySet<Kind> | undefined,
  others: ReadonlySet<Kind> | undefined,
): ReadonlySet<Kind> | undefined {
  if (some === undefined || others === undefined) return some ?? others
  const has = (kinds: ReadonlySet<Kind>, kind: Kind) => kinds.has(kind) || (kind === 'integer' && kinds.has('number'))
  return new Set(KINDS.filter((kind) => has(some, kind) && has(others, kind)))
}

const readers = new WeakMap<object, SchemaReader>()

/** The reader of a whole schema, the same each time. */
export function readerOf(root: unknown): SchemaReader {
  const known = isRecord(root) ? readers.get(root) : undefined
  if (known !== undefined) return known
  const reader = new SchemaReader(root)
  if (isRecord(root)) readers.set(root, reader)
  return reader
}

export function objectsIn(ways: readonly View[]): readonly View[] {
  return ways.filter(({ kinds }) => kinds === undefined || kinds.has('object'))
}

/** The arguments without which no way allows a call; none if some way needs none. */
export function requiredArguments(ways: readonly View[]): readonly string[] {
  const objects = objectsIn(ways)
  const [first, ...others] = objects.length > 0 ? objects : ways
  return first !== undefined && others.every(({ required }) => required.length > 0) ? first.required : []
}

/** The names of the properties that are listed; undefined if no way has a list. */
export function listedProperties(ways: readonly View[]): readonly string[] | undefined {
  const lists = ways.map(({ listed }) => listed).filter((listed) => listed !== undefined)
  return lists.length === 0 ? undefined : lists.flat()
}
