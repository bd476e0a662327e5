// JSON schemas, draft 4 to 2020-12, as far as they say where values are.
//
// Read are `type` (and OpenAPI's `nullable`), `const`, `enum`, `properties`,
// `additionalProperties`, `patternProperties`, `items`, `prefixItems`, `$ref`,
// `allOf`, `anyOf`, `oneOf`, `then` and `else`. What only checks a value (`minLength`,
// `format`, `required` …) says nothing of where it is and is passed over. An object
// whose `additionalProperties` are not mentioned counts as closed: what matters is
// whether a document's first key is one of the schema's.

import { describe } from '../errors.js'
import { dotSegment } from './path.js'
import { ALL_KINDS, type JsonKind, type SchemaNode } from './schema-node.js'

type Keywords = Readonly<Record<string, unknown>>

/** Most schemas inside each other: deeper is a schema that contains itself as a JavaScript object. */
export const MOST_DEPTH = 512

const KINDS: Readonly<Record<string, JsonKind>> = { object: 'object', array: 'array', string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }

/** Whether an object is a JSON schema and not an object of fields, which could have fields named `type` or `items`. */
export function isJsonSchema(schema: Keywords): boolean {
  const { $schema, $ref, type, properties, patternProperties, additionalProperties, required, items, prefixItems } = schema
  if (typeof $schema === 'string' || typeof $ref === 'string') return true
  if (Array.isArray(schema['anyOf']) || Array.isArray(schema['oneOf']) || Array.isArray(schema['allOf'])) return true
  const isSchema = (value: unknown) => isObject(value) || typeof value === 'boolean'
  const may = (kind: string) => type === kind || (Array.isArray(type) && type.includes(kind))
  if (may('object') && (isObject(properties) || isObject(patternProperties) || isSchema(additionalProperties) || Array.isArray(required))) return true
  if (may('array') && (isSchema(items) || Array.isArray(items) || Array.isArray(prefixItems))) return true
  return Object.keys(schema).length === 1 && (type === 'object' || type === 'array')
}

/** Compiles a JSON schema; `place` is its name in errors. */
export function compileJsonSchema(schema: Keywords, place: string): SchemaNode {
  return new Compiler(schema, place).compile()
}

class Compiler {
  readonly #root: Keywords
  readonly #place: string
  /** A node for each target of a `$ref`, so that one that leads to itself ends. */
  readonly #targets = new Map<unknown, SchemaNode>()
  /** Targets that are still to be filled: not by recursion, since references can make long chains. */
  readonly #waiting: Array<() => void> = []
  #names: ReadonlyMap<string, unknown> | undefined

  constructor(root: Keywords, place: string) {
    this.#root = root
    this.#place = place
  }

  compile(): SchemaNode {
    const node = this.#target(this.#root, this.#place)
    for (let fill = this.#waiting.pop(); fill !== undefined; fill = this.#waiting.pop()) fill()
    return node
  }

  #target(schema: unknown, place: string): SchemaNode {
    const known = this.#targets.get(schema)
    if (known !== undefined) return known
    const node: SchemaNode = { kinds: ALL_KINDS }
    this.#targets.set(schema, node)
    this.#waiting.push(() => Object.assign(node, this.#node(schema, place, 0)))
    return node
  }

  #node(schema: unknown, place: string, depth: number): SchemaNode {
    if (typeof schema === 'boolean') return { kinds: ALL_KINDS }
    if (!isObject(schema)) throw new TypeError(`${place} must be a JSON schema, which is an object, true or false, but is ${describe(schema)}`)
    if (depth > MOST_DEPTH) throw new TypeError(`${this.#place} is more than ${MOST_DEPTH} schemas deep; does it contain itself?`)

    const node: SchemaNode = { kinds: kinds(schema, place) }
    const inside = (value: unknown, ...steps: Array<string | number>) => this.#node(value, place + steps.map((step) => dotSegment(step, false)).join(''), depth + 1)
    const list = (keyword: string) => array(schema, keyword, place).map((value, at) => inside(value, keyword, at))

    const { properties, additionalProperties, patternProperties, items } = schema
    if (properties !== undefined) {
      if (!isObject(properties)) throw new TypeError(`${place}.properties must be an object of JSON schemas, but is ${describe(properties)}`)
      node.fields = new Map(Object.entries(properties).map(([key, value]) => [key, inside(value, 'properties', key)]))
    }
    const takesMore = (additionalProperties !== undefined && additionalProperties !== false) || isObject(patternProperties)
    if (takesMore) node.isOpen = true
    else if (additionalProperties === false) node.fields ??= new Map()

