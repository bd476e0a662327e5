// How far events with spans cover a text.

import type { Emitted } from './front.js'

/** An event that may have a span. */
interface Placed {
  readonly span?: readonly [start: number, end: number]
}

/** Computed from the last span: the spans tile the text. */
export function emittedBySpans(read: (chunk: string) => Iterable<Placed>): Emitted {
  let emitted = 0
  return {
    feed(chunk) {
      for (const { span } of read(chunk)) if (span !== undefined && span[1] > emitted) emitted = span[1]
      return emitted
    },
  }
}
