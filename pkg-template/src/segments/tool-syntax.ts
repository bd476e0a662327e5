// Which tool a type of segment calls, and where the arguments come from:
//
//     write_file  { path }          'x = 1'      → write_file { path, content: 'x = 1' }
//     run_bash    { background }    'ls'         → run_bash   { command: 'ls', background }
//
// Source: seeds/000, "Tool Syntax Mapping"; AutoByteus' tool syntax registry; spec/world.md, 7.9.
// Differences: what is missing is an error on `onError`, not a line in a log.

import { describe, requireString } from '../errors.js'
import { type OptionTable, callback, checkOptions, must } from '../options.js'
import { isRecord, own, put } from '../own.js'
import { BUILT_IN } from './states.js'
import { CallFault } from './call-fault.js'
import { asCommand } from './command-arguments.js'
import type { CallArguments, ToolCall } from './json-calls.js'
import type { SegmentMetadata, SegmentValue } from './types.js'

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
  /**
   * Arguments without which, or with anything but a text that isn't blank, the tool is not called: error
   * `missing-arguments`.
   */
  readonly required?: readonly string[]
  /**
   * Makes the arguments, in place of all of these, from the metadata of the segment's START and its content. Without
   * arguments, `null`, the tool is not called: `missing-arguments`. What it throws reaches the caller of `feed` or
   * `processEvent`.
   */
  readonly buildArguments?: (metadata: SegmentMetadata, content: string) => Record<string, unknown> | null
}

/**
 * A tool, and what makes its arguments, as AutoByteus' registry has them: see `getToolSyntaxSpec`.
 *
 * @example
 * ```ts
 * import { type ToolSyntaxSpec, getToolSyntaxSpec } from 'tokenweir/autobyteus'
 *
 * const spec: ToolSyntaxSpec | undefined = getToolSyntaxSpec('write_file')
 * console.log(spec?.buildArguments({ path: 'a.py' }, 'x = 1')) // { path: 'a.py', content: 'x = 1' }
 * ```
 */
export interface ToolSyntaxSpec {
  /** The tool to call. */
  readonly toolName: string
  /** Its arguments, from the metadata of a segment's START and its content; `null` if one is missing. */
  readonly buildArguments: (metadata: SegmentMetadata, content: string) => Record<string, unknown> | null
}

/** A row of the registry, checked. */
export interface SyntaxRow extends Required<Omit<ToolSyntax, 'contentArgument' | 'buildArguments'>> {
  readonly contentArgument: string | undefined
  /** Names in the metadata by which the content comes when the segment's content is empty. */
  readonly contentAliases: readonly string[]
  /** Whether the tool is not called without its content. An empty content counts. */
  readonly needsContent: boolean
  /** Whether arguments that the row doesn't name are the tool's too. */
  readonly takesOthers: boolean
  readonly buildArguments?: ToolSyntax['buildArguments']
}

const OPTIONS = {
  toolName: [requireName],
  contentArgument: [requireName],
  metadataArguments: [requireNames],
  required: [requireNames],
  buildArguments: [callback],
} satisfies OptionTable<ToolSyntax>

/** Types that are not tools, or are read by what their content says. */
const NOT_MAPPED: readonly string[] = ['text', 'reasoning', 'tool_call']

const FILE = { metadataArguments: ['path'], required: ['path'], contentAliases: [] }
// A sentinel's header may have the command; AutoByteus calls it `cmd` there.
const COMMAND = {
  metadataArguments: ['background', 'timeout_seconds'],
  required: ['command'],
  contentAliases: ['cmd'],
}

const rows = new Map<string, SyntaxRow>(
  [...BUILT_IN].map(([toolName, { content, isFile }]) => {
    const { contentAliases, ...row } = isFile ? FILE : COMMAND
    return [
      toolName,
      {
        toolName,
        contentArgument: content,
        contentAliases: [content, ...contentAliases],
        needsContent: true,
        takesOthers: true,
        ...row,
      },
    ]
  }),
)

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
 * console.log(adapter.processEvent({ type: 'SEGMENT_END', segment_id: 'seg_1', payload: {} }))
 * // → { id: 'seg_1', name: 'take_note', arguments: { text: 'milk' } }
 * ```
 */
export function registerToolSyntax(segmentType: string, syntax: ToolSyntax): void {
  requireString('registerToolSyntax', segmentType)
  if (segmentType === '') throw new TypeError('registerToolSyntax takes the type of a segment, but got string ""')
  if (NOT_MAPPED.includes(segmentType))
    throw new TypeError(
      `registerToolSyntax: segments of type ${JSON.stringify(segmentType)} can't be given a tool; take a type ` +
        `of your own`,
    )
  rows.set(segmentType, check(`registerToolSyntax(${JSON.stringify(segmentType)})`, segmentType, syntax))
}

/**
 * Forgets which tool a type of segment calls: it is then read as a `tool_call`. Returns whether it was known;
 * `write_file` and so on are from the start.
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
  const { toolName, contentArgument, metadataArguments, required, buildArguments } = row
  if (buildArguments !== undefined) return { toolName, buildArguments }
  return {
    toolName,
    ...(contentArgument === undefined ? {} : { contentArgument }),
    metadataArguments: [...metadataArguments],
    required: [...required],
  }
}

/**
 * Returns the tool that a type of segment calls, with a function that makes its arguments; `undefined` if that is not
 * known.
 *
 * @throws TypeError if the type is not a string.
 * @example
 * ```ts
 * import { SegmentType } from 'tokenweir/segments'
 * import { getToolSyntaxSpec } from 'tokenweir/autobyteus'
 *
 * const spec = getToolSyntaxSpec(SegmentType.RUN_BASH)
 * console.log(spec?.toolName, spec?.buildArguments({}, 'ls'), spec?.buildArguments({}, ''))
 * // → run_bash { command: 'ls' } null
 * ```
 */
