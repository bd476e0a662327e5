// Where a stop sequence ends a reply in membrane's class: the text is searched as it is written, and read up to where a
// sequence may begin. One in a payload doesn't count, and by default none inside an element, unless it is a tag.

import type { BlockFeed } from './feed.js'
import { type StopMatch, type StopOptions, StopSearch } from './stop-sequences.js'
import type { BlockWriter } from './writer.js'

/** The stop sequences of one stream of elements. */
export class ElementStops {
  private readonly search: StopSearch | undefined
  private readonly isAnywhere: boolean
  isStopped = false
  /** Units that were read since the search began. */
  private passed = 0

  constructor(
    { stopSequences = [], stopIn }: StopOptions,
    private readonly feed: BlockFeed,
    private readonly writer: BlockWriter,
  ) {
    this.search = stopSequences.length === 0 ? undefined : new StopSearch(stopSequences)
    this.isAnywhere = stopIn === 'anywhere'
  }

  get hasSequences(): boolean {
    return this.search !== undefined
  }

  /** Reads a chunk, up to where a stop sequence begins or may begin. */
  read(chunk: string): void {
    const { feed, search } = this
    if (search === undefined) return feed.read(chunk)
    feed.held += chunk
    for (let match = search.read(chunk); match !== undefined; match = search.read(feed.held))
      if (this.isStop(search, match)) return
    this.readTo(search.pendingFrom - this.passed)
  }

  /** What may be a stop sequence can't become one any more. */
  settleHeld(): void {
    const { feed, search } = this
    if (search === undefined || this.isStopped) return
    for (let match = search.finish(); match !== undefined; match = search.read(feed.held) ?? search.finish())
      if (this.isStop(search, match)) return
    this.readTo(feed.held.length)
  }

  endReply(): void {
    this.settleHeld()
    if (!this.isStopped) this.feed.endReply()
  }

  /** A reply begins with what comes next. */
  startReply(): void {
    this.isStopped = false
    this.passed = 0
    this.search?.reset()
  }

  /** Reads text that was held, up to a place in it. */
  private readTo(end: number): void {
    const { feed } = this
    const text = feed.held
    feed.held = text.slice(end)
    this.passed += end
    if (end > 0) feed.read(text.slice(0, end))
  }

  /** Stops at a match if it counts where it stands; else the search goes on after its first character. */
  private isStop(search: StopSearch, { sequence, start }: StopMatch): boolean {
    this.readTo(start - this.passed)
    if (this.countsHere(sequence)) {
      this.stopAt(sequence)
      return true
    }
    this.readTo(1)
    search.reset()
    this.passed = 0
    return false
  }

  private countsHere(sequence: string): boolean {
    const { isInPayload, open } = this.feed
    if (isInPayload) return false
    return (
      this.isAnywhere || sequence.startsWith('<') || open.functionCalls + open.functionResults + open.thinking === 0
    )
  }

  private stopAt(sequence: string): void {
    const { feed, writer } = this
    feed.held = ''
    const { index: block } = writer
    const { end: offset } = feed
    feed.endReply()
    writer.event({ event: 'stop', sequence, offset, block })
    this.isStopped = true
  }
}
