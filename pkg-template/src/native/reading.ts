// Reads native events: which provider's an event is, what of a whole reply is new, how the reply ended, and what is
// reported besides blocks.

import type { Callbacks } from '../blocks/outlet.js'
import { Outlet } from '../blocks/outlet.js'
import { randomToolId, toolIdFrom } from '../blocks/tool-id.js'
import type { BlockResult, ToolResult } from '../blocks/types.js'
import { BlockWriter } from '../blocks/writer.js'
import { ParseError, describe } from '../errors.js'
import { recorded } from '../journal.js'
import { type StreamEnd, endedByItself } from '../finish-reason.js'
import { Declarations } from '../schema/declared-type.js'
import { type Fields, fieldsOf, resultOf } from '../untrusted.js'
import { type BlockSink, NativeEmitter } from './emitter.js'
import { Ending } from './ending.js'
import { BlockOrder, ReplyDraft } from './order.js'
import type { ProviderName } from '../provider-name.js'
import type { ProviderReader } from './provider.js'
import { errorIn, type ProviderError } from './provider-error.js'
import { ROWS, providerOf } from './providers.js'
import { type NativeText, type NativeTextOptions, type WholeText, textSearch } from './text.js'

/** The ids of a provider's calls. */
export interface NativeCalls {
  readonly toRun: ReadonlySet<string>
  /** Those that wait for a person's answer. */
  readonly waiting: ReadonlySet<string>
}

/** What is reported besides blocks. */
interface Reports {
  readonly onUnknown?: ((event: object) => void) | undefined
  readonly onError?: ((error: ProviderError) => void) | undefined
}

/** What a reading is made of. */
export interface NativeReadingOptions extends NativeTextOptions, Callbacks, Reports {
  readonly generateId?: (() => string) | undefined
}

/** Reads the texts of a stream in another way than by tags, and writes their blocks. */
export interface TextReader extends BlockSink {
  /** The reply has ended, or was cut off. */
  endReply(isCutOff: boolean): void
}

/** Makes one; `failed` takes what a callback of the program throws. */
export type MakeTextReader = (writer: BlockSink, failed: (error: unknown) => void) => TextReader

/** What `event` looks for. */
const LOOKED_FOR =
  'type, event_type, choices, candidates, message with done, contentBlockDelta or another event of ConverseStream'

/** Reads the events of one stream. */
export class NativeReading {
  private readonly outlet: Outlet
  private readonly writer: BlockWriter
  readonly text: NativeText | undefined
  private readonly reader: TextReader | undefined
  private readonly emitter: NativeEmitter
  private readonly continued: { end(isCut: boolean): void } | undefined
  readonly order: BlockOrder
  /** Those of the providers whose events came. */
  private readonly readers = new Map<ProviderName, ProviderReader>()
  readonly ending = new Ending()
  /** The provider of the last event that `event` read. */
  last: ProviderName | undefined
  private hasComplained = false
  private isFinished = false
  /** Calls of `onUnknown` and `onError` that are due when the event has been read. */
  private reports: Array<() => void> = []

  /** `place` is what errors begin with; with `whole` texts are read as `BlockParser` reads them, with `makeReader` otherwise. */
  constructor(
    private readonly place: string,
    private readonly options: NativeReadingOptions,
    whole?: WholeText,
    makeReader?: MakeTextReader,
  ) {
    const { generateId } = options
    const outlet = new Outlet(options)
    const makeId =
      generateId === undefined ? randomToolId : () => toolIdFrom(place, generateId, (error) => outlet.fail(error))
    const newId = recorded(options, makeId)
    const declared = whole?.tools === undefined ? undefined : new Declarations(place, whole.tools)
    this.outlet = outlet
    this.writer = new BlockWriter({ emit: (emission) => outlet.add(emission) })
    // What another reader takes for text is searched for the program's own tags and for stop sequences.
    const { tags, fences, stopSequences, stopIn } = options
    const own = typeof tags === 'object' ? tags : false
    const searched = makeReader === undefined ? options : { tags: own, fences, stopSequences, stopIn }
    this.text = textSearch(place, searched, newId, this.writer, makeReader === undefined ? whole : undefined)
    this.reader = makeReader?.(this.text ?? this.writer, (error) => outlet.fail(error))
    const sink = this.reader ?? this.text ?? this.writer
    const continued = whole?.continued?.(sink)
    this.continued = continued
    this.emitter = new NativeEmitter(continued ?? sink, newId, (name) => declared?.requiredBy(name) ?? [])
    this.order = new BlockOrder(newId, this.emitter)
    this.order.onBreak = () => this.endReplies()
    this.last = undefined
  }

