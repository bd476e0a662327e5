// What the page wants of each front-end: fed chunk by chunk, it keeps what a view shows.

/** A stream that is being read by one front-end. */
export interface Reading {
  /** Reads a chunk; `told` has been told of it. */
  feed(chunk: string): void
  /** The end of the stream. */
  end(): void
  /** The text that a reader gets. */
  readonly visible: string
}

/** Ids in order, so that a stream always looks the same. */
export function counter(prefix: string): () => string {
  let count = 0
  return () => `${prefix}${++count}`
}
