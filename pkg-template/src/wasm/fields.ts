// The field front-end's calls: src/wasm/field.rs.

import { Desk, FLAG, type Parked } from './border.js'
import { engine } from './engine.js'

/** What a parser of fields brings, and its machine while another is at work. */
export interface FieldSession extends Parked {
  /** How the machine begins: see `field_start`. */
  readonly flags: number
  /** What the document is, by the numbers of `Shape` in src/field/machine.rs. */
  readonly shape: number
  readonly maxDepth: number
}

/** Of what a call returns: whether the document could be closed here. */
export const CLOSABLE = FLAG

const desk = new Desk<FieldSession>(
  () => engine.words(engine.exports.field_pointer(), engine.exports.field_size()),
  ({ flags, shape, maxDepth }) => engine.exports.field_start(flags, shape, maxDepth),
)

/** Puts a session's machine back to the start of a stream. */
export function restartFields(session: FieldSession): void {
  desk.restart(session)
}

/** Reads `data` from `from` to `to`, behind `held` units that were read before. Returns what `close` in src/wasm/field.rs packs. */
export function runFields(session: FieldSession, data: string, from: number, to: number, held: number): number {
  if (desk.atWork !== session) desk.claim(session)
  const length = engine.writeWhole(data, from, to)
  return engine.exports.field_run(length, held, Number(length === to - from))
}

/** The end of the stream; returns as `runFields` does. */
export function finishFields(session: FieldSession, held: number): number {
  if (desk.atWork !== session) desk.claim(session)
  return engine.exports.field_finish(held)
}

/** Answers whether the first key agrees with the schema. */
export function answerKey(session: FieldSession, agrees: boolean): void {
  if (desk.atWork !== session) desk.claim(session)
  engine.exports.field_answer(Number(agrees), 0)
}

/** The rules by which something that is no JSON was read, one bit each. */
export function rulesUsed(session: FieldSession): number {
  if (desk.atWork !== session) desk.claim(session)
  return engine.exports.field_rules()
}
