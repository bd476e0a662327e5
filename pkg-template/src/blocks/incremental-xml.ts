// membrane's `IncrementalXmlParser`, on the same machine: an element of
// function calls, function results or thinking is one block of text.
//
// Source: spec/block.md, "Two faces on one machine"; the class of that name in
// membrane v0.5.78.
// Differences: a closing tag without an opening tag changes nothing (there a depth goes
// to −1), no block is completed that was not started, a `<` that fails is read
// again (there `<thin<thinking>` loses the tag), and everything is linear.

import { BlockFace } from './face.js'
import type { BlockHandler } from './decoder.js'
import { BlockFeed } from './feed.js'
import { requireOptions, requireString } from '../errors.js'
import type { SavedClass } from '../snapshot/saved.js'
import { Opened, type Snapshot, type KeepTextOptions, keepsText, makeSnapshot } from '../snapshot/snapshot.js'
import type { BlockDraft } from './block-draft.js'
import { type KeptText, META, savingOf } from './saving.js'
import { Absent, BLOCK_KINDS, BlockFlag, BlockMode, Declared, TagSet } from '../generated/ops.js'
import type { BlockCompleteEvent, BlockStartEvent, ChunkMeta, MembraneBlock, MembraneBlockType } from './types.js'
import { endsInHalf } from '../surrogates.js'
import { blockBorder } from '../wasm/borders.js'
import { builtInTags } from '../wasm/blocks.js'

const SAVING = savingOf('incremental-xml', 'IncrementalXmlParser')

/**
 * One entry of `content`.
 *
 * @example
 * ```ts
 * import { IncrementalXmlParser, type ContentEntry } from 'tokenweir/blocks'
 *
 * const entries: ContentEntry[] = new IncrementalXmlParser().processChunk('Hello').content
 * console.log(entries.map(({ text, meta }) => [meta.type, text])) // [ [ 'text', 'Hello' ] ]
 * ```
 */
export interface ContentEntry {
  /** The piece. */
  text: string
  /** What it belongs to. */
  meta: ChunkMeta
}

/**
 * One entry of `emissions`.
 *
 * @example
 * ```ts
 * import { IncrementalXmlParser, type StreamEmission } from 'tokenweir/blocks'
 *
 * const emissions: StreamEmission[] = new IncrementalXmlParser().processChunk('<thinking>hm').emissions
 * console.log(emissions.map((emission) => (emission.kind === 'content' ? emission.text : emission.event.event))) // [ 'block_start', 'hm' ]
 * ```
 */
export type StreamEmission =
  | {
      /** A piece of text. */
      kind: 'content'
      /** The piece. */
      text: string
      /** What it belongs to. */
      meta: ChunkMeta
    }
  | {
      /** A block's start or end. */
      kind: 'blockEvent'
      /** The boundary. */
      event: BlockStartEvent | BlockCompleteEvent
    }

/**
 * What a chunk gave, once in order and once by kind.
 *
 * @example
 * ```ts
 * import { IncrementalXmlParser, type ProcessChunkResult } from 'tokenweir/blocks'
 *
 * const { emissions }: ProcessChunkResult = new IncrementalXmlParser().processChunk('Hello')
 * console.log(emissions.map(({ kind }) => kind)) // [ 'blockEvent', 'content' ]
 * ```
 */
export interface ProcessChunkResult {
  /** Everything in the order in which it happened. */
  emissions: StreamEmission[]
  /** The content entries alone. @deprecated Use `emissions`, which keeps the order. */
  content: ContentEntry[]
  /** The block events alone. @deprecated Use `emissions`, which keeps the order. */
  blockEvents: Array<BlockStartEvent | BlockCompleteEvent>
}

/**
 * Turns chunks of a model's text into blocks as membrane does: an element of
 * function calls, function results or thinking is one block of text, with its tags
 * taken off. For single calls with their parameters take `BlockParser`.
 *
 * Source: the class of that name in membrane 0.5.78, for which it can stand in.
 *
 * @example
 * ```ts
 * import { IncrementalXmlParser } from 'tokenweir/blocks'
 *
 * const parser = new IncrementalXmlParser()
 * for (const chunk of ['Hi<thin', 'king>hm</thinking>']) {
 *   for (const emission of parser.processChunk(chunk).emissions) {
 *     if (emission.kind === 'content') console.log(emission.meta.type, emission.text)
 *   }
 * }
 * parser.flush()
 * ```
 * ```text
 * text Hi
 * thinking hm
 * ```
 */
export class IncrementalXmlParser extends BlockFace {
  private readonly emitter: ElementEmitter

  constructor() {
    blockBorder.requireReady('IncrementalXmlParser')
    const emitter = new ElementEmitter()
    super(emitter.feed)
    this.emitter = emitter
  }

