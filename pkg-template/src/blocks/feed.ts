// What both parsers of blocks do with chunks: they take the fast path where the
// machine's mode allows it, and the reader elsewhere; and they keep the text.

import { BLOCK_KINDS, BlockFlag, BlockMode, BlockPlace, Declared } from '../generated/ops.js'
import { Joined } from '../joined.js'
import { StreamReader } from '../reader.js'
import type { SavedClass } from '../snapshot/saved.js'
import { endsInHalf } from '../surrogates.js'
import type { MembraneBlockType } from './types.js'
import { type BlockSession, blockSession, type TagTable } from '../wasm/blocks.js'
import { BlockDecoder, type BlockHandler } from './decoder.js'
import { FastPath } from './fast-path.js'
import type { KeptText } from './saving.js'

/** How many elements of each kind are open. */
export interface OpenElements {
  functionCalls: number
  functionResults: number
  thinking: number
}

const ignore = (): void => {}

/** Ignores everything. */
const NOBODY: BlockHandler = {
  started: ignore,
  content: ignore,
  completed: ignore,
  input: ignore,
  inputEnd: ignore,
  named: ignore,
  answers: ignore,
  parameter: ignore,
  stray: ignore,
  tag: ignore,
  markup: ignore,
  unopened: ignore,
  payload: ignore,
  attribute: ignore,
  settle: ignore,
  declared: () => Declared.Unknown,
}

