// Tool states: rows of the table that says how `<tool name="…">` is read. A name
// that has no row is a generic tool, whose content is everything inside.
//
// Rows are looked up in three places, the first that has the name wins: the
// parser's own (`config.toolStates`), those registered here, the built-in ones in
// src/segment/. Names are compared without regard to the case of ASCII letters.
//
// Source: seeds/000, "Adding a New Block Type"; spec/segment.md, "States of your own".
// Differences: AutoByteus doesn't lower the registered name, so `MyTool` is never found.

import { describe, requireString } from '../errors.js'
import { Limit, SEGMENT_TOOLS } from '../generated/ops.js'
import { type OptionTable, callback, checkOptions, must, text } from '../options.js'
import { encoder } from '../platform.js'
import type { ToolState } from './types.js'

/** A row, checked. */
export interface CheckedState {
  /** The tool's name as it was registered. */
  readonly name: string
  readonly segmentType: string
  readonly contentArg: string | undefined
  readonly startWhen: readonly string[]
  /** Those of `startWhen` first, each once. */
  readonly metadataArgs: readonly string[]
  readonly startMarker: string | undefined
  readonly endMarker: string | undefined
  readonly transform: ((delta: string) => string) | undefined
}

/** Rows by tool name in ASCII lower case; `null` makes a tool generic. */
export type StateTable = ReadonlyMap<string, CheckedState | null>

const OPTIONS = {
  segmentType: [must('a segment type', (value) => typeof value === 'string' && value !== '')],
  contentArg: [argumentName],
  startWhen: [argumentNames],
  metadataArgs: [argumentNames],
  startMarker: [marker],
  endMarker: [marker],
  transform: [callback],
} satisfies OptionTable<ToolState>

/** Registered rows; `null` for a built-in one that was unregistered. */
const registered = new Map<string, CheckedState | null>()

