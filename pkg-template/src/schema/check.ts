// Whether an object is a JSON schema, and a valid one as far as it is read.

import { describe } from '../errors.js'
import { isRecord, own } from '../own.js'
import { KINDS, type Keywords, referenceOf, typesOf } from './keywords.js'
import { schemasIn } from './parts.js'
import { References, pointerSteps } from './references.js'

/** Most schemas inside each other: deeper is a schema that contains itself as a JavaScript object. */
export const MOST_LEVELS_DEEP = 512

const LISTS = ['prefixItems', 'allOf', 'anyOf', 'oneOf'] as const
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

/** Whether an object is a JSON schema and not an object of fields, which could have fields named `type` or `items`. */
export function isJsonSchema(schema: Keywords): boolean {
  const { $schema, $ref, type, properties, patternProperties, additionalProperties, required, items, prefixItems } =
    schema
  if (typeof $schema === 'string' || typeof $ref === 'string') return true
  if (Array.isArray(schema['anyOf']) || Array.isArray(schema['oneOf']) || Array.isArray(schema['allOf'])) return true
  const isSchema = (value: unknown) => isRecord(value) || typeof value === 'boolean'
  const may = (kind: string) => typesOf(schema).includes(kind)
  if (
    may('object') &&
    (isRecord(properties) || isRecord(patternProperties) || isSchema(additionalProperties) || Array.isArray(required))
  )
    return true
  if (may('array') && (isSchema(items) || Array.isArray(items) || Array.isArray(prefixItems))) return true
  return Object.keys(schema).length === 1 && (type === 'object' || type === 'array')
}

/**
 * Checks a schema and everything that it refers to. `place` is its name in errors, to which `segment` adds a step.
 *
 * Throws `TypeError` for the first invalid part, naming its place.
 */
export function checkJsonSchema(root: Keywords, place: string, segment: (step: string | number) => string): void {
  const references = new References(root)
  /** Each target of a `$ref` once. Not by recursion, since references can make long chains. */
  const targets = new Map<unknown, string>([[root, place]])
  const check = (schema: unknown, at: string, depth: number) => {
    if (typeof schema === 'boolean') return
    if (!isRecord(schema))
      throw new TypeError(`${at} must be a JSON schema, which is an object, true or false, but is ${describe(schema)}`)
    if (depth > MOST_LEVELS_DEEP)
      throw new TypeError(`${place} is more than ${MOST_LEVELS_DEEP} schemas deep; does it contain itself?`)
    requireForms(schema, at)
    for (const { steps, schema: inner } of schemasIn(schema)) check(inner, at + steps.map(segment).join(''), depth + 1)
    const reference = referenceOf(schema)
    if (reference === undefined) return
    if (typeof reference !== 'string') throw new TypeError(`${at}.$ref must be a string, but is ${describe(reference)}`)
    const target = references.find(reference)
    const isPointer = reference === '#' || reference.startsWith('#/')
    if (target === undefined && isPointer)
      throw new TypeError(`${at}.$ref names ${JSON.stringify(reference)}, which is not in the schema`)
    if (target === undefined)
      throw new TypeError(
        `${at}.$ref must name a part of the same schema, such as "#/$defs/item", but is ${describe(reference)}`,
      )
    if (!targets.has(target))
      targets.set(target, place + (isPointer ? pointerSteps(reference).map(segment).join('') : ` (${reference})`))
  }
  // A map also visits what is added to it on the way.
  for (const [target, at] of targets) check(target, at, 0)
}

/** Requires the values of keywords to have their forms. */
function requireForms(schema: Keywords, place: string): void {
  for (const name of typesOf(schema)) {
    if (!KINDS.includes(name as never))
      throw new TypeError(`${place}.type must be ${TYPES.join(', ')} or an array of these, but is ${describe(name)}`)
  }
  const properties = own(schema, 'properties')
  if (properties !== undefined && !isRecord(properties))
    throw new TypeError(`${place}.properties must be an object of JSON schemas, but is ${describe(properties)}`)
  for (const keyword of LISTS) {
    const value = own(schema, keyword)
    if (value !== undefined && !Array.isArray(value))
      throw new TypeError(`${place}.${keyword} must be an array of JSON schemas, but is ${describe(value)}`)
  }
}
