// One stream of elements, as membrane's class reads it: its chunks, its end, and text that was sent before.

import { type Journal, type KeepTextOptions, type Snapshot, requireCounts } from '../journal.js'
import { Absent, BLOCK_KINDS, BlockFlag, TagSet } from '../generated/ops.js'
import { builtInTags } from '../wasm/blocks.js'
import type { BlockDraft } from './block-draft.js'
import { ElementStops } from './element-stops.js'
import type { ElementEvent, ProcessChunkResult, StreamEmission } from './element-types.js'
import { BlockFeed } from './feed.js'
import { IgnoredBlocks } from './ignored-blocks.js'
import type { Sink } from './outlet.js'
import { PayloadPlaces } from './payload-places.js'
import { Prefill } from './prefill.js'
import type { StopOptions } from './stop-sequences.js'
import type { BlockEmission, MembraneBlockType, StopEvent } from './types.js'
import { DROP, lastOf, withoutText } from './without-text.js'
import { BlockWriter } from './writer.js'

/** Emits elements as blocks. */
class ElementEmitter extends IgnoredBlocks {
  /** Whether text is read that was sent before: it emits nothing. */
  isSilent = false
  readonly payloads = new PayloadPlaces()
  readonly feed: BlockFeed

  constructor(
    readonly writer: BlockWriter,
    knowsPlaces: boolean,
  ) {
    super()
    this.feed = new BlockFeed(this, BlockFlag.Elements, builtInTags(TagSet.Membrane), knowsPlaces)
  }

  override started(kind: number, depth: number): void {
    if (this.isSilent) return
    this.feed.text.startBlock()
    this.writer.start(BLOCK_KINDS[kind] as MembraneBlockType, depth)
  }

  override content(text: string): void {
    if (this.isSilent) return
    this.feed.text.content.add(text)
    this.writer.chunk(text)
  }

  override completed(): void {
    if (this.isSilent) return
    const { text } = this.feed
    const block: BlockDraft = { type: this.writer.meta.type, content: text.content.toString() }
    if (text.isPartial) block.partial = true
    this.writer.complete(block)
  }

  override payload(isOpen: boolean, at: number): void {
    if (isOpen) this.payloads.begin(at)
    else this.payloads.end(at)
  }
}

/** What a chunk gave, with stops. */
type Result = ProcessChunkResult<StopEvent>

function nothing(): Result {
  return { emissions: [], content: [], blockEvents: [] }
}

/** Lists emissions, and beside them those of each kind. */
class Lists implements Sink {
  private result = nothing()

  emit(emission: BlockEmission): void {
    const { emissions, content, blockEvents } = this.result
    emissions.push(emission as StreamEmission<StopEvent>)
    if (emission.kind === 'content') content.push({ text: emission.text, meta: emission.meta })
    else if (emission.kind === 'blockEvent') blockEvents.push(emission.event as ElementEvent<StopEvent>)
  }

  /** Gives the lists, and begins new ones. */
  take(): Result {
    const { result } = this
    this.result = nothing()
    return result
  }
}

/** Reads one stream of elements. */
export class ElementReading {
  /** What came before text was pushed, which gives nothing: it comes with what is emitted next. */
  private readonly prefill = new Prefill()
  private readonly lists: Lists
  readonly writer: BlockWriter
  readonly feed: BlockFeed
  private readonly emitter: ElementEmitter
  private readonly stops: ElementStops
  private readonly readsTwice: boolean

  constructor(
    options: StopOptions,
    private readonly journal: Journal,
  ) {
    const lists = new Lists()
    const writer = new BlockWriter(lists)
    const { stopSequences = [] } = options
    const emitter = new ElementEmitter(writer, stopSequences.length > 0)
    this.feed = emitter.feed
    this.lists = lists
    this.writer = writer
    this.emitter = emitter
    this.stops = new ElementStops(options, emitter.feed, writer)
    this.readsTwice = this.stops.hasSequences
    if (!this.readsTwice) journal.readsFrom(this.feed)
  }

