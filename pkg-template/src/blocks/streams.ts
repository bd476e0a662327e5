// Streams over `BlockParser`, for pipes. Each makes its own parser, and flushes it
// when the source ends.
//
// Source: seeds/001, "Problem: Real-Time TTS".

import { BlockParser, type BlockParserOptions } from './parser.js'
import { requireString } from '../errors.js'
import type { BlockEmission } from './types.js'
import { TransformBase } from '../platform.js'

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
export class VisibleTextStream extends TransformBase<string, string> {
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
export class BlockStream extends TransformBase<string, BlockEmission> {
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

/** The visible text in emissions. */
export function* visibleIn(emissions: Iterable<BlockEmission>): Generator<string, void, undefined> {
  for (const emission of emissions) if (emission.kind === 'content' && emission.meta.visible) yield emission.text
}
