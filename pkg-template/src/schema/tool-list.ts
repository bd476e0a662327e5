// The tools that a model was given, in the shapes in which APIs take them.
//
//     'read'
//     { name: 'read', parameters | inputSchema | input_schema: {…} }
//     { type: 'function', function: { name: 'read', parameters: {…} } }
//     { read: schema or definition }
//
// A schema is a JSON schema, or one of a library, which is converted; a function makes it, as `lazySchema` of the AI
// SDK does.

import { describe } from '../errors.js'
import { type Fields, fieldsOf } from '../untrusted.js'
import { isLibrarySchema, jsonSchemaOf } from './library.js'

/**
 * A tool in the form of OpenAI, as servers of local models take it.
 *
 * @example
 * ```ts
 * import { type FunctionTool, parseReply } from 'tokenweir/tool-calls'
 *
 * const add: FunctionTool = {
 *   type: 'function',
 *   function: { name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' } } } },
 * }
 * const { toolCalls } = parseReply('<add><a>1</a></add>', { format: 'morph-xml', tools: [add] })
 * console.log(toolCalls[0]?.args) // { a: 1 }
 * ```
 */
export interface FunctionTool {
  /** The tool's kind. */
  readonly type: 'function'
  /** The function. */
  readonly function: {
    /** The name by which it is called. */
    readonly name: string
    /** What it does, for the model. */
    readonly description?: string | undefined
    /** JSON schema of the arguments. */
    readonly parameters?: unknown
  }
}

/**
 * Tools by name: those of `tool()` of the AI SDK, definitions with an `inputSchema`, or schemas. A schema is a JSON
 * schema, or one of a library that gives its JSON schema (Zod 4, ArkType). Their calls have `args` with the types of
 * the schemas.
 *
 * @example
 * ```ts
 * import { type ToolSet, parseReply } from 'tokenweir/tool-calls'
 *
 * const tools = {
 *   add: { inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } },
 * } as const satisfies ToolSet
 * for (const call of parseReply('<add><a>1</a></add>', { format: 'morph-xml', tools }).toolCalls) {
 *   if (!call.dynamic) console.log(call.args.a + 1) // 2
 * }
 * ```
 */
export type ToolSet = Readonly<Record<string, object>>

/**
 * Tools in any of the shapes above: a list of them, or an object by name.
 *
 * @example
 * ```ts
 * import { type GivenTools, readReply } from 'tokenweir'
 *
 * const read = (response: Response, tools: GivenTools) => readReply(response, { tools }).result()
 * console.log((await read(new Response('Hello'), ['add'])).toolCalls.length) // 0
 * ```
 */
export type GivenTools = Readonly<Record<string, unknown>> | readonly unknown[]

/** What is known of a tool. */
interface GivenTool {
  readonly name: string
  /** Its JSON schema, if it has one. A library makes it when it is asked for. */
  readonly schema: unknown
  /** `description`, `inputExamples`, and a `type` such as `function`. */
  readonly about: Fields
}

type Add = (tool: GivenTool) => void

/** The names of tools. @throws TypeError as `readTools` does, but for schemas, which are not looked at */
export function toolNames(place: string, tools: GivenTools): ReadonlySet<string> {
  const names = new Set<string>()
  readTools(place, tools, ({ name }) => names.add(name))
  return names
}

/** Passes on each tool, in any of the shapes; names what isn't one. */
export function readTools(place: string, tools: unknown, add: Add): void {
  if (Array.isArray(tools)) {
    for (const [at, tool] of tools.entries()) readTool(`${place}[${at}]`, tool, add)
    return
  }
  const byName = fieldsOf(tools)
  if (byName === undefined)
    throw new TypeError(`${place} must be an array of tools or an object of them by name, but is ${describe(tools)}`)
  for (const name of Object.keys(byName)) {
    const given = byName[name]
    const its = `${place}[${JSON.stringify(name)}]`
    if (!isSchema(given) && !isLibrarySchema(given))
      throw new TypeError(`${its} must be a JSON schema or a tool definition, but is ${describe(given)}`)
    const definition = fieldsOf(given)
    if (definition !== undefined && isDefinition(definition))
      add(toolOf(name, () => schemaOf(definition, its), aboutOf(definition)))
    else add(toolOf(name, () => jsonSchemaIn(given, its), {}))
  }
}

function readTool(place: string, tool: unknown, add: Add): void {
  if (typeof tool === 'string') return add({ name: tool, schema: undefined, about: {} })
  const definition = fieldsOf(tool)
  if (definition === undefined)
    throw new TypeError(`${place} must be a tool's name or definition, but is ${describe(tool)}`)
  const name = definition['name'] ?? fieldsOf(definition['function'])?.['name']
  // A provider's own tools have a type and no name.
  if (name === undefined && typeof definition['type'] === 'string' && definition['type'] !== 'function') return
  if (typeof name !== 'string')
    throw new TypeError(`${place} must have a name that is a string, but it is ${describe(name)}`)
  add(toolOf(name, () => schemaOf(definition, place), aboutOf(definition)))
}

function toolOf(name: string, schema: () => unknown, about: Fields): GivenTool {
  return {
    name,
    about,
    get schema() {
      return schema()
    },
  }
}

const SCHEMA_KEYS = ['parameters', 'inputSchema', 'input_schema']

/** No keyword of a JSON schema has one of these names. */
function isDefinition(fields: Fields): boolean {
  return SCHEMA_KEYS.some((key) => key in fields) || fieldsOf(fields['function']) !== undefined
}

function aboutOf(definition: Fields): Fields {
  return fieldsOf(definition['function']) ?? definition
}

function schemaOf(definition: Fields, place: string): unknown {
  const fields = aboutOf(definition)
  const key = SCHEMA_KEYS.find((key) => fields[key] !== undefined && fields[key] !== null)
  return key === undefined ? undefined : jsonSchemaIn(fields[key], `${place}.${key}`)
}

/** What may be a JSON schema: that of a library's schema, what a function gives, or the value itself. */
export function jsonSchemaIn(schema: unknown, place: string): unknown {
  if (isLibrarySchema(schema)) return jsonSchemaOf(schema, place)
  return typeof schema === 'function' ? jsonSchemaIn((schema as () => unknown)(), place) : schema
}

/** Whether a value may be a JSON schema. */
export function isSchema(value: unknown): value is boolean | Fields {
  return typeof value === 'boolean' || fieldsOf(value) !== undefined
}
