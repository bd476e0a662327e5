// The order of emitted blocks: one open at a time, indices from 0.
//
// A provider may start a block before the last one has ended, and may interleave
// several calls. Here a block waits until those before it have ended:
//
//     begun     A ───────────┐ B ──────┐
//     pieces    A1 B1 A2 B2  end(A)    end(B)
//     out       A1    A2     B1B2      -
//
// Source: seeds/001, "Block Boundaries and Indices" and "Chat Mode Implementation".

import { META } from '../blocks/saving.js'
import { count, flag, instance, list, maybe, one, shape, text } from '../snapshot/checks.js'
import { hashOf } from '../snapshot/state.js'
import type { SavedClass } from '../snapshot/saved.js'
import type { BlockDraft } from '../blocks/block-draft.js'
import type { BlockEmission, ChunkMeta, ChunkType, MembraneBlock } from '../blocks/types.js'
import { Brackets } from '../json/brackets.js'
import { isNoArguments, mayBeNoArguments, readArguments } from '../json/call-arguments.js'

/** The front of a block's text, which a snapshot has left out. */
interface Lost {
  readonly units: number
  readonly hash: number | undefined
}

const NOTHING: Lost = { units: 0, hash: undefined }

/** More units than no arguments can have. */
const FRONT = 7

/** A block that a provider has started. Readers fill it; `BlockOrder` decides when it is emitted. */
export class NativeBlock {
  static get saved(): SavedClass {
    return {
      fields: {
        name: text,
        id: text,
        freeform: flag,
        hosted: flag,
        compaction: flag,
        isError: flag,
        state: one('begun', 'whole', 'cut'),
        next: (next) => next === undefined || next instanceof NativeBlock,
        meta: maybe(META),
        nameGiven: flag,
        idGiven: flag,
        pieces: list(text),
        delivered: count,
        lost: shape<Lost>({ units: count, hash: maybe(count) }),
        brackets: instance(Brackets),
        scanned: count,
        front: text,
        type: one('text', 'thinking', 'tool_call', 'tool_result'),
      },
      isSound: ({ pieces, delivered, scanned }: NativeBlock) => delivered <= pieces.length && scanned <= pieces.length,
    }
  }

  /** A tool call's name, or empty until it is known. */
  name = ''
  /** The id of a tool call, or of the call that a result belongs to; empty until it is known. */
  id = ''
  /** The call's input is free text by design, not JSON. */
  freeform = false
  /** The provider runs the tool itself. */
  hosted = false
  /** The thinking is the provider's summary of an earlier conversation. */
  compaction = false
  /** The tool failed. */
  isError = false
  /** `whole`: the provider ended it. `cut`: the reply ended before it did. */
  state: 'begun' | 'whole' | 'cut' = 'begun'

  /** @internal */
  next: NativeBlock | undefined
  /** @internal */
  meta: ChunkMeta | undefined
  /** @internal */
  nameGiven = false
  /** @internal */
  idGiven = false
  /** All pieces, in order; those from `delivered` on wait. @internal */
  readonly pieces: string[] = []
  /** @internal */
  delivered = 0
  private lost = NOTHING
  private readonly brackets = new Brackets()
  private scanned = 0
  /** The first characters of a call's input, without white space before them. */
  private front = ''

  constructor(readonly type: ChunkType) {}

  /** Adds a piece. */
  add(piece: string): void {
    this.pieces.push(piece)
    if (this.type === 'tool_call' && this.front.length < FRONT) this.front = (this.front + piece).trimStart().slice(0, FRONT)
  }

  /** Whether the input, as far as it is there, may turn out to be none: it is kept back until that is known. */
  get mayBeNothing(): boolean {
    return !this.freeform && mayBeNoArguments(this.front.trimEnd())
  }

  /** Joins the pieces that were delivered and need no reading any more. */
  fold(): void {
    const { pieces, delivered, scanned } = this
    const count = scanned > 0 ? Math.min(delivered, scanned) : delivered
    if (count < 2) return
    pieces.splice(0, count, pieces.slice(0, count).join(''))
    this.delivered -= count - 1
    this.scanned = Math.max(0, scanned - count + 1)
  }

  /** It was emitted: a reader may know of it until the reply ends. */
  forgetText(): void {
    this.meta = this.next = undefined
    this.front = ''
    this.pieces.length = this.delivered = this.scanned = 0
  }

