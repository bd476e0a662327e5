// The order of emitted blocks: one open at a time.
//
// A provider may start a block before the last one has ended, and may interleave
// several calls. Here a block waits until those before it have ended:
//
//     begun     A ───────────┐ B ──────┐
//     pieces    A1 B1 A2 B2  end(A)    end(B)
//     out       A1    A2     B1B2      -
//
// Source: seeds/001, "Block Boundaries and Indices" and "Chat Mode Implementation".

import type { BlockAbout } from '../blocks/block-draft.js'
import type { ChunkType } from '../blocks/types.js'
import type { Fields } from '../untrusted.js'
import { NativeBlock } from './block.js'
import type { NativeEmitter } from './emitter.js'
import { SoFar } from './so-far.js'

/** Puts blocks in order. */
export class BlockOrder {
  private head: NativeBlock | undefined
  private tail: NativeBlock | undefined
  /** Whether it is known why the reply ended: until then, what ended last may have been cut off. */
  private isSettled = false
  private readonly soFar = new SoFar()
  /** Is called where a reply broke off, and another one follows. */
  onBreak: (() => void) | undefined
  /** The calls that wait for a person's answer. */
  readonly waiting = new Set<string>()
  /** Whether a part of an event was not understood, that is not reported yet. */
  private hasUnknown = false

  /** `makeId` makes an id for a call without one. Without an emitter blocks are only collected. */
  constructor(
    private readonly makeId: () => string,
    private readonly emitter?: NativeEmitter,
  ) {}

  /** Whether there is a call that the program is to run. */
  get hasCalls(): boolean {
    return this.emitter !== undefined && this.emitter.toRun.size > 0
  }

  /** Whether the reply has had anything. */
  get hasBegun(): boolean {
    return this.soFar.hasBegun
  }

  /** The next reply begins: nothing of it was there before. What one that broke off ended in doesn't go on there. */
  startReply(): void {
    if (this.hasBegun && !this.isSettled) this.onBreak?.()
    this.isSettled = false
    this.soFar.reset()
    this.emitter?.startReply()
  }

  /** The next step of a reply begins, which counts its calls anew. */
  startStep(): void {
    this.isSettled = false
    this.emitter?.startReply()
  }

  /** A part of the event that is read is of an unknown kind. */
  notUnderstood(): void {
    this.hasUnknown = true
  }

  /** Whether there was one since this was last asked. */
  takeUnknown(): boolean {
    const { hasUnknown } = this
    this.hasUnknown = false
    return hasUnknown
  }

  /** An id for a call without one. */
  newId(): string {
    return this.makeId()
  }

  /** Starts a block after the existing ones. */
  begin(type: ChunkType, name = '', id = '', hosted = false, mayGrow = false): NativeBlock {
    const block = new NativeBlock(type)
    block.hosted = hosted
    block.mayGrow = mayGrow
    block.name = name
    block.id = id
    this.enqueue(block)
    return block
  }

  /** Adds text to a block, and emits it if it is the block's turn. */
  append(block: NativeBlock, text: string): void {
    if (text === '' || block.state !== 'begun') return
    const piece = block.pieces.append(text)
    if (piece === '') return
    this.soFar.note(block.type, piece)
    this.advance()
  }

  /**
   * Sets a call's late name or id. The first non-empty one stays; a name that comes in pieces grows until it is
   * emitted.
   */
  identify(block: NativeBlock, name: string, id: string): void {
    if (block.state !== 'begun') return
    if (block.name === '') block.name = name
    else if (block.mayGrow && block.isEmpty && block.name !== name) block.name += name
    if (block.id === '') block.id = id
    this.advance()
  }

  /** The provider ended the block. */
  end(block: NativeBlock): void {
    this.close(block, 'whole')
  }

  /** The reply ended before the block did: a tool call must not be run. */
  cut(block: NativeBlock): void {
    this.close(block, 'cut')
  }

  private close(block: NativeBlock, state: 'whole' | 'cut'): void {
    if (block.state !== 'begun') return
    block.pieces.finish()
    block.state = state
    this.advance()
  }

  /** What a provider says of the block that it has written last. */
  note(about: BlockAbout): void {
    this.tail?.note(about)
  }

  /** A complete block: one chunk. */
  whole(type: ChunkType, text: string): void {
    const block = this.begin(type)
    this.append(block, text)
    this.end(block)
  }

  /** A tool's complete result. A call that it answers is not to be run any more. */
  result(text: string, id: string, isError: boolean, hosted = false): void {
    this.soFar.results++
    if (this.soFar.calls.length > 0) this.emitter?.toRun.delete(id)
    for (const call of this.blocks) if (call.type === 'tool_call' && call.id === id && id !== '') call.hosted = true
    const block = new NativeBlock('tool_result')
    block.hosted = hosted
    block.id = id
    block.isError = isError
    block.state = 'whole'
    block.pieces.append(text)
    block.pieces.finish()
    this.enqueue(block)
  }

