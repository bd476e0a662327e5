// The benchmarked parsers, and their results.

/** The page's request to the worker. */
export interface Question {
  readonly text: string
  readonly chunkSize: number
}

/** One parser's times. */
export interface Result {
  readonly name: string
  /** The median of a run, in milliseconds. */
  readonly milliseconds: number
  /** The same per chunk, in nanoseconds. */
  readonly nanoseconds: number
  /** How many times as long the plain parser takes: the median of the ratios in each round. */
  readonly ratio: number
}

/** The worker's answers: its progress, then the results. */
export type Answer =
  | { readonly kind: 'round'; readonly round: number; readonly rounds: number }
  | { readonly kind: 'done'; readonly results: readonly Result[]; readonly characters: number; readonly chunks: number; readonly agree: boolean }
  | { readonly kind: 'failed'; readonly message: string }
