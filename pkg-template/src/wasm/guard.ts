// An instance that has failed is not called again: what it holds may be wrong,
// and the cells in it that were in use stay so.
//
// In a file of its own, since types that users see lead here: nothing in it may
// name a browser's type, which not every program has.

import { ParseError, describe } from '../errors.js'

/** An instance, until it fails. */
export class Instance<Exports> {
  /** What it exports; each function refuses once one has failed. */
  readonly exports: Exports
  /**
   * The functions themselves, for the one that each chunk calls and that guards itself: a closure around it costs as
   * much as the call.
   */
  readonly unguarded: Readonly<Record<string, unknown>>
  /** How many parsers are in the middle of emitting what the records say. */
  emitting = 0
  /** How many words of records the one has that is emitting now. */
  words = 0
  /** Why nothing is read any more. */
  failure: ParseError | undefined

  constructor(given: Exports) {
    const exports: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(given as object))
      exports[name] = typeof value === 'function' ? this.guarded(value as Call) : value
    this.exports = exports as Exports
    this.unguarded = given as Record<string, unknown>
  }

  private guarded(call: Call): Call {
    // Numbers alone cross, at most four; those that a function doesn't take are passed over.
    return (a, b, c, d) => {
      this.requireWhole()
      try {
        return call(a, b, c, d)
      } catch (cause) {
        throw this.fail(cause)
      }
    }
  }

  /** Refuses what would go on after a failure. */
  requireWhole(): void {
    if (this.failure !== undefined) throw this.failure
  }

  /** From now on all is refused. */
  fail(cause: unknown): ParseError {
    const reason = cause instanceof Error ? cause.message : describe(cause)
    return (this.failure ??= new ParseError(
      'engine-failed',
      `the WebAssembly of tokenweir failed (${reason}), which is a bug in tokenweir: please report it with the ` +
        `text that was read. No parser reads on, as what they hold may be wrong: load tokenweir anew, in a new ` +
        `process, worker or page`,
      { cause },
    ))
  }
}

type Call = (a: number, b: number, c: number, d: number) => number
