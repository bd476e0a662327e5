// The interface of each parser on the page: it is fed chunk by chunk, and keeps the data for a view.

/** A stream that one parser reads. */
export interface Reading {
  /** Reads a chunk, which `emitted` already contains. */
  feed(chunk: string): void
  /** The end of the stream. */
  end(): void
  /** The visible text. */
  readonly visible: string
  /** Fulfilled when all of the stream is read: after its end, or later. */
  readonly over: Promise<void>
}

/** Called when what is visible has changed after `feed` and `end` returned. */
export type Changed = () => void

/** Sequential ids, so that a stream always looks the same. */
export function counter(prefix: string): () => string {
  let count = 0
  return () => `${prefix}${++count}`
}
