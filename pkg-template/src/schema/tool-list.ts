// The tools that a model was given, in the shapes in which APIs take them.
//
//     'read'
//     { name: 'read', parameters | inputSchema | input_schema: {…} }
//     { type: 'function', function: { name: 'read', parameters: {…} } }
//     { read: schema or definition }

import { describe } from '../errors.js'
import { type Fields, fieldsOf } from '../untrusted.js'

/** Passes on the name and the schema of each tool, in any of the shapes; names what isn't one. */
export function readTools(place: string, tools: unknown, add: (name: string, schema: unknown) => void): void {
  if (Array.isArray(tools)) {
    for (const [at, tool] of tools.entries()) readTool(`${place}[${at}]`, tool, add)
    return
  }
  const byName = fieldsOf(tools)
  if (byName === undefined) throw new TypeError(`${place} must be an array of tools or an object of them by name, but is ${describe(tools)}`)
  for (const name of Object.keys(byName)) {
    const given = byName[name]
    if (!isSchema(given)) throw new TypeError(`${place}[${JSON.stringify(name)}] must be a JSON schema or a tool definition, but is ${describe(given)}`)
    const definition = fieldsOf(given)
    const schema = definition !== undefined && isDefinition(definition) ? schemaOf(definition) : given
    add(name, schema)
  }
}

function readTool(place: string, tool: unknown, add: (name: string, schema: unknown) => void): void {
  if (typeof tool === 'string') return add(tool, undefined)
  const definition = fieldsOf(tool)
  if (definition === undefined) throw new TypeError(`${place} must be a tool's name or definition, but is ${describe(tool)}`)
  const name = definition['name'] ?? fieldsOf(definition['function'])?.['name']
  // A provider's own tools have a type and no name.
  if (name === undefined && typeof definition['type'] === 'string' && definition['type'] !== 'function') return
  if (typeof name !== 'string') throw new TypeError(`${place} must have a name that is a string, but it is ${describe(name)}`)
  add(name, schemaOf(definition))
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

/** Whether a value may be a JSON schema. */
export function isSchema(value: unknown): value is boolean | Fields {
  return typeof value === 'boolean' || fieldsOf(value) !== undefined
}
