// The events of a text source, one by one.
//
// An `async function*` would do the same, but slower: it awaits each value that it
// yields, and again in each generator on the way; and while it waits for the source
// it can't be left. Here an available event is returned immediately, and `return()`
// and an abort end the wait.

/** Reads chunks and returns their events. */
export class EventGenerator<Event> implements AsyncGenerator<Event, void, undefined> {
  readonly #source: AsyncIterator<string> | Iterator<string>
  readonly #parse: (chunk: string) => readonly Event[]
  readonly #finish: () => readonly Event[]
  readonly #signal: AbortSignal | undefined
  #events: readonly Event[] = []
  #at = 0
  #isOver = false
  /** The signal has ended it. */
  #isAborted = false
  /** The number of unsettled calls, and the last of them: each waits for the previous one. */
  #open = 0
  #last: Promise<IteratorResult<Event, void>> | undefined
  /** Ends the wait for a chunk, as if the source had ended. */
  #interrupt: (() => void) | undefined

  /**
   * `parse` returns the events of a chunk. If it throws, the source is stopped and
   * the error is thrown. `finish` returns the events of the end. After an abort of
   * `signal` the source is stopped, and its reason is thrown.
   */
  constructor(chunks: AsyncIterable<string> | Iterable<string>, parse: (chunk: string) => readonly Event[], finish: () => readonly Event[], signal?: AbortSignal) {
    this.#source = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
    this.#parse = parse
    this.#finish = finish
    this.#signal = signal
    if (signal?.aborted === true) this.#abort()
    else signal?.addEventListener('abort', this.#abort, { once: true })
  }

  /** The next event. */
  next(): Promise<IteratorResult<Event, void>> {
    if (this.#open === 0 && this.#at < this.#events.length) return Promise.resolve({ value: this.#events[this.#at++] as Event, done: false })
    return this.#inTurn(this.#pull)
  }

  /** Stops the source. A pending `next` is done. */
  return(): Promise<IteratorResult<Event, void>> {
    this.#isAborted = false
    if (this.#interrupt !== undefined) this.#stopNow()
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
        if (this.#isOver) {
          this.#forgetSignal()
          return { value: undefined, done: true }
        }
        const next = await this.#nextChunk()
        // While it waited, an abort or `return` ended it.
        if (next === undefined) continue
        this.#at = 0
        this.#isOver = next.done === true
        this.#events = next.done === true ? this.#finish() : await this.#eventsOf(next.value)
      }
      return { value: this.#events[this.#at++] as Event, done: false }
    } finally {
      this.#open--
    }
  }

  /** The source's next chunk, or undefined if it was stopped. */
  async #nextChunk(): Promise<IteratorResult<string> | undefined> {
    let isStopped = false
    try {
      const chunk = this.#source.next()
      if (!('then' in chunk)) return chunk
      const stopped = new Promise<undefined>((resolve) => {
        this.#interrupt = () => {
          isStopped = true
          resolve(undefined)
        }
      })
      return await Promise.race([chunk, stopped])
    } catch (error) {
      // A failed source yields nothing more.
      this.#isOver = true
      this.#forgetSignal()
      throw error
    } finally {
      if (!isStopped) this.#interrupt = undefined
    }
  }

  async #eventsOf(chunk: string): Promise<readonly Event[]> {
    try {
      // An iterable may hold promises.
      return this.#parse(typeof chunk === 'string' ? chunk : await chunk)
    } catch (error) {
      await this.#stop()
      throw error
    }
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

  /** Stops the source without waiting for it: one that hangs may never settle. */
  #stopNow(): void {
    const interrupt = this.#interrupt
    this.#interrupt = undefined
    // A source's error has no one left to go to.
    this.#stop().catch(() => undefined)
    interrupt?.()
  }

  /** Only a signal that can still end something is listened to. */
  #forgetSignal(): void {
    this.#signal?.removeEventListener('abort', this.#abort)
  }
}
