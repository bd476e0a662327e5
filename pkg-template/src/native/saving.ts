// What is saved of native events, besides what differs from a new parser (snapshot/state.ts).

import { ENGINE } from '../generated/ops.js'
import { Brackets } from '../json/brackets.js'
import { Joined } from '../joined.js'
import { flag, one } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { Opened, type Saving, type Snapshot, makeSnapshot } from '../snapshot/snapshot.js'
import type { Ending } from './ending.js'
import { type BlockOrder, NativeBlock } from './order.js'
import { PartialArgs } from './partial-args.js'
import type { Provider, ProviderName } from './provider.js'
import { providerNames } from './readers.js'
import type { NativeText } from './text.js'

const NATIVE: Saving = {
  parser: 'native-blocks',
  place: 'NativeBlocks',
  layout: ENGINE,
  classes: { Joined, Brackets, NativeBlock, PartialArgs },
}

/** The state of one `NativeBlocks`. */
export class NativeState {
  static get saved(): SavedClass {
    return { fields: { last: one(undefined, ...providerNames()) } }
  }
  last: ProviderName | undefined
  hasComplained = false
  isFinished = false

  constructor(
    readonly order: BlockOrder,
    readonly text: NativeText | undefined,
    readonly ending: Ending,
    readonly readers: readonly Provider[],
  ) {
    this.last = undefined
  }
}

/** Saves a state; `fresh` is that of new ones. */
export function saveNative(live: NativeState, fresh: NativeState, options: object, keepText: boolean): Snapshot {
  const { text, order } = live
  const isFirst = text?.isFirst === true
  if (isFirst) fresh.text?.prepare()
  const save = (omitted?: readonly object[]) =>
    makeSnapshot(NATIVE, { live, fresh, options, shape: isFirst, keepText, omitted })
  const saveText = () => text?.withoutText(keepText, save) ?? save()
  return keepText ? saveText() : order.withoutText(saveText)
}

/** Opens a snapshot, makes `NativeBlocks` by its options, and sets their state, which `stateOf` gives. */
export function restoreNative<Made>(
  snapshot: unknown,
  given: object | undefined,
  make: (options: object) => Made,
  stateOf: (made: Made) => NativeState,
): readonly [made: Made, state: NativeState] {
  const opened = new Opened<object>(NATIVE, snapshot, given)
  const isFirst = opened.shape(flag) as boolean
  const made = make(opened.options)
  const state = stateOf(made)
  if (isFirst) state.text?.prepare()
  opened.into(state)
  return [made, state]
}
