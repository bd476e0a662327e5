// Streams over `BlockParser`, for pipes. Each makes its own parser, and flushes it
// when the source ends.
//
// Source: seeds/001, "Problem: Real-Time TTS".

import type { Meaning, Role } from './custom-types.js'
import { type JournaledReading, journaledReading, kindOf } from './journaled-reading.js'
import { checkOptions } from '../options.js'
import { BLOCK_OPTIONS, type BlockParserOptions, type ReadingOptions, shownOptions } from './options.js'
import { Journal, type KeepTextOptions, type Snapshot } from '../journal.js'
import { blockBorder } from '../wasm/borders.js'
import { requireString } from '../errors.js'
import type { BlockEmission } from './types.js'
import { TransformBase } from '../platform.js'
import { visibleIn } from './visible-in.js'

const VISIBLE_TEXT = kindOf('visible-text', 'VisibleTextStream')
const BLOCKS = kindOf('block-stream', 'BlockStream')

/**
 * The same options as `BlockParser`'s. `fences` is `'text'` by default where only the visible text comes out.
 *
 * @example
 * ```ts
 * import { type BlockStreamOptions, visibleText } from 'tokenweir/blocks'
 *
 * const options: BlockStreamOptions = { tags: { think: 'thinking' } }
 * for await (const text of visibleText('<think>hm</think>Hello', options)) console.log(text) // Hello
 * ```
 */
export type BlockStreamOptions<Custom extends Meaning = Role> = BlockParserOptions<Custom>

/**
 * Transforms a model's text into its visible text, as a `TransformStream`. A chunk that is not a string is an error of
 * the stream.
 *
 * @example
 * ```ts
 * import { VisibleTextStream } from 'tokenweir/blocks'
 *
 * const response = new Blob(['<thinking>hm</thinking>Hello']).stream().pipeThrough(new TextDecoderStream())
 * const visible = response.pipeThrough(new VisibleTextStream())
 * console.log(await visible.getReader().read()) // { value: 'Hello', done: false }
 * ```
 */
export class VisibleTextStream<const Custom extends Meaning = Role> extends TransformBase<string, string> {
  private readonly reading: JournaledReading

  /** @throws TypeError for an unknown option. */
  constructor(options?: BlockStreamOptions<Custom>) {
    const given = checked('VisibleTextStream', options)
    const reading = journaledReading(VISIBLE_TEXT, options, shownOptions(given))
    super({
      transform(chunk, controller) {
        requireString('VisibleTextStream', chunk)
        for (const text of visibleIn(reading.processChunk(chunk).emissions)) controller.enqueue(text)
      },
      flush(controller) {
        for (const text of visibleIn(reading.flush().emissions)) controller.enqueue(text)
      },
    })
    this.reading = reading
  }

  /**
   * Goes on from a snapshot, in any process: it gives the text that the other stream would have given. Functions
   * among its options are given again.
   *
   * @throws as `BlockParser.restore` does.
   * @example
   * ```ts
   * import { VisibleTextStream } from 'tokenweir/blocks'
   *
   * const before = new VisibleTextStream()
   * const writer = before.writable.getWriter()
   * const reader = before.readable.getReader()
   * void writer.write('Hello<thin')
   * console.log((await reader.read()).value) // Hello
   * const stored = JSON.stringify(before.snapshot())
   *
   * const after = VisibleTextStream.restore(JSON.parse(stored))
   * const rest = new Blob(['king>hm</thinking>, you']).stream().pipeThrough(new TextDecoderStream())
   * console.log((await rest.pipeThrough(after).getReader().read()).value) // , you
   * ```
   */
  static restore<const Custom extends Meaning = Role>(
    snapshot: Snapshot,
    options?: BlockStreamOptions<Custom>,
  ): VisibleTextStream<Custom> {
    const make = (whole: object) => new VisibleTextStream<Custom>(whole)
    return Journal.restore(VISIBLE_TEXT, snapshot, options, { make, targetOf: ({ reading }) => reading })
  }

  /**
   * What it has read, as plain JSON: for `VisibleTextStream.restore`. Text that waits in the stream itself, before or
   * after it was read, is not in it. It leaves out what `keepText: false` leaves out of `BlockStream`: nothing with
   * `fences: 'text'`, which is the default here.
   *
   * @throws ParseError `reentrant` from inside a callback of this stream.
   * @example
   * ```ts
   * import { VisibleTextStream } from 'tokenweir/blocks'
   *
   * console.log(new VisibleTextStream().snapshot().parser) // visible-text
   * ```
   */
  snapshot(): Snapshot {
    return this.reading.snapshot({ keepText: false })
  }
}

/**
 * Transforms a model's text into chunks and block events, in order, as a `TransformStream`. A chunk that is not a
 * string is an error of the stream.
 *
 * @example
 * ```ts
 * import { BlockStream } from 'tokenweir/blocks'
 *
 * const response = new Blob(['<thinking>hm</thinking>']).stream().pipeThrough(new TextDecoderStream())
 * for await (const emission of response.pipeThrough(new BlockStream())) {
 *   if (emission.kind === 'blockEvent') console.log(emission.event.event, emission.event.block)
 * }
 * ```
 * ```text
 * block_start { type: 'thinking' }
 * block_complete { type: 'thinking', content: 'hm' }
 * ```
 */
export class BlockStream<const Custom extends Meaning = Role> extends TransformBase<string, BlockEmission<Custom>> {
  private readonly reading: JournaledReading

  /** @throws TypeError for an unknown option. */
  constructor(options?: BlockStreamOptions<Custom>) {
    const reading = journaledReading(BLOCKS, options, checked('BlockStream', options))
    super({
      transform(chunk, controller) {
        requireString('BlockStream', chunk)
        for (const emission of reading.processChunk(chunk).emissions) controller.enqueue(emission)
      },
      flush(controller) {
        for (const emission of reading.flush().emissions) controller.enqueue(emission)
      },
    })
    this.reading = reading
  }

  /**
   * Goes on from a snapshot, in any process: it gives the emissions that the other stream would have given. Functions
   * among its options are given again.
   *
   * @throws as `BlockParser.restore` does.
   * @example
   * ```ts
   * import { BlockStream } from 'tokenweir/blocks'
   *
   * const before = new BlockStream()
   * const stored = JSON.stringify(before.snapshot())
   * const after = BlockStream.restore(JSON.parse(stored))
   * console.log(after.snapshot().parser) // block-stream
   * ```
   */
  static restore<const Custom extends Meaning = Role>(
    snapshot: Snapshot,
    options?: BlockStreamOptions<Custom>,
  ): BlockStream<Custom> {
    const make = (whole: object) => new BlockStream<Custom>(whole)
    return Journal.restore(BLOCKS, snapshot, options, { make, targetOf: ({ reading }) => reading })
  }

  /**
   * What it has read, as plain JSON: for `BlockStream.restore`. What waits in the stream itself, before or after it was
   * read, is not in it. `keepText: false` leaves out the text that it leaves out of `BlockParser`.
   *
   * @throws ParseError `reentrant` from inside a callback of this stream; TypeError for an unknown
   * option.
   * @example
   * ```ts
   * import { BlockStream } from 'tokenweir/blocks'
   *
   * console.log(new BlockStream().snapshot({ keepText: false }).keepText) // false
   * ```
   */
  snapshot(options?: KeepTextOptions): Snapshot {
    return this.reading.snapshot(options)
  }
}

function checked(place: string, options: ReadingOptions | undefined): ReadingOptions {
  checkOptions(place, options, BLOCK_OPTIONS)
  blockBorder.requireReady(place)
  return options ?? {}
}
