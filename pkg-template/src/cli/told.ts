// How far events with spans tell of a text.

import type { Told } from './front.js'

/** An event that may have a place. */
interface Placed {
  readonly span?: readonly [start: number, end: number]
}

/** Told by a parser that gives spans: they tile the text, so the last one says how far. */
export function toldBySpans(read: (chunk: string) => Iterable<Placed>): Told {
  let told = 0
  return {
    feed(chunk) {
      for (const { span } of read(chunk)) if (span !== undefined && span[1] > told) told = span[1]
      return told
    },
  }
}
