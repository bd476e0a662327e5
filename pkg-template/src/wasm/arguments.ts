// What the machine of a call's arguments has of its own: src/wasm/arguments.rs.

import { argumentsBorder } from './borders.js'
import { namesOfRules } from './json-rules.js'
import { MachineKind, Session } from './machine.js'

const kind = new MachineKind(argumentsBorder, 'arguments')

/** The machine of a document; `rules`: what is tolerated, a bit each. */
export class ArgumentsSession extends Session {
  constructor(rules: number, maxDepth: number) {
    super(kind, () => argumentsBorder.exports.arguments_start(rules, maxDepth))
  }

  /** The names of the rules by which text that is not valid JSON was read. */
  get tolerated(): string[] {
    this.claim()
    return namesOfRules(argumentsBorder.exports.arguments_rules())
  }
}
