// One stream of blocks with its journal, for snapshots.

import { Journal, type KeepTextOptions, type Kind, type Snapshot, requireCounts } from '../journal.js'
import type { Making } from './emitter.js'
import type { ReadingOptions } from './options.js'
import { BlockReading } from './reading.js'
import { withCalls } from './typed-reading.js'
import { DROP, lastOf, withoutText } from './without-text.js'

/** A parser or a stream of blocks. */
export function kindOf(parser: string, place: string): Kind {
  return {
    parser,
    place,
    text: 'processChunk',
    calls: [
      ...['flush', 'push', 'incrementBlockIndex', 'emitToolResults', 'resetForNewIteration'],
      ...['startAt', 'skip', 'dropText'],
    ],
    hearers: ['onChunk', 'onBlock', 'onMarkup'],
  }
}

/** Makes one. `given`: the options as the program gave them. */
export function journaledReading(kind: Kind, given: object | undefined, options: ReadingOptions): JournaledReading {
  return new JournaledReading(options, withCalls(options), Journal.of(kind, given))
}

/** Reads one stream of blocks, and makes snapshots of it. */
export class JournaledReading extends BlockReading {
  constructor(
    options: ReadingOptions,
    making: Making,
    private readonly saved: Journal,
  ) {
    super(options, { ...making, journal: saved })
  }

  /** The state between two chunks. */
  snapshot(how?: KeepTextOptions): Snapshot {
    const { outlet, saved: journal } = this
    if (how?.keepText !== false) return journal.snapshot(outlet.isBusy, how)
    if (!outlet.isBusy) this.markRest()
    const done = journal.since()
    const { feed, emitter, options } = this
    // Where a call is open its input is kept; elsewhere what was read may be read again.
    const isPlain = done.ids.length === 0 && options.fences !== 'text' && !emitter.stops.hasSequences
    feed.text.gather('')
    const contents = isPlain ? [emitter.text.content.toString(), ...emitter.own.contents] : []
    const calls = [...withoutText(done.calls, feed.pending + feed.cut.length, contents), DROP]
    return journal.snapshot(outlet.isBusy, how, { done: { ...done, calls } })
  }

  /** Where nothing is open but text, what was read before counts no more. */
  protected override markRest(): void {
    const { emitter, writer, feed, options, saved: journal } = this
    if (this.isFinished || options.fences === 'text' || !this.isAtRest) return
    emitter.text.gather('')
    const last = writer.isOpen ? lastOf(emitter.text.content.last(2)) : ''
    if (writer.isOpen && last === '') return
    const { from, hasReported } = emitter.reclassified
    const start = [feed.end - last.length, writer.index, from, hasReported]
    const open = ['dropText', JSON.stringify([emitter.spans.from, emitter.spans.contentFrom])] as const
    journal.mark(['startAt', JSON.stringify(start)], ...(last === '' ? [] : [last, open]))
  }

  private get isAtRest(): boolean {
    const { feed, writer } = this
    const { stops, prefill, call } = this.emitter
    const isOnlyText = !writer.isOpen || (writer.isEmitted && writer.meta.type === 'text')
    const isOwed = prefill.owes || stops.isWaiting || call?.isOpen === true
    return isOnlyText && !isOwed && !stops.isStopped && feed.isAtRest
  }

  // What only a snapshot does.

  /** Starts where nothing is open: at a place of the stream, before a block. */
  startAt(offset: number, index: number, textFrom: number, hasReported: boolean): void {
    requireCounts('BlockParser', offset, index, textFrom)
    this.startStream(offset)
    this.feed.startAfterThinking()
    this.writer.index = index
    Object.assign(this.emitter.reclassified, { from: textFrom, hasReported })
  }

  /** Some text of the open block is left out. */
  skip(units: number): void {
    requireCounts('BlockParser', units)
    this.feed.skip(units)
  }

  /** The text so far is left out, and that of what is open; where the open block begins, and its content. */
  dropText(from?: number, contentFrom?: number): void {
    const { emitter, writer } = this
    if (from !== undefined && contentFrom !== undefined) {
      requireCounts('BlockParser', from, contentFrom)
      emitter.spans.opened(from, contentFrom)
    }
    emitter.text.drop(!writer.isOpen || emitter.call?.isOpen === true)
    emitter.own.dropText()
  }
}