  processChunk(chunk: string): Result {
    const { feed } = this
    feed.requireWhole()
    if (this.stops.isStopped) return nothing()
    const wasCut = feed.cut !== ''
    const text = feed.afterCut(chunk)
    const content = feed.content(text)
    if (content === undefined) {
      if (!wasCut && this.journal.isLong()) this.markRest()
      this.prefill.release(this.writer)
      this.stops.read(text)
      this.wasRead(chunk, wasCut)
      return this.lists.take()
    }
    this.wasRead(chunk, wasCut)
    if (content === '') return nothing()
    feed.add(content)
    const meta = this.writer.nextMeta()
    return {
      emissions: [{ kind: 'content', text: content, meta }],
      content: [{ text: content, meta }],
      blockEvents: [],
    }
  }

  private wasRead(chunk: string, wasCut: boolean): void {
    const { feed, journal } = this
    // What comes after a stop sequence is in no other text.
    if (this.readsTwice) journal.read(chunk)
    else if (wasCut || feed.cut !== '') journal.wasRead(feed.end - chunk.length, feed.cut !== '')
  }

  flush(): Result {
    this.journal.call('flush')
    this.prefill.release(this.writer)
    this.stops.endReply()
    this.stops.startReply()
    return this.lists.take()
  }

  push(chunk: string): void {
    this.journal.call('push', chunk)
    this.settleHeld()
    if (this.stops.isStopped) return
    this.stops.startReply()
    const { feed, emitter, writer } = this
    const unread = feed.afterCut(chunk)
    emitter.isSilent = true
    try {
      feed.read(unread)
    } finally {
      emitter.isSilent = false
    }
    this.journal.passOver()
    feed.setOpen(writer.isOpen ? BLOCK_KINDS.indexOf(writer.meta.type) : Absent.BlockKind)
  }

  /** Text that may be a stop sequence can't become one any more. */
  private settleHeld(): void {
    this.writer.writeTo(this.prefill)
    try {
      this.stops.settleHeld()
    } finally {
      this.writer.writeTo()
    }
  }

  endHistory(): void {
    this.journal.call('endHistory')
    this.emitter.payloads.end(this.feed.end)
    this.feed.endHistory()
  }

  isPayloadAt(index: number): boolean {
    return index >= 0 && this.emitter.payloads.holds(index + this.feed.text.from)
  }

  snapshot(how?: KeepTextOptions): Snapshot {
    const { journal, feed, writer } = this
    if (how?.keepText !== false) return journal.snapshot(false, how)
    this.markRest()
    const { calls, ids } = journal.since()
    feed.text.gather('')
    const contents = writer.isOpen && !this.stops.hasSequences ? [feed.text.content.toString()] : []
    const kept = withoutText(calls, feed.pending + feed.cut.length, contents)
    return journal.snapshot(false, how, { done: { calls: [...kept, DROP], ids } })
  }

  /** Where nothing is open, what was read before counts no more. */
  private markRest(): void {
    const { feed, writer, prefill, stops } = this
    feed.text.gather('')
    const isText = writer.isOpen && writer.isEmitted && writer.meta.type === 'text'
    const last = writer.isOpen ? lastOf(feed.text.content.last(2)) : ''
    if (!feed.isAtRest || prefill.owes || stops.isStopped || (writer.isOpen && (!isText || last === ''))) return
    const start = [feed.end - last.length, writer.index]
    this.journal.mark(['startAt', JSON.stringify(start)], ...(last === '' ? [] : [last, DROP]))
  }

  skip(units: number): void {
    requireCounts('IncrementalXmlParser', units)
    this.feed.skip(units)
  }

  /** Starts where nothing is open: at a place of the stream, before a block. */
  startAt(offset: number, index: number): void {
    requireCounts('IncrementalXmlParser', offset, index)
    this.feed.reset(offset)
    this.writer.index = index
    this.stops.startReply()
  }

  /** The text so far is left out, and that of what is open; places are asked of the text that is kept. */
  dropText(): void {
    this.feed.text.drop(false)
    this.emitter.payloads.dropClosed()
  }

  addUnread(text: string): void {
    this.journal.call('addUnread', text)
    this.feed.addUnread(text)
    this.journal.passOver()
  }

  skipIndex(): void {
    this.journal.call('skipIndex')
    this.writer.skipIndex()
  }

  reset(): void {
    this.feed.reset()
    this.writer.reset()
    this.prefill.reset()
    this.emitter.payloads.clear()
    this.stops.startReply()
    this.journal.clear()
  }

  forgetBlock(): void {
    this.journal.call('forgetBlock')
    this.settleHeld()
    this.feed.forgetBlock()
    this.writer.isOpen = false
    this.stops.startReply()
  }
}
