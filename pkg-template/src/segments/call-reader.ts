// Reads the JSON arguments of one API tool call as they are written.

/** What is told of the arguments. Places are UTF-16 code units from the start of the arguments' text. */
export interface CallTeller {
  /** Decoded text of a top-level string that was asked for; `which` is its place among the names. */
  argument(which: number, text: string, from: number, to: number): void
  /** That string is whole. */
  argumentEnd(which: number): void
}

/** Reads the JSON arguments of one call. */
export class CallReader {
  /** Whether the JSON value is whole. */
  isClosed = false
  /** Whether the text is no JSON object. */
  isBad = false
  /** Where the value ended, once it is whole; text from there on is no part of it. */
  end = 0

  /** `names`: top-level keys whose strings are told, at most two. With none, only the end is looked for. */
  constructor(
    readonly teller: CallTeller,
    readonly names: readonly string[],
  ) {}

  /** More of the text. */
  read(delta: string): void {
    throw new Error(`not there yet: ${delta.length}`)
  }

  /** The end of the stream: what is held of a string is told. */
  finish(): void {
    throw new Error('not there yet')
  }
}
