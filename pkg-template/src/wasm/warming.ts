// Streams that wait for their source compile the WebAssembly meanwhile.

import type { Border } from './border.js'

/**
 * The items of a source. The first of an asynchronous one comes when the border's machines are ready too, or can't be
 * made so, which the parser then says; those of a list come as they are.
 */
export function whileWarming<Item>(
  border: Border,
  items: AsyncIterable<Item> | Iterable<Item>,
): AsyncIterable<Item> | Iterable<Item> {
  const { engine } = border
  if (border.isReady || engine === undefined || !(Symbol.asyncIterator in items)) return items
  const iterator = items[Symbol.asyncIterator]()
  const warmed = engine.warm().catch(() => undefined)
  return {
    async next() {
      if (border.isReady) return iterator.next()
      const [next] = await Promise.all([iterator.next(), warmed])
      return next
    },
    async return() {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  } as AsyncIterableIterator<Item>
}
