// Snapshots of blocks: nothing else needs what is here.

import { ENGINE } from '../generated/ops.js'
import type { Joined } from '../joined.js'
import { type KeepTextOptions, type Saving, type Snapshot, makeSnapshot, checkSnapshot } from '../snapshot/registry.js'
import type { BlockFeed } from './feed.js'
import { BlockReading } from './reading.js'

/** How much of the text is saved. */
export type KeptText = 'all' | 'block' | 'none'

/** What has to be known of the open block. */
interface OpenState {
  readonly isOpen: boolean
  /** Whether nothing of it was emitted, so that its text stays. */
  readonly isOwed: boolean
}

/** What each parser of blocks says of itself. */
export function savingOf(parser: string, place: string): Saving {
  return { parser, place, layout: ENGINE, classes: {} }
}

/** The state between two chunks. */
export function snapshotOf(live: BlockReading, saving: Saving, most: KeptText, how?: KeepTextOptions): Snapshot {
  const kept = checkSnapshot(saving.place, live.emitter.outlet.isBusy, how) ? most : 'none'
  const { options, making } = live
  const fresh = new BlockReading(options, making)
  return withoutText(live, kept, (omitted) =>
    makeSnapshot(saving, { live, fresh, options, keepText: kept !== 'none', omitted }),
  )
}

/** Leaves text of a stream out while `act` runs, which gets the parts without it. */
export function withoutText<Result>(
  { feed, emitter: { call, own, writer } }: BlockReading,
  kept: KeptText,
  act: (omitted: readonly object[]) => Result,
): Result {
  const open = { isOpen: writer.isOpen, isOwed: call?.isOpen === true && !writer.isEmitted }
  const save = () => without(feed, kept, open, act)
  return kept === 'none' ? own.withoutText(save) : save()
}

/** Leaves text out while a snapshot is made: `save` gets the parts without their text. */
export function without<Result>(
  { text, pending }: BlockFeed,
  kept: KeptText,
  { isOpen, isOwed }: OpenState,
  save: (omitted: readonly Joined[]) => Result,
): Result {
  text.gather('')
  const { all, content, from, isPartial } = text
  const written = all.toString()
  try {
    if (kept !== 'all') {
      text.from += written.length
      if (kept !== 'none' || isOwed) return save([all])
      if (isOpen && !content.isEmpty) text.isPartial = true
      return save([all, content])
    }
    const whole = content.toString()
    const to = written.length - pending
    if (whole === '' || !written.startsWith(whole, to - whole.length)) return save([])
    // It is saved once.
    text.contentFrom = to - whole.length
    text.contentTo = to
    return save([content])
  } finally {
    text.from = from
    text.isPartial = isPartial
    text.contentFrom = text.contentTo = -1
  }
}
