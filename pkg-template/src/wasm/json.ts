// What the machine of JSON texts has of its own: src/wasm/json.rs.

import { jsonBorder } from './borders.js'
import { MachineKind, Session } from './machine.js'

const json = new MachineKind(jsonBorder, 'json')

/** The machine of a JSON text, by one of `JsonRules`. */
export function jsonSession(rules: number): Session {
  return new Session(json, () => jsonBorder.exports.json_start(rules))
}

/** The rules that the text at work was read by, one bit each. */
export function jsonRulesUsed(): number {
  return jsonBorder.exports.json_rules()
}
