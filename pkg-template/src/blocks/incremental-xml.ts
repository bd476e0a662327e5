// membrane's `IncrementalXmlParser`, on the same machine: an element of
// function calls, function results or thinking is one block of text.
//
// Source: spec/block.md, "Two faces on one machine"; the class of that name in
// membrane v0.5.78, and its payloads, history and envelopes from 0.5.86 on.
// Differences: a closing tag without an opening tag changes nothing (there a depth goes
// to −1), no block is completed that was not started, a `<` that fails is read
// again (there `<thin<thinking>` loses the tag), and everything is linear.

import { BlockFace } from './face.js'
import { ElementReading } from './element-reading.js'
import type { ElementEvent, ProcessChunkResult } from './element-types.js'
import { describe, requireString } from '../errors.js'
import { checkOptions } from '../options.js'
import { Journal, type KeepTextOptions, type Kind, type Snapshot } from '../journal.js'
import { STOP_OPTIONS } from './options.js'
import type { StopOptions } from './stop-sequences.js'
import type { StopEvent } from './types.js'
import { blockBorder } from '../wasm/borders.js'

const KIND: Kind = {
  parser: 'incremental-xml',
  place: 'IncrementalXmlParser',
  text: 'processChunk',
  calls: ['flush', 'push', 'addUnread', 'endHistory', 'forgetBlock', 'skipIndex', 'startAt', 'skip', 'dropText'],
  hearers: [],
}

/** What the class emits at a stop sequence, by its options. */
type StopOf<Options> = Options extends { stopSequences: readonly string[] } ? StopEvent : never

/**
 * Turns chunks of a model's text into blocks as membrane does: an element of function calls, function results or
 * thinking is one block of text, with its tags taken off. For single calls with their parameters take `BlockParser`.
 *
 * It can stand in for the class of that name in membrane, 0.5.78 or newer. A parameter's value in CDATA is a *payload*:
 * nothing in it is markup.
 *
 * With `stopSequences` it stops as `BlockParser` does, and emits `stop` as a block event. A sequence that begins with
 * `<`, such as `</function_calls>`, counts wherever the text has it; no sequence counts in a payload. What follows is
 * ignored until `flush`, which ends the reply.
 *
 * @example
 * ```ts
 * import { IncrementalXmlParser } from 'tokenweir/membrane'
 *
 * const parser = new IncrementalXmlParser()
 * for (const chunk of ['Hi<thin', 'king>hm</thinking>']) {
 *   for (const emission of parser.processChunk(chunk).emissions) {
 *     if (emission.kind === 'content') console.log(emission.meta.type, emission.text)
 *   }
 * }
 * parser.flush()
 * ```
 * ```text
 * text Hi
 * thinking hm
 * ```
 */
export class IncrementalXmlParser<Options extends StopOptions = Record<never, never>> extends BlockFace {
  private readonly reading: ElementReading

  /** @throws TypeError that names the option, if one is unknown or of the wrong type. */
  constructor(options?: Options) {
    const given: StopOptions = options ?? {}
    checkOptions('IncrementalXmlParser', given, STOP_OPTIONS)
    blockBorder.requireReady('IncrementalXmlParser')
    const reading = new ElementReading(given, Journal.of(KIND, options))
    super(reading.feed, reading.writer)
    this.reading = reading
  }

  /**
   * Goes on from a snapshot, in any process: what comes next gives what it would have given the parser that the
   * snapshot is of.
   *
   * @throws ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const before = new IncrementalXmlParser()
   * before.processChunk('<thin')
   * const after = IncrementalXmlParser.restore(JSON.parse(JSON.stringify(before.snapshot())))
   * console.log(after.processChunk('king>hm').content[0]?.meta.type) // thinking
   * ```
   */
  static restore<Options extends StopOptions = Record<never, never>>(
    snapshot: Snapshot,
    options?: Options,
  ): IncrementalXmlParser<Options> {
    checkOptions('IncrementalXmlParser.restore', options, STOP_OPTIONS)
    const make = (whole: object) => new IncrementalXmlParser(whole as Options)
    return Journal.restore(KIND, snapshot, options, { make, targetOf: ({ reading }) => reading })
  }

  /**
   * What the parser has read, between two chunks, as plain JSON: for `IncrementalXmlParser.restore`.
   *
   * It has all text so far. `keepText: false` leaves out closed elements, and most of the text of open ones, whose end
   * is then `partial`; with stop sequences what may be read again stays.
   *
   * @throws TypeError for an unknown option.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('<thinking>hm')
   * console.log(IncrementalXmlParser.restore(parser.snapshot()).getContext()) // thinking(1)
   * ```
   */
  snapshot(options?: KeepTextOptions): Snapshot {
    return this.reading.snapshot(options)
  }

  /**
   * Reads a chunk and returns what it gave.
   *
   * @throws TypeError if the chunk is not a string.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * const { emissions } = parser.processChunk('Hello')
   * console.log(emissions[1]?.kind === 'content' && emissions[1].meta)
   * // → { type: 'text', visible: true, blockIndex: 0, depth: 0 }
   * ```
   */
  processChunk(chunk: string): ProcessChunkResult<StopOf<Options>> {
    requireString('IncrementalXmlParser.processChunk', chunk)
    return this.reading.processChunk(chunk) as ProcessChunkResult<StopOf<Options>>
  }

