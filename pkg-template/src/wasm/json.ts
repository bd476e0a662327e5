// What the machine of JSON texts has of its own: src/wasm/json.rs.

import { jsonBorder } from './borders.js'
import { MachineKind, Session } from './machine.js'

const json = new MachineKind(jsonBorder, 'json')

/** The machine of a JSON text, by one of `JsonRules`; with `isValue`, of an object or array in a text. */
export function jsonSession(rules: number, isValue: boolean): Session {
  return new Session(json, () => jsonBorder.exports.json_start(rules, Number(isValue)))
}

/** The rules that the text at work was read by, one bit each. */
export function jsonRulesUsed(): number {
  return jsonBorder.exports.json_rules()
}
