// What is left of a tool's schema: what every notation holds.
//
// What is left accepts what the schema accepts, and more where a keyword isn't held: each such keyword is a warning.
//
// Source: JSON Schema 2020-12; spec/grammar.md, 5.

import { isRecord, own } from '../own.js'
import { type Keywords, propertiesOf, typesOf, valuesOf } from '../schema/keywords.js'
import { References } from '../schema/references.js'
import { toJson } from '../schema/to-json.js'
import { engineKeywords } from './engine-keywords.js'
import { GrammarError } from './grammar-error.js'

/**
 * A keyword of a tool's schema that a grammar doesn't check.
 *
 * @example
 * ```ts
 * import { type GrammarWarning, gbnfFor } from 'tokenweir/grammar'
 *
 * const warnings: GrammarWarning[] = []
 * const tools = { wait: { type: 'object', properties: { seconds: { type: 'integer', minimum: 1 } } } }
 * gbnfFor('hermes', tools, { onWarning: (warning) => warnings.push(warning) })
 * console.log(warnings[0]?.path, warnings[0]?.keyword) // /properties/seconds minimum
 * ```
 */
export interface GrammarWarning {
  /** The tool. */
  readonly tool: string
  /** Where it stands in the tool's schema: `/properties/v`. `''` is the schema itself. */
  readonly path: string
  /** The keyword: `pattern`. */
  readonly keyword: string
  /** A sentence with all three. */
  readonly message: string
}

/** Most schemas in each other, and in one tool. */
const MOST_LEVELS = 64
const MOST_SCHEMAS = 10_000

/** What a pointer to a definition begins with. */
const DEFS = '#/$defs/'

const KINDS = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

/** What says a type where there is no `type`. */
const OF_KIND: ReadonlyArray<readonly [kind: string, keywords: readonly string[]]> = [
  ['object', ['properties', 'required', 'additionalProperties']],
  ['array', ['items', 'minItems', 'maxItems']],
  ['string', ['minLength', 'maxLength']],
]
const BOUNDS = ['minItems', 'maxItems', 'minLength', 'maxLength']
/** Keywords that say what a value may be. */
const HELD = [
  '$ref',
  'type',
  'enum',
  'const',
  'allOf',
  'anyOf',
  'oneOf',
  ...OF_KIND.flatMap(([, keywords]) => keywords),
]
/** Keywords that only describe. */
export const ABOUT = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$schema',
]
/** What would say more. */
const NOT_HELD = new Set(
  (
    'not if then else patternProperties propertyNames minProperties maxProperties dependencies dependentRequired ' +
    'dependentSchemas unevaluatedProperties unevaluatedItems prefixItems additionalItems uniqueItems contains ' +
    'minContains maxContains pattern format contentEncoding minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf $dynamicRef $recursiveRef'
  ).split(' '),
)

/** What is left of the schema of a tool. */
export class HeldSchema {
  /** Of its arguments: any object, if the schema isn't one of objects. */
  readonly root: unknown
  readonly #references: References
  /** Pointers to definitions by what refers to them, and what is left of these. */
  readonly #pointers = new Map<string, string>()
  readonly #definitions = new Map<unknown, unknown>()
  readonly #warned = new Set<string>()
  #count = 0

  /** `isCompiled`: an engine compiles it, and holds more. */
  constructor(
    private readonly format: string,
    private readonly tool: string,
    schema: unknown,
    private readonly warn: (warning: GrammarWarning) => void,
    private readonly isCompiled = false,
  ) {
    this.#references = new References(schema)
    const root = this.#held(schema, '', 0)
    this.root = this.#objectOf(root, 0) ?? { type: 'object' }
    this.#refuseEndless()
  }