/** What was registered, as far as JSON has it. */
export function registeredStates(): unknown {
  return [...registered].sort(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Says how a tool's arguments are read, for all parsers that have no row of their own for it.
 *
 * Registering a name again replaces its row; `write_file`, `patch_file`, `edit_file` and `run_bash` are registered from
 * the start, and can be replaced too.
 *
 * @throws TypeError if the row makes no sense.
 * @example
 * ```ts
 * import { StreamingParser, extractSegments, registerXmlToolParsingState } from 'tokenweir/segments'
 *
 * registerXmlToolParsingState('send_mail', { segmentType: 'mail', contentArg: 'body', startWhen: ['to'] })
 * const text = '<tool name="send_mail"><arg name="to">ann</arg><arg name="body">Hello</arg></tool>'
 * const [mail] = extractSegments(new StreamingParser().feedAndFinalize(text))
 * console.log(mail?.type, mail?.content, mail?.metadata) // mail Hello { tool_name: 'send_mail', to: 'ann' }
 * ```
 */
export function registerXmlToolParsingState(toolName: string, spec: ToolState): void {
  requireToolName('registerXmlToolParsingState', toolName)
  registered.set(
    asciiLower(toolName),
    check(`registerXmlToolParsingState(${JSON.stringify(toolName)})`, toolName, spec),
  )
}

/**
 * Makes a tool generic: its content is all that stands between its tags. Returns whether it had a row; a built-in one
 * counts.
 *
 * @throws TypeError if the name is not a string, or blank.
 * @example
 * ```ts
 * import { registerXmlToolParsingState, unregisterXmlToolParsingState } from 'tokenweir/segments'
 *
 * registerXmlToolParsingState('send_note', { contentArg: 'body' })
 * console.log(unregisterXmlToolParsingState('send_note')) // true
 * console.log(unregisterXmlToolParsingState('send_note')) // false
 * ```
 */
export function unregisterXmlToolParsingState(toolName: string): boolean {
  requireToolName('unregisterXmlToolParsingState', toolName)
  const name = asciiLower(toolName)
  if (!BUILT_IN.has(name)) return registered.delete(name)
  const hadRow = registered.get(name) !== null
  registered.set(name, null)
  return hadRow
}

/** Checks the rows of one parser; `place` names who was given them. */
export function checkStates(place: string, toolStates: unknown): StateTable | undefined {
  if (toolStates === undefined) return undefined
  if (typeof toolStates !== 'object' || toolStates === null || Array.isArray(toolStates)) {
    throw new TypeError(
      `${place}.toolStates must be an object of tool states by tool name, but is ${describe(toolStates)}`,
    )
  }
  const table = new Map<string, CheckedState | null>()
  for (const [toolName, spec] of Object.entries(toolStates)) {
    requireToolName(`${place}.toolStates`, toolName)
    const name = asciiLower(toolName)
    const row = `${place}.toolStates[${JSON.stringify(toolName)}]`
    if (table.has(name))
      throw new TypeError(`${row} is there in another case of letters too; names are compared without regard to case`)
    table.set(name, spec === null ? null : check(row, toolName, spec))
  }
  return table
}

/** A tool's row: `null` if the tool is to be generic, undefined if nothing was said, so that the built-in rows hold. */
export function stateOf(toolName: string, ownStates: StateTable | undefined): CheckedState | null | undefined {
  const name = asciiLower(toolName)
  const state = ownStates?.get(name)
  return state === undefined ? registered.get(name) : state
}

/** The type of a tool's segments by its built-in row. */
export function builtInType(toolName: string): string | undefined {
  const name = asciiLower(toolName)
  return BUILT_IN.has(name) ? name : undefined
}

/** Whether a parser was given a row of its own for a tool. */
export function hasOwnState(toolName: string, ownStates: StateTable | undefined): boolean {
  return ownStates?.get(asciiLower(toolName)) != null
}

/** The text with ASCII letters in lower case. `toLowerCase` would make a `k` of the Kelvin sign. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function requireToolName(place: string, toolName: unknown): asserts toolName is string {
  requireString(place, toolName)
  if (toolName.trim() === '') throw new TypeError(`${place} takes the name of a tool, but got ${describe(toolName)}`)
}

function check(place: string, name: string, spec: unknown): CheckedState {
  if (spec === undefined)
    throw new TypeError(`${place} takes a tool state, such as { contentArg: 'text' }, but got undefined`)
  checkOptions(place, spec, OPTIONS, '.')
  const state = spec as ToolState
  const { segmentType = 'tool_call', contentArg, startMarker, endMarker } = state
  const startWhen = [...new Set(state.startWhen)]
  const metadataArgs = [...new Set([...startWhen, ...(state.metadataArgs ?? [])])]
  if (metadataArgs.length > Limit.MetadataArguments) {
    throw new TypeError(
      `${place}.startWhen and metadataArgs must be at most ${Limit.MetadataArguments} arguments together, but ` +
        `are ${metadataArgs.length}`,
    )
  }
  if (contentArg !== undefined && metadataArgs.includes(contentArg)) {
    throw new TypeError(
      `${place}.contentArg must not be one of startWhen or metadataArgs, but is ${describe(contentArg)}`,
    )
  }
  if ((startMarker === undefined) !== (endMarker === undefined)) {
    throw new TypeError(
      `${place}.${startMarker === undefined ? 'startMarker' : 'endMarker'} is missing; startMarker and ` +
        `endMarker come together`,
    )
  }
  if (contentArg === undefined) {
    const idle =
      metadataArgs.length > 0
        ? startWhen.length > 0
          ? 'startWhen'
          : 'metadataArgs'
        : startMarker === undefined
          ? undefined
          : 'startMarker'
    if (idle !== undefined)
      throw new TypeError(
        `${place}.${idle} needs contentArg; without it the content is all that stands between the tags`,
      )
  }
  const transform = state.transform?.bind(state)
  return { name, segmentType, contentArg, startWhen, metadataArgs, startMarker, endMarker, transform }
}

function argumentNames(place: string, names: unknown): void {
  list(place, names)
  for (const [at, name] of (names as readonly unknown[]).entries()) argumentName(`${place}[${at}]`, name)
}
const list = must("an array of arguments' names", Array.isArray)

function argumentName(place: string, name: unknown): void {
  argument(place, name)
  // Names are trimmed when they are read.
  trimmed(place, name)
  requireShort(place, name as string)
}

const argument = must("an argument's name", (name) => typeof name === 'string')
const trimmed = must(
  "an argument's name without white space at its ends",
  (name) => name !== '' && (name as string).trim() === name,
)

function marker(place: string, value: unknown): void {
  text(place, value)
  // White space before a marker is dropped, so one that begins with it would never be found.
  if (/^(?:\s|$)/.test(value as string))
    throw new TypeError(`${place} must not be empty or begin with white space, but is ${describe(value)}`)
  requireShort(place, value as string)
}

function requireShort(place: string, text: string): void {
  if (encoder().encode(text).length > Limit.RowWordBytes)
    throw new TypeError(`${place} must be at most ${Limit.RowWordBytes} bytes of UTF-8, but is ${describe(text)}`)
}

/** A built-in tool, whose name is a segment type too. */
export interface BuiltIn {
  /** The argument that is the segment's content. */
  readonly content: string
  /** Whether it writes a file, whose path is the segment's metadata. */
  readonly isFile: boolean
}

/** The built-in tools by their names. */
export const BUILT_IN: ReadonlyMap<string, BuiltIn> = new Map(
  SEGMENT_TOOLS.map(([tool, content, isFile]) => [tool, { content, isFile }]),
)
