// The JSON schema of an answer that is one call, for providers that make a model
// keep to a schema.
//
//     { "name": …, "arguments": { … } }
//
// Source: `createDynamicIfThenElseSchema` of `@ai-sdk-tool/parser`.

import type { Tool } from '../tool-calls/types.js'

/**
 * Makes the schema of a call of any of these tools: by the name, the arguments are those of that tool.
 *
 * Source: `createDynamicIfThenElseSchema` of `@ai-sdk-tool/parser`.
 *
 * @throws TypeError without tools.
 * @example
 * ```ts
 * import { createDynamicIfThenElseSchema } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const schema = createDynamicIfThenElseSchema([{ name: 'stop' }])
 * console.log(schema['if'], schema['required'])
 * // → { properties: { name: { const: 'stop' } }, required: [ 'name' ] } [ 'name', 'arguments' ]
 * ```
 */
export function createDynamicIfThenElseSchema(
  tools: readonly Pick<Tool, 'name' | 'inputSchema'>[],
): Readonly<Record<string, unknown>> {
  if (tools.length === 0) throw new TypeError('createDynamicIfThenElseSchema takes at least one tool')
  const otherwise = tools.reduceRight<Readonly<Record<string, unknown>> | undefined>((rest, tool) => {
    const name = { properties: { name: { const: tool.name } }, required: ['name'] }
    return {
      if: name,
      then: { properties: { arguments: argumentsOf(tool) } },
      ...(rest === undefined ? {} : { else: rest }),
    }
  }, undefined)
  const properties = {
    name: { type: 'string', description: 'The name of the tool that is called.', enum: tools.map(({ name }) => name) },
    arguments: { type: 'object', description: 'Its arguments.' },
  }
  return { type: 'object', properties, required: ['name', 'arguments'], ...otherwise }
}

/** The schema of a call of this tool. */
export function schemaOfNamedTool(tool: Pick<Tool, 'name' | 'inputSchema'>): Readonly<Record<string, unknown>> {
  return {
    type: 'object',
    properties: { name: { const: tool.name }, arguments: argumentsOf(tool) },
    required: ['name', 'arguments'],
    additionalProperties: false,
  }
}

function argumentsOf({ inputSchema }: Pick<Tool, 'inputSchema'>): unknown {
  return inputSchema ?? { type: 'object' }
}
