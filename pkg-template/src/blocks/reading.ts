// One stream of blocks: its chunks, its end, text that was sent before, and its snapshots.

import type { BlockParserOptions } from './options.js'
import { ParseError } from '../errors.js'
import { Absent, BlockMode, BlockTrigger } from '../generated/ops.js'
import type { SavedClass } from '../snapshot/saved.js'
import { type Saving, type Snapshot, makeSnapshot, requireBetweenChunks } from '../snapshot/snapshot.js'
import { endsInHalf } from '../surrogates.js'
import type { BorderExports } from '../wasm/border.js'
import { blockBorder } from '../wasm/borders.js'
import type { Instance } from '../wasm/guard.js'
import { ChunkReader } from './chunks.js'
import { BlockEmitter, type Making } from './emitter.js'
import { hasEscaped } from './json-text.js'
import type { KeptText } from './saving.js'
import type { Outlet } from './outlet.js'
import type { Joined } from '../joined.js'
import type { BlockEmission, BlockEvent, BlockResult, ChunkMeta, OnChunk, ToolResult } from './types.js'

/** Reads one stream of blocks. */
export class BlockReading extends ChunkReader<BlockResult> {
  static get saved(): SavedClass {
    return { skips: ['options', 'making', 'onChunk', 'instance', 'plainMeta', 'outlet', 'plainTexts'] }
  }
  readonly emitter: BlockEmitter
  private readonly onChunk: OnChunk | undefined
  /** Those of the emitter and of its text, a step nearer. */
  private readonly outlet: Outlet
  private readonly plainTexts: Joined
  private readonly instance: Pick<Instance<BorderExports>, 'failure'>
  /** The meta of the open block, while a chunk without `<` is content of it and nothing else is to be known. */
  private plainMeta: ChunkMeta | undefined
  /** Whether that content has character references. */
  private isDecoded = false
  private isFinished = false

  constructor(
    private readonly options: BlockParserOptions,
    private readonly making: Making = {},
  ) {
    const emitter = new BlockEmitter(options, making)
    super(emitter.feed)
    this.emitter = emitter
    this.onChunk = options.onChunk
    this.outlet = emitter.outlet
    this.plainTexts = emitter.feed.text.plain
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
    const { type, visible, blockIndex, toolId } = plainMeta
    return this.plain(
      chunk,
      toolId === undefined ? { type, visible, blockIndex } : { type, visible, blockIndex, toolId },
    )
  }

  /** Emits one piece of content, which is listed when somebody asks. */
  private plain(text: string, meta: ChunkMeta): BlockResult {
    const { onChunk } = this
    this.plainTexts.add(text)
    if (onChunk !== undefined) {
      const { plainMeta, outlet } = this
      outlet.isBusy = true
      this.plainMeta = undefined
      try {
        onChunk(text, meta)
      } finally {
        outlet.isBusy = false
        this.plainMeta = plainMeta
      }
    }
    return new PlainResult(text, meta)
  }

  /** Reads a chunk that is not plain text, or in a mode that knows more than tags. */
  private processOther(chunk: string): BlockResult {
    const { feed, emitter } = this
    this.plainMeta = undefined
    feed.requireWhole()
    if (emitter.outlet.isBusy || this.isFinished) this.refuse('processChunk')
    if (this.ignores(chunk)) return this.nothing()
    const result = this.readChunk(chunk)
    const { meta } = emitter.writer
    this.isDecoded = feed.mode === BlockMode.Decoded
    // The blocks of another stream are written where that stream's are.
    if (
      (this.isDecoded || feed.mode === BlockMode.Text) &&
      meta.depth === undefined &&
      meta.insideThinking === undefined &&
      this.making.into === undefined
    )
      this.plainMeta = meta
    return result
  }

  protected override readAll(text: string): BlockResult {
    const { outlet, stops } = this.emitter
    outlet.isBusy = true
    try {
      this.emitter.emitOwed()
      stops.read(text)
    } finally {
      outlet.isBusy = false
    }
    return outlet.take()
  }

