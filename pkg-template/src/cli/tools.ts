// The tools of `--tools`, in any shape that APIs accept.
//
//     [{ "name": "add", "inputSchema" | "input_schema" | "parameters": {…} }]
//     [{ "type": "function", "function": { "name": "add", "parameters": {…} } }]
//     { "add": {…schema…} }

import { knownTools } from '../segments/tool-list.js'
import type { JsonSchema } from '../segments/types.js'
import { CliError, INPUT, byFile } from './cli-error.js'
import { jsonOf } from './input/files.js'

/** A tool and the schema of its arguments. */
export interface ToolFile {
  readonly name: string
  readonly inputSchema?: JsonSchema
}

/** Reads a file of tools; undefined without a path. */
export function toolsIn(path: string | undefined): readonly ToolFile[] | undefined {
  if (path === undefined) return undefined
  const value = jsonOf(path)
  // `{ "tools": […] }` is a request's body, or part of one.
  const list =
    typeof value === 'object' && value !== null && 'tools' in value && Array.isArray(value.tools)
      ? (value.tools as unknown[])
      : value
  const { schemas } = byFile(path, () => knownTools('tools', list))
  const names = Array.isArray(list) ? list.map(nameOf).filter((name) => name !== '') : Object.keys(list as object)
  if (names.length === 0) throw new CliError(INPUT, `${path} contains no tools`)
  return names.map((name) =>
    Object.hasOwn(schemas, name) ? { name, inputSchema: schemas[name] as JsonSchema } : { name },
  )
}

/** The schemas of the tools by their names. */
export function schemasOf(tools: readonly ToolFile[] | undefined): Record<string, JsonSchema> | undefined {
  if (tools === undefined) return undefined
  return Object.fromEntries(
    tools.flatMap(({ name, inputSchema }) => (inputSchema === undefined ? [] : [[name, inputSchema]])),
  )
}

function nameOf(tool: unknown): string {
  if (typeof tool === 'string') return tool
  const { name, function: body } = tool as { readonly name?: unknown; readonly function?: { readonly name?: unknown } }
  return typeof name === 'string' ? name : typeof body?.name === 'string' ? body.name : ''
}
