// Blocks out of the machine's records: which block is open, and what of a record belongs to it. Tool calls are written
// in call.ts, stop sequences are found in stops.ts; what comes out is made in writer.ts.

import type { Journal } from '../journal.js'
import { type ReadingOptions, type CallPlace, tagTable } from './options.js'
import { BLOCK_KINDS, BlockFlag, BlockKind, Declared } from '../generated/ops.js'
import { decodeReferences } from '../references.js'
import type { Declarations } from '../schema/declared-type.js'
import { resultOf } from '../untrusted.js'
import { type TagTable, blockReferences } from '../wasm/blocks.js'
import type { BlockDraft } from './block-draft.js'
import type { CallHost, CallWriter } from './call.js'
import type { BlockHandler } from './decoder.js'
import { BlockFeed } from './feed.js'
import { Outlet } from './outlet.js'
import { OwnTags } from './own-tags.js'
import { Prefill } from './prefill.js'
import { Spans } from './spans.js'
import { type StopHost, Stops } from './stops.js'
import { type Stray, textOf } from './strays.js'
import type { BlockText } from './text.js'
import { randomToolId, toolIdFrom } from './tool-id.js'
import type { ChunkType, ToolResult } from './types.js'
import { Unopened } from './unopened.js'
import { BlockWriter, type Marks } from './writer.js'

/** Where the blocks of a text are written that is a part of another stream. */
interface Into {
  readonly writer: BlockWriter
  /** Whether calls are marked: nobody but the program knows whether the model meant them. */
  readonly marksCalls: boolean
}

/** What options don't have. */
export interface Making {
  /** What reads its calls; absent where nobody gets them. */
  readonly calls?: (host: CallHost) => CallWriter
  readonly names?: TagTable | undefined
  /** `BlockFlag` bits. */
  readonly flags?: number
  readonly into?: Into
  /** How the tools among the options declare their parameters. */
  readonly declarations?: Declarations | undefined
  readonly journal?: Journal | undefined
}

/** Emits the blocks of one stream. */
export class BlockEmitter implements BlockHandler, CallHost, StopHost {
  readonly outlet: Outlet
  readonly prefill = new Prefill()
  readonly writer: BlockWriter
  readonly feed: BlockFeed
  readonly text: BlockText
  readonly spans: Spans
  readonly own: OwnTags
  readonly call: CallWriter | undefined
  readonly stops: Stops
  readonly reclassified: Unopened
  readonly declarations: Declarations | undefined
  private readonly generateId: (call: CallPlace) => string
  private readonly journal: Journal | undefined
  private readonly marksCalls: boolean

  constructor(options: ReadingOptions, { calls, names, flags = 0, into, declarations, journal }: Making) {
    const { generateId = randomToolId, tags, spans = false, unopenedThinking } = options
    this.outlet = new Outlet(options)
    this.writer = into?.writer ?? new BlockWriter(this.outlet)
    this.marksCalls = into?.marksCalls === true
    this.generateId = generateId
    this.journal = journal
    this.declarations = declarations
    this.spans = new Spans(spans)
    this.reclassified = new Unopened(unopenedThinking === 'report')
    this.stops = new Stops(this, options)
    const knowsPlaces = spans || unopenedThinking === 'report' || (options.stopSequences ?? []).length > 0
    const table = names ?? tagTable('BlockParser', tags)
    this.own = new OwnTags(table.own, this.spans)
    this.feed = new BlockFeed(this, flags | flagsOf(options), table, knowsPlaces)
    this.text = this.feed.text
    this.call = calls?.(this)
  }

  /** A reply begins with what comes next. */
  startReply(): void {
    this.reclassified.startReply(this.feed.end)
    this.stops.startReply()
  }

  /** Reads text that was sent before. */
  push(text: string): void {
    const { feed, prefill, stops, writer } = this
    writer.writeTo(prefill)
    try {
      stops.settleWaiting()
      if (stops.isStopped) stops.ignored += text.length
      else {
        prefill.isSilent = true
        feed.read(feed.afterCut(text))
        const at = feed.offset
        while (writer.isOpen && this.call?.isOpen !== true && !stops.isStopped) this.completed(false, false, at, at)
      }
    } finally {
      prefill.isSilent = false
      writer.writeTo()
    }
  }

  /** Emits the result of a tool. */
  result({ toolUseId, content, isError }: ToolResult): void {
    const at = this.feed.offset
    this.open('tool_result', undefined, undefined, at, at)
    if (toolUseId !== '') this.writer.answers(toolUseId)
    const text = resultOf(content)
    if (text !== '') this.content(text, at, at)
    this.completed(false, isError === true, at, at)
  }

  /** Starts a new stream, whose places are counted from one on. */
  reset(from = 0): void {
    this.feed.reset(from)
    this.prefill.reset()
    this.stops.reset()
    this.own.reset()
    this.drop()
    this.startReply()
  }

  drop(): void {
    this.own.around = []
    this.writer.isOpen = false
    this.call?.reset()
  }

  // What the records say.

  started(kind: number, depth: number, isInsideThinking: boolean, from: number, to: number): void {
    if (kind === BlockKind.Own) {
      const { type, visible, marks } = this.own.start(this, depth)
      return this.open(type, undefined, marks, from, to, visible)
    }
    const type = BLOCK_KINDS[kind] as ChunkType
    const isCall = type === 'tool_call'
    this.open(type, isCall ? depth : undefined, marksOf(isInsideThinking, isCall && this.marksCalls), from, to)
  }

  content(text: string, from: number, to: number): void {
    if (!this.prefill.isSilent && !this.stops.takes(text, from)) this.contentOf(text, from, to)
  }