  /** True until the first non-empty piece. */
  get isEmpty(): boolean {
    return this.pieces.length === 0 && !this.isPartial
  }

  /** Whether a snapshot has left out the front of it. */
  get isPartial(): boolean {
    return this.lost.units > 0
  }

  /** Leaves out what was delivered, while `act` runs. Calls and results keep it: a call is run by all of its input. */
  withoutText<Result>(act: () => Result): Result {
    const { pieces, lost } = this
    if (this.delivered === 0 || (this.type !== 'text' && this.type !== 'thinking')) return act()
    this.fold()
    const text = pieces.shift() as string
    this.lost = { units: lost.units + text.length, hash: hashOf(text, lost.hash) }
    this.delivered = 0
    try {
      return act()
    } finally {
      pieces.unshift(text)
      this.delivered = 1
      this.lost = lost
    }
  }

  /** What a provider's final text adds to the pieces so far; nothing if it disagrees with them. */
  restOf(text: string): string {
    const soFar = this.pieces.join('')
    const { units, hash } = this.lost
    const end = units + soFar.length
    const agrees = text.length > end && text.startsWith(soFar, units) && (units === 0 || hashOf(text.slice(0, units)) === hash)
    return agrees ? text.slice(end) : ''
  }

  /** True once the pieces are one closed JSON object or array. Reads each character only once, however often it is called. */
  get isClosed(): boolean {
    if (this.freeform) return false
    for (; this.scanned < this.pieces.length; this.scanned++) this.brackets.read(this.pieces[this.scanned] as string)
    return this.brackets.isClosed
  }
}

/** Puts blocks in order and records their callbacks as emissions. */
export class BlockOrder {
  static get saved(): SavedClass {
    return {
      skips: ['emissions', 'generateId'],
      fields: { head: maybe(instance(NativeBlock)), tail: maybe(instance(NativeBlock)) },
      tidy: ({ head }: BlockOrder) => {
        for (let block = head; block !== undefined; block = block.next) block.fold()
      },
    }
  }
  /** The emissions since the caller last took them. */
  emissions: BlockEmission[] = []
  /** Whether there is a call that the program is to run. */
  hasCalls = false
  private index = 0
  private head: NativeBlock | undefined
  private tail: NativeBlock | undefined

  /** `generateId` is called once for each call that ends without an id. */
  constructor(private readonly generateId: () => string) {}

  /** An id for a call without one. */
  newId(): string {
    return this.generateId()
  }

  /** Starts a block after the existing ones. */
  begin(type: ChunkType, name = '', id = '', hosted = false): NativeBlock {
    const block = new NativeBlock(type)
    block.hosted = hosted
    block.name = name
    block.id = id
    this.enqueue(block)
    return block
  }

  /** Adds text to a block, and emits it if it is the block's turn. */
  append(block: NativeBlock, text: string): void {
    if (text === '' || block.state !== 'begun') return
    block.add(text)
    this.advance()
  }

  /** Sets a call's late name or id. The first non-empty one stays. */
  identify(block: NativeBlock, name: string, id: string): void {
    if (block.state !== 'begun') return
    if (block.name === '') block.name = name
    if (block.id === '') block.id = id
    this.advance()
  }

  /** The provider ended the block. */
  end(block: NativeBlock): void {
    if (block.state !== 'begun') return
    block.state = 'whole'
    this.advance()
  }

  /** The reply ended before the block did: a tool call must not be run. */
  cut(block: NativeBlock): void {
    if (block.state !== 'begun') return
    block.state = 'cut'
    this.advance()
  }

  /** A complete block: one chunk. */
  whole(type: ChunkType, text: string): void {
    const block = this.begin(type)
    this.append(block, text)
    this.end(block)
  }

  /** A tool's complete result. */
  result(text: string, id: string, isError: boolean, hosted = false): void {
    const block = new NativeBlock('tool_result')
    block.hosted = hosted
    block.id = id
    block.isError = isError
    block.state = 'whole'
    if (text !== '') block.pieces.push(text)
    this.enqueue(block)
  }

  /** Drops open and waiting blocks. Indices restart at 0. */
  forget(): void {
    this.head = this.tail = undefined
    this.index = 0
  }

  /** Leaves out the text of blocks that was emitted, while `act` runs. */
  withoutText<Result>(act: () => Result): Result {
    const from = (block: NativeBlock | undefined): Result => (block === undefined ? act() : block.withoutText(() => from(block.next)))
    return from(this.head)
  }

