// The edit parser's calls: src/wasm/edit.rs.

import { editBorder } from './borders.js'
import { MachineKind, Session } from './machine.js'

const kind = new MachineKind(editBorder, 'edit')

/** The machine of a stream of edits. `flags`: `EditFlag` bits. */
export function editSession(flags: number): Session {
  return new Session(kind, () => editBorder.exports.edit_start(flags))
}