  /** A call waits for a person's answer, and is not to be run. */
  wait(id: string): void {
    this.waiting.add(id)
    this.emitter?.toRun.delete(id)
  }

  /** It is known why the reply ended: whether what ended last was cut off. */
  settle(isCut: boolean): void {
    const { tail } = this
    if (
      isCut &&
      tail !== undefined &&
      this.mayChange(tail) &&
      (tail.type === 'thinking' || (!tail.freeform && tail.isEmpty))
    )
      tail.state = 'cut'
    this.isSettled = true
    this.advance()
  }

  /** The blocks that were begun, and not emitted. */
  get blocks(): NativeBlock[] {
    const blocks: NativeBlock[] = []
    for (let block = this.head; block !== undefined; block = block.next) blocks.push(block)
    return blocks
  }

  /** Whether a whole reply is the one that is being read: it is not, if that has ended and nothing of it is in it. */
  isSameReply(reply: readonly NativeBlock[]): boolean {
    return !this.isSettled || this.soFar.isIn(reply)
  }

  /** Reads a whole reply after parts of it. */
  completeBy(Reader: new (order: BlockOrder) => { whole(reply: Fields): void }, reply: Fields): void {
    const draft = new ReplyDraft()
    new Reader(draft).whole(reply)
    this.complete(draft.blocks)
  }

  /** Takes a whole reply after parts of it: what is new of it is emitted, and what is open ends. */
  complete(reply: readonly NativeBlock[]): void {
    const { soFar } = this
    const old = { text: soFar.unitsIn('text', reply), thinking: soFar.unitsIn('thinking', reply) }
    const known = soFar.knownCalls(reply)
    let { results } = soFar
    for (const block of reply) {
      const { type } = block
      if (type === 'tool_result') {
        if (results-- <= 0) this.addWhole(block)
      } else if (type === 'tool_call') {
        const call = known.get(block)
        if (call === undefined) this.addWhole(block)
        else this.endKnown(call, block)
      } else {
        const { text } = block
        const rest = text.slice(old[type])
        old[type] = Math.max(0, old[type] - text.length)
        this.addText(block, rest, old[type] === 0)
      }
    }
    for (let block = this.head; block !== undefined; ) {
      const { next, type }: NativeBlock = block
      if (type !== 'tool_call') this.end(block)
      block = next
    }
  }

  /** Drops open and waiting blocks. */
  forget(): void {
    this.head = this.tail = undefined
    this.forgetCalls()
    this.startReply()
  }

  /** Forgets which calls are to be run or wait, as another reply begins. */
  forgetCalls(): void {
    this.waiting.clear()
    this.emitter?.toRun.clear()
  }

  private enqueue(block: NativeBlock): void {
    if (block.type === 'tool_call') this.soFar.calls.push(block)
    if (this.tail === undefined) this.head = block
    else this.tail.next = block
    this.tail = block
    this.advance()
  }

  /** Emits everything that is decided. */
  private advance(): void {
    const { emitter } = this
    if (emitter === undefined) return
    while (this.head !== undefined) {
      const { head } = this
      emitter.release(head)
      if (head.state === 'begun' || (head.next === undefined && this.mayChange(head))) return
      this.head = head.next
      emitter.complete(head)
    }
    this.tail = undefined
  }

  /**
   * Whether a block that has ended may turn out to be cut off, or run by the provider: only what follows shows it, or
   * why the reply ended.
   */
  private mayChange({ state, type, hosted }: NativeBlock): boolean {
    return !this.isSettled && state === 'whole' && (type === 'thinking' || (type === 'tool_call' && !hosted))
  }

  /** Adds text to the open block of its kind, or as a block of its own. */
  private addText({ type, compaction }: NativeBlock, text: string, isWhole: boolean): void {
    const { tail } = this
    let open = tail?.type === type && tail.state === 'begun' ? tail : undefined
    if (text !== '') {
      open ??= this.begin(type)
      open.compaction = compaction
      this.append(open, text)
    }
    if (isWhole && open !== undefined) this.end(open)
  }

  private addWhole(block: NativeBlock): void {
    if (block.type === 'tool_result') return this.result(block.text, block.id, block.isError, block.hosted)
    const call = this.begin(block.type, block.name, block.id, block.hosted)
    call.freeform = block.freeform
    this.endKnown(call, block)
  }

  /** Ends an open call as a whole reply has it. */
  private endKnown(call: NativeBlock, whole: NativeBlock): void {
    this.identify(call, call.name === '' ? whole.name : '', whole.id)
    this.append(call, call.pieces.restOf(whole.text))
    if (whole.state === 'whole') this.end(call)
    else this.cut(call)
  }
}

/** Reads a whole reply into blocks, and emits nothing. */
export class ReplyDraft extends BlockOrder {
  constructor() {
    super(() => '')
  }
}
