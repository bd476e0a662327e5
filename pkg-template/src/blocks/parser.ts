// Logical blocks from prefill-mode XML: the seed's contract.
//
// Source: seeds/001, "Streaming Enhancements for Membrane", and spec/block.md.

import type { Meaning, Role } from './custom-types.js'
import { BlockFace } from './face.js'
import { checkOptions } from '../options.js'
import { BLOCK_OPTIONS, type BlockParserOptions } from './options.js'
import { type JournaledReading, journaledReading, kindOf } from './journaled-reading.js'
import { requireString } from '../errors.js'
import { Journal, type KeepTextOptions, type Snapshot } from '../journal.js'
import { requireResults } from './tool-results.js'
import type { BlockEvent, BlockResult, ToolResult } from './types.js'
import { blockBorder } from '../wasm/borders.js'

export type { CustomTag } from './custom-types.js'
export type { BlockParserOptions, CallPlace, ToolSchema } from './options.js'

const KIND = kindOf('blocks', 'BlockParser')

/**
 * Turns chunks of a model's text into blocks: text, thinking, tool calls and tool results, with what a reader may see
 * marked as visible.
 *
 * Text that may still become a tag is held back; everything else comes out with the chunk that brought it. Where the
 * text was cut makes no difference. No text is ever refused. `Custom`: the definitions of custom tags, which follow
 * from the option `tags`.
 *
 * A callback may feed other parsers, but not this one. If it throws, the rest of the chunk's events are still
 * delivered, and then its first error is thrown.
 *
 * @example
 * ```ts
 * import { BlockParser } from 'tokenweir/blocks'
 *
 * const parser = new BlockParser({
 *   onChunk: (text, meta) => console.log(meta.visible ? 'say' : 'hide', text),
 *   onBlock: (event) => event.event === 'block_complete' && console.log('done', event.block.type),
 * })
 * for (const chunk of ['<thin', 'king>Say hello.</thinking>', 'Hello']) parser.processChunk(chunk)
 * parser.flush()
 * ```
 * ```text
 * hide Say hello.
 * done thinking
 * say Hello
 * done text
 * ```
 */
export class BlockParser<const Custom extends Meaning = Role> extends BlockFace<Custom> {
  private readonly reading: JournaledReading

  /** @throws TypeError that names the option, if one is unknown or of the wrong type. */
  constructor(options?: BlockParserOptions<Custom>) {
    checkOptions('BlockParser', options, BLOCK_OPTIONS)
    blockBorder.requireReady('BlockParser')
    const reading = journaledReading(KIND, options, options ?? {})
    super(reading.feed, reading.emitter.writer)
    this.reading = reading
  }

  /**
   * Goes on from a snapshot, in any process: what comes next gives the events that it would have given the parser
   * that the snapshot is of. Options that are data are in the snapshot; functions are given again.
   *
   * @throws TypeError that names the option, if a function is missing that the other parser had, or an option is not
   * the snapshot's; ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const onChunk = (text: string, { type }: { type: string }) => console.log(type, text)
   * const before = new BlockParser({ onChunk })
   * before.processChunk('<thinking>hm</thin') // thinking hm
   * const stored = JSON.stringify(before.snapshot())
   *
   * const after = BlockParser.restore(JSON.parse(stored), { onChunk })
   * after.processChunk('king>Hello') // text Hello
   * ```
   */
  static restore<const Custom extends Meaning = Role>(
    snapshot: Snapshot,
    options?: BlockParserOptions<Custom>,
  ): BlockParser<Custom> {
    const make = (whole: object) => new BlockParser<Custom>(whole)
    return Journal.restore(KIND, snapshot, options, { make, targetOf: ({ reading }) => reading })
  }

  /**
   * What the parser has read, between two chunks, as plain JSON: for `BlockParser.restore`.
   *
   * It has all text so far. `keepText: false` leaves out closed blocks, and most of the text of open ones, whose end is
   * then `partial`; an open call stays, and with `fences: 'text'` or stop sequences what may be read again.
   *
   * @throws ParseError `reentrant` from inside a callback of this parser; TypeError for an unknown
   * option.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('Hello <thin')
   * const again = BlockParser.restore(parser.snapshot())
   * console.log(again.getAccumulated()) // Hello <thin
   * ```
   */
  snapshot(options?: KeepTextOptions): Snapshot {
    return this.reading.snapshot(options)
  }

