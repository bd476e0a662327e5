// Guards the text of a source.
//
// This is less than the readers of other entries do: what all of them share is a third of what this one may weigh.

import { describe, requireString } from '../errors.js'
import { must } from '../options.js'
import type { SourceOptions, TextSource } from '../sources.js'
import { compile } from './program.js'
import { scanBy } from './scan.js'
import type { GuardOptions } from './types.js'

const SIGNAL = [
  must('an AbortSignal', (value) => typeof (value as AbortSignal)?.addEventListener === 'function'),
] as const

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
  const scan = scanBy(compile('guardText', options, { signal: SIGNAL }))
  const { signal } = options
  const chunks = chunksOf(source)
  let isOver = false
  let interrupt: (() => void) | undefined
  /** Cancels the source, and ends the wait for it: one that hangs may never answer. */
  const leave = () => {
    signal?.removeEventListener('abort', leave)
    if (!isOver) Promise.resolve(chunks.return?.()).catch(() => undefined)
    isOver = true
    interrupt?.()
  }
  const next = () =>
    new Promise<IteratorResult<string> | undefined>((resolve, reject) => {
      interrupt = () => resolve(undefined)
      Promise.resolve(chunks.next()).then(resolve, reject)
    })
  const texts = read()
  signal?.addEventListener('abort', leave)
  if (signal?.aborted === true) leave()
  const { return: finish } = texts
  texts.return = (value) => {
    leave()
    return finish.call(texts, value)
  }
  return texts

  async function* read(): AsyncGenerator<string, void, undefined> {
    let failure: { readonly error: unknown } | undefined
    try {
      while (scan.stopped === undefined && failure === undefined) {
        const read = isOver ? undefined : await next().catch((error: unknown) => void (failure = { error }))
        if (signal?.aborted === true) throw signal.reason
        if (isOver) return
        // The source has ended, or failed.
        isOver = read?.done !== false
        const chunk: unknown = isOver ? '' : await read?.value
        requireString('guardText', chunk)
        const text = isOver ? scan.end() : scan.push(chunk)
        if (text !== '') yield text
      }
      if (failure !== undefined) throw failure.error
    } finally {
      leave()
    }
  }
}

function chunksOf(source: TextSource): AsyncIterator<string> | Iterator<string> {
  if (typeof source === 'string') return [source].values()
  const from = Object(source) as Partial<ReadableStream<string> & AsyncIterable<string> & Iterable<string>>
  // Not every browser's streams are async iterable.
  const reader = from.getReader?.()
  if (reader !== undefined)
    return { next: () => reader.read(), return: () => reader.cancel() } as unknown as AsyncIterator<string>
  const chunks = from[Symbol.asyncIterator]?.() ?? from[Symbol.iterator]?.()
  if (chunks === undefined)
    throw new TypeError(
      'guardText takes an async iterable, a ReadableStream or an array of strings, such as visibleText(response), ' +
        `but got ${describe(source)}`,
    )
  return chunks
}