    // Draft 4's array of `items` is what `prefixItems` is now.
    const front = [...list('prefixItems'), ...(Array.isArray(items) ? list('items') : [])]
    const rest = items === undefined || items === false || Array.isArray(items) ? [] : [inside(items, 'items')]
    if (front.length > 0 || rest.length > 0) node.items = [...front, ...rest]
    if (front.length > 0) node.firstItems = front.slice(0, 1)

    const reference = schema['$ref'] === undefined ? [] : [this.#reference(schema['$ref'], place)]
    const all = [...reference, ...list('allOf')]
    if (all.length > 0) node.all = all
    const groups = [list('anyOf'), list('oneOf'), ['then', 'else'].flatMap((keyword) => (schema[keyword] === undefined ? [] : [inside(schema[keyword], keyword)]))]
    node.groups = groups.filter((group) => group.length > 0)
    return node
  }

  #reference(reference: unknown, place: string): SchemaNode {
    if (typeof reference !== 'string') throw new TypeError(`${place}.$ref must be a string, but is ${describe(reference)}`)
    if (reference === '#') return this.#target(this.#root, this.#place)
    if (!reference.startsWith('#/')) {
      this.#names ??= namesIn(this.#root)
      const named = this.#names.get(reference)
      if (named === undefined) throw new TypeError(`${place}.$ref must name a part of the same schema, such as "#/$defs/item", but is ${describe(reference)}`)
      return this.#target(named, `${this.#place} (${reference})`)
    }
    const steps = pointer(reference)
    let target: unknown = this.#root
    for (const step of steps) target = typeof target === 'object' && target !== null && Object.hasOwn(target, step) ? (target as Keywords)[step] : undefined
    if (target === undefined) throw new TypeError(`${place}.$ref names ${JSON.stringify(reference)}, which is not in the schema`)
    return this.#target(target, this.#place + steps.map((step) => dotSegment(step, false)).join(''))
  }
}

/** The steps of `#/$defs/a~1b`; a reference is a URI, in which characters may be written `%20`. */
function pointer(reference: string): string[] {
  let text = reference
  try {
    text = decodeURIComponent(reference)
  } catch {
    // A `%` that stands for itself.
  }
  return text.slice(2).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** What has an `$anchor` or an `$id`, by how a `$ref` writes it. */
function namesIn(root: unknown): ReadonlyMap<string, unknown> {
  const names = new Map<string, unknown>()
  const seen = new Set<unknown>()
  const waiting = [root]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    const { $anchor, $id } = value as Keywords
    if (typeof $anchor === 'string') names.set(`#${$anchor}`, value)
    if (typeof $id === 'string') names.set($id, value)
    waiting.push(...(Object.values(value) as unknown[]).filter((inner) => inner !== undefined))
  }
  return names
}

/** The kinds that a schema's own keywords allow. One that has properties and no type means an object. */
function kinds(schema: Keywords, place: string): ReadonlySet<JsonKind> {
  const { type } = schema
  if (type !== undefined) {
    const names: readonly unknown[] = Array.isArray(type) ? type : [type]
    const found = new Set(names.map((name) => (typeof name === 'string' && Object.hasOwn(KINDS, name) ? KINDS[name]! : badType(name, place))))
    return schema['nullable'] === true ? found.add('null') : found
  }
  if (Object.hasOwn(schema, 'const')) return new Set([kindOf(schema['const'])])
  if (Array.isArray(schema['enum'])) return new Set(schema['enum'].map(kindOf))
  if (schema['properties'] !== undefined) return new Set(['object'])
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return new Set(['array'])
  return ALL_KINDS
}

function badType(name: unknown, place: string): never {
  throw new TypeError(`${place}.type must be ${Object.keys(KINDS).join(', ')} or an array of these, but is ${describe(name)}`)
}

function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object'
}

/** A keyword's array; empty when it is absent. */
function array(schema: Keywords, keyword: string, place: string): readonly unknown[] {
  const value = schema[keyword]
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new TypeError(`${place}.${keyword} must be an array of JSON schemas, but is ${describe(value)}`)
  return value
}

function isObject(value: unknown): value is Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