  protected override covered(mode: number, text: string): BlockResult {
    const { feed, emitter } = this
    const { call, writer } = emitter
    const isVerbatim =
      feed.path.isContent(mode) || (!call.holds && !feed.hasPending && (mode === BlockMode.Json || !hasEscaped(text)))
    if (!isVerbatim) return this.run(() => call.addPlain(mode, text, feed))
    if (this.making.into === undefined) return this.plain(text, writer.nextMeta())
    this.plainTexts.add(text)
    return this.run(() => writer.chunk(text))
  }

  protected override nothing(): BlockResult {
    return { emissions: [] }
  }

  protected override ignores(text: string): boolean {
    const { stops } = this.emitter
    if (stops.isStopped) stops.ignored += text.length
    return stops.isStopped
  }

  /** Emits what is owed, and then what `act` emits. */
  private run(act: () => void): BlockResult {
    const { outlet } = this.emitter
    outlet.isBusy = true
    try {
      this.emitter.emitOwed()
      act()
    } finally {
      outlet.isBusy = false
    }
    return outlet.take()
  }

  flush(): BlockResult {
    this.requireIdle('BlockParser.flush')
    if (this.isFinished) return this.nothing()
    this.isFinished = true
    return this.run(() => this.emitter.stops.endReply())
  }

  push(text: string): void {
    const { emitter, feed } = this
    this.requireIdle('BlockParser.push')
    // After the end it begins the next reply, also where a stop was the end.
    if (this.isFinished && emitter.stops.isStopped) {
      emitter.stops.forget()
      emitter.startReply()
    }
    this.isFinished = false
    emitter.outlet.isBusy = true
    try {
      emitter.push(text)
    } finally {
      emitter.outlet.isBusy = false
    }
    emitter.startReply()
    if (!emitter.stops.isStopped) feed.setOpen(Absent.BlockKind)
    // Nothing was emitted, but an id was asked for.
    emitter.outlet.take()
  }

  finish(): BlockEvent[] {
    return this.flush().emissions.flatMap((emission) => (emission.kind === 'blockEvent' ? [emission.event] : []))
  }

  incrementBlockIndex(): void {
    this.requireIdle('BlockParser.incrementBlockIndex')
    this.emitter.writer.index++
  }

  emitToolResults(results: readonly ToolResult[]): BlockResult {
    this.requireIdle('BlockParser.emitToolResults')
    const { emitter } = this
    return this.run(() => {
      if (!this.isFinished) emitter.stops.endReply()
      for (const result of results) emitter.result(result)
    })
  }

  resetForNewIteration(): BlockResult {
    const result = this.flush()
    this.isFinished = false
    this.emitter.stops.forget()
    this.emitter.startReply()
    return result
  }

  reset(): void {
    this.requireIdle('BlockParser.reset')
    this.emitter.writer.reset()
    this.restart()
  }

  /** Starts a new stream, whose places are counted from one on and its blocks from the next index. */
  restart(from = 0): void {
    this.plainMeta = undefined
    this.isFinished = false
    this.emitter.restart(from)
  }

  /** The state between two chunks. */
  snapshot(saving: Saving, kept: KeptText): Snapshot {
    requireBetweenChunks(saving.place, this.emitter.outlet.isBusy)
    const { options, making } = this
    const fresh = new BlockReading(options, making)
    return this.withoutText(kept, (omitted) =>
      makeSnapshot(saving, { live: this, fresh, options, keepText: kept !== 'none', omitted }),
    )
  }

  /** Leaves out text while `act` runs, which gets the parts without it. */
  withoutText<Result>(kept: KeptText, act: (omitted: readonly object[]) => Result): Result {
    const { call, writer } = this.emitter
    return this.feed.without(kept, { isOpen: writer.isOpen, isOwed: call.isOpen && !writer.isEmitted }, act)
  }

  /** Refuses a call from inside one of this parser's own callbacks. */
  private requireIdle(place: string): void {
    this.plainMeta = undefined
    if (this.emitter.outlet.isBusy)
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