  /**
   * Goes on from a snapshot, in any process: what comes next gives what it would have given the parser that the
   * snapshot is of.
   *
   * @throws ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const before = new IncrementalXmlParser()
   * before.processChunk('<thin')
   * const after = IncrementalXmlParser.restore(JSON.parse(JSON.stringify(before.snapshot())))
   * console.log(after.processChunk('king>hm').content[0]?.meta.type) // thinking
   * ```
   */
  static restore(snapshot: Snapshot, options?: Record<string, never>): IncrementalXmlParser {
    requireOptions('IncrementalXmlParser.restore', options, [])
    const opened = new Opened(SAVING, snapshot, options)
    const parser = new IncrementalXmlParser()
    opened.into(parser.emitter)
    return parser
  }

  /**
   * The parser's state between two chunks, as plain JSON: for `IncrementalXmlParser.restore`.
   *
   * It has all text so far, which `getAccumulated` gives; with `keepText: false` its size depends on pending text alone.
   *
   * @throws TypeError for an unknown option.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('<thinking>hm')
   * console.log(IncrementalXmlParser.restore(parser.snapshot()).getContext()) // thinking(1)
   * ```
   */
  snapshot(options?: KeepTextOptions): Snapshot {
    return this.emitter.snapshot(keepsText('IncrementalXmlParser', options) ? 'all' : 'none')
  }

  /**
   * Reads a chunk and returns what it gave.
   *
   * @throws TypeError if the chunk is not a string.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * const { emissions } = parser.processChunk('Hello')
   * console.log(emissions[1]?.kind === 'content' && emissions[1].meta) // { type: 'text', visible: true, blockIndex: 0, depth: 0 }
   * ```
   */
  processChunk(chunk: string): ProcessChunkResult {
    requireString('IncrementalXmlParser.processChunk', chunk)
    return this.emitter.processChunk(chunk)
  }

  /**
   * Ends the stream: pending text comes out, the open block is completed. Depths stay.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('1 <')
   * console.log(parser.flush().content.map(({ text }) => text)) // [ '<' ]
   * ```
   */
  flush(): ProcessChunkResult {
    return this.emitter.flush()
  }

  /**
   * Reads text that was sent before: moves the state, emits nothing. The list that it returns is empty.
   *
   * @throws TypeError if the chunk is not a string.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * console.log(parser.push('<thinking>hm'), parser.getContext()) // [] thinking(1)
   * ```
   */
  push(chunk: string): Array<BlockStartEvent | BlockCompleteEvent> {
    requireString('IncrementalXmlParser.push', chunk)
    this.emitter.push(chunk)
    return []
  }

  /**
   * Ends the stream as `flush` does, and gives the block events alone.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('Hello')
   * console.log(parser.finish().map(({ event }) => event)) // [ 'block_complete' ]
   * ```
   */
  finish(): Array<BlockStartEvent | BlockCompleteEvent> {
    return this.flush().blockEvents
  }

  /**
   * Starts a new stream: all that was read is forgotten.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('<thinking>hm')
   * parser.reset()
   * console.log(parser.getContext(), parser.getAccumulated() === '') // none true
   * ```
   */
  reset(): void {
    this.emitter.restart()
  }

  /**
   * Makes ready for the next reply: accumulated text, depths and block index stay; a pending tag is forgotten.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('<thinking>hm')
   * parser.resetForNewIteration()
   * console.log(parser.getContext(), parser.getAccumulated()) // thinking(1) <thinking>hm
   * ```
   */
  resetForNewIteration(): void {
    this.emitter.restartBlock()
  }

  /**
   * Makes room for a block whose events somebody else emits.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * parser.incrementBlockIndex()
   * parser.processChunk('Hello')
   * console.log(parser.getBlockIndex()) // 1
   * ```
   */
  incrementBlockIndex(): void {
    this.emitter.feed.index++
  }
}

/** Emits the elements of one stream as blocks. */
class ElementEmitter implements BlockHandler {
  static get saved(): SavedClass {
    return { skips: ['isSilent', 'result'], fields: { meta: META } }
  }
  readonly feed = new BlockFeed(this, BlockFlag.Elements, builtInTags(TagSet.Membrane))
  private meta: ChunkMeta = NO_META
  private isOpen = false
  private isSilent = false
  private result: ProcessChunkResult = nothing()

  processChunk(chunk: string): ProcessChunkResult {
    const { feed } = this
    feed.requireWhole()
    if (endsInHalf(chunk)) return this.processHalf(chunk)
    if (feed.mode === BlockMode.Ask) return this.readChunk(chunk)
    const tag = feed.path.findTag(chunk)
    return tag === -1 && chunk !== '' ? this.plainChunk(chunk) : this.readCovered(chunk, tag)
  }

  /** Reads a chunk whose last character is only there in half: that half waits. */
  private processHalf(chunk: string): ProcessChunkResult {
    const { feed } = this
    const front = chunk.slice(0, -1)
    // Half a character that waits, and that another one follows, is all there is of it.
    const result = front === '' && feed.hasHalf ? this.readAll(feed.afterWaiting('')) : this.processChunk(front)
    feed.waitFor(chunk.slice(-1))
    return result
  }

