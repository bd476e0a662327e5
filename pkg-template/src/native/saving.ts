// What is saved of native events, besides what differs from a new parser (snapshot/state.ts).

import { ENGINE } from '../generated/ops.js'
import { Brackets } from '../json/brackets.js'
import { Joined } from '../joined.js'
import { flag } from '../snapshot/checks.js'
import { type Saving, type Snapshot, makeSnapshot, openSnapshot } from '../snapshot/registry.js'
import { NativeBlock } from './block.js'
import { PartialArgs } from './partial-args.js'
import { Pieces } from './pieces.js'
import type { NativeReading } from './reading.js'
import { Thoughts } from './thoughts.js'

const NATIVE: Saving = {
  parser: 'native-blocks',
  place: 'NativeBlocks',
  layout: ENGINE,
  classes: { Joined, Brackets, NativeBlock, PartialArgs, Pieces, Thoughts },
}

/** Saves a state; `fresh` is a new one. */
export function saveNative(live: NativeReading, fresh: NativeReading, options: object, keepText: boolean): Snapshot {
  const { text, order } = live
  const isFirst = text?.isFirst === true
  if (isFirst) fresh.text?.prepare()
  const save = (omitted?: readonly object[]) =>
    makeSnapshot(NATIVE, { live, fresh, options, shape: isFirst, keepText, omitted })
  const saveText = () => text?.withoutText(keepText, save) ?? save()
  return keepText ? saveText() : order.withoutText(saveText)
}

/** Opens a snapshot, makes `NativeBlocks` by its options, and sets their state, which `readingOf` gives. */
export function restoreNative<Made>(
  snapshot: unknown,
  given: object | undefined,
  make: (options: object) => Made,
  readingOf: (made: Made) => NativeReading,
): Made {
  const opened = openSnapshot<object>(NATIVE, snapshot, given)
  const isFirst = opened.shape(flag) as boolean
  const made = make(opened.options)
  const reading = readingOf(made)
  if (isFirst) reading.text?.prepare()
  opened.into(reading)
  return made
}
