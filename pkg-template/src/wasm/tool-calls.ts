// What the machine of tool calls has of its own: src/wasm/tool_call.rs.

import { LONGEST_STRETCH } from './border.js'
import { engine } from './engine.js'
import { MachineKind, Session } from './machine.js'

const calls = new MachineKind(engine, 'tool_call')

/** How a machine of tool calls begins. */
export interface ToolCallStart {
  /** The tags of Hermes; empty in Morph. */
  readonly start: string
  readonly end: string
  /** Whether, in Morph, a tool's name may stand on a line of its own. */
  readonly lines: boolean
  /** How reasoning in the text is read, by the numbers of `Reasoning`. */
  readonly reasoning: number
  /** Whether calls in Markdown code are text. */
  readonly skipsCode: boolean
  /** The names of the tools whose tags are looked for, in the order of their bytes. */
  readonly names: readonly string[]
}

const encoder = new TextEncoder()

/** The names that the machine at work looks for. */
let loadedNames: readonly string[] | undefined

/** The machine of a stream of tool calls. */
export function toolCallSession({ start, end, lines, reasoning, skipsCode, names }: ToolCallStart): Session {
  const begin = () => {
    if (lines) engine.exports.tool_call_start_lines(reasoning, Number(skipsCode))
    else setTags(start, end, reasoning, skipsCode)
  }
  return new Session(calls, begin, () => {
    if (names !== loadedNames) loadNames(names)
    loadedNames = names
  })
}

/** Gives the machine at work its tags; false if they can't be tags. */
function setTags(start: string, end: string, reasoning: number, skipsCode: boolean): boolean {
  const first = engine.write(start, 0, start.length)
  const both = start + end
  return engine.exports.tool_call_start(first, engine.write(both, 0, both.length) - first, reasoning, Number(skipsCode)) !== 0
}

/** Whether two texts can be the tags of Hermes. */
export function areTags(start: string, end: string): boolean {
  if (start.length > LONGEST_STRETCH / 2 || end.length > LONGEST_STRETCH / 2) return false
  calls.release()
  return setTags(start, end, 0, false)
}

/** Loads names; returns those that fit, without those that can't be names or that there is no room for. */
function loadNames(names: readonly string[]): readonly string[] {
  // The machine at work has to load its own again.
  calls.release()
  loadedNames = undefined
  engine.exports.tool_names_clear()
  return names.filter((name) => name.length <= LONGEST_STRETCH && engine.exports.tool_names_add(engine.write(name, 0, name.length)) !== 0)
}

/** The last list that was made: many streams have the same tools, and share it. */
let lastNames: readonly string[] = []

/** Names of tools in the order of their bytes, as a session takes them, without those that can't be names. */
export function toolNames(names: Iterable<string>): readonly string[] {
  const sorted = [...new Set(names)].map((name) => ({ name, bytes: encoder.encode(name) })).sort((a, b) => compareBytes(a.bytes, b.bytes))
  const wanted: readonly string[] = sorted.map(({ name }) => name)
  if (isLast(wanted)) return lastNames
  const fitting = loadNames(wanted)
  if (!isLast(fitting)) lastNames = fitting
  return lastNames
}

function isLast(names: readonly string[]): boolean {
  return names.length === lastNames.length && names.every((name, at) => name === lastNames[at])
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const difference = (a[at] as number) - (b[at] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