/** The text of one stream of blocks, and its machine. */
export class BlockFeed {
  static get saved(): SavedClass {
    return {
      skips: ['handler', 'flags', 'readsAll'],
      isSound: ({ mode, textFrom, contentFrom, contentTo, accumulated }: BlockFeed) =>
        mode >= BlockMode.Ask &&
        mode <= BlockMode.Json &&
        textFrom >= 0 &&
        contentFrom <= contentTo &&
        contentTo <= accumulated.toString().length,
      wake: (feed: BlockFeed) => {
        if (feed.contentFrom < 0) return
        feed.blockContent.add(feed.accumulated.toString().slice(feed.contentFrom, feed.contentTo))
        feed.contentFrom = feed.contentTo = -1
      },
    }
  }
  /** What may be done with the next chunk without reading it. */
  mode: number = BlockMode.Ask
  /** All text, except what is in `plain` and what is pending. */
  readonly accumulated = new Joined()
  /** Content of the open block, or a call's input as JSON; except what is in `plain`. */
  readonly blockContent = new Joined()
  /** Chunks that were content as a whole, and belong after both of the above. */
  readonly plain = new Joined()
  /** Whether the open block began before a snapshot that left its text out. */
  isPartial = false
  /** Index of the open block, or of the next one. */
  index = 0
  readonly path: FastPath
  /** Text that came and was not read yet: it may be a stop sequence. */
  held = ''
  /** Where the text begins that is kept: a snapshot may leave out what came before. */
  textFrom = 0
  /** How far the places that the reader knows stand from the start of the stream: chunks may pass by it. */
  private passed = 0
  /** In a snapshot: where the open block's content stands in the text, if it is there as it is. */
  private contentFrom = -1
  private contentTo = -1
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
    if (this.path.waiting !== '') this.mode = BlockMode.Ask
    return end
  }

  /** Half a character, whose other half comes with the next chunk. */
  waitFor(half: string): void {
    this.path.waiting += half
    this.mode = BlockMode.Ask
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
    this.passed = this.length - reader.offset - reader.pending
    this.gather(text)
    // Should it throw.
    this.mode = BlockMode.Ask
    reader.read(text)
    if (!this.readsAll) this.mode = reader.mode
  }

  /** Where a place that a record has stands, in units from the start of the stream. */
  placeOf(at: number): number {
    return at + this.passed
  }

  /** Units of all text that came, without what waits to be read. */
  private get length(): number {
    return this.textFrom + this.accumulated.length + this.plain.length
  }

  /** Where all text that came ends, in units from the start of the stream. */
  get end(): number {
    return this.length + this.held.length + this.path.waiting.length
  }

  /** Adds text that nobody reads. */
  addUnread(text: string): void {
    const waiting = this.hasHalf ? '' : this.afterWaiting('')
    if (waiting !== '') this.read(waiting)
    this.gather('')
    this.accumulated.add(text)
  }

  /** All text so far is history. */
  endHistory(): void {
    this.session.endHistory()
    this.mode = this.reader.mode = BlockMode.Ask
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
    else this.gather('')
    this.reader.finish()
    if (!this.readsAll) this.mode = this.reader.mode
  }

  /** After text that was sent before: which block is open. What is pending was sent, too. */
  setOpen(kind: number): void {
    this.session.setOpen(kind, this.reader.pending)
    this.mode = this.reader.mode = BlockMode.Ask
  }

  /** Nothing of what is being read is passed on any more. */
  mute(): void {
    this.decoder.passTo(NOBODY)
  }

  /** Goes on as if the text had ended at a place, outside of all blocks unless `isInside`. */
  continueAt(offset: number, isInside: boolean): void {
    const text = this.text.slice(0, Math.max(0, offset - this.textFrom))
    this.decoder.passTo(this.handler)
    if (isInside) this.session.restartBlock()
    else this.session.startAgain(this.flags & ~BlockFlag.StartsInThinking)
    this.reader.forget()
    this.reader.offset = offset
    this.mode = BlockMode.Ask
    this.held = ''
    this.path.takeWaiting()
    this.accumulated.clear()
    this.accumulated.add(text)
    this.blockContent.clear()
  }

  /** Puts plain chunks where they belong, and a chunk after them. */
  gather(chunk: string): void {
    if (!this.plain.isEmpty) {
      const plain = this.plain.take(chunk.length)
      this.accumulated.add(plain)
      this.blockContent.add(plain)
    }
    this.accumulated.add(chunk)
  }

  /** A block starts, without content. */
  startBlock(): void {
    this.isPartial = false
    this.blockContent.clear()
  }

  /**
   * Leaves text out while a snapshot is made: `save` gets the parts without their text. `isOpen`: whether a block is;
   * `isOwed`: whether nothing of it was emitted, so that its text stays.
   */
  without<Result>(
    kept: KeptText,
    { isOpen, isOwed = false }: { isOpen: boolean; isOwed?: boolean },
    save: (omitted: readonly Joined[]) => Result,
  ): Result {
    this.gather('')
    const { accumulated, blockContent, textFrom, isPartial } = this
    const text = accumulated.toString()
    try {
      if (kept !== 'all') {
        this.textFrom += text.length
        if (kept !== 'none' || isOwed) return save([accumulated])
        if (isOpen && !blockContent.isEmpty) this.isPartial = true
        return save([accumulated, blockContent])
      }
      const content = blockContent.toString()
      const to = text.length - this.reader.pending
      if (content === '' || !text.startsWith(content, to - content.length)) return save([])
      // It is saved once.
      this.contentFrom = to - content.length
      this.contentTo = to
      return save([blockContent])
    } finally {
      this.textFrom = textFrom
      this.isPartial = isPartial
      this.contentFrom = this.contentTo = -1
    }
  }

  /** All text so far. */
  get text(): string {
    this.gather('')
    return this.accumulated.toString() + this.held + this.path.waiting
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
    this.gather(this.path.takeWaiting())
    this.session.restartBlock()
    this.reader.forget()
    this.mode = BlockMode.Ask
    this.blockContent.clear()
  }

  /** The start of a new stream. */
  restart(): void {
    this.reader.restart()
    this.path.takeWaiting()
    this.mode = BlockMode.Ask
    this.accumulated.clear()
    this.blockContent.clear()
    this.plain.clear()
    this.held = ''
    this.index = this.textFrom = this.passed = 0
    this.isPartial = false
  }
}
