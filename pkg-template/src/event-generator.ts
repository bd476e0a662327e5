// Events of a source of text, one by one.
//
// An `async function*` would do the same, and take longer for each event: it
// awaits what it yields, and again at each generator on the way. Here an
// event that is there already is given at once.

/** Reads chunks and gives the events that they make. */
export class EventGenerator<Event> implements AsyncGenerator<Event, void, undefined> {
  readonly #source: AsyncIterator<string> | Iterator<string>
  readonly #parse: (chunk: string) => readonly Event[]
  readonly #finish: () => readonly Event[]
  #events: readonly Event[] = []
  #at = 0
  #isOver = false
  /** Calls that are not settled, and the last of them: each waits for the one before. */
  #open = 0
  #last: Promise<IteratorResult<Event, void>> | undefined

  /**
   * `parse` gives the events of a chunk, and may throw: the source is then
   * stopped, and the error comes out. `finish` gives those of the end.
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

  /** Starts a task when those before it are settled. It counts itself out. */
  #inTurn(task: () => Promise<IteratorResult<Event, void>>): Promise<IteratorResult<Event, void>> {
    const result = this.#open++ === 0 || this.#last === undefined ? task() : this.#last.then(task, task)
    this.#last = result
    return result
  }

  readonly #pull = async (): Promise<IteratorResult<Event, void>> => {
    try {
      while (this.#at >= this.#events.length) {
        if (this.#isOver) return { value: undefined, done: true }
        // Should the source fail, nothing more comes of it.
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
