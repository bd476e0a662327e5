// membrane's `IncrementalXmlParser`, on the same machine: an element of
// function calls, function results or thinking is one block of text.
//
// Source: spec/block.md, "Two faces on one machine"; the class of that name in
// membrane v0.5.78, and its payloads, history and envelopes from 0.5.86 on.
// Differences: a closing tag without an opening tag changes nothing (there a depth goes
// to −1), no block is completed that was not started, a `<` that fails is read
// again (there `<thin<thinking>` loses the tag), and everything is linear.

import { BlockFace } from './face.js'
import type { BlockHandler } from './decoder.js'
import { BlockFeed } from './feed.js'
import { describe, requireOptions, requireString } from '../errors.js'
import type { SavedClass } from '../snapshot/saved.js'
import { Opened, type Snapshot, type KeepTextOptions, keepsText, makeSnapshot } from '../snapshot/snapshot.js'
import { EMISSIONS, type KeptText, META, savingOf } from './saving.js'
import { Absent, BLOCK_KINDS, BlockFlag, BlockMode, Declared, TagSet } from '../generated/ops.js'
import { PayloadPlaces } from './payload-places.js'
import { STOP_OPTIONS, type StopMatch, type StopOptions, StopSearch, requireStops } from './stop-sequences.js'
import type { BlockStartEvent, ChunkMeta, MembraneBlockType, StopEvent } from './types.js'
import { endsInHalf } from '../surrogates.js'
import { blockBorder } from '../wasm/borders.js'
import { builtInTags } from '../wasm/blocks.js'

const SAVING = savingOf('incremental-xml', 'IncrementalXmlParser')

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
 * A block that is complete, as membrane's class gives it: one plain object for all kinds.
 *
 * @example
 * ```ts
 * import { type ElementBlock, IncrementalXmlParser } from 'tokenweir/blocks'
 *
 * const blocks: ElementBlock[] = []
 * const parser = new IncrementalXmlParser()
 * for (const event of parser.processChunk('<thinking>hm</thinking>').blockEvents)
 *   if (event.event === 'block_complete') blocks.push(event.block)
 * console.log(blocks) // [ { type: 'thinking', content: 'hm' } ]
 * ```
 */
export interface ElementBlock {
  /** Its kind. */
  type: MembraneBlockType
  /** Its text, which the class always gives. */
  content?: string
  /** Id of a tool call: in what other parsers of a program make. */
  toolId?: string
  /** Name of a tool: likewise. */
  toolName?: string
  /** Input of a tool call: likewise. */
  input?: Record<string, unknown>
  /** Whether a result reports an error: likewise. */
  isError?: boolean
  /**
   * True if it began before a restore from a snapshot with `keepText: false`: its `content` is what came since then.
   */
  partial?: true
}

/**
 * A block's end, as membrane's class gives it.
 *
 * @example
 * ```ts
 * import { type ElementCompleteEvent, IncrementalXmlParser } from 'tokenweir/blocks'
 *
 * const show = ({ index, block }: ElementCompleteEvent) => console.log(index, block.content)
 * for (const event of new IncrementalXmlParser().processChunk('<thinking>hm</thinking>').blockEvents) {
 *   if (event.event === 'block_complete') show(event) // 0 hm
 * }
 * ```
 */
export interface ElementCompleteEvent {
  /** Which event it is. */
  event: 'block_complete'
  /** Index of the block, the same as at its start. */
  index: number
  /** The whole block. */
  block: ElementBlock
}

/**
 * A block's start or end; with stop sequences also `stop`, which the type has only where the class was given some.
 *
 * @example
 * ```ts
 * import { type ElementEvent, IncrementalXmlParser } from 'tokenweir/blocks'
 *
 * const events: ElementEvent[] = new IncrementalXmlParser().processChunk('Hello').blockEvents
 * console.log(events.map(({ event }) => event)) // [ 'block_start' ]
 * ```
 */
export type ElementEvent<Stop extends StopEvent = never> = BlockStartEvent | ElementCompleteEvent | Stop

/**
 * One entry of `emissions`.
 *
 * @example
 * ```ts
 * import { IncrementalXmlParser, type StreamEmission } from 'tokenweir/blocks'
 *
 * const emissions: StreamEmission[] = new IncrementalXmlParser().processChunk('<thinking>hm').emissions
 * console.log(emissions.map((emission) => (emission.kind === 'content' ? emission.text : emission.event.event)))
 * // → [ 'block_start', 'hm' ]
 * ```
 */
