// Where a stop sequence ends a reply.
//
//     stopIn: 'anywhere'   text as it is written is searched before it is read: what may be a sequence is `feed.held`
//     stopIn: 'text'       visible text is searched after it was read: what may be one is `waiting`, with the markup
//                          after it; its block starts with the first text that is emitted
//
// At a match what comes before it is emitted, the open block is completed, and the rest is ignored.

import type { BlockFeed } from './feed.js'
import { type StopMatch, type StopOptions, StopSearch } from './stop-sequences.js'
import type { BlockEmission } from './types.js'
import type { BlockWriter } from './writer.js'

/** Where a reply was stopped, in units from the start of the stream. */
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

/** What is stopped. */
export interface StopHost {
  readonly feed: BlockFeed
  readonly writer: BlockWriter
  /** Emits a piece of the open block. */
  contentOf(text: string, from: number, to: number): void
  /** Ends the open text at a place. */
  endText(at: number): void
  /** Nothing of the open block counts any more. */
  drop(): void
}

/** The stop sequences of one stream. */
export class Stops {
  private readonly written: StopSearch | undefined
  private readonly text: StopSearch | undefined
  private waiting: Array<WaitingText | BlockEmission> = []
  /** The unit of the search with which the waiting text begins. */
  private waitingFrom = 0
  /** Where the search of written text began. */
  private searchFrom = 0
  private stop: Stop | undefined
  /** Units that came after the stop. */
  ignored = 0
  private isAtStop = false

  constructor(
    private readonly host: StopHost,
    { stopSequences = [], stopIn }: StopOptions,
  ) {
    const search = stopSequences.length === 0 ? undefined : new StopSearch(stopSequences)
    if (stopIn === 'anywhere') this.written = search
    else this.text = search
  }

  /** Whether anything is searched. */
  get hasSequences(): boolean {
    return this.text !== undefined || this.written !== undefined
  }

  /** Whether visible text is searched. */
  get searchesText(): boolean {
    return this.text !== undefined
  }

  /** Whether text may be a stop sequence and was not emitted yet. */
  get isWaiting(): boolean {
    return this.waiting.length > 0
  }

  /** Whether the reply was stopped. */
  get isStopped(): boolean {
    return this.stop !== undefined
  }

  /** Reads a chunk. */
  read(chunk: string): void {
    if (this.written === undefined) this.host.feed.read(chunk)
    else this.readUpToStop(this.written, chunk)
    this.settle()
  }

  /** The end of a reply: what may have been a stop sequence is one or is text. */
  endReply(): void {
    if (this.stop !== undefined) return
    if (this.written !== undefined) this.readHeld(this.written)
    if (!this.isAtStop) this.host.feed.endReply()
    this.settle()
  }

  /** Before text that was sent already: what waits can't be part of a stop sequence any more. */
  settleWaiting(): void {
    if (this.stop !== undefined) return
    if (this.written !== undefined) this.readHeld(this.written)
    else this.endWaiting()
    this.settle()
  }

  /** A reply begins with what comes next. */
  startReply(): void {
    this.searchFrom = this.host.feed.end
    this.written?.reset()
    this.text?.reset()
    this.waitingFrom = 0
  }

  /** The stream goes on after a stop. */
  forget(): void {
    this.stop = undefined
    this.ignored = 0
  }

  /** Starts a new stream. */
  reset(): void {
    this.waiting = []
    this.forget()
  }

  /** Takes a piece of the open block if that is searched: it is emitted up to where a sequence begins or may begin. */
  takes(text: string, from: number): boolean {
    const { text: stops } = this
    if (stops === undefined || this.host.writer.meta.type !== 'text') return false
    this.waiting.push({ text, from })
    const match = stops.read(text)
    if (match === undefined) this.release(stops.pendingFrom)
    else this.stopText(match)
    return true
  }

  /** Emits something after the text that waits, if some does. */
  inOrder(emission: BlockEmission): void {
    if (this.waiting.length > 0) this.waiting.push(emission)
    else this.host.writer.emit(emission)
  }

  /** The open block ends; whether a stop has ended it before. */
  endsBlock(): boolean {
    if (this.waiting.length > 0) this.endWaiting()
    return this.isAtStop
  }

  private readUpToStop(stops: StopSearch, chunk: string): void {
    const { feed } = this.host
    const match = stops.read(chunk)
    const text = feed.held + chunk
    feed.held = ''
    if (match !== undefined) return this.stopWritten(match, text)
    const end = text.length - (stops.at - stops.pendingFrom)
    if (end > 0) feed.read(text.slice(0, end))
    feed.held = text.slice(end)
  }

  /** The end of the text that may be a stop sequence. */
  private readHeld(stops: StopSearch): void {
    const { feed } = this.host
    const text = feed.held
    feed.held = ''
    const match = stops.finish()
    if (match !== undefined) return this.stopWritten(match, text)
    if (text !== '') feed.read(text)
    stops.reset()
    this.searchFrom = feed.end
  }

  /** `text` was not read yet. */
  private stopWritten({ sequence, start }: StopMatch, text: string): void {
    const { feed, writer } = this.host
    const from = feed.text.end
    const offset = this.searchFrom + start
    feed.read(text.slice(0, offset - from))
    const { index } = writer
    feed.endReply()
    this.stopped(sequence, { offset, end: offset + sequence.length, isWritten: true }, index, from + text.length)
  }

  /** The text that may be a stop sequence has ended. */
  private endWaiting(): void {
    const { text: stops } = this
    if (stops === undefined) return
    const match = stops.finish()
    if (match === undefined) this.release(Infinity)
    else this.stopText(match)
    stops.reset()
    this.waitingFrom = 0
  }

  /** Emits what waits, up to a unit of the search. */
  private release(to: number): void {
    const { waiting, host } = this
    let count = 0
    for (const each of waiting) {
      if (each.kind !== undefined) {
        host.writer.emit(each)
        count++
        continue
      }
      const { text, from } = each
      const room = to - this.waitingFrom
      if (room <= 0) break
      const piece = text.slice(0, room)
      this.waitingFrom += piece.length
      host.writer.show()
      host.contentOf(piece, from, from + piece.length)
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
    const { feed, writer } = this.host
    const { index } = writer
    this.host.endText(offset)
    this.stopped(sequence, { offset, end: to, isWritten: false }, index, feed.end)
    // What is read of the chunk after it isn't emitted.
    feed.mute()
  }

  /** `end`: where all text that came ends. */
  private stopped(sequence: string, stop: Stop, block: number, end: number): void {
    this.host.writer.event({ event: 'stop', sequence, offset: stop.offset, block })
    this.stop = stop
    this.ignored = end - stop.end
    this.isAtStop = true
  }

  /** Once nothing more is being read: goes back to the stop, if there was one. */
  private settle(): void {
    if (!this.isAtStop) return
    this.isAtStop = false
    const { offset, isWritten } = this.stop as Stop
    this.host.feed.continueAt(offset, isWritten)
    this.host.drop()
  }
}
