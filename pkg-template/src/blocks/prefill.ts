// Text that was sent before, such as a prefill: it emits nothing. What it ends of blocks that were emitted before, is
// owed until the next chunk.

import type { Sink } from './outlet.js'
import type { BlockEmission } from './types.js'

/** Keeps emissions while such text is read. */
export class Prefill implements Sink {
  /** Whether such text is being read. */
  isSilent = false
  private owed: BlockEmission[] = []

  emit(emission: BlockEmission): void {
    this.owed.push(emission)
  }

  get owes(): boolean {
    return this.owed.length > 0
  }

  /** Emits what is owed. */
  release(sink: Sink): void {
    if (this.owed.length === 0) return
    const { owed } = this
    this.owed = []
    for (const emission of owed) sink.emit(emission)
  }

  /** Starts a new stream. */
  reset(): void {
    this.owed = []
  }
}
