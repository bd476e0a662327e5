// Stop sequences in thinking that a provider has marked: text as it is written, in which no tag counts.

import { StopSearch } from '../blocks/stop-sequences.js'
import type { BlockWriter } from '../blocks/writer.js'

/** Emits thinking up to a stop sequence. */
export class ThoughtStops {
  private readonly search: StopSearch
  /** What was emitted, and what may be a sequence. */
  private content = ''
  private pending = ''
  /** Where the block begins in all that is searched. */
  private from = 0

  constructor(
    sequences: readonly string[],
    private readonly writer: BlockWriter,
  ) {
    this.search = new StopSearch(sequences)
  }

  /** A block starts. */
  start(from: number): void {
    this.search.reset()
    this.content = this.pending = ''
    this.from = from
  }

  /** Reads more of it. At a sequence it gives how many units after it are ignored. */
  read(text: string): number | undefined {
    const match = this.search.read(text)
    this.pending += text
    this.emit(match?.start ?? this.search.pendingFrom)
    return match && this.stop(match.sequence, match.start)
  }

  /** The block has ended: what is pending is a sequence, or is emitted. */
  finish(): number | undefined {
    const match = this.search.finish()
    this.emit(match?.start ?? Infinity)
    return match && this.stop(match.sequence, match.start)
  }

  /** Emits it up to a unit. */
  private emit(to: number): void {
    const { content, pending } = this
    const piece = pending.slice(0, Math.max(0, to - content.length))
    if (piece === '') return
    this.content = content + piece
    this.pending = pending.slice(piece.length)
    this.writer.chunk(piece)
  }

  private stop(sequence: string, start: number): number {
    const { content, pending, writer } = this
    const { index } = writer
    writer.complete({ type: 'thinking', content, incomplete: true })
    writer.event({ event: 'stop', sequence, offset: this.from + start, block: index })
    return pending.length - sequence.length
  }
}