  /**
   * Reads a chunk: calls the callbacks in order, and returns the same events.
   *
   * @throws TypeError if the chunk is not a string; ParseError `finished` after `flush`, `reentrant` from inside a
   * callback of this parser; whatever a callback threw first.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser({ onChunk: (text) => console.log(text) })
   * parser.processChunk('Is 1<') // Is 1
   * const { emissions } = parser.processChunk('2?') // <2?
   * console.log(emissions.length) // 1
   * ```
   */
  processChunk(chunk: string): BlockResult<Custom> {
    if (typeof chunk !== 'string') requireString('BlockParser.processChunk', chunk)
    return this.reading.processChunk(chunk)
  }

  /**
   * Ends the stream: pending text comes out, the open block is completed. A tool call whose `</invoke>` didn't come is
   * `incomplete`. A second time it does nothing.
   *
   * @throws ParseError `reentrant` from inside a callback of this parser; whatever a callback threw first.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser({ onChunk: (text) => console.log(text) })
   * parser.processChunk('1<') // 1
   * parser.flush() // <
   * ```
   */
  flush(): BlockResult<Custom> {
    return this.reading.flush()
  }

  /**
   * Reads text that was sent before, such as a prefill: moves the state, emits nothing. After `flush` the next reply
   * begins with it.
   *
   * A tool call that it leaves open is emitted whole with the next chunk. A block that was open before ends here; its
   * completion comes with the next chunk.
   *
   * @throws TypeError if the text is not a string; ParseError `reentrant` from inside a callback of this parser.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const prefill = '<thinking>'
   * const parser = new BlockParser({ onChunk: (text, meta) => console.log(meta.type, text) })
   * parser.push(prefill)
   * parser.processChunk('hm</thinking>Hello')
   * ```
   * ```text
   * thinking hm
   * text Hello
   * ```
   */
  push(text: string): void {
    requireString('BlockParser.push', text)
    this.reading.push(text)
  }

  /**
   * Reports results of tools as `tool_result` blocks: start, one chunk, complete. A block that is open is completed
   * first.
   *
   * @throws TypeError that names the result and the field, if one is malformed; ParseError `reentrant` from inside a
   * callback of this parser; whatever a callback threw first.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser({
   *   onBlock: (event) => event.event === 'block_complete' && console.log(event.block),
   * })
   * parser.emitToolResults([{ toolUseId: 'toolu_1', content: '3' }])
   * ```
   * ```text
   * { type: 'tool_result', content: '3', toolId: 'toolu_1' }
   * ```
   */
  emitToolResults(results: readonly ToolResult[]): BlockResult<Custom> {
    return this.reading.emitToolResults(requireResults('BlockParser.emitToolResults', results))
  }

  /**
   * Makes ready for the next reply of the same turn: ends this one as `flush` does, if that was not done, and keeps
   * what encloses the place, the block index and the accumulated text.
   *
   * @throws as `flush` does.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('First reply.')
   * parser.resetForNewIteration()
   * parser.processChunk('Second.')
   * console.log(parser.getBlockIndex(), parser.getAccumulated()) // 1 First reply.Second.
   * ```
   */
  resetForNewIteration(): BlockResult<Custom> {
    return this.reading.resetForNewIteration()
  }

  /**
   * Ends the stream as `flush` does, and gives its block events alone.
   *
   * @throws as `flush` does.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('Hello')
   * console.log(parser.finish().map(({ event }) => event)) // [ 'block_complete' ]
   * ```
   */
  finish(): Array<BlockEvent<Custom>> {
    return this.reading.finish()
  }

  /**
   * Makes room for a block whose events somebody else emits.
   *
   * @throws ParseError `reentrant` from inside a callback of this parser.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.incrementBlockIndex()
   * parser.processChunk('Hello')
   * console.log(parser.getBlockIndex()) // 1
   * ```
   */
  incrementBlockIndex(): void {
    this.reading.incrementBlockIndex()
  }

  /**
   * Counts what came after a stop sequence and was ignored, in UTF-16 code units.
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser({ stopSequences: ['\nAlice:'] })
   * parser.processChunk('Hello.\nAlice: Hi!')
   * console.log(parser.getIgnored(), parser.getAccumulated()) // 4 Hello.
   * ```
   */
  getIgnored(): number {
    return this.reading.emitter.stops.ignored
  }

  /**
   * Starts a new stream, with the same options: what is open or pending is forgotten, and indices begin at 0 again.
   *
   * @throws ParseError `reentrant` from inside a callback of this parser.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('<thinking>hm')
   * parser.reset()
   * console.log(parser.getContext(), parser.getBlockIndex()) // none 0
   * ```
   */
  reset(): void {
    this.reading.reset()
  }
}