  private enqueue(block: NativeBlock): void {
    if (this.tail === undefined) this.head = block
    else this.tail.next = block
    this.tail = block
    this.advance()
  }

  /** Emits everything that is decided. */
  private advance(): void {
    while (this.head !== undefined) {
      this.release(this.head)
      if (this.head.state === 'begun') return
      const { next } = this.head
      this.complete(this.head)
      this.head = next
    }
    this.tail = undefined
  }

  private release(block: NativeBlock): void {
    // A text block starts at its first character: empty text makes no block.
    if (block.meta === undefined) {
      if (block.type === 'text' && block.isEmpty) return
      this.start(block)
    }
    if (block.type === 'tool_call') {
      if (!block.nameGiven && block.name !== '') this.giveName(block)
      if (!block.idGiven && block.nameGiven && block.id !== '') this.giveId(block)
      if (!block.idGiven || block.mayBeNothing) return
    }
    this.giveText(block)
  }

  private complete(block: NativeBlock): void {
    if (block.type === 'tool_call') return this.completeCall(block)
    if (block.meta === undefined) return
    const whole: BlockDraft = { type: block.type, content: block.pieces.join('') }
    if (block.type === 'tool_result' && block.id !== '') whole.toolId = block.id
    if (block.isError) whole.isError = true
    if (block.hosted) whole.hosted = true
    if (block.compaction) whole.compaction = true
    if (block.isPartial) whole.partial = true
    this.finish(block, whole)
  }

  private completeCall(block: NativeBlock): void {
    if (!block.idGiven) {
      if (block.id === '') block.id = this.newId()
      this.giveId(block)
    }
    const whole: BlockDraft = { type: 'tool_call', toolId: block.id }
    if (block.hosted) whole.hosted = true
    if (block.nameGiven) whole.toolName = block.name
    const text = block.pieces.join('')
    const read = block.freeform ? undefined : readArguments(text)
    if (read !== undefined && 'input' in read) {
      whole.input = read.input
      // No arguments are an empty object, also in the chunks.
      if (isNoArguments(text)) this.give('{}', block)
      else this.giveText(block)
    } else {
      this.giveText(block)
      whole.content = text
      if (read !== undefined) whole.incomplete = true
    }
    if (block.state === 'cut' || !block.nameGiven) whole.incomplete = true
    if (!block.hosted && whole.incomplete === undefined) this.hasCalls = true
    this.finish(block, whole)
  }

  private start(block: NativeBlock): void {
    const blockIndex = this.index++
    const { type } = block
    const meta: { -readonly [Key in keyof ChunkMeta]: ChunkMeta[Key] } = { type, visible: type === 'text', blockIndex }
    if (type === 'tool_call') meta.depth = 1
    if (type === 'tool_result' && block.id !== '') meta.toolId = block.id
    if (block.hosted) meta.hosted = true
    block.meta = meta
    this.emissions.push({ kind: 'blockEvent', event: { event: 'block_start', index: blockIndex, block: { type } } })
  }

  private giveName(block: NativeBlock): void {
    block.nameGiven = true
    block.meta = { ...(block.meta as ChunkMeta), toolName: block.name, toolCallPart: 'name' }
    this.give(block.name, block)
  }

  private giveId(block: NativeBlock): void {
    block.idGiven = true
    block.meta = { ...(block.meta as ChunkMeta), toolId: block.id, toolCallPart: 'id' }
    this.give(block.id, block)
    block.meta = { ...block.meta, toolCallPart: 'input' }
  }

  private giveText(block: NativeBlock): void {
    const waiting = block.pieces.length - block.delivered
    if (waiting === 0) return
    const text = waiting === 1 ? (block.pieces[block.delivered] as string) : block.pieces.slice(block.delivered).join('')
    block.delivered = block.pieces.length
    this.give(text, block)
  }

  private give(text: string, block: NativeBlock): void {
    // Each event has a meta of its own.
    this.emissions.push({ kind: 'content', text, meta: { ...(block.meta as ChunkMeta) } })
  }

  private finish(block: NativeBlock, whole: BlockDraft): void {
    const index = (block.meta as ChunkMeta).blockIndex
    this.emissions.push({ kind: 'blockEvent', event: { event: 'block_complete', index, block: whole as MembraneBlock } })
    block.forgetText()
  }
}
