// Sources of text chunks, and how reading them is aborted.

import { describe } from './errors.js'
import { abortSignal, checkOptions, elsewhere } from './options.js'
import type { Readable, Signal } from './platform.js'

/**
 * A source of text chunks. A string is one chunk.
 *
 * @example
 * ```ts
 * import { type TextSource, visibleText } from 'tokenweir/blocks'
 *
 * async function print(source: TextSource) {
 *   for await (const text of visibleText(source)) console.log(text)
 * }
 * await print('a string') // a string
 * await print(['a list']) // a list
 * await print(new Blob(['a stream']).stream().pipeThrough(new TextDecoderStream())) // a stream
 * ```
 */
export type TextSource = AsyncIterable<string> | Readable<string> | Iterable<string>

/**
 * How a source is read.
 *
 * @example
 * ```ts
 * import { type SourceOptions, visibleText } from 'tokenweir/blocks'
 *
 * async function print(source: AsyncIterable<string>, { signal }: SourceOptions) {
 *   for await (const text of visibleText(source, { signal })) console.log(text)
 * }
 * const stop = new AbortController()
 * stop.abort(new Error('no longer needed'))
 * await print(new Blob(['Hello']).stream().pipeThrough(new TextDecoderStream()), stop).catch((error) =>
 *   console.log(error.message),
 * )
 * ```
 * ```text
 * no longer needed
 * ```
 */
export interface SourceOptions {
  /**
   * Aborts the reading: the source is stopped, and what waits for an event or a result rejects with the signal's
   * reason.
   */
  signal?: Signal | undefined
}

/** Options without their `signal`, which is checked; `place` names who was given them. */
export function withSignal<Options extends object>(
  place: string,
  options: (Options & SourceOptions) | undefined,
): [rest: Options | undefined, signal: Signal | undefined] {
  if (typeof options !== 'object' || options === null || !('signal' in options)) return [options, undefined]
  const { signal, ...rest } = options
  if (signal !== undefined) abortSignal(`${place}.signal`, signal)
  return [rest as unknown as Options, signal]
}

/** The signal of options that have nothing else. */
export function signalOf(place: string, options: SourceOptions | undefined): Signal | undefined {
  checkOptions(place, options, { signal: [elsewhere] })
  return withSignal(place, options)[1]
}

/** The chunks of a source; `place` names its receiver in errors. */
export function chunksOf(place: string, source: TextSource): AsyncIterable<string> | Iterable<string> {
  return itemsOf(place, source, 'an async iterable, a ReadableStream or an array of strings') as
    | AsyncIterable<string>
    | Iterable<string>
}

/** What a reply may be read from, in the words of errors. */
export const REPLY_SOURCES = 'a Response, an async iterable, a ReadableStream, a string or an array'

/** The items of a source, whatever they are; `what` names the sources in errors. */
export function itemsOf(place: string, source: unknown, what: string): AsyncIterable<unknown> | Iterable<unknown> {
  // A string is iterable too, but character by character.
  if (typeof source === 'string') return [source]
  if (typeof source === 'object' && source !== null) {
    // Not every browser's streams are async iterable, so streams are read by hand.
    if ('getReader' in source) return readStream(place, source as ReadableStream<unknown>)
    if (Symbol.asyncIterator in source || Symbol.iterator in source)
      return source as AsyncIterable<unknown> | Iterable<unknown>
  }
  const isReply = typeof source === 'object' && source !== null && ('body' in source || 'then' in source)
  const hint = isReply ? `: give it the text of the reply, ${place}(visibleText(response))` : ''
  throw new TypeError(`${place} takes ${what}, but got ${describe(source)}${hint}`)
}

/** A stream's chunks. An `async function*` would never cancel a stream that is left before its first chunk. */
function readStream(place: string, stream: ReadableStream<unknown>): AsyncIterableIterator<unknown> {
  let reader: ReadableStreamDefaultReader<unknown> | undefined
  let isOver = false
  const end = () => {
    isOver = true
    reader?.releaseLock()
    return { done: true, value: undefined } as const
  }
  return {
    async next() {
      if (isOver) return end()
      if (reader === undefined && stream.locked)
        throw new TypeError(`${place}: the stream is locked: something else reads it, or has read it`)
      try {
        reader ??= stream.getReader()
        const { done, value } = await reader.read()
        return done ? end() : { done, value }
      } catch (error) {
        // A failed stream needs no cancel.
        end()
        throw error
      }
    },
    async return() {
      if (isOver) return end()
      isOver = true
      try {
        reader ??= stream.getReader()
        await reader.cancel()
      } finally {
        end()
      }
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** What `act` makes of why the reply ended that a source is the text of: that of `visibleText` has its `reply`. */
export function withReason<Result>(source: unknown, act: (reason?: string) => Result): Result | Promise<Result> {
  const { reply } = source as { readonly reply?: { result?(): Promise<{ readonly finishReason?: string }> } }
  return typeof reply?.result === 'function' ? reply.result().then(({ finishReason }) => act(finishReason)) : act()
}

/** An iterable's iterator. */
export function iteratorOf<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncIterator<Item> | Iterator<Item> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
}

/** The items of a source that is yet to come. */
export class LaterItems implements AsyncIterableIterator<unknown> {
  #items: Promise<AsyncIterator<unknown> | Iterator<unknown>> | undefined
  #isHere = false

  /** `open` is called once. */
  constructor(private readonly open: () => Promise<AsyncIterable<unknown> | Iterable<unknown>>) {}

  async next(): Promise<IteratorResult<unknown>> {
    return (await this.#opened()).next()
  }

  async return(): Promise<IteratorResult<unknown>> {
    const stopped = this.#opened().then((items) => items.return?.())
    // What comes later is stopped when it comes; it may never.
    if (this.#isHere) await stopped
    else stopped.catch(() => undefined)
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #opened(): Promise<AsyncIterator<unknown> | Iterator<unknown>> {
    this.#items ??= this.open().then((items) => {
      this.#isHere = true
      return iteratorOf(items)
    })
    return this.#items
  }
}