  private plainChunk(chunk: string): ProcessChunkResult {
    this.feed.plain.add(chunk)
    const meta = copyOf(this.meta)
    return { emissions: [{ kind: 'content', text: chunk, meta }], content: [{ text: chunk, meta }], blockEvents: [] }
  }

  private readChunk(chunk: string): ProcessChunkResult {
    const { feed } = this
    if (chunk === '' && feed.hasHalf) return nothing()
    const text = feed.afterWaiting(chunk)
    return text === chunk || feed.mode === BlockMode.Ask ? this.readAll(text) : this.readCovered(text, feed.path.findTag(text))
  }

  /** A chunk that is content up to `tag`, where the first tag may begin. */
  private readCovered(chunk: string, tag: number): ProcessChunkResult {
    const end = this.feed.putOff(chunk, tag)
    if (end === -1) return this.readAll(chunk)
    return end === 0 ? nothing() : this.plainChunk(end === chunk.length ? chunk : chunk.slice(0, end))
  }

  private readAll(chunk: string): ProcessChunkResult {
    this.feed.read(chunk)
    return this.take()
  }

  flush(): ProcessChunkResult {
    this.feed.endReply()
    return this.take()
  }

  push(chunk: string): void {
    const { feed } = this
    const unread = feed.afterWaiting(chunk)
    this.isSilent = true
    try {
      feed.read(unread)
    } finally {
      this.isSilent = false
    }
    feed.setOpen(this.isOpen ? BLOCK_KINDS.indexOf(this.meta.type) : Absent.BlockKind)
  }

  snapshot(kept: KeptText): Snapshot {
    return this.feed.without(kept, { isOpen: this.isOpen }, (omitted) => makeSnapshot(SAVING, { live: this, fresh: new ElementEmitter(), options: {}, keepText: kept !== 'none', omitted }))
  }

  restart(): void {
    this.feed.restart()
    this.isOpen = false
  }

  restartBlock(): void {
    this.feed.restartBlock()
    this.isOpen = false
  }

  private take(): ProcessChunkResult {
    const { result } = this
    this.result = nothing()
    return result
  }

  private emit(event: BlockStartEvent | BlockCompleteEvent): void {
    this.result.emissions.push({ kind: 'blockEvent', event })
    this.result.blockEvents.push(event)
  }

  started(kind: number, depth: number): void {
    if (this.isSilent) return
    const type = BLOCK_KINDS[kind] as MembraneBlockType
    this.isOpen = true
    this.feed.startBlock()
    this.meta = { type, visible: type === 'text', blockIndex: this.feed.index, depth }
    this.emit({ event: 'block_start', index: this.feed.index, block: { type } })
  }

  content(text: string): void {
    if (this.isSilent) return
    this.feed.blockContent.add(text)
    const meta = copyOf(this.meta)
    this.result.emissions.push({ kind: 'content', text, meta })
    this.result.content.push({ text, meta })
  }

  completed(): void {
    if (this.isSilent) return
    const block: BlockDraft = { type: this.meta.type, content: this.feed.blockContent.toString() }
    if (this.feed.isPartial) block.partial = true
    this.emit({ event: 'block_complete', index: this.feed.index, block: block as MembraneBlock })
    this.feed.index++
    this.isOpen = false
  }

  // An element has no parts, and its markup is not emitted.
  settle(): void {}
  input(): void {}
  inputEnd(): void {}
  named(): void {}
  answers(): void {}
  parameter(): void {}
  stray(): void {}
  tag(): void {}
  markup(): void {}
  unopened(): void {}
  declared(): number {
    return Declared.Unknown
  }
}

/** Each event has a meta of its own. Written out, since spreading takes several times as long. */
function copyOf({ type, visible, blockIndex, depth }: ChunkMeta): ChunkMeta {
  return { type, visible, blockIndex, depth: depth as number }
}

function nothing(): ProcessChunkResult {
  return { emissions: [], content: [], blockEvents: [] }
}

const NO_META: ChunkMeta = { type: 'text', visible: true, blockIndex: 0, depth: 0 }

/**
  * Returns whether a text leaves function calls, function results or thinking open.
 *
 * @throws TypeError if the text is not a string; ParseError `not-initialised`, with `tokenweir/slim` before `init`.
 * @example
 * ```ts
 * import { hasUnclosedXmlBlock } from 'tokenweir/blocks'
 *
 * console.log(hasUnclosedXmlBlock('<thinking>hm')) // true
 * console.log(hasUnclosedXmlBlock('<thinking>hm</thinking>')) // false
 * ```
 */
export function hasUnclosedXmlBlock(text: string): boolean {
  const parser = new IncrementalXmlParser()
  parser.push(text)
  return parser.isInsideBlock()
}
