// The tools that a segment parser knows: by name, and the schemas of their arguments.

import { describe } from '../errors.js'
import { isSchema, jsonSchemaIn, readTools } from '../schema/tool-list.js'
import { fieldsOf } from '../untrusted.js'
import { type StateTable, asciiLower, builtInType, hasOwnState, stateOf } from './states.js'
import { syntaxRowOf } from './tool-syntax.js'
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
    if (isSchema(schema)) this.schemas[name] = schema as JsonSchema
  }

  get isEmpty(): boolean {
    return this.#names.size === 0
  }

  /** Whether a tool of that name is one of them, in any case of ASCII letters. */
  has(name: string): boolean {
    return this.#lowered.has(asciiLower(name))
  }

  /** Whether the list has a tool of exactly this name: an API's names are exact. */
  hasExactly(name: string): boolean {
    return this.#names.has(name)
  }
}

/** The schemas of the tools of a list, except those that are given separately. */
export function schemasOf(
  known: KnownTools | undefined,
  schemas: { readonly [toolName: string]: JsonSchema },
): { readonly [toolName: string]: JsonSchema } {
  const all: { [toolName: string]: JsonSchema } = Object.create(null)
  for (const table of [known?.schemas ?? {}, schemas])
    for (const name of Object.keys(table)) all[name] = table[name] as JsonSchema
  return all
}

/** Reads a list of tools, naming what isn't one. */
export function knownTools(place: string, tools: unknown): KnownTools {
  const known = new KnownTools()
  readTools(place, tools, ({ name, schema }) => known.add(name, schema))
  return known
}

/** Reads a table of schemas by tool name, naming what isn't one. */
export function readSchemas(place: string, schemas: unknown): { readonly [toolName: string]: JsonSchema } {
  const given = fieldsOf(schemas)
  if (given === undefined)
    throw new TypeError(`${place} must be an object of JSON schemas by tool name, but is ${describe(schemas)}`)
  const read: { [toolName: string]: JsonSchema } = Object.create(null)
  for (const name of Object.keys(given)) {
    const row = `${place}[${JSON.stringify(name)}]`
    const schema = jsonSchemaIn(given[name], row)
    if (!isSchema(schema)) throw new TypeError(`${row} must be a JSON schema, but is ${describe(schema)}`)
    read[name] = schema
  }
  return read
}

/** Whether text that names a tool may call it. */
export function isKnownTool(name: string, tools: KnownTools | undefined, states: StateTable | undefined): boolean {
  if (tools === undefined || tools.has(name) || hasOwnState(name, states)) return true
  const state = stateOf(name, states)
  const type = state === undefined ? builtInType(name) : state?.segmentType
  return type !== undefined && syntaxRowOf(type) !== undefined && isKnownType(type, tools)
}

/** Whether a segment of a type that calls one tool may call it: `<run_bash>`, a sentinel's `write_file`. */
export function isKnownType(type: string, tools: KnownTools | undefined): boolean {
  return tools === undefined || tools.has(syntaxRowOf(type)?.toolName ?? type)
}
