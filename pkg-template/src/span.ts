// A place in a stream.

/**
 * A half-open range `[start, end)` in UTF-16 code units from the start of the stream, so that `text.slice(start, end)`
 * works.
 *
 * @example
 * ```ts
 * import { BlockParser, type Span } from 'tokenweir/blocks'
 *
 * const text = 'a<thinking>b</thinking>'
 * const spans: Span[] = []
 * const parser = new BlockParser({ spans: true, onChunk: (chunk, { span }) => span && spans.push(span) })
 * parser.processChunk(text)
 * console.log(spans, spans.map(([start, end]) => text.slice(start, end))) // [ [ 0, 1 ], [ 11, 12 ] ] [ 'a', 'b' ]
 * ```
 */
export type Span = readonly [start: number, end: number]
