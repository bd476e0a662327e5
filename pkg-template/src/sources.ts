// Where chunks of text come from.

import { describe } from './errors.js'

/**
 * Where chunks of text come from. One string is one chunk.
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
 * await print(new Response('a stream').body!.pipeThrough(new TextDecoderStream())) // a stream
 * ```
 */
export type TextSource = AsyncIterable<string> | ReadableStream<string> | Iterable<string>

/** The chunks of a source; `place` names who was given it. */
export function chunksOf(place: string, source: TextSource): AsyncIterable<string> | Iterable<string> {
  // A string is iterable too, but by characters.
  if (typeof source === 'string') return [source]
  if (typeof source === 'object' && source !== null) {
    // Not every browser's streams are async iterable, so streams are read by hand.
    if ('getReader' in source) return readStream(source)
    if (Symbol.asyncIterator in source || Symbol.iterator in source) return source
  }
  throw new TypeError(`${place} takes an async iterable, a ReadableStream or an array of strings, but got ${describe(source)}`)
}

async function* readStream(stream: ReadableStream<string>): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader()
  // False while a chunk is awaited: a stream that fails or ends there needs no cancel.
  let stopped = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      stopped = true
      yield value
      stopped = false
    }
  } finally {
    if (stopped) await reader.cancel()
    reader.releaseLock()
  }
}
