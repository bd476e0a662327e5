// What the machine of trees of elements has of its own: src/wasm/xml.rs.

import { valueBorder } from './borders.js'
import { MachineKind, Session } from './machine.js'

const trees = new MachineKind(valueBorder, 'tree')

/** The machine of the elements in a text. */
export function treeSession(): Session {
  return new Session(trees)
}

/** The machine of character references. */
export const references = new MachineKind(valueBorder, 'references')