  /** Whether a call is under way. */
  get isBusy(): boolean {
    return this.outlet.isBusy
  }

  get calls(): NativeCalls {
    return { toRun: this.emitter.toRun, waiting: this.order.waiting }
  }

  /** Reads an event of a provider. */
  feed(name: ProviderName, fields: Fields): BlockResult {
    return this.run(name, () => {
      if (!this.reportError(fields) && !this.read(name, fields)) this.unknown(fields, name)
    })
  }

  /** Reads an event of any provider. */
  event(fields: Fields): BlockResult {
    return this.run('event', () => {
      if (this.reportError(fields)) return
      const name = this.providerOf(fields)
      if (name !== undefined) this.last = name
      // What is no event of any provider may still have the counts of the one before.
      const isRead =
        name === undefined
          ? this.last !== undefined && this.ending.read(ROWS[this.last], fields).hasUsage
          : this.read(name, fields)
      if (isRead) return
      if (name === undefined || this.options.onUnknown !== undefined) this.unknown(fields)
    })
  }

  /** Reads a complete reply. */
  message(reply: unknown): BlockResult {
    const read = this.replyReader(reply)
    return this.run('message', () => {
      this.endReplies()
      this.forgetEnding()
      read()
    })
  }

  /** Writes what a reply before has written. */
  goOn(write: () => void): BlockResult {
    this.ending.hasBegun = true
    return this.run('event', write)
  }

  emitToolResults(results: readonly ToolResult[]): BlockResult {
    return this.runAlways('emitToolResults', () => {
      this.endReplies()
      for (const { toolUseId, content, isError } of results)
        this.order.result(resultOf(content), toolUseId, isError === true)
    })
  }

  /** The stream says that the reply is over, in no event of its provider. */
  declareEnd(): BlockResult {
    return this.run('event', () => this.endDeclared())
  }

  private endDeclared(): void {
    this.ending.isDeclared = true
    for (const reader of this.readers.values()) reader.declareEnd?.()
  }

  flush(end?: StreamEnd): BlockResult {
    return this.runAlways('flush', () => {
      if (typeof end?.reason === 'string' && endedByItself(end.reason)) this.endDeclared()
      if (this.ending.hasBegun) this.ending.breakOff('interrupted')
      this.endReplies()
      this.isFinished = true
    })
  }

  startReply(): void {
    this.isFinished = false
    this.text?.nextReply()
    this.forgetEnding()
  }

  reset(): void {
    this.refuseReentry('reset')
    for (const reader of this.readers.values()) reader.forget()
    this.order.forget()
    this.writer.reset()
    this.text?.reset()
    this.forgetEnding()
    this.last = undefined
    this.isFinished = false
  }

  private forgetEnding(): void {
    this.ending.forget()
    this.order.forgetCalls()
  }

  private endReplies(): void {
    for (const reader of this.readers.values()) reader.endReply()
    this.order.settle(false)
    this.order.startReply()
    this.continued?.end(this.ending.isCut)
    this.reader?.endReply(this.ending.isCut)
  }

  private readerOf(name: ProviderName): ProviderReader {
    const reader = this.readers.get(name) ?? new ROWS[name].Reader(this.order)
    this.readers.set(name, reader)
    return reader
  }

  /** Reads an event; false if its provider has none like it. */
  private read(name: ProviderName, fields: Fields): boolean {
    const { hasReason, hasUsage } = this.ending.read(ROWS[name], fields)
    const isKnown = this.readEvent(name, fields) || hasUsage
    this.ending.hasBegun ||= isKnown
    if (hasReason) this.order.settle(this.ending.isCut)
    return !this.order.takeUnknown() && isKnown
  }

  private readEvent(name: ProviderName, fields: Fields): boolean {
    const shape = ROWS[name].shapeOf(fields)
    if (shape !== 'last' && this.readerOf(name).feed(fields)) return true
    // A complete reply where an event was expected.
    return (shape === 'last' || shape === 'reply') && this.readWhole(name, fields)
  }

  /** A whole reply: after parts of it, as some servers send it at the end, only what is new. */
  private readWhole(name: ProviderName, fields: Fields): true {
    const reader = this.readerOf(name)
    this.ending.isDeclared = true
    if (this.order.hasBegun) {
      const draft = new ReplyDraft()
      new ROWS[name].Reader(draft).whole(fields)
      const { blocks } = draft
      if (this.order.isSameReply(blocks)) {
        this.order.complete(blocks)
        reader.endReply()
        return true
      }
      this.endReplies()
    }
    reader.whole(fields)
    return true
  }

