// What both parsers of blocks do with text: the fast path passes over it where the machine's mode allows it, and the
// reader reads it elsewhere.

import { BLOCK_KINDS, BlockFlag, BlockMode, BlockPlace, Declared } from '../generated/ops.js'
import type { Joined } from '../joined.js'
import { StreamReader } from '../stream-reader.js'
import type { SavedClass } from '../snapshot/saved.js'
import { endsInHalf } from '../surrogates.js'
import { type BlockSession, blockSession, type TagTable } from '../wasm/blocks.js'
import { BlockDecoder, type BlockHandler } from './decoder.js'
import { FastPath } from './fast-path.js'
import type { KeptText } from './saving.js'
import { BlockText, type OpenState } from './text.js'
import type { MembraneBlockType } from './types.js'

/** How many elements of each kind are open. */
export interface OpenElements {
  functionCalls: number
  functionResults: number
  thinking: number
}

/** Ignores all records; its heirs take some of them. */
export class IgnoredBlocks implements BlockHandler {
  started(_kind: number, _depth: number, _isInsideThinking: boolean, _from: number, _to: number): void {}
  content(_text: string, _from: number, _to: number): void {}
  completed(_isIncomplete: boolean, _isError: boolean, _from: number, _to: number, _isMalformed?: boolean): void {}
  input(_piece: string, _from: number, _to: number, _isJson?: boolean): void {}
  inputEnd(_isEmpty: boolean, _from: number): void {}
  named(_name: string | undefined, _from: number, _to: number): void {}
  answers(_id: string): void {}
  parameter(_key: string, _from: number, _to: number): void {}
  stray(_text: string, _from: number, _to: number): void {}
  tag(_name: string, _role: number, _isCloser: boolean, _isEmpty: boolean): void {}
  markup(_text: string, _isLayout: boolean, _from: number, _to: number): void {}
  unopened(_from: number): void {}
  payload(_isOpen: boolean, _at: number): void {}
  attribute(_value: string): void {}
  settle(): void {}
  declared(_element: string | undefined): number {
    return Declared.Unknown
  }
}

const NOBODY = new IgnoredBlocks()

/** The text of one stream of blocks, and its machine. */
export class BlockFeed {
  static get saved(): SavedClass {
    return {
      skips: ['handler', 'flags', 'readsAll'],
      isSound: ({ mode }: BlockFeed) => mode >= BlockMode.Read && mode <= BlockMode.Json,
    }
  }
  /** What may be done with the next chunk without reading it. */
  mode: number = BlockMode.Read
  /** All text, except what is held or waits. */
  readonly text = new BlockText()
  readonly path: FastPath
  /** Text that came and was not read yet: it may be a stop sequence. */
  held = ''
  /** How far the places that the reader knows stand from the start of the stream: chunks may pass by it. */
  private passed = 0
  private readonly session: BlockSession
  private readonly decoder: BlockDecoder
  private readonly reader: StreamReader

  /** `flags`: `BlockFlag` bits. `readsAll`: nothing passes by the reader, so that it knows all places. */
  constructor(
    private readonly handler: BlockHandler,
    private readonly flags: number,
    tags: TagTable,
    private readonly readsAll = false,
  ) {
    this.path = new FastPath(tags.fronts)
    this.session = blockSession(flags, tags)
    this.decoder = new BlockDecoder(handler, this.path)
    this.reader = new StreamReader(this.session, this.decoder)
  }

  /** Refuses to go on once the WebAssembly has failed. */
  requireWhole(): void {
    this.session.border.instance.requireWhole()
  }

  /** How much of a chunk needs no reading; its first tag may begin at `tag`, if any. -1 if all has to be read. */
  putOff(chunk: string, tag: number): number {
    const end = this.path.putOff(this.mode, chunk, tag)
    if (this.path.waiting !== '') this.mode = BlockMode.Read
    return end
  }

  /** Half a character, whose other half comes with the next chunk. */
  waitFor(half: string): void {
    this.path.waiting += half
    this.mode = BlockMode.Read
  }

  /** Whether half a character waits. */
  get hasHalf(): boolean {
    return endsInHalf(this.path.waiting)
  }

  /** A chunk after what waits. */
  afterWaiting(chunk: string): string {
    if (this.path.waiting === '') return chunk
    if (!this.readsAll) this.mode = this.reader.mode
    return this.path.takeWaiting() + chunk
  }