export function getToolSyntaxSpec(segmentType: string): ToolSyntaxSpec | undefined {
  requireString('getToolSyntaxSpec', segmentType)
  const row = rows.get(segmentType)
  if (row === undefined) return undefined
  const build = (metadata: SegmentMetadata, content: string) => {
    const known = row.toolName === 'run_bash' ? asCommand(metadata) : metadata
    const given = rowArguments(row, known, content, {})
    if (typeof given === 'string') return null
    if (known !== metadata && isText(known['cwd'])) given['cwd'] = known['cwd'] as string
    return given
  }
  return { toolName: row.toolName, buildArguments: row.buildArguments ?? build }
}

/**
 * A call with the arguments that the program's own function makes. @throws what it throws; TypeError if it returns
 * anything but an object or null.
 */
export function builtArguments(
  { toolName, buildArguments }: SyntaxRow,
  metadata: Readonly<Record<string, unknown>>,
  content: string,
): ToolCall | CallFault {
  const given: unknown = buildArguments?.({ ...metadata } as SegmentMetadata, content)
  if (given === null || given === undefined)
    return new CallFault('missing-arguments', `${toolName} is not called: buildArguments made no arguments`)
  if (!isRecord(given))
    throw new TypeError(`buildArguments of ${toolName} must return an object or null, but returned ${describe(given)}`)
  return { name: toolName, arguments: given as CallArguments }
}

/**
 * The arguments that a row names, the required ones first, as one would write them; the name of one that is missing.
 * `others` go before metadata.
 */
export function rowArguments(
  row: SyntaxRow,
  metadata: Readonly<Record<string, unknown>>,
  content: string | undefined,
  others: CallArguments,
): CallArguments | string {
  const { contentArgument, metadataArguments, required } = row
  const given: CallArguments = {}
  for (const name of new Set([
    ...required,
    ...metadataArguments,
    ...(contentArgument === undefined ? [] : [contentArgument]),
  ])) {
    const isContent = name === contentArgument
    const value = isContent
      ? content === undefined
        ? undefined
        : contentOf(row, metadata, content)
      : (own(others, name) ?? own(metadata, name))
    if (required.includes(name) && !isText(value)) return name
    if (value !== undefined && value !== null) put(given, name, value as SegmentValue)
  }
  return given
}

/** The content, or what a header has in its place. */
function contentOf(
  { contentArgument, contentAliases, required }: SyntaxRow,
  metadata: Readonly<Record<string, unknown>>,
  content: string,
): string {
  const isMissing = content === '' || (required.includes(contentArgument as string) && !isText(content))
  const instead = isMissing
    ? contentAliases.map((name) => own(metadata, name)).find((value) => typeof value === 'string' && value !== '')
    : undefined
  return instead === undefined ? content : (instead as string)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

/** The registry's own row. */
export function syntaxRowOf(segmentType: string): SyntaxRow | undefined {
  return rows.get(segmentType)
}

function check(place: string, segmentType: string, syntax: unknown): SyntaxRow {
  if (syntax === undefined)
    throw new TypeError(`${place} takes a tool syntax, such as { toolName: 'send_mail' }, but got undefined`)
  checkOptions(place, syntax, OPTIONS, '.')
  const { toolName, contentArgument, metadataArguments, required, buildArguments } = syntax as ToolSyntax
  // It is the only one that must be there.
  requireName(`${place}.toolName`, toolName)
  // A type that is a file is one whatever tool it calls.
  const needsContent = BUILT_IN.get(segmentType)?.isFile === true
  if (buildArguments !== undefined) {
    const other = Object.keys(OPTIONS).find(
      (name) =>
        name !== 'toolName' && name !== 'buildArguments' && (syntax as Record<string, unknown>)[name] !== undefined,
    )
    if (other !== undefined)
      throw new TypeError(`${place} has buildArguments, which makes all of the arguments, and ${other}`)
    const build = (metadata: SegmentMetadata, content: string) => buildArguments.call(syntax, metadata, content)
    return {
      toolName,
      contentArgument: undefined,
      metadataArguments: [],
      required: [],
      contentAliases: [],
      needsContent,
      takesOthers: false,
      buildArguments: build,
    }
  }
  const fromMetadata = [...new Set(metadataArguments)]
  if (contentArgument !== undefined && fromMetadata.includes(contentArgument)) {
    throw new TypeError(
      `${place}.contentArgument must not be one of metadataArguments, but is ${describe(contentArgument)}`,
    )
  }
  const wanted = [...new Set(required)]
  const unknown = wanted.find((name) => name !== contentArgument && !fromMetadata.includes(name))
  if (unknown !== undefined)
    throw new TypeError(
      `${place}.required has ${JSON.stringify(unknown)}, which is not contentArgument and not in metadataArguments`,
    )
  const contentAliases = contentArgument === undefined ? [] : [contentArgument]
  return {
    toolName,
    contentArgument,
    metadataArguments: fromMetadata,
    required: wanted,
    contentAliases,
    needsContent,
    takesOthers: false,
  }
}

function requireNames(place: string, value: unknown): void {
  list(place, value)
  for (const [at, name] of (value as readonly unknown[]).entries()) requireName(`${place}[${at}]`, name)
}
const list = must("an array of arguments' names", Array.isArray)

function requireName(place: string, value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '')
    throw new TypeError(`${place} must be a name, but is ${describe(value)}`)
}
