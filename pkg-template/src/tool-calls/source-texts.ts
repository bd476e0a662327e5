// What the source said of its texts: their starts, deltas and ends, until all text
// before them is decided. So text comes out with the fields that it came with.

import type { StreamPart } from './types.js'

/** A part of a text of the source: where its text begins in the stream, and where that ends. */
export interface SourcePart {
  readonly part: StreamPart
  readonly from: number
  readonly to: number
  /** Whether some of it was emitted. */
  isEmitted: boolean
}

/** The parts that wait, in their order. */
export class SourceTexts {
  private parts: SourcePart[] = []
  private at = 0

  add(part: StreamPart, from: number, to: number): void {
    this.parts.push({ part, from, to, isEmitted: false })
  }

  /** The one that waits longest. */
  get first(): SourcePart | undefined {
    return this.parts[this.at]
  }

  /** Drops the first part: its text was emitted. */
  take(): void {
    this.at++
    if (this.at < this.parts.length) return
    this.parts = []
    this.at = 0
  }

  /** The delta whose text has this place in it; only a part that ends before it may come first. */
  over(at: number): SourcePart | undefined {
    let index = this.at
    while ((this.parts[index]?.to ?? Infinity) <= at) index++
    const part = this.parts[index]
    return part !== undefined && part.from <= at ? part : undefined
  }
}

/** Whether a part has more than what every part of its type has. */
export function hasFields(part: StreamPart | undefined): boolean {
  for (const key in part)
    if (
      key !== 'type' &&
      key !== 'id' &&
      key !== 'delta' &&
      (part as unknown as Record<string, unknown>)[key] !== undefined
    )
      return true
  return false
}