  /** Reads text; the records go to the handler. */
  read(text: string): void {
    const { reader } = this
    this.passed = this.text.end - reader.offset - reader.pending
    this.text.gather(text)
    // Should it throw.
    this.mode = BlockMode.Read
    reader.read(text)
    if (!this.readsAll) this.mode = reader.mode
  }

  /** Where a place that a record has stands, in units from the start of the stream. */
  placeOf(at: number): number {
    return at + this.passed
  }

  /** Where all text that came ends, in units from the start of the stream. */
  get end(): number {
    return this.text.end + this.held.length + this.path.waiting.length
  }

  /** Adds text that nobody reads. */
  addUnread(text: string): void {
    const waiting = this.hasHalf ? '' : this.afterWaiting('')
    if (waiting !== '') this.read(waiting)
    this.text.gather('')
    this.text.all.add(text)
  }

  /** All text so far is history. */
  endHistory(): void {
    this.session.endHistory()
    this.mode = this.reader.mode = BlockMode.Read
  }

  /** The text that is pending, white space at the end of a value, which content follows now: it was not read. */
  takePending(): string {
    return this.reader.takePending()
  }

  /** Where the pending text begins, in units from the start of the stream; kept only where every chunk is read. */
  get offset(): number {
    return this.reader.offset
  }

  /** Whether text is pending. */
  get hasPending(): boolean {
    return this.reader.pending !== 0
  }

  /** The end of the reply, whose last characters may still wait. */
  endReply(): void {
    const rest = this.afterWaiting('')
    if (rest !== '') this.read(rest)
    else this.text.gather('')
    this.reader.finish()
    if (!this.readsAll) this.mode = this.reader.mode
  }

  /** After text that was sent before: which block is open. What is pending was sent, too. */
  setOpen(kind: number): void {
    this.session.setOpen(kind, this.reader.pending)
    this.mode = this.reader.mode = BlockMode.Read
  }

  /** Nothing of what is being read is passed on any more. */
  mute(): void {
    this.decoder.passTo(NOBODY)
  }

  /** Goes on as if the text had ended at a place, outside of all blocks unless `isInside`. */
  continueAt(offset: number, isInside: boolean): void {
    this.decoder.passTo(this.handler)
    if (isInside) this.session.restartBlock()
    else this.session.startAgain(this.flags & ~BlockFlag.StartsInThinking)
    this.reader.forget()
    this.reader.offset = offset
    this.mode = BlockMode.Read
    this.held = ''
    this.path.takeWaiting()
    this.text.cutAt(offset)
  }

  /** Leaves text out while a snapshot is made: `save` gets the parts without their text. */
  without<Result>(kept: KeptText, open: OpenState, save: (omitted: readonly Joined[]) => Result): Result {
    return this.text.without(kept, open, this.reader.pending, save)
  }

  /** All text so far. */
  get written(): string {
    this.text.gather('')
    return this.text.all.toString() + this.held + this.path.waiting
  }

  /** How many elements of each kind are open. */
  get open(): OpenElements {
    const { session } = this
    return {
      functionCalls: session.place(BlockPlace.FunctionCalls),
      functionResults: session.place(BlockPlace.FunctionResults),
      thinking: session.place(BlockPlace.Thinking),
    }
  }

  /** Whether the text ends in a parameter's CDATA. */
  get isInPayload(): boolean {
    return this.session.place(BlockPlace.Payload) !== 0
  }

  /** The kind of the open block, or of one that would start here. */
  get kind(): MembraneBlockType {
    return BLOCK_KINDS[this.session.place(BlockPlace.Kind)] as MembraneBlockType
  }

  /** Forgets a pending tag and the open block, not what encloses them. */
  restartBlock(): void {
    this.text.gather(this.path.takeWaiting())
    this.session.restartBlock()
    this.reader.forget()
    this.mode = BlockMode.Read
    this.text.content.clear()
  }

  /** The start of a new stream, whose places are counted from one on. */
  restart(from = 0): void {
    this.reader.restart()
    this.reader.offset = from
    this.path.takeWaiting()
    this.mode = BlockMode.Read
    this.text.restart(from)
    this.held = ''
    this.passed = 0
  }
}
