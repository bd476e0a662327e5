// Which tool a type of segment calls, and where the arguments come from:
//
//     write_file  { path }          'x = 1'      → write_file { path, content: 'x = 1' }
//     run_bash    { background }    'ls'         → run_bash   { command: 'ls', background }
//
// Source: seeds/000, "Tool Syntax Mapping"; AutoByteus' tool syntax registry.
// Differences: what is missing is an error on `onError`, not a line in a log.

import { describe, requireOptions, requireString } from '../errors.js'

/**
 * How a type of segment becomes a tool's arguments.
 *
 * @example
 * ```ts
 * import { type ToolSyntax, toolSyntaxOf } from 'tokenweir/segments'
 *
 * const syntax: ToolSyntax | undefined = toolSyntaxOf('write_file')
 * console.log(syntax?.contentArgument, syntax?.metadataArguments) // content [ 'path' ]
 * ```
 */
export interface ToolSyntax {
  /** The tool to call. */
  readonly toolName: string
  /** The argument that the segment's content is. Without it the content is not an argument. */
  readonly contentArgument?: string
  /** Arguments that are taken from the segment's metadata, where they are there. */
  readonly metadataArguments?: readonly string[]
  /** Arguments without which, or with anything but a text that isn't blank, the tool is not called: error `missing-argument`. */
  readonly required?: readonly string[]
}

/** A row of the registry, checked. */
export interface SyntaxRow extends Required<Omit<ToolSyntax, 'contentArgument'>> {
  readonly contentArgument: string | undefined
  /** Names in the metadata by which the content comes when the segment's content is empty. */
  readonly contentAliases: readonly string[]
  /** Whether the tool is not called without its content. An empty content counts. */
  readonly needsContent: boolean
  /** Whether arguments that the row doesn't name are the tool's too. */
  readonly takesOthers: boolean
}

const OPTIONS = ['toolName', 'contentArgument', 'metadataArguments', 'required']

/** Types that are files, whatever tool they call. */
const NEEDS_CONTENT: readonly string[] = ['write_file', 'patch_file', 'edit_file']

/** Types that are not tools, or are read by what their content says. */
const NOT_MAPPED: readonly string[] = ['text', 'reasoning', 'tool_call']

const FILE = { metadataArguments: ['path'], required: ['path'], needsContent: true, takesOthers: true }
const PATCH = { ...FILE, contentArgument: 'patch', contentAliases: ['patch'] }

const rows = new Map<string, SyntaxRow>([
  ['write_file', { ...FILE, toolName: 'write_file', contentArgument: 'content', contentAliases: ['content'] }],
  ['patch_file', { toolName: 'patch_file', ...PATCH }],
  ['edit_file', { toolName: 'edit_file', ...PATCH }],
  // A sentinel's header may have the command; AutoByteus calls it `cmd` there.
  [
    'run_bash',
    {
      toolName: 'run_bash',
      contentArgument: 'command',
      metadataArguments: ['background', 'timeout_seconds'],
      required: ['command'],
      contentAliases: ['command', 'cmd'],
      needsContent: true,
      takesOthers: true,
    },
  ],
])

/**
 * Says which tool a type of segment calls. Registering a type again replaces what was said.
 *
 * @throws TypeError if the syntax makes no sense, or the type is `text`, `reasoning` or `tool_call`.
 * @example
 * ```ts
 * import { ToolInvocationAdapter, registerToolSyntax } from 'tokenweir/segments'
 *
 * registerToolSyntax('note', { toolName: 'take_note', contentArgument: 'text' })
 * const adapter = new ToolInvocationAdapter()
 * adapter.processEvent({ type: 'SEGMENT_START', segment_id: 'seg_1', segment_type: 'note', payload: {} })
 * adapter.processEvent({ type: 'SEGMENT_CONTENT', segment_id: 'seg_1', payload: { delta: 'milk' } })
 * console.log(adapter.processEvent({ type: 'SEGMENT_END', segment_id: 'seg_1', payload: {} })) // { id: 'seg_1', name: 'take_note', arguments: { text: 'milk' } }
 * ```
 */
