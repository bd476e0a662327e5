// membrane's `IncrementalXmlParser`, on the same machine: an element of
// function calls, function results or thinking is one block of text.
//
// Source: spec/block.md, "Two faces on one machine"; the class of that name in
// membrane v0.5.78.
// Differences: a closer without an opener changes nothing (there a depth goes
// to −1), no block is completed that was not started, a `<` that fails is read
// again (there `<thin<thinking>` loses the tag), and everything is linear.

import { BlockFace } from './block-face.js'
import { requireString } from './errors.js'
import { UNKNOWN } from './events.js'
import { Absent, BLOCK_KINDS, BlockFlag, BlockMode } from './generated/ops.js'
import type { BlockEvent, ChunkMeta, MembraneBlockType } from './types.js'
import { type Session, defaultTags, restart, restartStream, setOpen, blockBorder } from './wasm/blocks.js'

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
      event: BlockEvent
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
  blockEvents: BlockEvent[]
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
  private meta: ChunkMeta = NO_META
  private isOpen = false
  private isSilent = false
  private emissions: StreamEmission[] = []
  private contents: ContentEntry[] = []
  private blockEvents: BlockEvent[] = []

  constructor() {
    blockBorder.requireReady('IncrementalXmlParser')
    super({ flags: BlockFlag.Elements, tags: defaultTags(), machine: undefined, isPutAway: false } satisfies Session)
  }

  /**
   * Reads a chunk and returns what it gave.
   *
   * @throws TypeError if the chunk is no string.
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
    blockBorder.instance.requireWhole()
    if (this.mode === BlockMode.Ask) return this.readChunk(chunk)
    const tag = this.findTag(chunk)
    return tag === -1 && chunk !== '' ? this.plainChunk(chunk) : this.readCovered(chunk, tag)
  }

  private plainChunk(chunk: string): ProcessChunkResult {
    this.plain.add(chunk)
    this.offset += chunk.length
    const meta = this.meta
    return { emissions: [{ kind: 'content', text: chunk, meta }], content: [{ text: chunk, meta }], blockEvents: [] }
  }

  private readChunk(chunk: string): ProcessChunkResult {
    if (this.waiting === '') return this.readAll(chunk, UNKNOWN)
    const text = this.takeWaiting() + chunk
    return this.readCovered(text, this.findTag(text))
  }

  /** A chunk that is content up to `tag`, where the first tag may begin. */
  private readCovered(chunk: string, tag: number): ProcessChunkResult {
    const end = this.putOff(chunk, tag)
    if (end === -1) return this.readAll(chunk, tag)
    return end === 0 ? { emissions: [], content: [], blockEvents: [] } : this.plainChunk(end === chunk.length ? chunk : chunk.slice(0, end))
  }

  private readAll(chunk: string, tag: number): ProcessChunkResult {
    this.gather(chunk)
    this.read(chunk, tag)
    return this.take()
  }

  /**
   * Ends the stream: held text comes out, the open block is completed. Depths stay.
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
    this.endReply()
    return this.take()
  }

  /**
   * Reads text that was sent before: moves the state, emits nothing. The list that it returns is empty.
   *
   * @throws TypeError if the chunk is no string.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * console.log(parser.push('<thinking>hm'), parser.getContext()) // [] thinking(1)
   * ```
   */
  push(chunk: string): BlockEvent[] {
    requireString('IncrementalXmlParser.push', chunk)
    const unread = this.takeWaiting() + chunk
    this.gather(unread)
    this.isSilent = true
    try {
      this.read(unread, UNKNOWN)
    } finally {
      this.isSilent = false
    }
    setOpen(this.session, this.isOpen ? BLOCK_KINDS.indexOf(this.meta.type) : Absent.BlockKind)
    this.mode = BlockMode.Ask
    this.clip = this.held.length
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
  finish(): BlockEvent[] {
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
    restartStream(this.session)
    this.forgetStream()
    this.isOpen = false
  }

  /**
   * Makes ready for the next reply: accumulated text, depths and block index stay; a held tag is forgotten.
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
    restart(this.session)
    this.gather(this.waiting)
    this.forgetBlock()
    this.isOpen = false
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
    this.index++
  }

  private take(): ProcessChunkResult {
    const result = { emissions: this.emissions, content: this.contents, blockEvents: this.blockEvents }
    this.emissions = []
    this.contents = []
    this.blockEvents = []
    return result
  }

  private emit(event: BlockEvent): void {
    this.emissions.push({ kind: 'blockEvent', event })
    this.blockEvents.push(event)
  }

  protected override started(kind: number, depth: number): void {
    if (this.isSilent) return
    const type = BLOCK_KINDS[kind] as MembraneBlockType
    this.isOpen = true
    this.blockContent.clear()
    this.meta = { type, visible: type === 'text', blockIndex: this.index, depth }
    this.emit({ event: 'block_start', index: this.index, block: { type } })
  }

  protected override content(text: string): void {
    if (this.isSilent) return
    this.blockContent.add(text)
    this.emissions.push({ kind: 'content', text, meta: this.meta })
    this.contents.push({ text, meta: this.meta })
  }

  protected override completed(): void {
    if (this.isSilent) return
    const event: BlockEvent = { event: 'block_complete', index: this.index, block: { type: this.meta.type, content: this.blockContent.toString() } }
    this.emit(event)
    this.index++
    this.isOpen = false
  }

  // This face has no tool calls with parts, and tells no markup.
  protected override settle(): void {}
  protected override input(): void {}
  protected override named(): void {}
  protected override answers(): void {}
  protected override parameter(): void {}
  protected override stray(): void {}
  protected override markup(): void {}
  protected override declare(): void {}
}

const NO_META: ChunkMeta = { type: 'text', visible: true, blockIndex: 0, depth: 0 }

/**
 * Tells whether a text leaves function calls, function results or thinking open.
 *
 * @throws TypeError if the text is no string; ParseError `not-initialised`, with `tokenweir/slim` before `init`.
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