export type StreamEmission<Stop extends StopEvent = never> =
  | {
      /** A piece of text. */
      kind: 'content'
      /** The piece. */
      text: string
      /** What it belongs to. */
      meta: ChunkMeta
    }
  | {
      /** A block's start or end, or a stop. */
      kind: 'blockEvent'
      /** The boundary. */
      event: ElementEvent<Stop>
    }

/**
 * What a chunk gave, once in order and once by kind. A program may make such results itself, with plain objects.
 *
 * @example
 * ```ts
 * import { IncrementalXmlParser, type ProcessChunkResult } from 'tokenweir/blocks'
 *
 * const { emissions }: ProcessChunkResult = new IncrementalXmlParser().processChunk('Hello')
 * console.log(emissions.map(({ kind }) => kind)) // [ 'blockEvent', 'content' ]
 * ```
 */
export interface ProcessChunkResult<Stop extends StopEvent = never> {
  /** Everything in the order in which it happened. */
  emissions: StreamEmission<Stop>[]
  /** The content entries alone. @deprecated Use `emissions`, which keeps the order. */
  content: ContentEntry[]
  /** The block events alone. @deprecated Use `emissions`, which keeps the order. */
  blockEvents: ElementEvent<Stop>[]
}

/** What the class emits at a stop sequence, by its options. */
type StopOf<Options> = Options extends { stopSequences: readonly string[] } ? StopEvent : never

