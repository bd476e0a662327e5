// The field parser's calls: src/wasm/field.rs.

import { fieldBorder } from './borders.js'
import { namesOfRules } from './json-rules.js'
import { MachineKind, Session } from './machine.js'

const kind = new MachineKind(fieldBorder, 'field')

/** How a stream begins: see `field_start`. */
export interface FieldStart {
  /** `FieldFlag` bits. */
  readonly flags: number
  /** A `FieldShape`. */
  readonly shape: number
  readonly maxDepth: number
}

/** A stream's machine. */
export function fieldSession({ flags, shape, maxDepth }: FieldStart): Session {
  return new Session(kind, () => fieldBorder.exports.field_start(flags, shape, maxDepth))
}

/** The names of the rules by which text that is not valid JSON was read, sorted. */
export function toleratedIn(session: Session): string[] {
  session.claim()
  return namesOfRules(fieldBorder.exports.field_rules())
}