  contentOf(text: string, from: number, to: number): void {
    this.text.content.add(text)
    this.writer.chunk(text, this.spans.of(from, to))
  }

  named(name: string | undefined, from: number, to: number): void {
    this.call?.begin(name === undefined ? undefined : decoded(name), this.spans.from, [from, to])
  }

  answers(id: string): void {
    this.writer.answers(decoded(id))
  }

  parameter(key: string, from: number, to: number): void {
    this.call?.parameter(key, decoded(key), from, to)
  }

  input(piece: string, from: number, to: number, isJson = false): void {
    if (isJson) this.call?.addJson(piece, from, to)
    else this.call?.add(piece, from, to)
  }

  inputEnd(isEmpty: boolean, from: number): void {
    if (isEmpty) this.call?.endBody(from)
    else this.call?.endInput(from)
  }

  stray(text: string, from: number, to: number): void {
    this.call?.stray(text, from, to)
  }

  tag(name: string, role: number, isCloser: boolean, isEmpty: boolean): void {
    this.spans.tag(name, role, isCloser, isEmpty)
  }

  markup(text: string, isLayout: boolean, from: number, to: number): void {
    this.call?.settle()
    if (!this.prefill.isSilent) this.stops.inOrder(this.spans.markup(text, isLayout, from, to))
  }

  leaveOut(text: string, isLayout: boolean, from: number, to: number): void {
    if (this.spans.isOn && from < to) this.markup(text, isLayout, from, to)
  }

  unopened(from: number): void {
    const event = this.prefill.isSilent ? undefined : this.reclassified.at(from)
    if (event !== undefined) this.stops.inOrder({ kind: 'blockEvent', event })
  }

  /** No record of elements comes here. */
  payload(): void {}

  attribute(): void {}

  declared(element: string | undefined, isOpener: boolean): number {
    return this.call?.declared(element, isOpener) ?? Declared.Unknown
  }

  settle(): void {
    this.call?.settle()
  }

  completed(isIncomplete: boolean, isError: boolean, from: number, to: number, isMalformed = false): void {
    const { call, writer } = this
    call?.settleLast(isIncomplete || isMalformed)
    if (this.stops.endsBlock()) return
    const { type, toolId } = writer.meta
    if (type === 'thinking') this.reclassified.thinkingEnded(to)
    let block = call?.whole(isIncomplete, isMalformed, from)
    if (block === undefined) {
      block = { type, content: this.text.content.toString() }
      if (type === 'tool_result' && toolId !== undefined) block.toolId = toolId
      if (isError) block.isError = true
      if (isIncomplete) block.incomplete = true
    }
    this.close(block, from, to)
    const strays = call?.end()
    if (strays !== undefined && strays.length > 0) this.completeStrays(strays)
  }

  endText(at: number): void {
    this.close({ type: 'text', content: this.text.content.toString() }, at, at)
  }

  startOver(block: BlockDraft, at: number): void {
    this.close(block, at, at)
    this.openLike(at)
  }

  newId(call: CallPlace): string {
    const make = () =>
      toolIdFrom(
        'BlockParser',
        () => this.generateId(call),
        (error) => this.outlet.fail(error),
      )
    return this.journal?.id(make) ?? make()
  }

  /** The text of the call that is complete, outside its parameters: a block of its own. */
  private completeStrays(strays: readonly Stray[]): void {
    const [first = { from: 0, to: 0 }] = strays
    const end = (strays.at(-1) ?? first).to
    this.openLike(first.from)
    for (const { text, from, to } of strays) this.content(text, from, to)
    this.close({ type: 'tool_call', content: textOf(strays) }, end, end)
  }

  /** A block of a call starts at a place, where the one before it was. */
  private openLike(at: number): void {
    const { depth, insideThinking } = this.writer.meta
    this.open('tool_call', depth, marksOf(insideThinking === true, this.marksCalls), at, at)
  }

  /** A block starts; its opening tag stands from `from` to `to`. Its start waits until text of it may be emitted. */
  private open(
    type: ChunkType,
    depth: number | undefined,
    marks: Marks | undefined,
    from: number,
    to: number,
    visible?: boolean,
  ): void {
    this.spans.opened(from, to)
    this.text.startBlock()
    const isHeld = this.prefill.isSilent || (type === 'text' && this.stops.searchesText)
    this.writer.start(type, depth, marks, isHeld, visible)
  }

  /** The open block is complete; its closing tag stands from `from` to `to`. */
  private close(block: BlockDraft, from: number, to: number): void {
    if (this.text.isPartial) block.partial = true
    this.spans.closed(block, from, to)
    this.writer.complete(block)
    this.own.goOn(this)
  }
}

/** What holds for all emissions of a block. */
function marksOf(insideThinking: boolean, inText: boolean): Marks | undefined {
  return insideThinking || inText ? { ...(insideThinking && { insideThinking }), ...(inText && { inText }) } : undefined
}

/** The options of the machine. */
function flagsOf({ tools, trimParameters = true, spans, startWithThinking, fences }: ReadingOptions): number {
  return (
    (trimParameters ? BlockFlag.TrimsParameters : 0) |
    (tools === undefined ? 0 : BlockFlag.AsksDeclarations) |
    (spans === true ? BlockFlag.EmitsMarkup : 0) |
    (startWithThinking === true ? BlockFlag.StartsInThinking : 0) |
    (fences === 'text' ? BlockFlag.SkipsCode : 0)
  )
}

function decoded(text: string): string {
  return decodeReferences(blockReferences, text)
}