export function registerToolSyntax(segmentType: string, syntax: ToolSyntax): void {
  requireString('registerToolSyntax', segmentType)
  if (segmentType === '') throw new TypeError('registerToolSyntax takes the type of a segment, but got string ""')
  if (NOT_MAPPED.includes(segmentType)) throw new TypeError(`registerToolSyntax: segments of type ${JSON.stringify(segmentType)} can't be given a tool; take a type of your own`)
  rows.set(segmentType, check(`registerToolSyntax(${JSON.stringify(segmentType)})`, segmentType, syntax))
}

/**
 * Forgets which tool a type of segment calls: it is then read as a `tool_call`. Returns whether it was known; `write_file` and so on are from the start.
 *
 * @throws TypeError if the type is not a string.
 * @example
 * ```ts
 * import { registerToolSyntax, unregisterToolSyntax } from 'tokenweir/segments'
 *
 * registerToolSyntax('memo', { toolName: 'take_memo' })
 * console.log(unregisterToolSyntax('memo')) // true
 * console.log(unregisterToolSyntax('memo')) // false
 * ```
 */
export function unregisterToolSyntax(segmentType: string): boolean {
  requireString('unregisterToolSyntax', segmentType)
  return rows.delete(segmentType)
}

/**
 * Returns which tool a type of segment calls, in a copy; `undefined` if that is not known.
 *
 * @throws TypeError if the type is not a string.
 * @example
 * ```ts
 * import { toolSyntaxOf } from 'tokenweir/segments'
 *
 * console.log(toolSyntaxOf('run_bash')?.contentArgument) // command
 * console.log(toolSyntaxOf('unknown')) // undefined
 * ```
 */
export function toolSyntaxOf(segmentType: string): ToolSyntax | undefined {
  requireString('toolSyntaxOf', segmentType)
  const row = rows.get(segmentType)
  if (row === undefined) return undefined
  const { toolName, contentArgument, metadataArguments, required } = row
  return { toolName, ...(contentArgument === undefined ? {} : { contentArgument }), metadataArguments: [...metadataArguments], required: [...required] }
}

/** The registry's own row. */
export function syntaxRowOf(segmentType: string): SyntaxRow | undefined {
  return rows.get(segmentType)
}

function check(place: string, segmentType: string, syntax: unknown): SyntaxRow {
  if (syntax === undefined) throw new TypeError(`${place} takes a tool syntax, such as { toolName: 'send_mail' }, but got undefined`)
  requireOptions(place, syntax, OPTIONS)
  const { toolName, contentArgument, metadataArguments, required } = syntax as ToolSyntax
  requireName(`${place}.toolName`, toolName)
  if (contentArgument !== undefined) requireName(`${place}.contentArgument`, contentArgument)
  const fromMetadata = names(`${place}.metadataArguments`, metadataArguments)
  if (contentArgument !== undefined && fromMetadata.includes(contentArgument)) {
    throw new TypeError(`${place}.contentArgument must not be one of metadataArguments, but is ${describe(contentArgument)}`)
  }
  const wanted = names(`${place}.required`, required)
  const unknown = wanted.find((name) => name !== contentArgument && !fromMetadata.includes(name))
  if (unknown !== undefined) throw new TypeError(`${place}.required has ${JSON.stringify(unknown)}, which is not contentArgument and not in metadataArguments`)
  const contentAliases = contentArgument === undefined ? [] : [contentArgument]
  return { toolName, contentArgument, metadataArguments: fromMetadata, required: wanted, contentAliases, needsContent: NEEDS_CONTENT.includes(segmentType), takesOthers: false }
}

function names(place: string, value: unknown): readonly string[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new TypeError(`${place} must be an array of arguments' names, but is ${describe(value)}`)
  value.forEach((name, at) => requireName(`${place}[${at}]`, name))
  return [...new Set(value as string[])]
}

function requireName(place: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value.trim() === '') throw new TypeError(`${place} must be a name, but is ${describe(value)}`)
}
