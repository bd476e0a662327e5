// Writes blocks: the only place where an emission of a block is made, whoever reads it.
//
//     start   part('name')   part('id')   chunk …   complete        a tool call
//     start   answers(id)    chunk …                complete        a tool result
//     start   chunk …                               complete        text, thinking
//
// One block is open at a time, and indices increase by one from 0. That of a custom tag may be set aside, and go on
// after those that stand in it.

import type { Span } from '../span.js'
import type { BlockAbout, BlockDraft } from './block-draft.js'
import type { Sink } from './outlet.js'
import type { BlockEmission, BlockEvent, BlockStartEvent, ChunkMeta, ChunkType, MembraneBlock } from './types.js'

/** What holds for all emissions of a block. */
export type Marks = Pick<ChunkMeta, 'insideThinking' | 'inText' | 'hosted' | 'attributes' | 'parent'>

type Draft = { -readonly [Field in keyof ChunkMeta]: ChunkMeta[Field] }

const NO_MARKS: Marks = {}
const NO_META: ChunkMeta = { type: 'text', visible: true, blockIndex: 0 }

/** Writes the blocks of one stream. */
export class BlockWriter {
  /** Index of the open block, or of the next one. */
  index = 0
  /** The metadata of what is written next. */
  meta: ChunkMeta = NO_META
  /** Whether a block is open. */
  isOpen = false
  /** Whether its start was emitted: until then nothing else of it is. */
  isEmitted = false
  /** What the provider says of the text that ends. */
  about: BlockAbout | undefined
  /** How many blocks stood in the open one. */
  private inner = 0
  /** Whether the metadata is only where the block stands: most blocks have no other. */
  private isUsual = true
  private sink: Sink

  constructor(private readonly usual: Sink) {
    this.sink = usual
  }

  /** Writes to another place for a while, or to the usual one again. */
  writeTo(sink: Sink = this.usual): void {
    this.sink = sink
  }

  /** A block starts; with `isHeld` its start is not emitted yet. */
  start(type: ChunkType, depth: number | undefined, marks = NO_MARKS, isHeld = false, visible = type === 'text'): void {
    const blockIndex = this.index
    this.meta = depth === undefined ? { type, visible, blockIndex } : { type, visible, blockIndex, depth }
    this.isUsual = marks === NO_MARKS
    if (!this.isUsual) this.meta = { ...this.meta, ...marks }
    this.isOpen = true
    this.isEmitted = false
    if (!isHeld) this.show()
  }

  /** Emits the start of the open block, if that was not done. */
  show(): void {
    if (this.isEmitted) return
    this.isEmitted = true
    const block: BlockDraft = { type: this.meta.type }
    this.mark(block)
    this.event({ event: 'block_start', index: this.index, block: block as BlockStartEvent['block'] })
  }

  /** Emits the name or the id of the open call. After its id comes its input. */
  part(part: 'name' | 'id', text: string, span?: Span): void {
    const { meta } = this
    const toolName = part === 'name' ? text : meta.toolName
    const toolId = part === 'id' ? text : undefined
    const own = callMeta(meta, part, toolId, toolName)
    this.sink.emit({ kind: 'content', text, meta: span === undefined ? own : { ...own, span } })
    this.meta = part === 'id' ? callMeta(meta, 'input', toolId, toolName) : own
    this.isUsual = false
  }

  /** The open result answers a call. */
  answers(toolId: string): void {
    this.meta = { ...this.meta, toolId }
    this.isUsual = false
  }

  /** Emits a piece of the open block; `isIncomplete`: it closes the input of a call that was cut off. */
  chunk(text: string, span?: Span, isIncomplete = false): void {
    const meta: Draft = this.nextMeta()
    if (isIncomplete) meta.incomplete = true
    this.sink.emit({ kind: 'content', text, meta: span === undefined ? meta : { ...meta, span } })
  }

  /** The metadata of a piece of the open block: each one has its own. */
  nextMeta(): ChunkMeta {
    const { meta } = this
    if (this.isUsual) {
      const { type, visible, blockIndex, depth } = meta
      return depth === undefined ? { type, visible, blockIndex } : { type, visible, blockIndex, depth }
    }
    const { toolCallPart } = meta
    return toolCallPart === undefined ? { ...meta } : callMeta(meta, toolCallPart, meta.toolId, meta.toolName)
  }

  /** The open block is complete. */
  complete(block: BlockDraft): void {
    this.isOpen = false
    if (!this.isEmitted) return
    this.mark(block)
    if (this.about !== undefined && block.type === 'text') Object.assign(block, this.about)
    this.event({ event: 'block_complete', index: this.index, block: block as MembraneBlock })
    this.index += 1 + this.inner
    this.inner = 0
  }

  /** Puts on a block what holds for all emissions of it. */
  private mark(block: BlockDraft): void {
    const { insideThinking, inText, attributes, parent } = this.meta
    if (insideThinking) block.insideThinking = true
    if (inText) block.inText = true
    if (attributes !== undefined) block.attributes = attributes
    if (parent !== undefined) block.parent = parent
  }

  /** Makes room for blocks that stand in the open one; gives what `goOn` takes. */
  setAside(): Pick<BlockWriter, 'meta' | 'isEmitted'> {
    this.index += 1 + this.inner
    this.inner = 0
    this.isOpen = false
    return { meta: this.meta, isEmitted: this.isEmitted }
  }

  /** A block that was set aside is the open one again. */
  goOn({ meta, isEmitted }: Pick<BlockWriter, 'meta' | 'isEmitted'>): void {
    this.inner = this.index - meta.blockIndex - 1
    this.index = meta.blockIndex
    this.meta = meta
    this.isUsual = false
    this.isOpen = true
    this.isEmitted = isEmitted
  }

  /** Makes room for a block of somebody else: before the open block, or after it if its start was emitted. */
  makeRoom(): void {
    if (this.isOpen && this.isEmitted) this.inner++
    else this.skipIndex()
  }

  /** What is written next has the next index, though its block may have started with this one. */
  skipIndex(): void {
    this.meta = { ...this.meta, blockIndex: ++this.index }
  }

  /** Emits an event. */
  event(event: BlockEvent): void {
    this.emit({ kind: 'blockEvent', event })
  }

  /** Passes on what is no part of a block, such as markup. */
  emit(emission: BlockEmission): void {
    this.sink.emit(emission)
  }

  /** Starts a new stream. */
  reset(): void {
    this.index = this.inner = 0
    this.isOpen = this.isEmitted = false
  }
}

/** The meta of a part of a call. Most are written out, not spread together: it is several times as fast. */
function callMeta(
  { type, visible, blockIndex, depth = 0, insideThinking, inText, hosted }: ChunkMeta,
  toolCallPart: 'name' | 'id' | 'input',
  toolId: string | undefined,
  toolName: string | undefined,
): ChunkMeta {
  const meta: Draft =
    toolId !== undefined && toolName !== undefined
      ? { type, visible, blockIndex, depth, toolCallPart, toolId, toolName }
      : { type, visible, blockIndex, depth, toolCallPart }
  if (toolName === undefined && toolId !== undefined) meta.toolId = toolId
  if (toolId === undefined && toolName !== undefined) meta.toolName = toolName
  if (insideThinking) meta.insideThinking = true
  if (inText) meta.inText = true
  if (hosted) meta.hosted = true
  return meta
}