  /** The names of the tool and of its arguments. */
  get names(): readonly string[] {
    const parts = [this.root, ...this.#definitions.values()].flatMap((held) => [...partsIn(held)])
    return [...new Set([this.tool, ...parts.flatMap((part) => Object.keys(propertiesOf(part) ?? {})), 'item'])]
  }

  /** What a reference of a part means. */
  resolve(held: unknown): unknown {
    let found = held
    for (let steps = 0; isRecord(found) && typeof found['$ref'] === 'string'; steps++) {
      if (steps > MOST_LEVELS) this.#refuse('it refers to itself')
      found = this.#definitions.get(found['$ref'])
    }
    return found
  }

  /** A part that stands alone, with the definitions that it needs. */
  alone(held: unknown): unknown {
    const needed = new Map<unknown, unknown>()
    const waiting = [held]
    for (const part of waiting)
      for (const { $ref: pointer } of partsIn(part))
        if (this.#definitions.has(pointer) && !needed.has(pointer)) {
          needed.set(pointer, this.#definitions.get(pointer))
          waiting.push(needed.get(pointer))
        }
    const $defs = Object.fromEntries([...needed].map(([pointer, part]) => [String(pointer).slice(DEFS.length), part]))
    return needed.size === 0 ? held : { ...(held as Keywords), $defs }
  }

  /** Refuses a definition that requires itself, in whatever way: no value of it is finite. */
  #refuseEndless(): void {
    const finite = new Set<unknown>()
    const hasValue = (part: unknown): boolean => {
      if (!isRecord(part)) return part !== false
      const { $ref: pointer, anyOf: ways, properties, required, items, minItems = 0 } = part as Record<string, unknown>
      if (pointer !== undefined) return finite.has(pointer)
      if (Array.isArray(ways)) return ways.some(hasValue)
      const types = valuesOf(part) === undefined ? typesOf(part) : []
      const isOf = (type: unknown) =>
        type === 'object'
          ? ((required ?? []) as string[]).every((name) => hasValue(own(properties, name)))
          : type !== 'array' || minItems === 0 || hasValue(items)
      return types.length === 0 || types.some(isOf)
    }
    for (let before = -1; before < finite.size; ) {
      before = finite.size
      for (const [pointer, part] of this.#definitions) if (hasValue(part)) finite.add(pointer)
    }
    if (finite.size < this.#definitions.size) this.#refuse('it requires itself')
  }

  /** The objects of a schema, or undefined if it may be something else. */
  #objectOf(held: unknown, depth: number): unknown {
    if (depth > MOST_LEVELS) this.#refuse('it refers to itself')
    if (!isRecord(held)) return undefined
    if (own(held, '$ref') !== undefined)
      return this.#objectOf(this.resolve(held), depth + 1) === undefined ? undefined : held
    const ways = own(held, 'anyOf')
    if (Array.isArray(ways)) {
      const objects = (ways as unknown[])
        .map((way) => this.#objectOf(way, depth + 1))
        .filter((way) => way !== undefined)
      return objects.length === 0 ? undefined : objects.length === ways.length ? held : { anyOf: objects }
    }
    if (own(held, 'enum') !== undefined || own(held, 'const') !== undefined) return undefined
    const types = typesOf(held)
    return !types.includes('object') ? undefined : types.length === 1 ? held : { ...held, type: 'object' }
  }

  #held(schema: unknown, path: string, depth: number): unknown {
    if (depth > MOST_LEVELS) this.#refuse(`it is more than ${MOST_LEVELS} levels deep`)
    if (++this.#count > MOST_SCHEMAS) this.#refuse(`it has more than ${MOST_SCHEMAS} parts`)
    if (!isRecord(schema)) return schema === false ? false : {}
    const kept = [...HELD, ...ABOUT, ...(this.isCompiled ? engineKeywords(schema) : [])]
    const known = Object.entries(schema).filter(([keyword]) => kept.includes(keyword))
    for (const keyword of Object.keys(schema))
      if (NOT_HELD.has(keyword) && !kept.includes(keyword)) this.#drop(path, keyword)
    const held: Record<string, unknown> = Object.fromEntries(known)
    for (const keyword of BOUNDS)
      if (held[keyword] !== undefined && !(Number.isInteger(held[keyword]) && (held[keyword] as number) >= 0))
        this.#without(held, path, keyword)
    if (held['$ref'] !== undefined) return this.#reference(held, path)
    const merged = this.#merged(held, path, depth)
    if (merged !== undefined) return merged
    if ('enum' in held || 'const' in held) return this.#enumerated(held, path)
    return this.#typed(held, path, depth)
  }

  /** A `$ref`: nothing beside it is held. */
  #reference(held: Record<string, unknown>, path: string): unknown {
    for (const keyword of Object.keys(held))
      if (keyword !== '$ref' && HELD.includes(keyword)) this.#without(held, path, keyword)
    const reference = String(held['$ref'])
    let pointer = this.#pointers.get(reference)
    if (pointer === undefined) {
      const target = this.#references.find(reference)
      if (target === undefined) {
        this.#drop(path, '$ref')
        return {}
      }
      const name = DEFS + (reference.split('/').at(-1)?.replaceAll(/\W/g, '') || 'root')
      pointer = name
      for (let number = 2; this.#definitions.has(pointer); number++) pointer = name + number
      this.#pointers.set(reference, pointer)
      this.#definitions.set(pointer, {})
      this.#definitions.set(pointer, this.#held(target, reference.slice(1), 0))
    }
    return { ...held, $ref: pointer }
  }

  /** `allOf` of one, `anyOf` and `oneOf`, with what stands beside them. */
  #merged(held: Record<string, unknown>, path: string, depth: number): unknown {
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const ways = held[keyword]
      if (ways === undefined) continue
      delete held[keyword]
      const beside = Object.fromEntries(Object.entries(held).filter(([name]) => HELD.includes(name)))
      const merged =
        Array.isArray(ways) && (keyword !== 'allOf' || ways.length === 1) && ways.length > 0
          ? (ways as unknown[]).map((way) => merge(beside, way))
          : [undefined]
      if (merged.includes(undefined)) {
        this.#drop(path, keyword)
        continue
      }
      const about = Object.fromEntries(Object.entries(held).filter(([name]) => ABOUT.includes(name)))
      const inner = merged.map((way, at) => this.#held(way, `${path}/${keyword}/${at}`, depth + 1))
      return keyword === 'allOf' ? inner[0] : { ...about, anyOf: inner.filter((way) => way !== false) }
    }
    return undefined
  }

  /** `enum` and `const`: those values that a type beside them lets through. */
  #enumerated(held: Record<string, unknown>, path: string): unknown {
    if ('enum' in held && !Array.isArray(held['enum'])) {
      this.#without(held, path, 'enum')
      if (!('const' in held)) return this.#typed(held, path, 0)
    }
    const values = 'const' in held ? [held['const']] : (held['enum'] as unknown[])
    const fitting = values.filter((value) => fits(value, held))
    if (fitting.length === 0) return false
    if (fitting.length < values.length) return { enum: fitting }
    const others = OF_KIND.flatMap(([, keywords]) => keywords)
    return Object.fromEntries(Object.entries(held).filter(([keyword]) => !others.includes(keyword)))
  }

  #typed(held: Record<string, unknown>, path: string, depth: number): unknown {
    const types = typesOf(held)
    if (types.some((type) => !KINDS.includes(String(type)))) this.#without(held, path, 'type')
    if (held['type'] === undefined) {
      const kind = OF_KIND.find(([, keywords]) => keywords.some((keyword) => keyword in held))?.[0]
      if (kind === undefined) return held
      held['type'] = kind
    }
    const allowed = typesOf(held)
    for (const [kind, keywords] of OF_KIND)
      if (!allowed.includes(kind)) for (const keyword of keywords) delete held[keyword]
    if (Array.isArray(held['items'])) this.#without(held, path, 'items')
    if (held['items'] !== undefined) held['items'] = this.#held(held['items'], `${path}/items`, depth + 1)
    this.#members(held, path, depth)
    return held
  }

