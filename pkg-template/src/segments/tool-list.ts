// The tools that a model was given, in the shapes in which APIs take them.
//
//     'read'
//     { name: 'read', parameters | inputSchema | input_schema: {…} }
//     { type: 'function', function: { name: 'read', parameters: {…} } }
//     { read: schema or definition }

import { describe } from '../errors.js'
import { type Fields, fieldsOf } from '../untrusted.js'
import { asciiLower } from './states.js'
import type { JsonSchema } from './types.js'

/** Tools, as far as they concern a stream. */
export class KnownTools {
  /** The schemas of their arguments, by name. A tool may have any name, `__proto__` too. */
  readonly schemas: { [toolName: string]: JsonSchema } = Object.create(null)
  readonly #names = new Set<string>()
  readonly #lowered = new Set<string>()

  add(name: string, schema: unknown): void {
    this.#names.add(name)
    this.#lowered.add(asciiLower(name))
    if (isSchema(schema)) this.schemas[name] = schema
  }

  get isEmpty(): boolean {
    return this.#names.size === 0
  }

  /** Whether a tool of that name is one of them, in any case of ASCII letters. */
  has(name: string): boolean {
    return this.#lowered.has(asciiLower(name))
  }

  /** The same of a name that is exact, as an API's are. */
  hasExactly(name: string): boolean {
    return this.#names.has(name)
  }
}

/** The schemas of the tools of a list, except those that are given separately. */
export function schemasOf(known: KnownTools | undefined, schemas: { readonly [toolName: string]: JsonSchema }): { readonly [toolName: string]: JsonSchema } {
  const all: { [toolName: string]: JsonSchema } = Object.create(null)
  for (const table of [known?.schemas ?? {}, schemas]) for (const name of Object.keys(table)) all[name] = table[name] as JsonSchema
  return all
}

/** Reads a list of tools, naming what isn't one. */
export function knownTools(place: string, tools: unknown): KnownTools {
  const known = new KnownTools()
  if (Array.isArray(tools)) {
    for (const [at, tool] of tools.entries()) readTool(`${place}[${at}]`, tool, known)
    return known
  }
  const byName = fieldsOf(tools)
  if (byName === undefined) throw new TypeError(`${place} must be an array of tools or an object of them by name, but is ${describe(tools)}`)
  for (const name of Object.keys(byName)) {
    const given = byName[name]
    if (!isSchema(given)) throw new TypeError(`${place}[${JSON.stringify(name)}] must be a JSON schema or a tool definition, but is ${describe(given)}`)
    const definition = fieldsOf(given)
    const schema = definition !== undefined && isDefinition(definition) ? schemaOf(definition) : given
    known.add(name, schema)
  }
  return known
}

function readTool(place: string, tool: unknown, known: KnownTools): void {
  if (typeof tool === 'string') return known.add(tool, undefined)
  const definition = fieldsOf(tool)
  if (definition === undefined) throw new TypeError(`${place} must be a tool's name or definition, but is ${describe(tool)}`)
  const name = definition['name'] ?? fieldsOf(definition['function'])?.['name']
  // A provider's own tools have a type and no name.
  if (name === undefined && typeof definition['type'] === 'string' && definition['type'] !== 'function') return
  if (typeof name !== 'string') throw new TypeError(`${place} must have a name that is a string, but it is ${describe(name)}`)
  known.add(name, schemaOf(definition))
}

const SCHEMA_KEYS = ['parameters', 'inputSchema', 'input_schema']

/** No keyword of a JSON schema has one of these names. */
function isDefinition(fields: Fields): boolean {
  return SCHEMA_KEYS.some((key) => key in fields) || fieldsOf(fields['function']) !== undefined
}

function schemaOf(definition: Fields): unknown {
  const fields = fieldsOf(definition['function']) ?? definition
  return SCHEMA_KEYS.map((key) => fields[key]).find((schema) => schema !== undefined && schema !== null)
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || fieldsOf(value) !== undefined
}
