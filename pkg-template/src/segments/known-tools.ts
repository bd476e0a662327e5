// Whether a tool may be called: with a list of tools only those that are in it.
//
// A tool that a parser was given a state for counts as known. One
// that is called by another name (see tool-syntax.ts) may be listed by either.
//
// Source: spec/world.md, section 7.4.

import { type StateTable, builtInType, hasOwnState, stateOf } from './states.js'
import type { KnownTools } from './tool-list.js'
import { syntaxRowOf } from './tool-syntax.js'

/** Whether text that names a tool may call it. */
export function isKnownTool(name: string, tools: KnownTools | undefined, states: StateTable | undefined): boolean {
  if (tools === undefined || tools.has(name) || hasOwnState(name, states)) return true
  const state = stateOf(name, states)
  const type = state === undefined ? builtInType(name) : state?.segmentType
  return type !== undefined && syntaxRowOf(type) !== undefined && isKnownType(type, tools)
}

/** Whether a segment of a type that calls one tool may call it: `<run_bash>`, a sentinel's `write_file`. */
export function isKnownType(type: string, tools: KnownTools | undefined): boolean {
  return tools === undefined || tools.has(syntaxRowOf(type)?.toolName ?? type)
}
