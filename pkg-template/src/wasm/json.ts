// JSON texts, one after the other: src/wasm/json.rs.

import { isHighHalf } from '../surrogates.js'
import { COUNT, LONGEST_STRETCH, NEXT, turnsFor } from './border.js'
import { engine } from './engine.js'

/** Of what `readJsonText` gives: whether the text could not be read. */
const FAILED = 0x400

/** Reads a JSON text by a set of rules (see `json_start`): its records, three words each, and the rules it was read by. May be called while records are told. */
export function readJsonText(text: string, rules: number): { readonly tokens: readonly number[]; readonly used: number } {
  return engine.reading(() => jsonTokens(text, rules))
}

function jsonTokens(text: string, rules: number): { readonly tokens: readonly number[]; readonly used: number } {
  const tokens: number[] = []
  const take = (packed: number) => {
    const words = (packed & COUNT) * 3
    for (let at = 0; at < words; at++) tokens.push(engine.records[at] as number)
    return (packed & FAILED) !== 0
  }
  engine.exports.json_start(rules)
  let hasFailed = false
  let turns = turnsFor(text.length)
  for (let from = 0; from < text.length && !hasFailed; from = engine.outcome[NEXT] as number) {
    turns = engine.turn(turns)
    let to = Math.min(text.length, from + LONGEST_STRETCH)
    if (to < text.length && isHighHalf(text.charCodeAt(to - 1))) to--
    hasFailed = take(engine.exports.json_run(engine.writeWhole(text, from, to), from))
  }
  if (!hasFailed) take(engine.exports.json_finish(text.length))
  return { tokens, used: engine.exports.json_rules() }
}
