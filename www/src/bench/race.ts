// The parsers that run beside each other, and what is measured of them.

/** What the page asks of the worker. */
export interface Question {
  readonly text: string
  readonly chunkSize: number
}

/** One parser's times. */
export interface Result {
  readonly name: string
  /** Median of a run, in milliseconds. */
  readonly milliseconds: number
  /** The same for a chunk, in nanoseconds. */
  readonly nanoseconds: number
  /** How many times as long the plain parser takes: the median of the ratios within the rounds. */
  readonly ratio: number
}

/** What the worker answers: how far it is, then what came of it. */
export type Answer =
  | { readonly kind: 'round'; readonly round: number; readonly rounds: number }
  | { readonly kind: 'done'; readonly results: readonly Result[]; readonly characters: number; readonly chunks: number; readonly agree: boolean }
  | { readonly kind: 'failed'; readonly message: string }