  /** The properties of an object. */
  #members(held: Record<string, unknown>, path: string, depth: number): void {
    const { required, additionalProperties: others } = held
    if (others !== undefined && typeof others !== 'boolean')
      held['additionalProperties'] = this.#held(others, `${path}/additionalProperties`, depth + 1)
    const names = Array.isArray(required) ? (required as unknown[]).filter((name) => typeof name === 'string') : []
    const properties = propertiesOf(held)
    if (properties === undefined && names.length === 0) {
      delete held['properties']
      return
    }
    const step = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
    held['properties'] = Object.fromEntries([
      ...Object.entries(properties ?? {}).map(([name, part]) => [
        name,
        this.#held(part, `${path}/properties/${step(name)}`, depth + 1),
      ]),
      ...names.filter((name) => !Object.hasOwn(properties ?? {}, name)).map((name) => [name, others ?? {}]),
    ]) as unknown
    if (required !== undefined) held['required'] = names
  }

  #without(held: Record<string, unknown>, path: string, keyword: string): void {
    delete held[keyword]
    this.#drop(path, keyword)
  }

  #drop(path: string, keyword: string): void {
    const place = `${path} ${keyword}`
    if (this.#warned.has(place)) return
    this.#warned.add(place)
    const { tool } = this
    const where = path === '' ? 'its schema' : path
    const message = `the grammar of ${JSON.stringify(tool)} doesn't check ${JSON.stringify(keyword)} of ${where}`
    this.warn({ tool, path, keyword, message })
  }

  #refuse(why: string): never {
    throw new GrammarError(this.format, 'schema', `the schema of ${JSON.stringify(this.tool)}: ${why}`)
  }
}

/** A schema and all in it. */
function* partsIn(held: unknown): Generator<Keywords> {
  if (isRecord(held)) yield held
  if (typeof held === 'object' && held !== null) for (const inner of Object.values(held)) yield* partsIn(inner)
}

/** Two schemas as one that means both; undefined if they speak of the same. */
function merge(beside: Keywords, way: unknown): unknown {
  if (!isRecord(way) || Object.keys(beside).length === 0) return Object.keys(beside).length === 0 ? way : undefined
  const both: Record<string, unknown> = { ...beside }
  for (const [keyword, value] of Object.entries(way)) {
    if (both[keyword] === undefined || toJson(both[keyword]) === toJson(value)) both[keyword] = value
    else if (keyword === 'required' && Array.isArray(value) && Array.isArray(both[keyword]))
      both[keyword] = [...new Set([...(both[keyword] as unknown[]), ...(value as unknown[])])]
    else if (HELD.includes(keyword)) return undefined
  }
  return both['$ref'] === undefined ? both : undefined
}

/** Whether a value is of a schema's type, and as long as that says. */
function fits(value: unknown, schema: Keywords): boolean {
  const types = typesOf(schema)
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const isOfType = kind === 'number' && Number.isInteger(value) ? ['number', 'integer'] : [kind]
  if (types.length > 0 && !isOfType.some((type) => types.includes(type))) return false
  const [least, most] = kind === 'string' ? ['minLength', 'maxLength'] : ['minItems', 'maxItems']
  const length = kind === 'string' ? [...(value as string)].length : kind === 'array' ? (value as unknown[]).length : 0
  if (kind !== 'string' && kind !== 'array') return true
  return (
    length >= ((schema[least as string] as number | undefined) ?? 0) &&
    length <= ((schema[most as string] as number | undefined) ?? Infinity)
  )
}
