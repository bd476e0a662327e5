// What was emitted and is not read yet, for a `for await`.

/** Values for one reader; `join` makes one of two that are not read yet. */
export class Queue<Value> implements AsyncIterableIterator<Value> {
  #values: Value[] = []
  #end: { readonly error?: unknown } | undefined
  readonly #waiting: Array<() => void> = []

  constructor(
    private readonly join: ((first: Value, second: Value) => Value) | undefined,
    private readonly stop: () => void,
  ) {}

  push(value: Value): void {
    const last = this.#values.at(-1)
    if (this.join !== undefined && last !== undefined) this.#values = [this.join(last, value)]
    else this.#values.push(value)
    this.#wake()
  }

  /** Nothing more comes; with an error, it is thrown after what has come. */
  end(end: { readonly error?: unknown } = {}): void {
    this.#end ??= end
    this.#wake()
  }

  async next(): Promise<IteratorResult<Value, undefined>> {
    while (this.#values.length === 0) {
      const end = this.#end
      if (end !== undefined) {
        this.#end = {}
        if ('error' in end) throw end.error
        return { value: undefined, done: true }
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    return { value: this.#values.shift() as Value, done: false }
  }

  async return(): Promise<IteratorResult<Value, undefined>> {
    this.stop()
    this.#values = []
    this.#end = {}
    this.#wake()
    return { value: undefined, done: true }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