  /**
   * Ends the stream: pending text comes out, the open block is completed. Depths stay.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('1 <')
   * console.log(parser.flush().content.map(({ text }) => text)) // [ '<' ]
   * ```
   */
  flush(): ProcessChunkResult<StopOf<Options>> {
    return this.reading.flush() as ProcessChunkResult<StopOf<Options>>
  }

  /**
   * Reads text that was sent before: moves the state, emits nothing. The list that it returns is empty. After `flush`
   * the next reply begins with it.
   *
   * @throws TypeError if the chunk is not a string.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * console.log(parser.push('<thinking>hm'), parser.getContext()) // [] thinking(1)
   * ```
   */
  push(chunk: string): ElementEvent<StopOf<Options>>[] {
    requireString('IncrementalXmlParser.push', chunk)
    this.reading.push(chunk)
    return []
  }

  /**
   * Takes in text that the program wrote itself, such as results in an envelope: it is in `getAccumulated`, and nothing
   * in it is read. What is open stays open.
   *
   * @throws TypeError if the text is not a string.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * parser.pushEnvelope('<function_results>')
   * console.log(parser.getContext(), parser.getAccumulated()) // none <function_results>
   * ```
   */
  pushEnvelope(text: string): void {
    requireString('IncrementalXmlParser.pushEnvelope', text)
    this.reading.addUnread(text)
  }

  /**
   * Says that all text so far is history, and the turn begins: a payload that it left open ends here, and thinking or
   * results that it left open no longer keep the turn's calls from being calls. Depths stay.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * parser.push('<function_calls><invoke name="f"><parameter name="x"><![CDATA[cut off')
   * parser.endHistory()
   * console.log(parser.isInsidePayload(), parser.getContext()) // false function_calls(1)
   * ```
   */
  endHistory(): void {
    this.reading.endHistory()
  }

  /**
   * Returns whether the text so far ends in a payload: after a whole `<![CDATA[` and before the end of its `]]>`.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('<function_calls><invoke name="f"><parameter name="x"><![CDATA[</function_calls>')
   * console.log(parser.isInsidePayload(), parser.isInsideFunctionCalls()) // true true
   * ```
   */
  isInsidePayload(): boolean {
    return this.reading.feed.isInPayload
  }

  /**
   * Returns whether a place of `getAccumulated()` is in a payload, from the `<` of its first `<![CDATA[` to the end of
   * its last `]]>`. One that is open has no end.
   *
   * @throws TypeError if the index is not a whole number.
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('<function_calls><invoke name="f"><parameter name="x"><![CDATA[5]]></parameter>')
   * const text = parser.getAccumulated()
   * console.log(parser.isPayloadAt(text.indexOf('5')), parser.isPayloadAt(text.indexOf('</'))) // true false
   * ```
   */
  isPayloadAt(index: number): boolean {
    if (!Number.isInteger(index))
      throw new TypeError(`IncrementalXmlParser.isPayloadAt takes a whole number, but got ${describe(index)}`)
    return this.reading.isPayloadAt(index)
  }

  /**
   * Ends the stream as `flush` does, and gives the block events alone.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('Hello')
   * console.log(parser.finish().map(({ event }) => event)) // [ 'block_complete' ]
   * ```
   */
  finish(): ElementEvent<StopOf<Options>>[] {
    return this.flush().blockEvents
  }

  /**
   * Starts a new stream: all that was read is forgotten.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('<thinking>hm')
   * parser.reset()
   * console.log(parser.getContext(), parser.getAccumulated() === '') // none true
   * ```
   */
  reset(): void {
    this.reading.reset()
  }

  /**
   * Makes ready for the next reply: accumulated text, depths and block index stay; a pending tag is forgotten.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * parser.processChunk('<thinking>hm')
   * parser.resetForNewIteration()
   * console.log(parser.getContext(), parser.getAccumulated()) // thinking(1) <thinking>hm
   * ```
   */
  resetForNewIteration(): void {
    this.reading.forgetBlock()
  }

  /**
   * Makes room for a block whose events somebody else emits.
   *
   * @example
   * ```ts
   * import { IncrementalXmlParser } from 'tokenweir/membrane'
   *
   * const parser = new IncrementalXmlParser()
   * parser.incrementBlockIndex()
   * parser.processChunk('Hello')
   * console.log(parser.getBlockIndex()) // 1
   * ```
   */
  incrementBlockIndex(): void {
    this.reading.skipIndex()
  }
}

/**
 * Returns whether a text leaves function calls, function results or thinking open.
 *
 * @throws TypeError if the text is not a string.
 * @example
 * ```ts
 * import { hasUnclosedXmlBlock } from 'tokenweir/membrane'
 *
 * console.log(hasUnclosedXmlBlock('<thinking>hm')) // true
 * console.log(hasUnclosedXmlBlock('<thinking>hm</thinking>')) // false
 * ```
 */
export function hasUnclosedXmlBlock(text: string): boolean {
  const parser = new IncrementalXmlParser()
  parser.push(text)
  return parser.isInsideBlock()
}
