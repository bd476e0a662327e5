// The tools of a request, as they ride to the parser.
//
// `transformParams` takes the tools out of the request, and what reads the answer
// sees only the request. So they go into `providerOptions.toolCallMiddleware`, their
// schemas as JSON text, which no other middleware transforms.
//
// Source: `originalToolsSchema` of `@ai-sdk-tool/parser`. Differences: a schema
// that is `true` or `false` comes back as it was.

import { isRecord, own } from '../own.js'
import type { Tool, ToolCallOptions } from '../tool-calls/types.js'
import { jsonIn } from '../untrusted.js'
import { report } from './report.js'
import type { OriginalTool } from './types.js'

/** The schema of a tool that has none. */
const ANY_OBJECT = { type: 'object' } as const

/**
 * Packs tools, their schemas as JSON text.
 *
 * @throws what `JSON.stringify` throws if a schema is not JSON.
 * @example
 * ```ts
 * import { encodeOriginalTools } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(encodeOriginalTools([{ name: 'stop', inputSchema: { type: 'object' } }]))
 * // → [ { name: 'stop', inputSchema: '{"type":"object"}' } ]
 * ```
 */
export function encodeOriginalTools(tools: readonly Tool[] | undefined): OriginalTool[] {
  return (tools ?? []).map(({ name, inputSchema }) => ({
    name,
    inputSchema: JSON.stringify(inputSchema ?? ANY_OBJECT),
  }))
}

/**
 * Unpacks tools. Invalid entries are reported to `onError` and left out; a tool whose schema is not JSON takes any
 * object.
 *
 * @example
 * ```ts
 * import { decodeOriginalTools } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(decodeOriginalTools([{ name: 'stop', inputSchema: '{"type":"object"}' }])[0]?.inputSchema)
 * // → { type: 'object' }
 * ```
 */
export function decodeOriginalTools(tools: unknown, { onError }: Pick<ToolCallOptions, 'onError'> = {}): Tool[] {
  if (!Array.isArray(tools)) return []
  const decoded: Tool[] = []
  for (const entry of tools) {
    const name = own(entry, 'name')
    if (typeof name !== 'string' || name === '')
      report(onError, 'An entry of originalTools has no name.', { originalTool: entry })
    else decoded.push({ type: 'function', name, inputSchema: schemaOf(entry, onError) })
  }
  return decoded
}

/**
 * Lists the names of packed tools.
 *
 * @example
 * ```ts
 * import { extractToolNamesFromOriginalTools } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(extractToolNamesFromOriginalTools([{ name: 'stop', inputSchema: '{}' }])) // [ 'stop' ]
 * ```
 */
export function extractToolNamesFromOriginalTools(tools: unknown): string[] {
  return Array.isArray(tools) ? tools.map((entry) => own(entry, 'name')).filter((name) => typeof name === 'string') : []
}

/**
 * Packs and unpacks the tools of a request, for `providerOptions.toolCallMiddleware.originalTools`.
 *
 * Source: `originalToolsSchema` of `@ai-sdk-tool/parser`.
 *
 * @example
 * ```ts
 * import { originalToolsSchema } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const packed = originalToolsSchema.encode([{ name: 'stop' }])
 * console.log(packed, originalToolsSchema.decode(packed).length)
 * // → [ { name: 'stop', inputSchema: '{"type":"object"}' } ] 1
 * ```
 */
export const originalToolsSchema: {
  /** Packs tools. */
  readonly encode: typeof encodeOriginalTools
  /** Unpacks them. */
  readonly decode: typeof decodeOriginalTools
} = { encode: encodeOriginalTools, decode: decodeOriginalTools }

function schemaOf(entry: unknown, onError: ToolCallOptions['onError']): unknown {
  const text = own(entry, 'inputSchema')
  if (typeof text === 'string') {
    const schema = jsonIn(text)
    if (isRecord(schema) || typeof schema === 'boolean') return schema
  }
  report(onError, 'The schema of an entry of originalTools is not JSON.', { originalTool: entry })
  return ANY_OBJECT
}
