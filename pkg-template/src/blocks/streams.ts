// Streams over `BlockParser`: for a screen, for a speech server, and for pipes.
//
// Each makes its own parser, flushes it when the source ends, and stops the
// source when the consumer stops. Nothing is read ahead: the next chunk is requested
// when all events of the last one have been consumed.
//
// Source: seeds/001, "Problem: Real-Time TTS".

import { BlockParser, type BlockParserOptions } from './parser.js'
import { requireString } from '../errors.js'
import { EventGenerator } from '../event-generator.js'
import { type SourceOptions, type TextSource, chunksOf, withSignal } from '../sources.js'
import type { BlockEmission } from './types.js'

/**
 * The same options as `BlockParser`'s.
 *
 * @example
 * ```ts
 * import { type BlockStreamOptions, visibleText } from 'tokenweir/blocks'
 *
 * const options: BlockStreamOptions = { tags: { think: 'thinking' } }
 * for await (const text of visibleText('<think>hm</think>Hello', options)) console.log(text) // Hello
 * ```
 */
export type BlockStreamOptions = BlockParserOptions

/**
 * Yields the visible text, for a reader or a speech server, as soon as it is decided.
 *
 * Leaving the loop early stops the source: `return()` of an iterable, `cancel()` of a stream.
 * The loop throws an error of the source, and after an abort of the option `signal` its reason.
 *
 * @throws TypeError immediately, for an unknown option or an invalid source; from the loop, for a chunk that is not a string.
 * @throws ParseError `not-initialised`, with `tokenweir/slim` before `init`.
 * @example
 * ```ts
 * import { visibleText } from 'tokenweir/blocks'
 *
 * const response = ['<thin', 'king>hm</thinking>', 'Hello']
 * for await (const text of visibleText(response)) console.log(text) // Hello
 * ```
 */
export function visibleText(source: TextSource, options?: BlockStreamOptions & SourceOptions): AsyncGenerator<string, void, undefined> {
  const [rest, signal] = withSignal<BlockStreamOptions>('visibleText', options)
  const parser = new BlockParser(rest)
  const parse = (chunk: string) => {
    requireString('visibleText', chunk)
    return [...visibleIn(parser.processChunk(chunk).emissions)]
  }
  return new EventGenerator(chunksOf('visibleText', source), parse, () => [...visibleIn(parser.flush().emissions)], signal)
}

/**
 * Transforms a model's text into its visible text, as a `TransformStream`. A chunk that is not a string is an error of the stream.
 *
 * @example
 * ```ts
 * import { VisibleTextStream } from 'tokenweir/blocks'
 *
 * const response = new Response('<thinking>hm</thinking>Hello').body!.pipeThrough(new TextDecoderStream())
 * const visible = response.pipeThrough(new VisibleTextStream())
 * console.log(await visible.getReader().read()) // { value: 'Hello', done: false }
 * ```
 */
export class VisibleTextStream extends TransformStream<string, string> {
  /** @throws TypeError for an unknown option. */
  constructor(options?: BlockStreamOptions) {
    const parser = new BlockParser(options)
    super({
      transform(chunk, controller) {
        requireString('VisibleTextStream', chunk)
        for (const text of visibleIn(parser.processChunk(chunk).emissions)) controller.enqueue(text)
      },
      flush(controller) {
        for (const text of visibleIn(parser.flush().emissions)) controller.enqueue(text)
      },
    })
  }
}

/**
 * Transforms a model's text into chunks and block events, in order, as a `TransformStream`. A chunk that is not a string is an error of the stream.
 *
 * @example
 * ```ts
 * import { BlockStream } from 'tokenweir/blocks'
 *
 * const response = new Response('<thinking>hm</thinking>').body!.pipeThrough(new TextDecoderStream())
 * for await (const emission of response.pipeThrough(new BlockStream())) {
 *   if (emission.kind === 'blockEvent') console.log(emission.event.event, emission.event.block)
 * }
 * ```
 * ```text
 * block_start { type: 'thinking' }
 * block_complete { type: 'thinking', content: 'hm' }
 * ```
 */
export class BlockStream extends TransformStream<string, BlockEmission> {
  /** @throws TypeError for an unknown option. */
  constructor(options?: BlockStreamOptions) {
    const parser = new BlockParser(options)
    super({
      transform(chunk, controller) {
        requireString('BlockStream', chunk)
        for (const emission of parser.processChunk(chunk).emissions) controller.enqueue(emission)
      },
      flush(controller) {
        for (const emission of parser.flush().emissions) controller.enqueue(emission)
      },
    })
  }
}

function* visibleIn(emissions: Iterable<BlockEmission>): Generator<string, void, undefined> {
  for (const emission of emissions) if (emission.kind === 'content' && emission.meta.visible) yield emission.text
}
