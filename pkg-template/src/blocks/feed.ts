// What both parsers of blocks do with text: it is content where the machine's mode allows that, and is read elsewhere.
//
//     'Hello'   content as a whole: `content`
//     'a <b'    has a tag, or what may be one: `read`
//     'a <'     content up to a place, and the rest, `cut`, waits for the next chunk

import { BLOCK_KINDS, BlockFlag, BlockMode, BlockPlace } from '../generated/ops.js'
import { StreamReader } from '../stream-reader.js'
import { endsInHalf } from '../surrogates.js'
import { type BlockSession, blockSession, type TagTable } from '../wasm/blocks.js'
import { BlockDecoder, type BlockHandler } from './decoder.js'
import { isContent, isCut, tagIn } from './fast-path.js'
import { escapeJson } from './json-text.js'
import { BlockText } from './text.js'
import type { MembraneBlockType } from './types.js'

/** How many elements of each kind are open. */
export interface OpenElements {
  functionCalls: number
  functionResults: number
  thinking: number
}

/** The text of one stream of blocks, and its machine. */
export class BlockFeed {
  /** All text, except what is held or cut. */
  readonly text = new BlockText()
  /** Text that came and was not read yet: it may be a stop sequence. */
  held = ''
  /** The end of the last chunk that was not read yet: a `<` whose next two characters have not come. */
  cut = ''
  private readonly session: BlockSession
  private readonly decoder: BlockDecoder
  private readonly reader: StreamReader

  /** `flags`: `BlockFlag` bits. `readsAll`: no text is content without being read. */
  constructor(
    handler: BlockHandler,
    private readonly flags: number,
    private readonly tags: TagTable,
    private readonly readsAll = false,
  ) {
    this.session = blockSession(flags, tags)
    this.decoder = new BlockDecoder(handler, tags.fronts)
    this.reader = new StreamReader(this.session, this.decoder)
  }

  /** Refuses to go on once the WebAssembly has failed. */
  requireWhole(): void {
    this.session.border.instance.requireWhole()
  }

  /** The mode of the next chunk, if that may be content without being read. */
  get mode(): number {
    return this.readsAll || this.cut !== '' || this.reader.pending > 0 ? BlockMode.Read : this.reader.mode
  }

  /** A chunk after what was cut from the last one. */
  afterCut(chunk: string): string {
    const text = this.cut + chunk
    this.cut = ''
    return text
  }

  /** The content that a text is without being read, which then was emitted; undefined: it has to be read. */
  content(text: string): string | undefined {
    const { mode } = this
    if (text === '' || !isContent(mode, text) || endsInHalf(text)) return undefined
    const tag = tagIn(text, 0, this.tags.fronts, this.reader.flags)
    if (tag === text.length) return text
    if (!isCut(text, tag)) return undefined
    this.cut = text.slice(tag)
    return text.slice(0, tag)
  }

  /** More of an open call's input, as JSON, that a text is without being read; undefined: it has to be read. */
  input(text: string): string | undefined {
    const { readsAll, reader } = this
    const { mode } = reader
    if (readsAll || mode < BlockMode.String || reader.half !== '' || text.includes('<') || endsInHalf(text))
      return undefined
    // White space at the end of a value is left out, if nothing follows it; a tag may follow on a new line.
    const end = text.trimEnd().length
    if (text === '' || (end < text.length && (mode !== BlockMode.String || text.includes('\n', end)))) return undefined
    this.text.gather(text)
    const piece = reader.takePending() + text
    reader.offset += text.length
    return mode === BlockMode.Json ? piece : escapeJson(piece)
  }

  /** Adds content that was not read. */
  add(content: string): void {
    this.text.plain.add(content)
    this.reader.offset += content.length
  }

  /** Reads text; the records go to the handler. */
  read(text: string): void {
    this.text.gather(text)
    this.reader.read(text)
  }

  /** Where all text that came ends, in units from the start of the stream. */
  get end(): number {
    return this.text.end + this.held.length + this.cut.length
  }

  /** Adds text that nobody reads. */
  addUnread(text: string): void {
    if (this.cut !== '') this.read(this.afterCut(''))
    this.text.gather('')
    this.text.all.add(text)
    this.reader.offset += text.length
  }

  /** All text so far is history. */
  endHistory(): void {
    this.session.endHistory()
    this.reader.mode = BlockMode.Read
  }

  /** How much of the text is not decided. */
  get pending(): number {
    return this.reader.pending
  }

  /** Whether nothing is open, or pending. */
  get isAtRest(): boolean {
    const { functionCalls, functionResults, thinking } = this.open
    const isOpen = functionCalls + functionResults + thinking + this.session.place(BlockPlace.Own) > 0
    return !isOpen && this.pending + this.held.length + this.cut.length === 0
  }

  /** Where the pending text begins, in units from the start of the stream. */
  get offset(): number {
    return this.reader.offset
  }

  /** The end of the reply. */
  endReply(): void {
    if (this.cut !== '') this.read(this.afterCut(''))
    this.text.gather('')
    this.reader.finish()
  }

  /** After text that was sent before: which block is open. What is pending was sent, too. */
  setOpen(kind: number): void {
    this.session.setOpen(kind, this.reader.pending)
    this.reader.mode = BlockMode.Read
  }

  /** Nothing of what is being read is passed on any more. */
  mute(): void {
    this.decoder.isMuted = true
  }

  /** Goes on as if the text had ended at a place, outside of all blocks unless `isInside`. */
  continueAt(offset: number, isInside: boolean): void {
    this.decoder.isMuted = false
    if (isInside) this.session.forgetBlock()
    else this.session.startAgain(this.flags & ~BlockFlag.StartsInThinking)
    this.reader.forget()
    this.reader.offset = offset
    this.held = this.cut = ''
    this.text.cutAt(offset)
  }

  /** Goes on after so many units, which were read. */
  skip(units: number): void {
    this.text.gather('')
    this.text.from += units
    this.reader.offset += units
  }

  /** No thinking is open that the prompt began. */
  startAfterThinking(): void {
    this.session.startAgain(this.flags & ~BlockFlag.StartsInThinking)
  }

  /** The text from a place on. */
  textFrom(place: number): string {
    return this.written.slice(Math.max(0, place - this.text.from))
  }

  /** All text so far. */
  get written(): string {
    this.text.gather('')
    return this.text.all.toString() + this.held + this.cut
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
    const own = this.tags.own[this.session.place(BlockPlace.Own) - 1]
    return (own?.type ?? BLOCK_KINDS[this.session.place(BlockPlace.Kind)]) as MembraneBlockType
  }

  /** Forgets a pending tag and the open block, not what encloses them. */
  forgetBlock(): void {
    this.reader.offset += this.reader.pending + this.cut.length
    this.text.gather(this.afterCut(''))
    this.session.forgetBlock()
    this.reader.forget()
    this.text.content.clear()
  }

  /** The start of a new stream, whose places are counted from one on. */
  reset(from = 0): void {
    this.reader.reset()
    this.reader.offset = from
    this.text.reset(from)
    this.held = this.cut = ''
  }
}
