// A tool state as the machine takes it.

import { SEGMENT_TYPES, SegmentRow, SegmentType } from '../generated/ops.js'
import { encoder } from '../platform.js'
import type { CheckedState } from './states.js'

const rows = new WeakMap<CheckedState, Uint8Array>()

/** The row of a state: the number of its type, then words, each after what it is and its length. */
export function rowOf(state: CheckedState): Uint8Array {
  const known = rows.get(state)
  if (known !== undefined) return known
  const number = (SEGMENT_TYPES as readonly string[]).indexOf(state.segmentType)
  const bytes = [number < 0 ? SegmentType.Own : number]
  const add = (kind: number, word: string | undefined): void => {
    if (word === undefined) return
    const encoded = encoder().encode(word)
    bytes.push(kind, encoded.length, ...encoded)
  }
  add(SegmentRow.Content, state.contentArg)
  for (const name of state.metadataArgs)
    add(state.startWhen.includes(name) ? SegmentRow.Needed : SegmentRow.Metadata, name)
  add(SegmentRow.StartMarker, state.startMarker)
  add(SegmentRow.EndMarker, state.endMarker)
  const row = Uint8Array.from(bytes)
  rows.set(state, row)
  return row
}
