// What a class says of how its objects are saved.

import type { Check } from './checks.js'

/** All fields of an object are saved, unless its class says otherwise here: so none can be forgotten. */
export interface SavedClass {
  /** Fields that the constructor sets for good, and those of no use between two chunks. */
  readonly skips?: readonly string[]
  /** What fields may be whose first value doesn't show it: those without a value at first, lists, objects. */
  readonly fields?: Readonly<Record<string, Check>>
  /** Whether what was restored fits together. */
  readonly isSound?: (object: never) => boolean
  /** Sets what is skipped and follows from what was restored. */
  readonly wake?: (object: never) => void
  /** The object is saved as a text of its own: a machine. */
  readonly isMachine?: boolean
}
