// The one fitter: makes the best of a value that a schema allows.
//
// Where a schema leaves several ways, each is tried and the best is taken, the first of
// equals. Which is better, and how a value fits one way, is decided by the subclass:
// value-fitter.ts takes JSON values and repairs them, written-fitter.ts takes texts and
// elements that have no types yet.
//
// Each value is tried once against each schema, so that time stays linear in the value.

import type { Grammar, containerIn } from './texts.js'
import type { View } from './view.js'

/** How well something fitted. */
export interface Counts {
  /** What is wrong with it. */
  readonly misfits: number
  /** Fields that the schema does not speak of. */
  readonly strangers: number
  /** The value made from it. */
  readonly changes: number
}

/** What one way makes from a value. */
export interface Fit extends Counts {
  readonly value: unknown
}

/**
 * What was tried inside the outermost value with several ways: alternatives of alternatives would else try it over and
 * over.
 */
export interface Memory {
  readonly chosen: Map<unknown, Map<unknown, Fit>>
  /** What objects became where an array is expected, by the number of arrays around them. */
  readonly lists: Map<object, Map<View, Fit[]>>
  /** The JSON that strings hold. */
  readonly read: Record<Grammar, Map<string, ReturnType<typeof containerIn>>>
}

/** Tries the ways of schemas. */
export abstract class Fitter {
  protected memory: Memory | undefined
  protected misfits = 0
  protected strangers = 0
  protected changes = 0

  /** `order`: the counts by which ways are compared, the most important first. */
  constructor(private readonly order: ReadonlyArray<keyof Counts>) {}

  /** Fits a value to one way, and counts. */
  protected abstract fit(value: unknown, view: View, schema: unknown, depth: number, wraps: number): unknown

  // Frames are few and small from here on, without iterators: there may be 512 times as many.

  /** Takes the best of several ways. `key`: what the value is remembered by. */
  protected choose(
    value: unknown,
    key: unknown,
    views: readonly View[],
    schema: unknown,
    depth: number,
    wraps: number,
  ): unknown {
    const isOutermost = this.memory === undefined
    const { chosen } = this.remembered()
    let best = key === undefined ? undefined : chosen.get(key)?.get(schema)
    if (best === undefined) {
      for (
        let at = 0;
        at < views.length && (best === undefined || best.misfits + best.strangers + best.changes > 0);
        at++
      ) {
        const before = this.begin()
        best = this.better(best, this.end(before, this.fit(value, views[at] as View, schema, depth, wraps)))
      }
      if (key !== undefined) remember(chosen, key, schema, best as Fit)
    }
    if (isOutermost) this.memory = undefined
    return this.accept(best as Fit)
  }

  /** What is tried from here on is remembered. */
  protected remembered(): Memory {
    return (this.memory ??= { chosen: new Map(), lists: new Map(), read: { strict: new Map(), relaxed: new Map() } })
  }

  /** Starts to count from zero; `end` returns these counts and restores the earlier ones. */
  protected begin(): Counts {
    const before = { misfits: this.misfits, strangers: this.strangers, changes: this.changes }
    this.misfits = this.strangers = this.changes = 0
    return before
  }

  protected end({ misfits, strangers, changes }: Counts, value: unknown): Fit {
    const fit = { value, misfits: this.misfits, strangers: this.strangers, changes: this.changes }
    this.misfits = misfits
    this.strangers = strangers
    this.changes = changes
    return fit
  }

  /** Counts what was tried. */
  protected accept({ value, misfits, strangers, changes }: Fit): unknown {
    this.misfits += misfits
    this.strangers += strangers
    this.changes += changes
    return value
  }

  /** The better one, the first of equals. */
  protected better(best: Fit | undefined, fit: Fit): Fit {
    if (best === undefined) return fit
    for (let at = 0; at < this.order.length; at++) {
      const count = this.order[at] as keyof Counts
      if (fit[count] !== best[count]) return fit[count] < best[count] ? fit : best
    }
    return best
  }
}

function remember(chosen: Memory['chosen'], key: unknown, schema: unknown, fit: Fit): void {
  const known = chosen.get(key)
  if (known === undefined) chosen.set(key, new Map([[schema, fit]]))
  else known.set(schema, fit)
}
