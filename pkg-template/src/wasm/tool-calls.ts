// The tool-call front-end's calls: src/wasm/tool_call.rs.

import { Reasoning } from '../generated/ops.js'
import { Desk, LONGEST_STRETCH, type Parked } from './border.js'
import { engine } from './engine.js'

/** What a parser of tool calls brings, and its machine while another is at work. */
export interface ToolCallSession extends Parked {
  /** The tags of Hermes; empty in Morph. */
  readonly start: string
  readonly end: string
  /** How reasoning in the text is read: a number of `Reasoning`. */
  readonly reasoning: number
  /** Whether, in Morph, a tool's name may stand on a line of its own. */
  readonly lines: boolean
  /** The names of the tools whose tags are looked for, in the order of their bytes. */
  readonly names: readonly string[]
}

/** Of what a call returns: whether more text is waited for. */
export const WAITS = 0x4000

const encoder = new TextEncoder()

const desk: Desk<ToolCallSession> = new Desk<ToolCallSession>(
  () => engine.words(engine.exports.tool_call_machine_pointer(), engine.exports.tool_call_machine_size()),
  ({ start, end, lines, reasoning }) => {
    if (lines) engine.exports.tool_call_start_lines(reasoning)
    else setTags(start, end, reasoning)
  },
)

/** Gives the machine at work its tags; false if they can be none. */
function setTags(start: string, end: string, reasoning: number): boolean {
  const first = engine.write(start, 0, start.length)
  const both = start + end
  return engine.exports.tool_call_start(first, engine.write(both, 0, both.length) - first, reasoning) !== 0
}

/** The names of tools that are looked for now. */
let loadedNames: readonly string[] | undefined

function claimToolCalls(session: ToolCallSession): void {
  if (session.names !== loadedNames) {
    loadNames(session.names)
    loadedNames = session.names
  }
  if (desk.atWork !== session) desk.claim(session)
}

/** Loads names; gives those that are looked for now, and not those that can be none or that there is no room for. */
function loadNames(names: readonly string[]): readonly string[] {
  engine.exports.tool_names_clear()
  loadedNames = undefined
  return names.filter((name) => name.length <= LONGEST_STRETCH && engine.exports.tool_names_add(engine.write(name, 0, name.length)) !== 0)
}

/** The last list that was made: many streams have the same tools, and share it. */
let lastNames: readonly string[] = []

/** Names of tools in the order of their bytes, as a session takes them. `refuse` is called with a name that can be none. */
export function toolNames(names: Iterable<string>, refuse: (name: string) => void): readonly string[] {
  const sorted = [...new Set(names)].map((name) => ({ name, bytes: encoder.encode(name) })).sort((a, b) => compareBytes(a.bytes, b.bytes))
  const wanted: readonly string[] = sorted.map(({ name }) => name)
  if (isLast(wanted)) return lastNames
  const fitting = loadNames(wanted)
  if (fitting.length < wanted.length) {
    const fit = new Set(fitting)
    for (const name of wanted) if (!fit.has(name)) refuse(name)
    if (isLast(fitting)) return lastNames
  }
  lastNames = fitting
  return fitting
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

/** Whether two texts can be the tags of Hermes. */
export function areTags(start: string, end: string): boolean {
  if (start.length > LONGEST_STRETCH / 2 || end.length > LONGEST_STRETCH / 2) return false
  desk.claim({ start, end, lines: false, reasoning: Reasoning.Search, names: [], machine: undefined, isPutAway: false })
  return setTags(start, end, Reasoning.Search)
}

/** Reads `data` from `from` to `to`, behind `held` units that were read before. Returns what `close` in src/wasm/tool_call.rs packs. */
export function runToolCalls(session: ToolCallSession, data: string, from: number, to: number, held: number): number {
  if (desk.atWork !== session || session.names !== loadedNames) claimToolCalls(session)
  const length = engine.writeWhole(data, from, to)
  return engine.exports.tool_call_run(length, held, Number(length === to - from))
}

/** The end of the stream; returns as `runToolCalls` does. */
export function finishToolCalls(session: ToolCallSession, held: number): number {
  if (desk.atWork !== session) desk.claim(session)
  return engine.exports.tool_call_finish(held)
}

/** A run of text has ended after `held` undecided units outside of a call; returns as `runToolCalls` does. */
export function settleToolCalls(session: ToolCallSession, held: number): number {
  if (desk.atWork !== session) desk.claim(session)
  return engine.exports.tool_call_settle(held)
}

/** Gives up the segment of which `held` units are held; returns as `runToolCalls` does. */
export function giveUpToolCall(session: ToolCallSession, held: number): number {
  if (desk.atWork !== session) desk.claim(session)
  return engine.exports.tool_call_give_up(held)
}

/** Says how many units were told without being read. */
export function passToolCalls(session: ToolCallSession, units: number): void {
  if (desk.atWork !== session) desk.claim(session)
  engine.exports.tool_call_pass(units)
}

/** Answers what was asked, by the number of an `Answer` in src/tool_call/machine. */
export function answerToolCall(session: ToolCallSession, answer: number): void {
  if (desk.atWork !== session) desk.claim(session)
  engine.exports.tool_call_answer(answer)
}

/** Whether a segment has begun that may be a call. */
export function isInToolCall(session: ToolCallSession): boolean {
  if (desk.atWork !== session) desk.claim(session)
  return engine.exports.tool_call_is_open() !== 0
}

/** Puts a session's machine back to the start of a stream. */
export function restartToolCalls(session: ToolCallSession): void {
  desk.restart(session)
}
