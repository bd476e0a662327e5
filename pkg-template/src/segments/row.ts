// A tool state as the machine takes it.

import type { CheckedState } from './states.js'

/** Segment types, by the numbers of `SegmentType` in src/segment/op.rs. */
export const TYPES = ['text', 'tool_call', 'write_file', 'patch_file', 'edit_file', 'run_bash', 'reasoning'] as const

/** The number of a type of the user's own. */
const OWN = TYPES.length

// What a word is, by the numbers in src/segment/state.rs.
const CONTENT = 1
const NEEDED = 2
const METADATA = 3
const START_MARKER = 4
const END_MARKER = 5

const encoder = new TextEncoder()
const rows = new WeakMap<CheckedState, Uint8Array>()

/** The row of a state: the number of its type, then words, each behind what it is and its length. */
export function rowOf(state: CheckedState): Uint8Array {
  const known = rows.get(state)
  if (known !== undefined) return known
  const number = (TYPES as readonly string[]).indexOf(state.segmentType)
  const bytes = [number < 0 ? OWN : number]
  const add = (kind: number, word: string | undefined): void => {
    if (word === undefined) return
    const encoded = encoder.encode(word)
    bytes.push(kind, encoded.length, ...encoded)
  }
  add(CONTENT, state.contentArg)
  for (const name of state.metadataArgs) add(state.startWhen.includes(name) ? NEEDED : METADATA, name)
  add(START_MARKER, state.startMarker)
  add(END_MARKER, state.endMarker)
  const row = Uint8Array.from(bytes)
  rows.set(state, row)
  return row
}
