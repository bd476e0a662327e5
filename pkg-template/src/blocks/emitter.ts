// Blocks out of the machine's records: the callbacks' events, and the list of each call.

import { type BlockParserOptions, type CallPlace, tagTable } from './options.js'
import { ParseError } from '../errors.js'
import {
  Absent,
  BLOCK_KINDS,
  BlockFlag,
  BlockKind,
  BlockMode,
  BlockTrigger,
  type Declared,
  Limit,
  TAG_ROLES,
} from '../generated/ops.js'
import { readArguments } from '../json/call-arguments.js'
import { type CallJson, callJsonIn, repairsIn } from '../json/call-json.js'
import { Members } from '../json/members.js'
import { isRecord } from '../own.js'
import { resultOf } from '../untrusted.js'
import { randomToolId, toolIdFrom } from './tool-id.js'
import type { BlockDraft } from './block-draft.js'
import { type StopMatch, StopSearch } from './stop-sequences.js'
import type {
  BlockEmission,
  BlockEvent,
  BlockResult,
  ChunkMeta,
  MarkupEmission,
  MembraneBlock,
  MembraneBlockType,
  OnBlock,
  OnChunk,
  ToolResult,
} from './types.js'
import type { Span } from '../span.js'
import { decodeReferences } from '../references.js'
import { Declarations } from '../schema/declared-type.js'
import type { BorderExports } from '../wasm/border.js'
import { blockBorder } from '../wasm/borders.js'
import { type TagTable, blockReferences } from '../wasm/blocks.js'
import { count, flag, list, map, maybe, shape, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { endsInHalf } from '../surrogates.js'
import { type Saving, type Snapshot, makeSnapshot, requireBetweenChunks } from '../snapshot/snapshot.js'
import type { Instance } from '../wasm/guard.js'
import type { BlockHandler } from './decoder.js'
import { BlockFeed } from './feed.js'
import { hasEscaped } from './json-text.js'
import { EMISSIONS, type KeptText, META, TAG_AT, WAITING } from './saving.js'

/** An open tool call. */
interface Call {
  name: string | undefined
  id: string
  /** Where its tag begins. */
  offset: number
  depth: number
  isInsideThinking: boolean
  /** Whether its body can't be read, or lacks what the tool requires. */
  isMalformed: boolean
  /** What was repaired in its body. */
  repairs: readonly string[]
  /** Whether it has lists and objects, in which a key may come twice. */
  hasJson: boolean
}

/** Text inside a call, outside its parameters. */
interface Stray {
  text: string
  from: number
  to: number
}

/** Where a stop sequence stands. */
interface Stop {
  readonly offset: number
  readonly end: number
  readonly isWritten: boolean
}

/** Text that was not emitted yet, since it may be a stop sequence; from a place of the stream on. */
interface WaitingText {
  kind?: undefined
  text: string
  from: number
}

/** Emits the blocks of one stream. */
export class BlockEmitter implements BlockHandler {
  static get saved(): SavedClass {
    return {
      skips: [
        'options',
        'names',
        'more',
        'onChunk',
        'onBlock',
        'onMarkup',
        'generateId',
        'declarations',
        'spans',
        'reportsUnopened',
        'isBusy',
        'isSilent',
        'isOwing',
        'isAtStop',
        'failure',
        'emissions',
        'plainMeta',
        'instance',
      ],
      fields: {
        meta: META,
        call: maybe(
          shape<Call>({
            name: maybe(text),
            id: text,
            offset: count,
            depth: count,
            isInsideThinking: flag,
            isMalformed: flag,
            repairs: list(text),
            hasJson: flag,
          }),
        ),
        starts: map(text, count),
        carried: map(text, text),
        resultId: maybe(text),
        strays: list(shape<Stray>({ text, from: count, to: count })),
        owed: EMISSIONS,
        tagAt: TAG_AT,
        waiting: WAITING,
        stop: maybe(shape<Stop>({ offset: count, end: count, isWritten: flag })),
      },
    }
  }
  readonly feed: BlockFeed
  private readonly onChunk: OnChunk | undefined
  private readonly onBlock: OnBlock | undefined
  private readonly onMarkup: ((text: string, markup: MarkupEmission) => void) | undefined
  private readonly generateId: (call: CallPlace) => string
  private readonly declarations: Declarations | undefined
  private readonly spans: boolean
  private meta: ChunkMeta = NO_META
  /** The meta of the open block, while a chunk without `<` is content of it and nothing else is to be known. */
  private plainMeta: ChunkMeta | undefined
  /** Whether that content has character references. */
  private isDecoded = false
  private readonly instance: Pick<Instance<BorderExports>, 'failure'>
  private call: Call | undefined
  private resultId: string | undefined
  private lastKey = ''
  private isOpen = false
  private isBusy = false
  private isFinished = false
  private emissions: BlockEmission[] = []
  private failure: { error: unknown } | undefined

  // Input of the open call that was not emitted yet, and where it was read.
  private inputText = ''
  private inputFrom = 0
  private inputTo = 0

  // That input, where its members begin in the block's content, and members of blocks before which it goes on with.
  private readonly members = new Members({
    write: (json, from, to) => this.write(json, from, to),
    begin: (key, isAgain, from) => this.member(key, isAgain, from),
    leaveOut: (bracket, from, to) => this.leaveOut(bracket, true, from, to),
  })
  private readonly starts = new Map<string, number>()
  private readonly carried = new Map<string, string>()
  /** How often the call's input began again. */
  private restarts = 0

  // Text inside a call, outside its parameters: a block of its own after the
  // call's, by the places where it stands.
  private strays: Stray[] = []

  // Prefill: nothing is emitted while it is read. What is owed of blocks that were
  // emitted before comes with the next chunk.
  private isSilent = false
  private isEmitted = false
  private owed: BlockEmission[] = []
  // What is emitted is owed as well: something that waited when text was pushed.
  private isOwing = false

  // Places: of the open block's start, with its tag and after it, and where the last tag is described.
  private blockFrom = 0
  private contentFrom = 0
  private tagAt: Pick<MarkupEmission, 'role' | 'tagKind' | 'name'> = { tagKind: 'layout' }

  // Stop sequences: in the text as it is written, or in visible text. Visible text that may be one waits, with the
  // markup after it; from a unit of the search on. Its block starts with the first text that is emitted.
  private readonly writtenStops: StopSearch | undefined
  private readonly textStops: StopSearch | undefined
  private waiting: Array<WaitingText | BlockEmission> = []
  private waitingFrom = 0
  private searchFrom = 0
  private stop: Stop | undefined
  private isAtStop = false

  // Units that came, and those from which on visible text may turn out to be thinking.
  private received = 0
  private readonly reportsUnopened: boolean
  private replyFrom = 0
  private hasReported = false

  /** `more`: `BlockFlag` bits that no option has. */
  constructor(
    private readonly options: BlockParserOptions,
    private readonly names?: TagTable,
    private readonly more = 0,
  ) {
    const {
      onChunk,
      onBlock,
      onMarkup,
      generateId = randomToolId,
      tools,
      tags,
      trimParameters = true,
      spans = false,
      startWithThinking = false,
      unopenedThinking,
      fences,
      stopSequences = [],
      stopIn = 'text',
    } = options
    this.onChunk = onChunk
    this.onBlock = onBlock
    this.onMarkup = onMarkup
    this.generateId = generateId
    this.declarations = tools === undefined ? undefined : new Declarations('BlockParser: tools', tools)
    this.spans = spans
    this.reportsUnopened = unopenedThinking === 'report'
    const stops = stopSequences.length === 0 ? undefined : new StopSearch(stopSequences)
    if (stopIn === 'anywhere') this.writtenStops = stops
    else this.textStops = stops
    let flags = this.more | (trimParameters ? BlockFlag.TrimsParameters : 0)
    if (tools !== undefined) flags |= BlockFlag.AsksDeclarations
    if (spans) flags |= BlockFlag.EmitsMarkup
    if (startWithThinking) flags |= BlockFlag.StartsInThinking
    if (fences === 'text') flags |= BlockFlag.SkipsCode
    this.feed = new BlockFeed(
      this,
      flags,
      names ?? tagTable('BlockParser', tags),
      spans || this.reportsUnopened || stops !== undefined,
    )
    this.instance = blockBorder.instance
  }

  processChunk(chunk: string): BlockResult {
    const { plainMeta } = this
    // Kept short, so that V8 puts it into its caller; what is rarer stands in the methods below.
    if (
      plainMeta === undefined ||
      hasLess(chunk) ||
      chunk === '' ||
      (this.isDecoded && chunk.indexOf('&') !== -1) ||
      endsInHalf(chunk) ||
      this.instance.failure !== undefined
    )
      return this.processOther(chunk)
    return this.plainText(chunk, plainMeta)
  }

  /** Emits a chunk that is content of an open block of text, thinking or a result as a whole. */
  private plainText(chunk: string, { type, visible, blockIndex, toolId }: ChunkMeta): BlockResult {
    this.feed.plain.add(chunk)
    const meta: ChunkMeta = toolId === undefined ? { type, visible, blockIndex } : { type, visible, blockIndex, toolId }
    const { onChunk } = this
    if (onChunk !== undefined) {
      const { plainMeta } = this
      this.isBusy = true
      this.plainMeta = undefined
      try {
        onChunk(chunk, meta)
      } finally {
        this.isBusy = false
        this.plainMeta = plainMeta
      }
    }
    return new PlainResult(chunk, meta)
  }

  /** Reads a chunk that is not plain text, or in a mode that knows more than tags. */
  private processOther(chunk: string): BlockResult {
    this.plainMeta = undefined
    const { feed } = this
    feed.requireWhole()
    if (endsInHalf(chunk)) return this.processHalf(chunk)
    const { mode } = feed
    if (mode === BlockMode.Ask || this.isBusy) return this.settled(this.readChunk(chunk))
    const tag = feed.path.findTag(chunk)
    return this.settled(
      tag === -1 && (mode === BlockMode.Text ? chunk !== '' : this.isPlain(mode, chunk))
        ? this.plainChunk(chunk)
        : this.readCovered(chunk, tag),
    )
  }

  /** Reads a chunk whose last character is only there in half: that half waits. */
  private processHalf(chunk: string): BlockResult {
    if (this.isBusy || this.isFinished) this.refuse('processChunk')
    const { feed } = this
    const front = chunk.slice(0, -1)
    try {
      // Half a character that waits, and that another one follows, is all there is of it.
      return front === '' && feed.hasHalf && this.stop === undefined
        ? this.readAll(feed.afterWaiting(''))
        : this.processOther(front)
    } finally {
      this.plainMeta = undefined
      this.received++
      if (this.stop === undefined) feed.waitFor(chunk.slice(-1))
    }
  }

  /** After a chunk: the next one may be plain text. */
  private settled(result: BlockResult): BlockResult {
    const { meta, feed } = this
    this.isDecoded = feed.mode === BlockMode.Decoded
    if (
      (this.isDecoded || feed.mode === BlockMode.Text) &&
      meta.depth === undefined &&
      meta.insideThinking === undefined
    )
      this.plainMeta = meta
    return result
  }

  /** Whether a chunk without a tag is content as a whole, in the modes that know more than tags. */
  private isPlain(mode: number, chunk: string): boolean {
    return (
      chunk !== '' &&
      this.feed.path.endOfPlain(mode, chunk, chunk.length) === chunk.length &&
      this.isVerbatim(mode, chunk)
    )
  }

  /** Whether text that the mode covers comes out as it is written. */
  private isVerbatim(mode: number, text: string): boolean {
    return (
      this.feed.path.isContent(mode) ||
      (!this.members.holds && !this.feed.hasPending && (mode === BlockMode.Json || !hasEscaped(text)))
    )
  }

  /** Emits a chunk that is content of the open block as a whole. */
  private plainChunk(chunk: string): BlockResult {
    this.feed.plain.add(chunk)
    const meta = copyOf(this.meta)
    const onChunk = this.onChunk
    if (onChunk === undefined) return { emissions: [{ kind: 'content', text: chunk, meta }] }
    this.isBusy = true
    try {
      onChunk(chunk, meta)
    } finally {
      this.isBusy = false
    }
    return new PlainResult(chunk, meta)
  }

  /**
   * Emits a piece of a parameter's value that needs no reading, but has to be written as JSON or comes after pending
   * white space.
   */
  private plainInput(mode: number, piece: string): BlockResult {
    const { feed } = this
    feed.gather(piece)
    this.enter()
    this.members.add(feed.path.asInput(mode, feed.takePending() + piece))
    this.settle()
    this.isBusy = false
    return this.leave()
  }

  private readChunk(chunk: string): BlockResult {
    if (this.isBusy || this.isFinished) this.refuse('processChunk')
    this.received += chunk.length
    const { feed } = this
    if (this.stop !== undefined || (chunk === '' && feed.hasHalf)) return { emissions: [] }
    const text = feed.afterWaiting(chunk)
    return text === chunk || feed.mode === BlockMode.Ask
      ? this.readAll(text)
      : this.readCovered(text, feed.path.findTag(text))
  }

  /** A chunk that the mode may cover in part, up to `tag`, where the first tag may begin. */
  private readCovered(chunk: string, tag: number): BlockResult {
    const { feed } = this
    const { mode } = feed
    const end = feed.putOff(chunk, tag)
    if (end === -1) return this.readAll(chunk)
    if (end === 0) return { emissions: [] }
    const text = end === chunk.length ? chunk : chunk.slice(0, end)
    return this.isVerbatim(mode, text) ? this.plainChunk(text) : this.plainInput(mode, text)
  }

  private readAll(chunk: string): BlockResult {
    this.enter()
    try {
      if (this.writtenStops === undefined) this.feed.read(chunk)
      else this.readUpToStop(this.writtenStops, chunk)
      if (this.isAtStop) this.settleStop()
    } finally {
      this.isBusy = false
    }
    return this.leave()
  }

  flush(): BlockResult {
    this.requireIdle('BlockParser.flush')
    if (this.isFinished) return { emissions: [] }
    this.isFinished = true
    this.enter()
    try {
      this.endReply()
    } finally {
      this.isBusy = false
    }
    return this.leave()
  }

  /** The end of a reply: what may have been a stop sequence is one or is text. */
  private endReply(): void {
    if (this.stop !== undefined) return
    if (this.writtenStops !== undefined) this.readHeld(this.writtenStops)
    if (!this.isAtStop) this.feed.endReply()
    if (this.isAtStop) this.settleStop()
  }

  push(text: string): void {
    if (this.isBusy) this.refuse('push')
    this.plainMeta = undefined
    // After the end it begins the next reply, also where a stop was the end.
    if (this.isFinished && this.stop !== undefined) {
      this.forgetStop()
      this.newReply()
    }
    this.isFinished = false
    const { feed } = this
    this.isBusy = true
    try {
      this.isOwing = true
      if (this.stop === undefined) this.settleWaiting()
      this.isOwing = false
      this.received += text.length
      if (this.stop === undefined) {
        this.isSilent = true
        feed.read(feed.afterWaiting(text))
        const at = this.feed.offset
        if (this.isOpen && this.call === undefined) this.completed(false, false, at, at)
      }
    } finally {
      this.isBusy = this.isSilent = this.isOwing = false
    }
    this.newReply()
    if (this.stop === undefined) feed.setOpen(Absent.BlockKind)
    // Nothing was emitted, but an id was asked for.
    this.leave()
  }

  /** Before text that was sent already: what waits can't be part of a stop sequence any more. */
  private settleWaiting(): void {
    if (this.writtenStops !== undefined) this.readHeld(this.writtenStops)
    else this.endWaiting()
    if (this.isAtStop) this.settleStop()
  }

  /** A reply begins with what comes next. */
  private newReply(): void {
    this.replyFrom = this.searchFrom = this.received
    this.hasReported = false
    this.writtenStops?.restart()
    this.textStops?.restart()
    this.waitingFrom = 0
  }

  finish(): BlockEvent[] {
    return this.flush().emissions.flatMap((emission) => (emission.kind === 'blockEvent' ? [emission.event] : []))
  }

  incrementBlockIndex(): void {
    this.requireIdle('BlockParser.incrementBlockIndex')
    this.feed.index++
  }

  /** Units that came after a stop sequence. */
  get ignored(): number {
    return this.stop === undefined ? 0 : this.received - this.stop.end
  }

  emitToolResults(results: readonly ToolResult[]): BlockResult {
    this.requireIdle('BlockParser.emitToolResults')
    this.enter()
    try {
      if (!this.isFinished) this.endReply()
      const at = this.feed.offset
      for (const { toolUseId, content, isError } of results) {
        this.started(BlockKind.ToolResult, 0, false, at, at)
        if (toolUseId !== '') this.answersCall(toolUseId)
        const text = resultOf(content)
        if (text !== '') this.content(text, at, at)
        this.completed(false, isError === true, at, at)
      }
    } finally {
      this.isBusy = false
    }
    return this.leave()
  }

  resetForNewIteration(): BlockResult {
    const result = this.flush()
    this.isFinished = false
    this.forgetStop()
    this.newReply()
    return result
  }

  /** What was ignored after a stop is no part of the stream. */
  private forgetStop(): void {
    if (this.stop !== undefined) this.received = this.stop.offset
    this.stop = undefined
  }

  reset(): void {
    this.requireIdle('BlockParser.reset')
    this.feed.restart()
    this.call = undefined
    this.resultId = undefined
    this.isOpen = this.isEmitted = this.isFinished = false
    this.inputText = ''
    this.strays = []
    this.owed = []
    this.waiting = []
    this.stop = undefined
    this.received = 0
    this.newReply()
  }

  /** The state between two chunks. */
  snapshot(saving: Saving, kept: KeptText): Snapshot {
    requireBetweenChunks(saving.place, this.isBusy)
    const { options } = this
    return this.withoutText(kept, (omitted) =>
      makeSnapshot(saving, {
        live: this,
        fresh: new BlockEmitter(options, this.names, this.more),
        options,
        keepText: kept !== 'none',
        omitted,
      }),
    )
  }

  /** Leaves out text while `act` runs, which gets the parts without it. */
  withoutText<Result>(kept: KeptText, act: (omitted: readonly object[]) => Result): Result {
    const isOwed = this.call !== undefined && !this.isEmitted
    return this.feed.without(kept, { isOpen: this.isOpen, isOwed }, act)
  }

  /** Refuses a call from inside one of this parser's own callbacks. */
  private requireIdle(place: string): void {
    this.plainMeta = undefined
    if (this.isBusy)
      throw new ParseError(
        'reentrant',
        `${place} was called from inside a callback of the same parser; call it after processChunk or flush has ` +
          `returned`,
      )
  }

  private refuse(method: string): never {
    this.requireIdle(`BlockParser.${method}`)
    throw new ParseError(
      'finished',
      `BlockParser.${method} was called after flush; call reset() for a new stream, or resetForNewIteration() ` +
        `to go on with this one`,
    )
  }

  /** Before anything is emitted. */
  private enter(): void {
    this.isBusy = true
    if (this.owed.length > 0 || (this.call !== undefined && !this.isEmitted)) this.emitOwed()
  }

  /** Gives what was emitted, or throws what a callback threw. */
  private leave(): BlockResult {
    const emissions = this.emissions
    this.emissions = []
    const failure = this.failure
    if (failure !== undefined) {
      this.failure = undefined
      throw failure.error
    }
    return { emissions }
  }

  /** Emits what prefill kept back: ends of blocks, and a tool call that it left open. */
  private emitOwed(): void {
    const owed = this.owed
    this.owed = []
    for (const emission of owed) this.deliver(emission)
    const call = this.call
    if (call === undefined || this.isEmitted) return
    this.isEmitted = true
    this.emitStart('tool_call', call.isInsideThinking)
    this.emitCall(call)
    this.meta = inputMeta(this.feed.index, call)
    const input = this.feed.blockContent.toString()
    if (input !== '') this.emit(input, copyOf(this.meta))
  }

  // What the records say.

  started(kind: number, depth: number, isInsideThinking: boolean, from: number, to: number): void {
    const type = BLOCK_KINDS[kind] as MembraneBlockType
    const visible = type === 'text'
    this.isOpen = true
    this.blockFrom = from
    this.contentFrom = to
    this.call = undefined
    this.resultId = undefined
    this.feed.startBlock()
    const meta: ChunkMeta =
      type === 'tool_call'
        ? { type, visible, blockIndex: this.feed.index, depth }
        : { type, visible, blockIndex: this.feed.index }
    this.meta = isInsideThinking ? { ...meta, insideThinking: true } : meta
    this.isEmitted = !this.isSilent && (!visible || this.textStops === undefined)
    if (this.isEmitted) this.emitStart(type, isInsideThinking)
  }

  content(text: string, from: number, to: number): void {
    if (this.isSilent) return
    const { textStops } = this
    if (textStops !== undefined && this.meta.visible) return this.textUpToStop(textStops, text, from)
    this.contentOf(text, from, to)
  }

  private contentOf(text: string, from: number, to: number): void {
    this.feed.blockContent.add(text)
    this.emit(text, this.spans ? { ...this.meta, span: [from, to] } : copyOf(this.meta))
  }

  named(name: string | undefined, from: number, to: number): void {
    this.members.reset()
    this.starts.clear()
    this.carried.clear()
    this.restarts = 0
    this.beginCall(name === undefined ? undefined : decodeReferences(blockReferences, name), false, [from, to])
  }

  private beginCall(
    name: string | undefined,
    isMalformed: boolean,
    span: Span,
    offset = this.feed.placeOf(this.blockFrom),
  ): void {
    const id = toolIdFrom(
      'BlockParser',
      () => this.generateId({ name, offset }),
      (error) => (this.failure ??= { error }),
    )
    const { depth, insideThinking } = this.meta
    const call: Call = {
      name,
      id,
      offset,
      depth: depth as number,
      isInsideThinking: insideThinking === true,
      isMalformed,
      repairs: [],
      hasJson: false,
    }
    this.call = call
    if (!this.isSilent) this.emitCall(call, this.spans ? span : undefined)
  }

  answers(id: string): void {
    this.answersCall(decodeReferences(blockReferences, id))
  }

  private answersCall(id: string): void {
    this.resultId = id
    this.meta = resultMeta(this.feed.index, id)
  }

  parameter(key: string, from: number, to: number): void {
    this.lastKey = decodeReferences(blockReferences, key)
    const listing = this.declarations?.listing(this.call?.name ?? '', this.lastKey)
    if (!this.members.begin(this.lastKey, listing, from, to)) this.leaveOut(key, false, from, to)
  }

  input(piece: string, from: number, to: number, isJson = false): void {
    if (isJson && this.call !== undefined) this.call.hasJson = true
    this.members.add(piece, from, to)
  }

  private write(json: string, from: number, to: number): void {
    // What is between two places is of another piece.
    if (this.spans && this.inputText !== '' && from !== this.inputTo) this.settle()
    if (this.inputText === '') this.inputFrom = from
    this.inputTo = to
    this.inputText += json
  }

  /** A part of a call that is not in its input. */
  private leaveOut(text: string, isLayout: boolean, from: number, to: number): void {
    if (this.spans && from < to) this.markup(text, isLayout, from, to)
  }

  /** A member of the open call's input is written next. */
  private member(key: string, isAgain: boolean, at: number): void {
    this.carried.delete(key)
    if (isAgain) this.startOver(at, key)
    // After the brace or comma.
    this.starts.set(key, this.feed.blockContent.toString().length + this.inputText.length + 1)
  }

  /**
   * What was emitted of a call can't be taken back: its block ends, and the call comes again as the next one, with what
   * was
   * emitted of other arguments at its end.
   */
  private startOver(at: number, key?: string): void {
    this.settle()
    const { call, starts, carried } = this
    if (call === undefined) return
    if (this.restarts + 1 === Limit.CallStarts) {
      // More than a mistake: so that each text is emitted a few times at most.
      call.isMalformed = true
      return
    }
    this.restarts++
    const { isPartial } = this.feed
    const content = this.feed.blockContent.toString()
    const members = [...starts]
    for (const [at, [name, start]] of members.entries()) {
      const next = members[at + 1]?.[1]
      if (name !== key) carried.set(name, content.slice(start, next === undefined ? undefined : next - 1))
    }
    starts.clear()
    this.members.startOver()
    this.endBlock({ ...draftOf(call), content, incomplete: true, problem: 'repeated-argument' }, at, at)
    this.started(BlockKind.ToolCall, call.depth, call.isInsideThinking, at, at)
    this.beginCall(call.name, call.isMalformed || isPartial, [at, at], call.offset)
    if (this.call !== undefined) this.call.repairs = ['repeated-argument']
  }

  stray(text: string, from: number, to: number): void {
    const last = this.strays.at(-1)
    if (last !== undefined && (last.to === from || !this.spans)) {
      last.text += text
      last.to = to
    } else {
      this.strays.push({ text, from, to })
    }
  }

  inputEnd(isEmpty: boolean, from: number): void {
    if (!isEmpty) return this.members.finish(from, this.carried.values())
    // A call whose body is its input, and not parameters.
    const { strays } = this
    const { call } = this
    // No call is open where the machine's state was overwritten.
    if (call === undefined) return
    const body = textOf(strays)
    const read = readArguments(body, this.declarations?.requiredBy(call.name ?? ''), bodyOf)
    this.strays = []
    call.isMalformed = 'problem' in read
    if ('input' in read && (strays.length === 0 || read.isRepeated || !isRecord(parseInput(body)))) {
      const first = strays[0] ?? { from, to: from }
      call.repairs = repairsIn(read)
      // What tags interrupt is no one text.
      if (strays.length < 2) return this.write(body === '' ? '{}' : JSON.stringify(read.input), first.from, first.to)
      call.isMalformed = true
    }
    for (const { text, from, to } of strays) {
      this.write(text, from, to)
      if (this.spans) this.settle()
    }
  }

  tag(name: string, role: number, isCloser: boolean, isEmpty: boolean): void {
    this.tagAt = {
      role: TAG_ROLES[role] as NonNullable<MarkupEmission['role']>,
      tagKind: isCloser ? 'close' : isEmpty ? 'self-closing' : 'open',
      name,
    }
  }

  markup(text: string, isLayout: boolean, from: number, to: number): void {
    this.settle()
    if (this.isSilent) return
    const tag: typeof this.tagAt = isLayout ? { tagKind: 'layout' } : this.tagAt
    this.inOrder({ kind: 'markup', text, span: [from, to], ...tag })
  }

  unopened(from: number): void {
    if (!this.reportsUnopened || this.isSilent || this.hasReported) return
    this.hasReported = true
    if (this.replyFrom < from)
      this.inOrder({
        kind: 'blockEvent',
        event: { event: 'reclassify', as: 'thinking', from: this.replyFrom, to: from },
      })
  }

  // Blocks have the text of CDATA, and the values of attributes.
  payload(): void {}
  attribute(): void {}

  /** After the text that waits, if some does. */
  private inOrder(emission: BlockEmission): void {
    if (this.waiting.length > 0) this.waiting.push(emission)
    else this.deliver(emission)
  }

  declared(element: string | undefined): Declared {
    return (this.declarations as Declarations).of(this.call?.name ?? '', element ?? this.lastKey, element !== undefined)
  }

  /** Emits the input that was gathered, as one chunk. */
  settle(): void {
    const text = this.inputText
    const call = this.call
    if (text === '' || call === undefined) return
    this.inputText = ''
    this.feed.blockContent.add(text)
    if (this.isSilent && !this.isEmitted) return
    // What comes next and needs no reading, comes with the like.
    const meta = (this.meta = inputMeta(this.feed.index, call))
    const chunk: BlockEmission = {
      kind: 'content',
      text,
      meta: this.spans ? { ...meta, span: [this.inputFrom, this.inputTo] } : copyOf(meta),
    }
    if (this.isSilent) this.owed.push(chunk)
    else this.deliver(chunk)
  }

  completed(isIncomplete: boolean, isError: boolean, from: number, to: number, isMalformed = false): void {
    this.settle()
    if (this.waiting.length > 0) {
      this.endWaiting()
      if (this.isAtStop) return
    }
    const type = this.meta.type
    if (type === 'thinking') this.replyFrom = to
    let block: BlockDraft = { type }
    const { call } = this
    if (call !== undefined) block = this.wholeCall(call, isIncomplete, isMalformed || call.isMalformed, from)
    else {
      block.content = this.feed.blockContent.toString()
      if (this.resultId !== undefined) block.toolId = this.resultId
      if (isError) block.isError = true
      if (isIncomplete) block.incomplete = true
    }
    this.endBlock(block, from, to)
    if (this.strays.length > 0) this.completeStrays(this.strays)
  }

  /** The block of a call that is complete at a place. */
  private wholeCall(call: Call, isIncomplete: boolean, isMalformed: boolean, at: number): BlockDraft {
    const text = this.feed.blockContent.toString()
    // Lists and objects stand in it as they were written.
    const read =
      this.feed.isPartial || isMalformed ? undefined : callJsonIn<Record<string, unknown>>(text, call.hasJson)
    if (read === undefined) return { ...draftOf(call), content: text, incomplete: true }
    if (read.isRepeated && !isIncomplete) {
      this.startOver(at)
      this.write(JSON.stringify(read.value), at, at)
      this.settle()
    }
    const repairs = [...new Set([...call.repairs, ...repairsIn(read)])]
    const block: BlockDraft = { ...draftOf(this.call ?? call), input: read.value }
    if (repairs.length > 0) block.repairs = repairs
    if (isIncomplete) block.incomplete = true
    return block
  }

  /** The text of the call that is complete, outside its parameters: a block of its own. */
  private completeStrays(strays: typeof this.strays): void {
    const first = strays[0] as (typeof strays)[number]
    this.strays = []
    const { depth, insideThinking } = this.meta
    const end = (strays.at(-1) ?? first).to
    this.started(BlockKind.ToolCall, depth as number, insideThinking === true, first.from, first.from)
    for (const { text, from, to } of strays) this.content(text, from, to)
    this.endBlock({ type: 'tool_call', content: textOf(strays) }, end, end)
  }

  /**
   * Emits that a block is complete, unless its start was not emitted. Its own closing tag stands from `from` to `to`.
   */
  private endBlock(block: BlockDraft, from: number, to: number): void {
    this.isOpen = false
    this.call = undefined
    if (!this.isEmitted) return
    if (this.meta.insideThinking) block.insideThinking = true
    if (this.feed.isPartial) block.partial = true
    if (this.spans) {
      block.span = [this.blockFrom, to]
      block.contentSpan = [this.contentFrom, from]
    }
    const event: BlockEvent = { event: 'block_complete', index: this.feed.index, block: block as MembraneBlock }
    this.feed.index++
    if (this.isSilent) this.owed.push({ kind: 'blockEvent', event })
    else this.emitBlock(event)
  }

  // Stop sequences.

  /** Reads a chunk up to where a stop sequence begins or may begin. */
  private readUpToStop(stops: StopSearch, chunk: string): void {
    const { feed } = this
    const match = stops.read(chunk)
    const text = feed.held + chunk
    const from = this.received - text.length
    feed.held = ''
    if (match !== undefined) return this.stopWritten(match, text, from)
    const end = text.length - (stops.at - stops.pendingFrom)
    if (end > 0) feed.read(text.slice(0, end))
    feed.held = text.slice(end)
  }

  /** The end of the text that may be a stop sequence. */
  private readHeld(stops: StopSearch): void {
    const { feed } = this
    const text = feed.held
    feed.held = ''
    const match = stops.finish()
    if (match !== undefined) return this.stopWritten(match, text, this.received - text.length)
    stops.restart()
    this.searchFrom = this.received
    if (text !== '') feed.read(text)
  }

  private stopWritten({ sequence, start }: StopMatch, text: string, from: number): void {
    const { feed } = this
    const offset = this.searchFrom + start
    feed.read(text.slice(0, offset - from))
    const { index } = feed
    feed.endReply()
    this.stopped(sequence, offset, offset + sequence.length, index, true)
  }

  /** Emits visible text up to where a stop sequence begins or may begin. */
  private textUpToStop(stops: StopSearch, text: string, from: number): void {
    this.waiting.push({ text, from })
    const match = stops.read(text)
    if (match === undefined) this.release(stops.pendingFrom)
    else this.stopText(match)
  }

  /** The text that may be a stop sequence has ended. */
  private endWaiting(): void {
    const stops = this.textStops
    if (stops === undefined) return
    const match = stops.finish()
    if (match === undefined) this.release(Infinity)
    else this.stopText(match)
    stops.restart()
    this.waitingFrom = 0
  }

  /** Emits what waits, up to a unit of the search. */
  private release(to: number): void {
    const { waiting } = this
    let count = 0
    for (const each of waiting) {
      if (each.kind !== undefined) {
        this.deliver(each)
        count++
        continue
      }
      const { text, from } = each
      const room = to - this.waitingFrom
      if (room <= 0) break
      const piece = text.slice(0, room)
      this.waitingFrom += piece.length
      if (!this.isEmitted) {
        this.isEmitted = true
        this.emitStart('text', false)
      }
      this.contentOf(piece, from, from + piece.length)
      if (piece.length < text.length) {
        waiting[count] = { text: text.slice(room), from: from + room }
        break
      }
      count++
    }
    waiting.splice(0, count)
  }

  private stopText({ sequence, start, end }: StopMatch): void {
    this.release(start)
    const texts = this.waiting.filter((each): each is WaitingText => each.kind === undefined)
    const offset = texts[0]?.from ?? 0
    let left = end - start
    let to = offset
    for (const { text, from } of texts) {
      if (left > 0) to = from + Math.min(left, text.length)
      left -= text.length
    }
    this.waiting = []
    const { index } = this.feed
    this.endBlock({ type: 'text', content: this.feed.blockContent.toString() }, offset, offset)
    this.stopped(sequence, offset, to, index, false)
    // What is read of the chunk after it isn't emitted.
    this.feed.mute()
  }

  private stopped(sequence: string, offset: number, end: number, block: number, isWritten: boolean): void {
    this.emitBlock({ event: 'stop', sequence, offset, block })
    this.stop = { offset, end, isWritten }
    this.isAtStop = true
  }

  /** Once nothing more is being read: goes back to the stop. */
  private settleStop(): void {
    this.isAtStop = false
    const { offset, isWritten } = this.stop as Stop
    this.feed.continueAt(offset, isWritten)
    this.isOpen = false
    this.call = undefined
    this.inputText = ''
    this.strays = []
  }

  private emitCall(call: Call, span?: Span): void {
    const { name, id } = call
    if (name !== undefined) this.emit(name, withSpan(partMeta(this.feed.index, call, 'name', undefined), span))
    this.emit(id, withSpan(partMeta(this.feed.index, call, 'id', id), span && [span[1], span[1]]))
  }

  private emitStart(type: MembraneBlockType, isInsideThinking: boolean): void {
    this.emitBlock({
      event: 'block_start',
      index: this.feed.index,
      block: isInsideThinking ? { type, insideThinking: true } : { type },
    })
  }

  private emit(text: string, meta: ChunkMeta): void {
    this.deliver({ kind: 'content', text, meta })
  }

  private emitBlock(event: BlockEvent): void {
    this.deliver({ kind: 'blockEvent', event })
  }

  private deliver(emission: BlockEmission): void {
    if (this.isOwing) {
      this.owed.push(emission)
      return
    }
    this.emissions.push(emission)
    try {
      if (emission.kind === 'content') {
        const onChunk = this.onChunk
        if (onChunk !== undefined) onChunk(emission.text, emission.meta)
      } else if (emission.kind === 'blockEvent') {
        const onBlock = this.onBlock
        if (onBlock !== undefined) onBlock(emission.event)
      } else {
        const onMarkup = this.onMarkup
        if (onMarkup !== undefined) onMarkup(emission.text, emission)
      }
    } catch (error) {
      this.failure ??= { error }
    }
  }
}

/** Up to this length a loop finds a character sooner than `indexOf`. */
const TINY = 3

/** Whether a text has a `<`. */
function hasLess(text: string): boolean {
  const { length } = text
  if (length > TINY) return text.indexOf('<') !== -1
  for (let at = 0; at < length; at++) if (text.charCodeAt(at) === BlockTrigger.Less) return true
  return false
}

/** What a chunk gave that needed no reading: one piece of content, listed when somebody asks. */
class PlainResult implements BlockResult {
  // Without initialisers, which take as long as the rest.
  declare private readonly text: string
  declare private readonly meta: ChunkMeta
  declare private list: BlockEmission[] | undefined

  constructor(text: string, meta: ChunkMeta) {
    this.text = text
    this.meta = meta
    this.list = undefined
  }

  get emissions(): BlockEmission[] {
    this.list ??= [{ kind: 'content', text: this.text, meta: this.meta }]
    return this.list
  }
}

const NO_META: ChunkMeta = { type: 'text', visible: true, blockIndex: 0 }

// Metas are written out, not spread together: it is several times as fast.

function partMeta(
  blockIndex: number,
  call: Call,
  toolCallPart: 'name' | 'id' | 'input',
  toolId: string | undefined,
): ChunkMeta {
  const meta = callMeta(blockIndex, call.depth, toolCallPart, toolId, call.name)
  return call.isInsideThinking ? { ...meta, insideThinking: true } : meta
}

function inputMeta(blockIndex: number, call: Call): ChunkMeta {
  return partMeta(blockIndex, call, 'input', call.id)
}

function callMeta(
  blockIndex: number,
  depth: number,
  toolCallPart: 'name' | 'id' | 'input',
  toolId: string | undefined,
  toolName: string | undefined,
): ChunkMeta {
  if (toolId === undefined)
    return { type: 'tool_call', visible: false, blockIndex, depth, toolCallPart, toolName: toolName as string }
  if (toolName === undefined) return { type: 'tool_call', visible: false, blockIndex, depth, toolCallPart, toolId }
  return { type: 'tool_call', visible: false, blockIndex, depth, toolCallPart, toolId, toolName }
}

/** The same again: each event has a meta of its own. */
function copyOf(meta: ChunkMeta): ChunkMeta {
  const { type, visible, blockIndex, depth, toolCallPart, toolId, toolName } = meta
  if (depth === undefined && toolId === undefined) return { type, visible, blockIndex }
  if (depth === undefined) return { type, visible, blockIndex, toolId: toolId as string }
  if (toolCallPart === undefined || meta.insideThinking === true) return { ...meta }
  return callMeta(blockIndex, depth as number, toolCallPart, toolId, toolName)
}

function resultMeta(blockIndex: number, toolId: string): ChunkMeta {
  return { type: 'tool_result', visible: false, blockIndex, toolId }
}

function withSpan(meta: ChunkMeta, span: Span | undefined): ChunkMeta {
  return span === undefined ? meta : { ...meta, span }
}

function draftOf({ id, name }: Call): BlockDraft {
  return name === undefined ? { type: 'tool_call', toolId: id } : { type: 'tool_call', toolId: id, toolName: name }
}

function textOf(strays: readonly Stray[]): string {
  return strays.map(({ text }) => text).join('')
}

/** The value of a call's body, which may stand in a fence. */
function bodyOf(body: string): CallJson | undefined {
  const fenced = /^\s*```\w*\s*\n([^]*?)\n?\s*```\s*$/.exec(body)
  return callJsonIn(fenced?.[1] ?? body)
}

/** A call's input, if its text is a JSON object. */
function parseInput(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
