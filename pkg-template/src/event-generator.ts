// The events of a source, chunk by chunk, one by one.
//
// An `async function*` would do the same, but slower: it awaits each value that it
// yields, and again in each generator on the way; and while it waits for the source
// it can't be left. Here an available event is returned immediately, and `return()`
// and an abort end the wait.

import { LastEvents, type Parsed } from './parsed.js'
import { iteratorOf } from './sources.js'

/** Reads chunks and returns their events. */
export class EventGenerator<Event, Chunk = string> implements AsyncGenerator<Event, void, undefined> {
  readonly #source: AsyncIterator<Chunk> | Iterator<Chunk>
  readonly #parse: (chunk: Chunk) => Parsed<Event> | Promise<Parsed<Event>>
  readonly #finish: (hasFailed: boolean) => Parsed<Event> | Promise<Parsed<Event>>
  readonly #signal: AbortSignal | undefined
  readonly #finishesFailed: boolean
  #events: readonly Event[] = []
  #at = 0
  #isOver = false
  /** The signal has ended it. */
  #isAborted = false
  /** What is thrown after the events. */
  #failure: { readonly error: unknown } | undefined
  /** The number of unsettled calls, and the last of them: each waits for the previous one. */
  #open = 0
  #last: Promise<IteratorResult<Event, void>> | undefined
  /** Ends the wait for a chunk, as if the source had ended. */
  #interrupt: (() => void) | undefined

  /**
   * `parse` returns the events of a chunk. If it throws, the source is stopped and the error is thrown. `finish`
   * returns the events of the end. After an abort of `signal` the source is stopped, and its reason is thrown. With
   * `finishesFailed` the events of the end come before an error of the source, which `finish` knows.
   */
  constructor(
    chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
    parse: (chunk: Chunk) => Parsed<Event> | Promise<Parsed<Event>>,
    finish: (hasFailed: boolean) => Parsed<Event> | Promise<Parsed<Event>>,
    signal?: AbortSignal,
    finishesFailed = false,
  ) {
    this.#finishesFailed = finishesFailed
    this.#source = iteratorOf(chunks)
    this.#parse = parse
    this.#finish = finish
    this.#signal = signal
    if (signal?.aborted === true) this.#abort()
    else signal?.addEventListener('abort', this.#abort, { once: true })
  }

  /** The next event. */
  next(): Promise<IteratorResult<Event, void>> {
    if (this.#open === 0 && this.#at < this.#events.length)
      return Promise.resolve({ value: this.#events[this.#at++] as Event, done: false })
    return this.#inTurn(this.#pull)
  }

  /** Stops the source. A pending `next` is done. */
  return(): Promise<IteratorResult<Event, void>> {
    this.#isAborted = false
    if (this.#open > 0) this.#stopNow()
    return this.#inTurn(async () => {
      try {
        await this.#stop()
      } finally {
        this.#open--
      }
      return { value: undefined, done: true }
    })
  }

  /** Stops the source, and fails with an error. */
  async throw(error: unknown): Promise<IteratorResult<Event, void>> {
    await this.return()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  /** Starts a task when the previous ones are settled, and uncounts it when it ends. */
  #inTurn(task: () => Promise<IteratorResult<Event, void>>): Promise<IteratorResult<Event, void>> {
    const result = this.#open++ === 0 || this.#last === undefined ? task() : this.#last.then(task, task)
    this.#last = result
    return result
  }

  readonly #pull = async (): Promise<IteratorResult<Event, void>> => {
    try {
      while (this.#at >= this.#events.length) {
        if (this.#isAborted) throw this.#signal?.reason
        const failure = this.#failure
        if (failure !== undefined) {
          this.#failure = undefined
          throw failure.error
        }
        if (this.#isOver) {
          this.#forgetSignal()
          return { value: undefined, done: true }
        }
        const next = await this.#nextChunkOrLast()
        // While it waited, an abort or `return` ended it.
        if (next === undefined) continue
        this.#at = 0
        this.#isOver = next.done === true
        const parsed = next.done === true ? await this.#finish(false) : await this.#eventsOf(next.value)
        if (!(parsed instanceof LastEvents)) this.#events = parsed
        else this.#end(parsed)
      }
      return { value: this.#events[this.#at++] as Event, done: false }
    } finally {
      this.#open--
    }
  }

  /** The next chunk; where the source fails, and its text counts, what is pending comes before the error. */
  async #nextChunkOrLast(): Promise<IteratorResult<Chunk> | undefined> {
    try {
      return await this.#nextChunk()
    } catch (error) {
      if (!this.#finishesFailed) throw error
      const last = await this.#finish(true)
      this.#at = 0
      this.#end(new LastEvents(last instanceof LastEvents ? last.events : last, { error }))
      return undefined
    }
  }

  /** The source's next chunk, or undefined if it was stopped. */
  async #nextChunk(): Promise<IteratorResult<Chunk> | undefined> {
    try {
      const chunk = this.#source.next()
      if (!('then' in chunk)) return chunk
      const stopped = new Promise<undefined>((resolve) => {
        this.#interrupt = () => resolve(undefined)
        // By the source itself, as it was asked.
        if (this.#isOver) resolve(undefined)
      })
      return await Promise.race([stopped, chunk])
    } catch (error) {
      // A failed source yields nothing more.
      this.#isOver = true
      this.#forgetSignal()
      throw error
    } finally {
      this.#interrupt = undefined
    }
  }

  async #eventsOf(chunk: Chunk): Promise<Parsed<Event>> {
    try {
      // An iterable may hold promises.
      const parsed = this.#parse(typeof chunk === 'string' ? chunk : await chunk)
      return parsed instanceof Promise ? await parsed : parsed
    } catch (error) {
      await this.#stop()
      throw error
    }
  }

  #end({ events, failure }: LastEvents<Event>): void {
    this.#leave()
    this.#events = events
    this.#failure = failure
  }

  async #stop(): Promise<void> {
    this.#events = []
    this.#forgetSignal()
    if (this.#isOver) return
    this.#isOver = true
    await this.#source.return?.()
  }

  readonly #abort = (): void => {
    this.#isAborted = true
    this.#stopNow()
  }

  #stopNow(): void {
    const interrupt = this.#interrupt
    this.#interrupt = undefined
    this.#leave()
    interrupt?.()
  }

  /** Stops the source without waiting for it: one that hangs may never settle. */
  #leave(): void {
    // A source's error has no one left to go to.
    this.#stop().catch(() => undefined)
  }

  /** Only a signal that can still end something is listened to. */
  #forgetSignal(): void {
    this.#signal?.removeEventListener('abort', this.#abort)
  }
}
