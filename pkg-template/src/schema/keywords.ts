// What one JSON schema says by its own keywords.
//
// Source: JSON Schema, draft 4 to 2020-12, as far as it says what type a value has.
// `nullable` is OpenAPI's. What only checks a value (`minimum`, `format` …) is ignored.

import { isRecord, own } from '../own.js'
import type { Listing } from '../json/members.js'

export type Keywords = Readonly<Record<string, unknown>>

/** In the order in which they are tried. */
export const KINDS = ['null', 'boolean', 'integer', 'number', 'array', 'object', 'string'] as const
export type Kind = (typeof KINDS)[number]

/** What schemas call kinds that are made from Python's and other types. */
const LOOSE: ReadonlyMap<string, Kind> = new Map([
  ['float', 'number'],
  ['double', 'number'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['str', 'string'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['list', 'array'],
])

/** The kinds that a schema allows. One that has properties and no type means an object. */
export function kindsOf(schema: Keywords): ReadonlySet<Kind> | undefined {
  const known = typesOf(schema).flatMap((name) =>
    KINDS.includes(name as Kind) ? [name as Kind] : (LOOSE.get(String(name)) ?? []),
  )
  if (known.length > 0) return new Set(known)
  const has = (keyword: string) => Object.hasOwn(schema, keyword)
  if (has('properties') || has('patternProperties') || has('additionalProperties')) return new Set(['object'])
  return has('items') || has('prefixItems') ? new Set(['array']) : undefined
}

/** What `type` lists, valid or not. */
export function typesOf(schema: Keywords): readonly unknown[] {
  const type = own(schema, 'type')
  return Array.isArray(type) ? (type as unknown[]) : type === undefined ? [] : [type]
}

/** Whether it allows `null` besides what it says. */
export function isNullable(schema: Keywords): boolean {
  return own(schema, 'nullable') === true
}

/** The values of `const` or `enum`. */
export function valuesOf(schema: Keywords): readonly unknown[] | undefined {
  const listed = own(schema, 'enum')
  return Object.hasOwn(schema, 'const') ? [schema['const']] : Array.isArray(listed) ? (listed as unknown[]) : undefined
}

/** The schemas of its properties, by name; undefined if it lists none. */
export function propertiesOf(schema: unknown): Keywords | undefined {
  const properties = own(schema, 'properties')
  return isRecord(properties) ? properties : undefined
}

/** These values, if none of them is an array or an object. */
export function literalsOf(schema: Keywords): ReadonlySet<unknown> | undefined {
  const values = valuesOf(schema)
  return values === undefined || values.some((value) => typeof value === 'object' && value !== null)
    ? undefined
    : new Set(values)
}

/** The names of properties that must be there. */
export function requiredOf(schema: Keywords): string[] {
  return listOf(schema, 'required').filter((name) => typeof name === 'string')
}

/** What it says of properties that it does not list: a schema, `true`, `false`, or nothing. */
export function othersOf(schema: Keywords): unknown {
  return own(schema, 'additionalProperties')
}

/** Whether properties are refused that no schema speaks of. */
export function refusesUnevaluated(schema: Keywords): boolean {
  return own(schema, 'unevaluatedProperties') === false
}

/** The schemas of an array's elements: of the first ones by their place, and of the rest. */
export function elementsOf(schema: Keywords): { readonly front: readonly unknown[]; readonly rest: unknown } {
  const items = own(schema, 'items')
  // Draft 4's array of `items` is what `prefixItems` is now.
  return Array.isArray(items)
    ? { front: items as unknown[], rest: own(schema, 'additionalItems') }
    : { front: listOf(schema, 'prefixItems'), rest: items }
}

/** What a `$ref` names: itself, or a part by a JSON pointer, an `$anchor` or an `$id`. */
export function referenceOf(schema: Keywords): unknown {
  return own(schema, '$ref')
}

/** Schemas that a value must fit as well. */
export function allOf(schema: Keywords): readonly unknown[] {
  return listOf(schema, 'allOf')
}

/** Groups of schemas: a value fits one of each. `conditions`: `then` and `else` are such a group too. */
export function groupsOf(schema: Keywords, conditions: boolean): Array<readonly unknown[]> {
  const groups = [
    listOf(schema, 'anyOf'),
    listOf(schema, 'oneOf'),
    conditions ? CONDITIONS.flatMap((keyword) => own(schema, keyword) ?? []) : [],
  ]
  return groups.filter((group) => group.length > 0)
}

export const CONDITIONS = ['then', 'else'] as const

type Patterns = ReadonlyArray<readonly [pattern: RegExp, schema: unknown]>
const NONE: Patterns = []
const compiled = new WeakMap<object, Patterns>()

/** Its `patternProperties`, compiled once. An invalid pattern fits nothing. */
export function patternsOf(schema: Keywords): Patterns {
  const patterns = own(schema, 'patternProperties')
  if (!isRecord(patterns)) return NONE
  let known = compiled.get(patterns)
  if (known === undefined) {
    known = Object.entries(patterns).flatMap(([source, inner]) => {
      const pattern = compile(source)
      return pattern === undefined ? [] : [[pattern, inner] as const]
    })
    compiled.set(patterns, known)
  }
  return known
}

function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}

/** The array of a keyword; empty if there is none. */
export function listOf(schema: Keywords, keyword: string): readonly unknown[] {
  const value = own(schema, keyword)
  return Array.isArray(value) ? (value as unknown[]) : []
}

/** By the types that its schema allows, and those that it allows of an item. */
export function listingOf(types: ReadonlySet<Kind>, typesOfItem: () => ReadonlySet<Kind>): Listing {
  if (!types.has('array') || types.has('string')) return undefined
  return typesOfItem().has('array') ? 'lists' : 'items'
}

/** Most wrappers around each other: one may contain itself. */
const MOST_WRAPPERS = 16

/**
 * Removes the wrapper `{ jsonSchema }` from a schema, however often it is wrapped; anything else stays as it is.
 *
 * Source: `unwrapJsonSchema` of `@ai-sdk-tool/parser` 5.1.6.
 *
 * @example
 * ```ts
 * import { unwrapJsonSchema } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(unwrapJsonSchema({ jsonSchema: { type: 'string' } })) // { type: 'string' }
 * ```
 */
export function unwrapJsonSchema(schema: unknown): unknown {
  let inner = schema
  for (let wrappers = 0; wrappers < MOST_WRAPPERS; wrappers++) {
    if (!isRecord(inner) || !Object.hasOwn(inner, 'jsonSchema')) return inner
    inner = inner['jsonSchema']
  }
  return inner
}
