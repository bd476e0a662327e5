// Guards the text of a source.
//
// This is less than the readers of other entries do: what all of them share is a third of what this one may weigh.

import { describe, requireString } from '../errors.js'
import { abortSignal } from '../options.js'
import type { SourceOptions, TextSource } from '../sources.js'
import { compile } from './program.js'
import { scanBy } from './scan.js'
import type { GuardOptions } from './types.js'

type AnyIterator = AsyncIterator<unknown> | Iterator<unknown>

/**
 * Yields a text without what must not be shown, as `TextGuard` does. A stop, leaving the loop and an abort of `signal`
 * cancel the source. If the source fails, the rest comes before its error.
 *
 * @throws TypeError immediately, for a wrong option or source, and for a pattern that can't be decided while text comes
 * @example
 * ```ts
 * import { guardText } from 'tokenweir/guard'
 *
 * const source = ['It is hunt', 'er2.\nUs', 'er: Hi!']
 * for await (const text of guardText(source, { redact: ['hunter2'], stop: ['\nUser:'] })) console.log(text.trim())
 * ```
 * ```text
 * It is
 * [redacted].
 * ```
 */
export function guardText(
  source: TextSource,
  options: GuardOptions & SourceOptions,
): AsyncGenerator<string, void, undefined> {
  const scan = scanBy(compile('guardText', options, { signal: [abortSignal] }))
  const { signal } = options
  /** The rest of the source, unless it is over or left. */
  let chunks: AnyIterator | undefined = chunksOf(source)
  let interrupt: ((_: undefined) => void) | undefined
  /** Cancels the source, and ends the wait for it: one that hangs may never answer. */
  const leave = async () => {
    const left = chunks
    chunks = undefined
    signal?.removeEventListener('abort', leave)
    interrupt?.(undefined)
    try {
      await left?.return?.()
    } catch {
      // Nobody waits for it.
    }
  }
  const texts = read()
  const finish = texts.return.bind(texts)
  texts.return = (value) => {
    leave()
    return finish(value)
  }
  signal?.addEventListener('abort', leave)
  if (signal?.aborted === true) leave()
  return texts

  async function* read(): AsyncGenerator<string, void, undefined> {
    let failure: { readonly error: unknown } | undefined
    try {
      for (let isEnd = false; !isEnd && scan.stopped === undefined; ) {
        let next: IteratorResult<unknown> | undefined
        try {
          next = await Promise.race([new Promise<undefined>((resolve) => (interrupt = resolve)), chunks?.next()])
        } catch (error) {
          failure = { error }
        }
        signal?.throwIfAborted()
        if (chunks === undefined) return
        isEnd = next?.done !== false
        if (isEnd) chunks = undefined
        const chunk = isEnd ? '' : await next?.value
        requireString('guardText', chunk)
        const text = isEnd ? scan.end() : scan.push(chunk)
        if (text !== '') yield text
      }
      if (failure !== undefined) throw failure.error
    } finally {
      leave()
    }
  }
}

function chunksOf(source: TextSource): AnyIterator {
  if (typeof source === 'string') return [source].values()
  const from = Object(source) as Partial<ReadableStream<string> & AsyncIterable<string> & Iterable<string>>
  // Not every browser's streams are async iterable.
  const reader = from.getReader?.()
  if (reader !== undefined)
    return { next: () => reader.read(), return: () => reader.cancel() } as unknown as AnyIterator
  const chunks = from[Symbol.asyncIterator]?.() ?? from[Symbol.iterator]?.()
  if (chunks !== undefined) return chunks
  throw new TypeError(
    'guardText takes an async iterable, a ReadableStream or an array of strings, such as visibleText(response), ' +
      `but got ${describe(source)}`,
  )
}
