// How parsers reach what saves and restores them: it is there once `tokenweir/snapshot` is imported, so a program
// that saves nothing doesn't carry it.

import { ParseError } from '../errors.js'
import type { KeepTextOptions, Live, Opened, Saving, Snapshot } from './snapshot.js'

export type { KeepTextOptions, Saving, Snapshot }

type Machinery = typeof import('./snapshot.js')

let machinery: Machinery | undefined

/** Makes every parser able to save and to restore its state. */
export function register(whole: Machinery): void {
  machinery = whole
}

/** What was registered. `call` is what needs it. */
function required(call: string): Machinery {
  if (machinery !== undefined) return machinery
  const why = "needs what saves and restores parsers; add: import 'tokenweir/snapshot'"
  throw new ParseError('snapshot-missing', `${call} ${why}`)
}

/** Makes a snapshot. */
export function makeSnapshot(saving: Saving, live: Live): Snapshot {
  return required(`${saving.place}.snapshot`).makeSnapshot(saving, live)
}

/** Refuses a snapshot from inside a callback, and wrong options; gives whether the text is kept. */
export function checkSnapshot(place: string, isBusy: boolean, options?: KeepTextOptions): boolean {
  return required(`${place}.snapshot`).checkSnapshot(place, isBusy, options)
}

/** Checks a snapshot, as far as it can be before there is a parser. */
export function openSnapshot<Options extends object>(
  saving: Saving,
  snapshot: unknown,
  given: Partial<Options> | undefined,
): Opened<Options> {
  const { place, restore = `${place}.restore` } = saving
  return new (required(restore).Opened)(saving, snapshot, given)
}
