// The segment front-end's calls: src/wasm/segment.rs.

import { Absent, SegmentChoice } from '../generated/ops.js'
import { isHighHalf } from '../surrogates.js'
import { COUNT, Desk, LONGEST_STRETCH, NEXT, type Parked, turnsFor } from './border.js'
import { engine } from './engine.js'

/** What a parser of segments brings, and its machine while another is at work. */
export interface SegmentSession extends Parked {
  /** How the machine begins: see `segment_start`. */
  readonly flags: number
  /** How JSON tools begin, by the numbers of `Profile` in src/segment/signature.rs, or `Absent.SegmentProfile`. */
  readonly profile: number
  /** More ways how they do. */
  readonly signatures: readonly string[]
}

/** The same of the arguments of an API call. */
export interface CallSession extends Parked {
  /** The strings that are asked for, at most two. */
  readonly names: readonly string[]
}

const desk = new Desk<SegmentSession>(
  () => engine.words(engine.exports.segment_machine_pointer(), engine.exports.segment_machine_size()),
  ({ flags, profile, signatures }) => {
    engine.exports.segment_start(flags, profile)
    for (const signature of signatures) addSignature(signature)
  },
)

const callDesk = new Desk<CallSession>(
  () => engine.words(engine.exports.call_machine_pointer(), engine.exports.call_machine_size()),
  ({ names }) => {
    const first = engine.write(names[0] ?? '', 0, (names[0] ?? '').length)
    const both = names.join('')
    const length = engine.write(both, 0, both.length)
    engine.exports.call_start(first, length - first)
  },
)

/** Reads `data` from `from` to `to`, behind `held` units that were read before. Returns what `close` in src/wasm/segment.rs packs. */
export function runSegments(session: SegmentSession, data: string, from: number, to: number, held: number): number {
  if (desk.atWork !== session) desk.claim(session)
  const length = engine.write(data, from, to)
  return engine.exports.segment_run(length, held, Number(length === to - from))
}

/** The end of the stream; returns as `runSegments` does. */
export function finishSegments(session: SegmentSession, held: number): number {
  if (desk.atWork !== session) desk.claim(session)
  return engine.exports.segment_finish(held)
}

/** Whether a tool is held whole, since its segment may not begin yet. */
export function isInTool(session: SegmentSession): boolean {
  if (desk.atWork !== session) desk.claim(session)
  return engine.exports.segment_is_in_call() !== 0
}

/** Gives up that tool, of which `held` units are held; returns as `runSegments` does. */
export function giveUpTool(session: SegmentSession, held: number): number {
  if (desk.atWork !== session) desk.claim(session)
  return engine.exports.segment_give_up(held)
}

/** Says how many units were told without being read. */
export function passSegments(session: SegmentSession, units: number): void {
  if (desk.atWork !== session) desk.claim(session)
  engine.exports.segment_pass(units)
}

/** Answers about a tool: its row (see src/segment/state.rs), null for a generic one, `undefined` for the built-in row, false if it is unknown. */
export function answerState(session: SegmentSession, row: Uint8Array | null | undefined | false): void {
  if (desk.atWork !== session) desk.claim(session)
  if (row) engine.input.set(row)
  if (row) engine.exports.segment_answer(SegmentChoice.Own, row.length)
  else engine.exports.segment_answer(row === undefined ? SegmentChoice.BuiltIn : row === null ? SegmentChoice.Generic : SegmentChoice.Unknown, 0)
}

/** Puts a session's machine back to the start of a stream. */
export function restartSegments(session: SegmentSession): void {
  desk.restart(session)
}

/** Whether a text can be a signature of a tool that is JSON. */
export function isSignature(signature: string): boolean {
  desk.claim({ flags: 0, profile: Absent.SegmentProfile, signatures: [], machine: undefined, isPutAway: false })
  return addSignature(signature)
}

function addSignature(signature: string): boolean {
  return signature.length <= LONGEST_STRETCH && engine.exports.segment_signature(engine.write(signature, 0, signature.length)) !== 0
}

/** Reads a call's arguments as `runSegments` reads text. Returns what `call_run` in src/wasm/segment.rs packs. */
export function runCall(session: CallSession, data: string, from: number, to: number, held: number): number {
  if (callDesk.atWork !== session) callDesk.claim(session)
  const length = engine.writeWhole(data, from, to)
  return engine.exports.call_run(length, held, Number(length === to - from))
}

/** The end of the stream; returns as `runCall` does. */
export function finishCall(session: CallSession, held: number): number {
  if (callDesk.atWork !== session) callDesk.claim(session)
  return engine.exports.call_finish(held)
}

/** Reads the elements of a text; `tell` is called with the number of records, as often as there are some. */
export function readElements(text: string, tell: (count: number) => void): void {
  engine.reading(() => elementsOf(text, tell))
}

function elementsOf(text: string, tell: (count: number) => void): void {
  engine.exports.elements_start()
  let turns = turnsFor(text.length)
  for (let from = 0; from < text.length; from = engine.outcome[NEXT] as number) {
    turns = engine.turn(turns)
    let to = Math.min(text.length, from + LONGEST_STRETCH)
    if (to < text.length && isHighHalf(text.charCodeAt(to - 1))) to--
    tell(engine.exports.elements_run(engine.write(text, from, to), from) & COUNT)
  }
  tell(engine.exports.elements_finish() & COUNT)
}