  /** An error ends the reply. A chunk may have content beside its error: it is read first. */
  private reportError(fields: Fields): boolean {
    const error = errorIn(fields)
    if (error === undefined) return false
    const name = this.providerOf(fields)
    if (name !== undefined && fields['type'] !== 'error') {
      this.ending.read(ROWS[name], fields)
      this.readerOf(name).feed(fields)
    }
    this.ending.breakOff('error')
    this.endReplies()
    const { onError } = this.options
    // After the emissions that came before it.
    if (onError !== undefined) this.reports.push(() => onError(error))
    return true
  }

  private providerOf(fields: Fields): ProviderName | undefined {
    return providerOf(fields, this.last, this.order.hasBegun)
  }

  /** `name`: the provider that it was given to, which may have new kinds of events. */
  private unknown(fields: Fields, name?: ProviderName): void {
    const { onUnknown } = this.options
    if (onUnknown !== undefined) this.reports.push(() => onUnknown(fields))
    if (onUnknown !== undefined || this.hasComplained || (name !== undefined && !this.isForeign(fields))) return
    this.hasComplained = true
    throw unknownEvent(this.placeOf(name ?? 'event'), fields)
  }

  /** Whether an object can't be an event of any provider, not even of a new kind. */
  isForeign(event: object): boolean {
    const fields = event as Fields
    return !looksLikeEvent(fields) && this.providerOf(fields) === undefined
  }

  /** What errors of a method begin with. */
  placeOf(method: string): string {
    return this.place === 'NativeBlocks' ? `NativeBlocks.${method}` : this.place
  }

  private replyReader(reply: unknown): () => void {
    if (typeof reply === 'string') return () => this.order.whole('text', reply)
    const fields = Array.isArray(reply) ? { content: reply } : fieldsOf(reply)
    const name = fields && this.providerOf(fields)
    const { onUnknown } = this.options
    if (fields !== undefined && name === undefined && onUnknown !== undefined)
      return () => this.reports.push(() => onUnknown(fields))
    if (fields === undefined || name === undefined)
      throw new TypeError(
        `${this.placeOf('message')} takes a string or a reply with content, choices, candidates, message, ` +
          `output, steps or tool_calls, but got ${describe(reply)}`,
      )
    return () => {
      this.last = name
      this.ending.read(ROWS[name], fields)
      this.ending.isDeclared = true
      this.readerOf(name).whole(fields)
      this.order.settle(this.ending.isCut)
      if (this.order.takeUnknown()) this.unknown(fields, name)
    }
  }

  private refuseReentry(method: string): void {
    if (this.isBusy)
      throw new ParseError(
        'reentrant',
        `${this.placeOf(method)} was called from inside one of its own callbacks: call it after the callback ` +
          `has returned`,
      )
  }

  private run(method: string, read: () => void): BlockResult {
    this.refuseReentry(method)
    if (this.isFinished)
      throw new ParseError(
        'finished',
        `${this.placeOf(method)} was called after flush(): call reset() or resetForNewIteration() first`,
      )
    return this.runAlways(method, read)
  }

  /** Reads first and calls back afterwards, so that a callback that throws leaves a consistent state. */
  private runAlways(method: string, read: () => void): BlockResult {
    this.refuseReentry(method)
    const { outlet } = this
    outlet.isBusy = true
    try {
      this.guarded(read)
      outlet.callBackAll()
      for (const report of this.reports.splice(0)) this.guarded(report)
    } finally {
      outlet.isBusy = false
    }
    return outlet.take()
  }

  private guarded(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.outlet.fail(error)
    }
  }
}

/**
 * Whether an object has the form of an event: a type, or one member that is an object; some servers send empty ones.
 */
function looksLikeEvent(fields: Fields): boolean {
  const [name, ...others] = Object.keys(fields)
  return (
    name === undefined ||
    typeof (fields['type'] ?? fields['event_type']) === 'string' ||
    (others.length === 0 && fieldsOf(fields[name]) !== undefined)
  )
}

/** What is thrown for an object that is no event of any provider. */
export function unknownEvent(place: string, fields: Fields): TypeError {
  const names = Object.keys(fields).slice(0, 8).join(', ') || 'no fields'
  return new TypeError(
    `${place} knows no provider with such an event; it looked for ${LOOKED_FOR}, but got ${describe(fields)} ` +
      `with ${names}`,
  )
}
