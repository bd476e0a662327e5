// One stream of blocks: its chunks, its end, and text that was sent before.

import type { ReadingOptions } from './options.js'
import { ParseError } from '../errors.js'
import type { Journal } from '../journal.js'
import { Absent, BlockMode } from '../generated/ops.js'
import { endsInHalf } from '../surrogates.js'
import type { BorderExports } from '../wasm/border.js'
import { blockBorder } from '../wasm/borders.js'
import type { Instance } from '../wasm/guard.js'
import { BlockEmitter, type Making } from './emitter.js'
import type { BlockFeed } from './feed.js'
import type { Outlet } from './outlet.js'
import type { BlockEvent, BlockResult, OnChunk, ToolResult } from './types.js'
import type { BlockWriter } from './writer.js'

/** Reads one stream of blocks. */
export class BlockReading {
  readonly emitter: BlockEmitter
  readonly feed: BlockFeed
  private readonly onChunk: OnChunk | undefined
  /** Those of the emitter, a step nearer. */
  protected readonly outlet: Outlet
  protected readonly writer: BlockWriter
  private readonly instance: Pick<Instance<BorderExports>, 'failure'>
  /** Whether a chunk without `<` is content of the open block, and nothing else is to be known. */
  private isPlain = false
  protected isFinished = false
  private readonly journal: Journal | undefined
  /** Whether the journal has its own text: what comes after a stop sequence is in no other. */
  private readonly readsTwice: boolean

  constructor(
    protected readonly options: ReadingOptions,
    private readonly making: Making = {},
  ) {
    this.journal = making.journal
    this.emitter = new BlockEmitter(options, making)
    this.feed = this.emitter.feed
    this.onChunk = options.onChunk
    this.outlet = this.emitter.outlet
    this.writer = this.emitter.writer
    this.instance = blockBorder.instance
    this.readsTwice = this.emitter.stops.hasSequences
    if (!this.readsTwice) this.journal?.readsFrom(this.feed)
  }

  processChunk(chunk: string): BlockResult<any> {
    // Kept short, so that V8 puts it into its caller; what is rarer stands in the methods below.
    return this.isPlain &&
      chunk.indexOf('<') === -1 &&
      chunk !== '' &&
      !endsInHalf(chunk) &&
      this.instance.failure === undefined
      ? this.plain(chunk)
      : this.processOther(chunk)
  }

  /** Emits one piece of content. */
  private plain(text: string): BlockResult<any> {
    const { onChunk } = this
    const meta = this.writer.nextMeta()
    this.feed.add(text)
    if (onChunk !== undefined) {
      const { isPlain, outlet } = this
      outlet.isBusy = true
      this.isPlain = false
      try {
        onChunk(text, meta)
      } finally {
        outlet.isBusy = false
        this.isPlain = isPlain
      }
    }
    return { emissions: [{ kind: 'content', text, meta }] }
  }

  /** Reads a chunk that is not plain text, or in a mode that knows more than tags. */
  private processOther(chunk: string): BlockResult<any> {
    const { feed, emitter, making, journal } = this
    const { stops } = emitter
    this.isPlain = false
    feed.requireWhole()
    if (this.outlet.isBusy || this.isFinished) this.refuse('processChunk')
    if (this.readsTwice) journal?.read(chunk)
    else if (journal?.isLong() === true) this.markRest()
    if (stops.isStopped) {
      stops.ignored += chunk.length
      return { emissions: [] }
    }
    const wasCut = feed.cut !== ''
    const text = feed.afterCut(chunk)
    const content = feed.content(text)
    let result: BlockResult<any>
    if (content === undefined) {
      const input = feed.input(text)
      result = this.run(() => (input === undefined ? stops.read(text) : emitter.call?.addWhole(input)))
    } else if (content === '') result = { emissions: [] }
    else if (making.into === undefined) result = this.plain(content)
    else {
      feed.add(content)
      result = this.run(() => this.writer.chunk(content))
    }
    // The blocks of another stream are written where that stream's are.
    this.isPlain = feed.mode === BlockMode.Text && making.into === undefined
    if (wasCut || feed.cut !== '') journal?.wasRead(feed.end - chunk.length, feed.cut !== '')
    return result
  }

  /** Emits what is owed, and then what `act` emits. */
  private run(act: () => void): BlockResult<any> {
    const { outlet, prefill, call, writer } = this.emitter
    outlet.isBusy = true
    try {
      // What prefill kept back: ends of blocks, and a tool call that it left open.
      prefill.release(writer)
      call?.show()
      act()
    } finally {
      outlet.isBusy = false
    }
    return outlet.take()
  }

  flush(): BlockResult<any> {
    this.requireIdle('BlockParser.flush')
    if (this.isFinished) return { emissions: [] }
    this.journal?.call('flush')
    this.isFinished = true
    return this.run(() => this.emitter.stops.endReply())
  }

  push(text: string): void {
    const { emitter, feed } = this
    this.requireIdle('BlockParser.push')
    this.journal?.call('push', text)
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
    this.journal?.passOver()
    emitter.startReply()
    if (!emitter.stops.isStopped) feed.setOpen(Absent.BlockKind)
    // Nothing was emitted, but an id was asked for.
    emitter.outlet.take()
  }

  finish(): Array<BlockEvent<any>> {
    return this.flush().emissions.flatMap((emission) => (emission.kind === 'blockEvent' ? [emission.event] : []))
  }

  incrementBlockIndex(): void {
    this.requireIdle('BlockParser.incrementBlockIndex')
    this.journal?.call('incrementBlockIndex')
    this.emitter.writer.makeRoom()
  }

  emitToolResults(results: readonly ToolResult[]): BlockResult<any> {
    this.requireIdle('BlockParser.emitToolResults')
    this.journal?.call('emitToolResults', results)
    const { emitter } = this
    return this.run(() => {
      if (!this.isFinished) emitter.stops.endReply()
      for (const result of results) emitter.result(result)
    })
  }

  resetForNewIteration(): BlockResult<any> {
    const result = this.flush()
    this.journal?.call('resetForNewIteration')
    this.isFinished = false
    this.emitter.stops.forget()
    this.emitter.startReply()
    return result
  }

  reset(): void {
    this.requireIdle('BlockParser.reset')
    this.emitter.writer.reset()
    this.startStream()
    this.journal?.clear()
  }

  /** Starts a new stream, whose places are counted from one on and its blocks from the next index. */
  startStream(from = 0): void {
    this.isPlain = false
    this.isFinished = false
    this.emitter.reset(from)
  }

  /** Where nothing is open but text, what was read before counts no more: `JournaledReading` notes it. */
  protected markRest(): void {}

  /** Refuses a call from inside one of this parser's own callbacks. */
  private requireIdle(place: string): void {
    this.isPlain = false
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
