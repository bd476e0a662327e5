// Tags of the program's own: which are open, and the blocks that go on after the open one.
//
//     <artifact id="a">  levels: artifact
//     <action>           levels: artifact, action   around: artifact's block
//     </action>          levels: artifact           the block goes on
//
// After text that was sent before, tags are open whose blocks start with the next content.

import type { OwnRecords } from '../generated/block-records.js'
import { put } from '../own.js'
import { decodeReferences } from '../references.js'
import { type OwnBlocks, blockReferences } from '../wasm/blocks.js'
import type { Spans } from './spans.js'
import type { BlockText } from './text.js'
import type { ChunkMeta, ChunkType } from './types.js'
import type { BlockWriter, Marks } from './writer.js'

/** An open tag. */
interface Level extends OwnBlocks {
  readonly attributes: Readonly<Record<string, string>>
}

/** A block that goes on after the open one. */
interface Around {
  readonly meta: ChunkMeta
  readonly isEmitted: boolean
  readonly content: string
  readonly isPartial: boolean
  readonly from: number
  readonly contentFrom: number
}

/** What the open block consists of. */
interface Open {
  readonly writer: BlockWriter
  readonly text: BlockText
  readonly spans: Spans
}

const NONE: Level = { type: 'text', visible: true, attributes: {} }

/** The custom tags of one stream. */
export class OwnTags implements OwnRecords {
  private levels: Level[] = []
  /** The blocks around the open one, outermost first. */
  around: Around[] = []
  /** The attributes of the tag that is being read, */
  private attributes: Record<string, string> = {}
  /** and the name of the last one, if its value counts. */
  private name: string | undefined

  /** `known`: by their numbers, from 1 on. */
  constructor(
    private readonly known: readonly OwnBlocks[],
    private readonly spans: Spans,
  ) {}

  /** An attribute of the tag that follows; the first one of a name counts. */
  attribute(name: string): void {
    this.name = Object.hasOwn(this.attributes, name) ? undefined : name
    if (this.name !== undefined) put(this.attributes, name, '')
  }

  value(value: string): void {
    if (this.name !== undefined) put(this.attributes, this.name, decodeReferences(blockReferences, value))
  }

  /** A tag, and how many are open with it. */
  tag(name: string, number: number, depth: number, isCloser: boolean, isEmpty: boolean): void {
    this.spans.tag(name, undefined, isCloser, isEmpty)
    if (isCloser) return
    const { attributes, known, levels } = this
    const { type, visible } = known[number - 1] ?? NONE
    this.attributes = {}
    levels.length = Math.min(levels.length, depth - 1)
    levels.push({ type, visible, attributes })
  }

  /** The block of the tag starts with which so many are open; the one around it is set aside. */
  start(open: Open, depth: number): { type: ChunkType; visible: boolean; marks: Marks } {
    const { type, visible, attributes } = this.levels[depth - 1] ?? NONE
    const { writer } = open
    const marks = writer.isOpen ? { attributes, parent: writer.meta.blockIndex } : { attributes }
    if (writer.isOpen) this.setAside(open)
    // The types of a program's tags are known to its types alone.
    return { type: type as ChunkType, visible, marks }
  }

  private setAside({ writer, text, spans }: Open): void {
    const { from, contentFrom } = spans
    const { isPartial } = text
    this.around.push({ ...writer.setAside(), content: text.content.toString(), isPartial, from, contentFrom })
  }

  /** The innermost block that was set aside goes on, if one was. */
  goOn({ writer, text, spans }: Open): void {
    const next = this.around.pop()
    if (next === undefined) return
    writer.goOn(next)
    text.goOn(next.content, next.isPartial)
    spans.opened(next.from, next.contentFrom)
  }

  /** The content of the blocks around the open one, innermost first. */
  get contents(): readonly string[] {
    return this.around.map(({ content }) => content).reverse()
  }

  /** Forgets it. */
  dropText(): void {
    this.around = this.around.map((each) => ({
      ...each,
      content: '',
      isPartial: each.isPartial || each.content !== '',
    }))
  }

  reset(): void {
    this.levels = []
    this.around = []
  }
}
