// One stream of elements, as membrane's class reads it: its chunks, its end, text that was sent before, and its
// snapshots.

import { Absent, BLOCK_KINDS, BlockFlag, TagSet } from '../generated/ops.js'
import { type Saving, type Snapshot, makeSnapshot } from '../snapshot/registry.js'
import type { SavedClass } from '../snapshot/saved.js'
import { builtInTags } from '../wasm/blocks.js'
import type { BlockDraft } from './block-draft.js'
import { ElementStops } from './element-stops.js'
import type { ElementEvent, ProcessChunkResult, StreamEmission } from './element-types.js'
import { BlockFeed } from './feed.js'
import { IgnoredBlocks } from './ignored-blocks.js'
import type { Sink } from './outlet.js'
import { PayloadPlaces } from './payload-places.js'
import { Prefill } from './prefill.js'
import { type KeptText, without } from './snapshots.js'
import type { StopOptions } from './stop-sequences.js'
import type { BlockEmission, MembraneBlockType, StopEvent } from './types.js'
import { BlockWriter } from './writer.js'

/** Emits elements as blocks. */
class ElementEmitter extends IgnoredBlocks {
  static get saved(): SavedClass {
    return { skips: ['isSilent'] }
  }
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
  static get saved(): SavedClass {
    return { skips: ['options', 'lists', 'feed'] }
  }
  /** What came before text was pushed, which gives nothing: it comes with what is emitted next. */
  private readonly prefill = new Prefill()
  private readonly lists: Lists
  readonly writer: BlockWriter
  readonly feed: BlockFeed
  private readonly emitter: ElementEmitter
  private readonly stops: ElementStops

  constructor(private readonly options: StopOptions) {
    const lists = new Lists()
    const writer = new BlockWriter(lists)
    const { stopSequences = [] } = options
    const emitter = new ElementEmitter(writer, stopSequences.length > 0)
    this.feed = emitter.feed
    this.lists = lists
    this.writer = writer
    this.emitter = emitter
    this.stops = new ElementStops(options, emitter.feed, writer)
  }

  processChunk(chunk: string): Result {
    const { feed } = this
    feed.requireWhole()
    if (this.stops.isStopped) return nothing()
    const text = feed.afterCut(chunk)
    const content = feed.content(text)
    if (content === undefined) {
      this.prefill.release(this.writer)
      this.stops.read(text)
      return this.lists.take()
    }
    if (content === '') return nothing()
    feed.add(content)
    const meta = this.writer.nextMeta()
    return {
      emissions: [{ kind: 'content', text: content, meta }],
      content: [{ text: content, meta }],
      blockEvents: [],
    }
  }

  flush(): Result {
    this.prefill.release(this.writer)
    this.stops.endReply()
    this.stops.startReply()
    return this.lists.take()
  }

  push(chunk: string): void {
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
    this.emitter.payloads.end(this.feed.end)
    this.feed.endHistory()
  }

  isPayloadAt(index: number): boolean {
    return index >= 0 && this.emitter.payloads.holds(index + this.feed.text.from)
  }

  /** The state between two chunks. */
  snapshot(saving: Saving, kept: KeptText): Snapshot {
    const { options, writer } = this
    const fresh = new ElementReading(options)
    const save = () =>
      without(this.feed, kept, { isOpen: writer.isOpen, isOwed: false }, (omitted) =>
        makeSnapshot(saving, { live: this, fresh, options, keepText: kept !== 'none', omitted }),
      )
    // Places are asked of the text that is kept.
    return kept === 'none' ? this.emitter.payloads.withoutClosed(save) : save()
  }

  reset(): void {
    this.feed.reset()
    this.writer.reset()
    this.prefill.reset()
    this.emitter.payloads.clear()
    this.stops.startReply()
  }

  forgetBlock(): void {
    this.settleHeld()
    this.feed.forgetBlock()
    this.writer.isOpen = false
    this.stops.startReply()
  }
}