/**
 * Turns chunks of a model's text into blocks as membrane does: an element of
 * function calls, function results or thinking is one block of text, with its tags
 * taken off. For single calls with their parameters take `BlockParser`.
 *
 * It can stand in for the class of that name in membrane, 0.5.78 or newer. A parameter's value in CDATA is a *payload*:
 * nothing in it is markup.
 *
 * With `stopSequences` it stops as `BlockParser` does, and emits `stop` as a block event. A sequence that begins with
 * `<`, such as `</function_calls>`, counts wherever the text has it; no sequence counts in a payload. What follows is
 * ignored until `flush`, which ends the reply.
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
export class IncrementalXmlParser<Options extends StopOptions = Record<never, never>> extends BlockFace {
  private readonly emitter: ElementEmitter

  /** @throws TypeError that names the option, if one is unknown or of the wrong type. */
  constructor(options?: Options) {
    const given: StopOptions = options ?? {}
    requireOptions('IncrementalXmlParser', given, STOP_OPTIONS)
    requireStops('IncrementalXmlParser', given)
    blockBorder.requireReady('IncrementalXmlParser')
    const emitter = new ElementEmitter(given)
    super(emitter.feed)
    this.emitter = emitter
  }

  /**
   * Goes on from a snapshot, in any process: what comes next gives what it would have given the parser that the
   * snapshot is of.
   *
   * @throws ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const before = new IncrementalXmlParser()
   * before.processChunk('<thin')
   * const after = IncrementalXmlParser.restore(JSON.parse(JSON.stringify(before.snapshot())))
   * console.log(after.processChunk('king>hm').content[0]?.meta.type) // thinking
   * ```
   */
  static restore<Options extends StopOptions = Record<never, never>>(
    snapshot: Snapshot,
    options?: Options,
  ): IncrementalXmlParser<Options> {
    requireOptions('IncrementalXmlParser.restore', options, STOP_OPTIONS)
    const opened = new Opened(SAVING, snapshot, options)
    const parser = new IncrementalXmlParser(opened.options as Options)
    opened.into(parser.emitter)
    return parser
  }

  /**
   * The parser's state between two chunks, as plain JSON: for `IncrementalXmlParser.restore`.
   *
   * It has all text so far, which `getAccumulated` gives; with `keepText: false` its size depends on pending text
   * alone.
   *
   * @throws TypeError for an unknown option.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('<thinking>hm')
   * console.log(IncrementalXmlParser.restore(parser.snapshot()).getContext()) // thinking(1)
   * ```
   */
  snapshot(options?: KeepTextOptions): Snapshot {
    return this.emitter.snapshot(keepsText('IncrementalXmlParser', options) ? 'all' : 'none')
  }

  /**
   * Reads a chunk and returns what it gave.
   *
   * @throws TypeError if the chunk is not a string.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * const { emissions } = parser.processChunk('Hello')
   * console.log(emissions[1]?.kind === 'content' && emissions[1].meta)
   * // → { type: 'text', visible: true, blockIndex: 0, depth: 0 }
   * ```
   */
  processChunk(chunk: string): ProcessChunkResult<StopOf<Options>> {
    requireString('IncrementalXmlParser.processChunk', chunk)
    return this.emitter.processChunk(chunk) as ProcessChunkResult<StopOf<Options>>
  }

  /**
   * Ends the stream: pending text comes out, the open block is completed. Depths stay.
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
  flush(): ProcessChunkResult<StopOf<Options>> {
    return this.emitter.flush() as ProcessChunkResult<StopOf<Options>>
  }

  /**
   * Reads text that was sent before: moves the state, emits nothing. The list that it returns is empty. After `flush`
   * the next reply begins with it.
   *
   * @throws TypeError if the chunk is not a string.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * console.log(parser.push('<thinking>hm'), parser.getContext()) // [] thinking(1)
   * ```
   */
  push(chunk: string): ElementEvent<StopOf<Options>>[] {
    requireString('IncrementalXmlParser.push', chunk)
    this.emitter.push(chunk)
    return []
  }

  /**
   * Takes in text that the program wrote itself, such as results in an envelope: it is in `getAccumulated`, and nothing
   * in it is read. What is open stays open.
   *
   * @throws TypeError if the text is not a string.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * parser.pushEnvelope('<function_results>')
   * console.log(parser.getContext(), parser.getAccumulated()) // none <function_results>
   * ```
   */
  pushEnvelope(text: string): void {
    requireString('IncrementalXmlParser.pushEnvelope', text)
    this.emitter.feed.addUnread(text)
  }

  /**
   * Says that all text so far is history, and the turn begins: a payload that it left open ends here, and thinking or
   * results that it left open no longer keep the turn's calls from being calls. Depths stay.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * parser.push('<function_calls><invoke name="f"><parameter name="x"><![CDATA[cut off')
   * parser.endHistory()
   * console.log(parser.isInsidePayload(), parser.getContext()) // false function_calls(1)
   * ```
   */
  endHistory(): void {
    this.emitter.endHistory()
  }

  /**
   * Returns whether the text so far ends in a payload: after a whole `<![CDATA[` and before the end of its `]]>`.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('<function_calls><invoke name="f"><parameter name="x"><![CDATA[</function_calls>')
   * console.log(parser.isInsidePayload(), parser.isInsideFunctionCalls()) // true true
   * ```
   */
  isInsidePayload(): boolean {
    return this.emitter.feed.isInPayload
  }

  /**
   * Returns whether a place of `getAccumulated()` is in a payload, from the `<` of its first `<![CDATA[` to the end of
   * its last `]]>`. One that is open has no end.
   *
   * @throws TypeError if the index is not a whole number.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/blocks'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('<function_calls><invoke name="f"><parameter name="x"><![CDATA[5]]></parameter>')
   * const text = parser.getAccumulated()
   * console.log(parser.isPayloadAt(text.indexOf('5')), parser.isPayloadAt(text.indexOf('</'))) // true false
   * ```
   */
  isPayloadAt(index: number): boolean {
    if (!Number.isInteger(index))
      throw new TypeError(`IncrementalXmlParser.isPayloadAt takes a whole number, but got ${describe(index)}`)
    return this.emitter.isPayloadAt(index)
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
  finish(): ElementEvent<StopOf<Options>>[] {
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
    this.emitter.restart()
  }

  /**
   * Makes ready for the next reply: accumulated text, depths and block index stay; a pending tag is forgotten.
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
    this.emitter.restartBlock()
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
    this.emitter.feed.index++
  }
}

/** Emits the elements of one stream as blocks. */
class ElementEmitter implements BlockHandler {
  static get saved(): SavedClass {
    return { skips: ['options', 'isSilent', 'result'], fields: { meta: META, owed: EMISSIONS } }
  }
  readonly feed: BlockFeed
  private meta: ChunkMeta = NO_META
  private isOpen = false
  private isSilent = false
  private result: Result = nothing()
  private readonly payloads = new PayloadPlaces()

  // Stop sequences, in the text as it is written: it is read up to where one may begin.
  private readonly stops: StopSearch | undefined
  private readonly isAnywhere: boolean
  private isStopped = false
  /** Units that were read since the search began. */
  private passed = 0
  /** What came before text was pushed, which gives nothing: it comes with what is emitted next. */
  private owed: StreamEmission<StopEvent>[] = []

  constructor(private readonly options: StopOptions) {
    const { stopSequences = [], stopIn } = options
    this.stops = stopSequences.length === 0 ? undefined : new StopSearch(stopSequences)
    this.isAnywhere = stopIn === 'anywhere'
    this.feed = new BlockFeed(this, BlockFlag.Elements, builtInTags(TagSet.Membrane), this.stops !== undefined)
  }

  processChunk(chunk: string): Result {
    const { feed } = this
    feed.requireWhole()
    if (this.isStopped) return nothing()
    if (endsInHalf(chunk)) return this.processHalf(chunk)
    if (feed.mode === BlockMode.Ask) return this.readChunk(chunk)
    const tag = feed.path.findTag(chunk)
    return tag === -1 && chunk !== '' ? this.plainChunk(chunk) : this.readCovered(chunk, tag)
  }

  /** Reads a chunk whose last character is only there in half: that half waits. */
  private processHalf(chunk: string): Result {
    const { feed } = this
    const front = chunk.slice(0, -1)
    // Half a character that waits, and that another one follows, is all there is of it.
    const result = front === '' && feed.hasHalf ? this.readAll(feed.afterWaiting('')) : this.processChunk(front)
    if (!this.isStopped) feed.waitFor(chunk.slice(-1))
    return result
  }

  private plainChunk(chunk: string): Result {
    this.feed.plain.add(chunk)
    const meta = copyOf(this.meta)
    return { emissions: [{ kind: 'content', text: chunk, meta }], content: [{ text: chunk, meta }], blockEvents: [] }
  }

  private readChunk(chunk: string): Result {
    const { feed } = this
    if (chunk === '' && feed.hasHalf) return nothing()
    const text = feed.afterWaiting(chunk)
    return text === chunk || feed.mode === BlockMode.Ask
      ? this.readAll(text)
      : this.readCovered(text, feed.path.findTag(text))
  }

  /** A chunk that is content up to `tag`, where the first tag may begin. */
  private readCovered(chunk: string, tag: number): Result {
    const end = this.feed.putOff(chunk, tag)
    if (end === -1) return this.readAll(chunk)
    return end === 0 ? nothing() : this.plainChunk(end === chunk.length ? chunk : chunk.slice(0, end))
  }

  private readAll(chunk: string): Result {
    const { stops } = this
    if (stops === undefined) this.feed.read(chunk)
    else this.readUpToStop(stops, chunk)
    return this.take()
  }

  flush(): Result {
    if (!this.isStopped) {
      if (this.stops !== undefined) this.readHeld(this.stops)
      if (!this.isStopped) this.feed.endReply()
    }
    this.newReply()
    return this.take()
  }

  push(chunk: string): void {
    this.settleHeld()
    if (this.isStopped) return
    this.newReply()
    const { feed } = this
    const unread = feed.afterWaiting(chunk)
    this.isSilent = true
    try {
      feed.read(unread)
    } finally {
      this.isSilent = false
    }
    feed.setOpen(this.isOpen ? BLOCK_KINDS.indexOf(this.meta.type) : Absent.BlockKind)
  }

  /** Text that may be a stop sequence can't become one any more. */
  private settleHeld(): void {
    if (this.stops === undefined || this.isStopped) return
    this.readHeld(this.stops)
    this.owed = this.take().emissions
  }

  endHistory(): void {
    this.payloads.end(this.feed.end)
    this.feed.endHistory()
  }

  isPayloadAt(index: number): boolean {
    return index >= 0 && this.payloads.holds(index + this.feed.textFrom)
  }

  /** A reply begins with what comes next. */
  private newReply(): void {
    this.isStopped = false
    this.passed = 0
    this.stops?.restart()
  }

  /** Reads a chunk up to where a stop sequence begins or may begin. */
  private readUpToStop(stops: StopSearch, chunk: string): void {
    const { feed } = this
    feed.held += chunk
    for (let match = stops.read(chunk); match !== undefined; match = stops.read(feed.held)) {
      if (this.isStop(stops, match)) return
    }
    this.readTo(stops.pendingFrom - this.passed)
  }

  /** The end of the text that may be a stop sequence. */
  private readHeld(stops: StopSearch): void {
    const { feed } = this
    for (let match = stops.finish(); match !== undefined; match = stops.read(feed.held) ?? stops.finish()) {
      if (this.isStop(stops, match)) return
    }
    this.readTo(feed.held.length)
  }

  /** Reads text that was held, up to a place in it. */
  private readTo(end: number): void {
    const { feed } = this
    const text = feed.held
    feed.held = text.slice(end)
    this.passed += end
    if (end > 0) feed.read(text.slice(0, end))
  }

  /**
   * Reads up to a sequence that was found: whether it counts there. If not, the search goes on after its first unit.
   */
  private isStop(stops: StopSearch, { sequence, start }: StopMatch): boolean {
    this.readTo(start - this.passed)
    if (this.countsHere(sequence)) {
      this.stopAt(sequence)
      return true
    }
    this.readTo(1)
    stops.restart()
    this.passed = 0
    return false
  }

  private countsHere(sequence: string): boolean {
    const { isInPayload, open } = this.feed
    if (isInPayload) return false
    return (
      this.isAnywhere || sequence.startsWith('<') || open.functionCalls + open.functionResults + open.thinking === 0
    )
  }

  private stopAt(sequence: string): void {
    const { feed } = this
    feed.held = ''
    const { index: block, end: offset } = feed
    feed.endReply()
    this.emit({ event: 'stop', sequence, offset, block })
    this.isStopped = true
  }

  snapshot(kept: KeptText): Snapshot {
    const { options } = this
    const save = () =>
      this.feed.without(kept, { isOpen: this.isOpen }, (omitted) =>
        makeSnapshot(SAVING, {
          live: this,
          fresh: new ElementEmitter(options),
          options,
          keepText: kept !== 'none',
          omitted,
        }),
      )
    // Places are asked of the text that is kept.
    return kept === 'none' ? this.payloads.withoutClosed(save) : save()
  }

  restart(): void {
    this.feed.restart()
    this.payloads.clear()
    this.isOpen = false
    this.owed = []
    this.newReply()
  }

  restartBlock(): void {
    this.settleHeld()
    this.feed.restartBlock()
    this.isOpen = false
    this.newReply()
  }

  private take(): Result {
    const { result, owed } = this
    this.result = nothing()
    if (owed.length === 0) return result
    this.owed = []
    const emissions = [...owed, ...result.emissions]
    return {
      emissions,
      content: emissions.flatMap((each) => (each.kind === 'content' ? [{ text: each.text, meta: each.meta }] : [])),
      blockEvents: emissions.flatMap((each) => (each.kind === 'blockEvent' ? [each.event] : [])),
    }
  }

  private emit(event: ElementEvent<StopEvent>): void {
    this.result.emissions.push({ kind: 'blockEvent', event })
    this.result.blockEvents.push(event)
  }

  started(kind: number, depth: number): void {
    if (this.isSilent) return
    const type = BLOCK_KINDS[kind] as MembraneBlockType
    this.isOpen = true
    this.feed.startBlock()
    this.meta = { type, visible: type === 'text', blockIndex: this.feed.index, depth }
    this.emit({ event: 'block_start', index: this.feed.index, block: { type } })
  }

  content(text: string): void {
    if (this.isSilent) return
    this.feed.blockContent.add(text)
    const meta = copyOf(this.meta)
    this.result.emissions.push({ kind: 'content', text, meta })
    this.result.content.push({ text, meta })
  }

  completed(): void {
    if (this.isSilent) return
    const block: ElementBlock = { type: this.meta.type, content: this.feed.blockContent.toString() }
    if (this.feed.isPartial) block.partial = true
    this.emit({ event: 'block_complete', index: this.feed.index, block })
    this.feed.index++
    this.isOpen = false
  }

  // An element has no parts, and its markup is not emitted.
  settle(): void {}
  input(): void {}
  inputEnd(): void {}
  named(): void {}
  answers(): void {}
  parameter(): void {}
  stray(): void {}
  tag(): void {}
  markup(): void {}
  unopened(): void {}
  attribute(): void {}
  payload(isOpen: boolean, at: number): void {
    const place = this.feed.placeOf(at)
    if (isOpen) this.payloads.begin(place)
    else this.payloads.end(place)
  }
  declared(): number {
    return Declared.Unknown
  }
}

/** Each event has a meta of its own. Written out, since spreading takes several times as long. */
function copyOf({ type, visible, blockIndex, depth }: ChunkMeta): ChunkMeta {
  return { type, visible, blockIndex, depth: depth as number }
}

/** What a chunk gave, with stops. */
type Result = ProcessChunkResult<StopEvent>

function nothing(): Result {
  return { emissions: [], content: [], blockEvents: [] }
}

const NO_META: ChunkMeta = { type: 'text', visible: true, blockIndex: 0, depth: 0 }

/**
 * Returns whether a text leaves function calls, function results or thinking open.
 *
 * @throws TypeError if the text is not a string; ParseError `not-initialised`, with `tokenweir/slim` before `init`.
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
