// Schemas of all forms, compiled into one: see `FieldSchema`.

import { describe } from '../errors.js'
import { dotSegment } from '../json/path.js'
import { MOST_LEVELS_DEEP, checkJsonSchema, isJsonSchema } from '../schema/check.js'
import { isLibrarySchema, isPlain, jsonSchemaOf } from '../schema/library.js'
import { ALL_KINDS, ELEMENT, type JsonKind, type Outline, outlineOf } from '../schema/outline.js'

export { type RootShape, keyOrder, rootShape } from './document-shape.js'

/** The kinds that types' names stand for; `any` stands for all. */
const TYPES: Readonly<Record<JsonKind, readonly string[]>> = {
  object: ['object', 'dict', 'map', 'record'],
  array: ['array', 'list'],
  string: ['string', 'str', 'text'],
  number: ['number', 'int', 'integer', 'float', 'double'],
  boolean: ['boolean', 'bool'],
  null: ['null', 'none'],
}
const KIND_OF_TYPE: ReadonlyMap<string, JsonKind> = new Map(
  Object.entries(TYPES).flatMap(([kind, names]) => names.map((name) => [name, kind as JsonKind])),
)

/**
 * Compiles a schema of any form; `undefined` and `null` mean no schema. `takesAnyWord`: a name that is no type's is one
 * that nobody knows, as in Agently.
 *
 * Throws `TypeError` for an invalid schema, naming the place in it.
 */
export function compileSchema(schema: unknown, takesAnyWord: boolean): Outline | undefined {
  if (schema === undefined || schema === null) return undefined
  // As an object of fields it has none, and as a JSON schema it fits everything.
  if (isPlain(schema) && Object.keys(schema).length === 0) return described(ALL_KINDS)
  const node = isScalarSchema(schema) ? jsonOutline(schema, 'schema') : compile(schema, 'schema', 0, takesAnyWord)
  if (node.kinds.size === 0) throw new TypeError('schema must describe a value, but describes nothing')
  return node
}

const SCALARS = ['string', 'number', 'integer', 'boolean', 'null']
const OF_SCALARS =
  'type title description enum const format pattern minLength maxLength minimum maximum exclusiveMinimum ' +
  'exclusiveMaximum multipleOf default examples nullable $comment'.split(' ')

/** Whether the root is a JSON schema of one value, and not an object with a field that is called `type`. */
function isScalarSchema(schema: unknown): schema is Readonly<Record<string, unknown>> {
  if (!isPlain(schema)) return false
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
  const isField = (key: string) =>
    key !== 'type' && typeof schema[key] === 'string' && KIND_OF_TYPE.has(schema[key].toLowerCase())
  return (
    types.length > 0 &&
    types.every((type) => SCALARS.includes(type)) &&
    Object.keys(schema).every((key) => OF_SCALARS.includes(key) && !isField(key))
  )
}

function compile(schema: unknown, place: string, depth: number, takesAnyWord: boolean): Outline {
  if (depth > MOST_LEVELS_DEEP)
    throw new TypeError(`schema is more than ${MOST_LEVELS_DEEP} levels deep; does it contain itself?`)
  if (typeof schema === 'string' && schema !== '') return leaf(schema, place, takesAnyWord)
  if (Array.isArray(schema)) return compileArray(schema, place, depth, takesAnyWord)
  if (isLibrarySchema(schema)) return jsonOutline(jsonSchemaOf(schema, place), place)
  if (!isPlain(schema))
    throw new TypeError(
      `${place} must be a type's name, an array, an object of fields, a JSON schema or a Standard Schema, but ` +
        `is ${describe(schema)}`,
    )
  if (isJsonSchema(schema)) return jsonOutline(schema, place)
  const fields = Object.entries(schema).map(
    ([key, value]) => [key, compile(value, place + dotSegment(key, false), depth + 1, takesAnyWord)] as const,
  )
  return described(new Set(['object']), new Map(fields))
}

function jsonOutline(schema: Readonly<Record<string, unknown>>, place: string): Outline {
  checkJsonSchema(schema, place, (step) => dotSegment(step, false))
  return outlineOf(schema)
}

/** What a description says, which has no alternatives. */
function described(
  kinds: ReadonlySet<JsonKind>,
  fields?: ReadonlyMap<string, Outline>,
  items: readonly Outline[] = [],
): Outline {
  const inside = [...(fields ?? []), ...items.map((item) => [ELEMENT, item] as const)]
  return {
    kinds,
    keys: fields && new Set(fields.keys()),
    first: items.length > 0 ? items : undefined,
    mayForbid: inside.some(([, { mayForbid }]) => mayForbid),
    forbids: () => false,
    at: (step) => (step !== ELEMENT ? fields?.get(step) : items.length === 1 ? items[0] : undefined),
    inside: () => inside,
  }
}

function leaf(type: string, place: string, takesAnyWord: boolean): Outline {
  const kind = KIND_OF_TYPE.get(type.toLowerCase())
  if (kind !== undefined) return described(new Set([kind]))
  if (takesAnyWord || type.toLowerCase() === 'any') return described(ALL_KINDS)
  const like = nearest(type, KIND_OF_TYPE.keys())
  const hint =
    like === undefined
      ? `use ${Object.keys(TYPES).join(', ')} or any; a JSON schema says more`
      : `is it ${JSON.stringify(like)}?`
  throw new TypeError(`${place} must be a type's name, but is ${describe(type)}: ${hint}`)
}

/** `[x]` and `[x, y]` are arrays; with a text in the second place it is `[type, description, ensure]`. */
function compileArray(schema: readonly unknown[], place: string, depth: number, takesAnyWord: boolean): Outline {
  const [first, second, ensure] = schema
  if (typeof second === 'string') {
    if (schema.length > 3)
      throw new TypeError(
        `${place} must be [type, description] or [type, description, ensure], but is ${describe(schema)}`,
      )
    if (ensure !== undefined && !['boolean', 'number', 'string'].includes(typeof ensure)) {
      throw new TypeError(
        `${place}[2] must be the ensure flag of [type, description, ensure], but is ${describe(ensure)}`,
      )
    }
    return compile(first, `${place}[0]`, depth + 1, takesAnyWord)
  }
  if (schema.length > 1 && typeof first === 'string') {
    throw new TypeError(
      `${place}[1] must be the description of [type, description], which is a string, but is ${describe(second)}`,
    )
  }
  return described(
    new Set(['array']),
    undefined,
    schema.map((item, at) => compile(item, `${place}[${at}]`, depth + 1, takesAnyWord)),
  )
}

/** The first known word that one edit makes of a word, or two of a long one, case aside; undefined if none is like it. */
function nearest(word: string, known: Iterable<string>): string | undefined {
  const words = [...known]
  const find = (edits: number) => words.find((other) => isNear(word.toLowerCase(), other.toLowerCase(), edits))
  return find(1) ?? (word.length > 5 ? find(2) : undefined)
}

/** Whether so many letters left out, put in, changed, or swapped with the next one make `b` of `a`. */
function isNear(a: string, b: string, edits: number): boolean {
  if (a === b) return true
  if (a !== '' && a[0] === b[0]) return isNear(a.slice(1), b.slice(1), edits)
  const less = (fromA: number, fromB: number) => isNear(a.slice(fromA), b.slice(fromB), edits - 1)
  return edits > 0 && (less(1, 0) || less(0, 1) || less(1, 1) || (a[0] === b[1] && a[1] === b[0] && less(2, 2)))
}
