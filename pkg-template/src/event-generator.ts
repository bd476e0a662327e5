// The events of a text source, one by one.
//
// An `async function*` would do the same, but slower: it awaits each value that it
// yields, and again in each generator on the way. Here an available event is
// returned immediately.

/** Reads chunks and returns their events. */
export class EventGenerator<Event> implements AsyncGenerator<Event, void, undefined> {
  readonly #source: AsyncIterator<string> | Iterator<string>
  readonly #parse: (chunk: string) => readonly Event[]
  readonly #finish: () => readonly Event[]
  #events: readonly Event[] = []
  #at = 0
  #isOver = false
  /** The number of unsettled calls, and the last of them: each waits for the previous one. */
  #open = 0
  #last: Promise<IteratorResult<Event, void>> | undefined

  /**
   * `parse` returns the events of a chunk. If it throws, the source is stopped and
   * the error is thrown. `finish` returns the events of the end.
   */
  constructor(chunks: AsyncIterable<string> | Iterable<string>, parse: (chunk: string) => readonly Event[], finish: () => readonly Event[]) {
    this.#source = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
    this.#parse = parse
    this.#finish = finish
  }

  /** The next event. */
  next(): Promise<IteratorResult<Event, void>> {
    if (this.#open === 0 && this.#at < this.#events.length) return Promise.resolve({ value: this.#events[this.#at++] as Event, done: false })
    return this.#inTurn(this.#pull)
  }

  /** Stops the source. */
  return(): Promise<IteratorResult<Event, void>> {
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
        if (this.#isOver) return { value: undefined, done: true }
        // A failed source yields nothing more.
        this.#isOver = true
        const next = await this.#source.next()
        this.#at = 0
        this.#isOver = next.done === true
        this.#events = next.done === true ? this.#finish() : await this.#eventsOf(next.value)
      }
      return { value: this.#events[this.#at++] as Event, done: false }
    } finally {
      this.#open--
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
    if (this.#isOver) return
    this.#isOver = true
    await this.#source.return?.()
  }
}
