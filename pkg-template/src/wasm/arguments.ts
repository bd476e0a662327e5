// What the machine of a call's arguments has of its own: src/wasm/arguments.rs.

import { JSON_RULES } from '../generated/ops.js'
import { argumentsBorder } from './borders.js'
import { MachineKind, Session } from './machine.js'

const kind = new MachineKind(argumentsBorder, 'arguments')

/** The machine of a document; `rules`: what is tolerated, a bit each. */
export class ArgumentsSession extends Session {
  constructor(rules: number, maxDepth: number) {
    super(kind, () => argumentsBorder.exports.arguments_start(rules, maxDepth))
  }

  /** Nothing of it is saved: what leads another machine to the same place is, `prefixOf` in args/saving.ts. */
  override save(): string {
    return ''
  }

  /** The names of the rules by which text that is not valid JSON was read. */
  get tolerated(): string[] {
    this.claim()
    const bits = argumentsBorder.exports.arguments_rules()
    return JSON_RULES.filter((_, at) => (bits >>> at) & 1).sort()
  }
}

/** The rules of these names, a bit each. */
export function rulesOf(names: readonly string[]): number {
  return names.reduce((bits, name) => bits | (1 << JSON_RULES.indexOf(name as never)), 0)
}
