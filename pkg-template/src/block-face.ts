// What both faces of the block machine have: the text so far, the content of
// the open block, and answers about the place.

import { BlockReader, UNKNOWN } from './events.js'
import { BLOCK_KINDS, BlockMode, BlockPlace } from './generated/ops.js'
import { Joined } from './joined.js'
import type { MembraneBlockType } from './types.js'
import { place } from './wasm/blocks.js'

/**
 * How many elements of each kind are open.
 *
 * @example
 * ```ts
 * import { BlockParser, type Depths } from 'tokenweir/blocks'
 *
 * const parser = new BlockParser()
 * parser.processChunk('<thinking>hm')
 * const depths: Depths = parser.getDepths()
 * console.log(depths) // { functionCalls: 0, functionResults: 0, thinking: 1 }
 * ```
 */
export interface Depths {
  /** Function calls. */
  functionCalls: number
  /** Function results. */
  functionResults: number
  /** Thinking. */
  thinking: number
}

/** What `BlockParser` and `IncrementalXmlParser` have in common. */
export abstract class BlockFace extends BlockReader {
  /** All text, but for what is in `plain` and what waits. */
  protected readonly accumulated = new Joined()
  /** Content of the open block, or a call's input as JSON; but for what is in `plain`. */
  protected readonly blockContent = new Joined()
  /** Chunks that were content as a whole, and belong behind both of the above. */
  protected readonly plain = new Joined()
  /** Index of the open block, or of the next one. */
  protected index = 0

  /**
   * Tells whether function calls, function results or thinking are open.
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('<thinking>hm')
   * console.log(parser.isInsideBlock()) // true
   * ```
   */
  isInsideBlock(): boolean {
    const { functionCalls, functionResults, thinking } = this.getDepths()
    return functionCalls + functionResults + thinking > 0
  }

  /**
   * Tells whether function calls are open.
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('<function_calls><invoke name="add">')
   * console.log(parser.isInsideFunctionCalls()) // true
   * ```
   */
  isInsideFunctionCalls(): boolean {
    return place(this.session, BlockPlace.FunctionCalls) > 0
  }

  /**
   * Tells whether function results are open.
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('<function_results><result>3')
   * console.log(parser.isInsideFunctionResults()) // true
   * ```
   */
  isInsideFunctionResults(): boolean {
    return place(this.session, BlockPlace.FunctionResults) > 0
  }

  /**
   * Names what is open, such as `function_calls(1) > thinking(2)`; `none` if nothing is.
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('<function_calls><thinking>')
   * console.log(parser.getContext()) // function_calls(1) > thinking(1)
   * ```
   */
  getContext(): string {
    const { functionCalls, functionResults, thinking } = this.getDepths()
    const open = [
      ['function_calls', functionCalls],
      ['function_results', functionResults],
      ['thinking', thinking],
    ] as const
    const parts = open.filter(([, depth]) => depth > 0).map(([name, depth]) => `${name}(${depth})`)
    return parts.length === 0 ? 'none' : parts.join(' > ')
  }

  /**
   * Gives all text so far as it was written, prefill and held text included.
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.push('<thinking>')
   * parser.processChunk('hm</thin')
   * console.log(parser.getAccumulated()) // <thinking>hm</thin
   * ```
   */
  getAccumulated(): string {
    this.gather('')
    return this.accumulated.toString() + this.waiting
  }

  /**
   * Counts how many elements of each kind are open.
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('<function_results>')
   * console.log(parser.getDepths()) // { functionCalls: 0, functionResults: 1, thinking: 0 }
   * ```
   */
  getDepths(): Depths {
    return { functionCalls: place(this.session, BlockPlace.FunctionCalls), functionResults: place(this.session, BlockPlace.FunctionResults), thinking: place(this.session, BlockPlace.Thinking) }
  }

  /**
   * Gives the index of the open block, or of the next one; from 0.
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('Hello <thinking>hm')
   * console.log(parser.getBlockIndex()) // 1
   * ```
   */
  getBlockIndex(): number {
    return this.index
  }

  /**
   * Gives the kind of the open block, or of one that would start here.
   *
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('<thinking>hm')
   * console.log(parser.getCurrentBlockType()) // thinking
   * ```
   */
  getCurrentBlockType(): MembraneBlockType {
    return BLOCK_KINDS[place(this.session, BlockPlace.Kind)] as MembraneBlockType
  }

  /** Puts plain chunks where they belong, and a chunk behind them. */
  protected gather(chunk: string): void {
    if (!this.plain.isEmpty) {
      const plain = this.plain.take(chunk.length)
      this.accumulated.add(plain)
      this.blockContent.add(plain)
    }
    this.accumulated.add(chunk)
  }

  /** The end of the stream, whose last characters may still wait. */
  protected endReply(): void {
    const unread = this.takeWaiting()
    this.gather(unread)
    if (unread !== '') this.read(unread, UNKNOWN)
    this.end()
  }

  /** Forgets what is undecided, and the open block's content. */
  protected forgetBlock(): void {
    this.mode = BlockMode.Ask
    this.held = ''
    this.waiting = ''
    this.clip = 0
    this.blockContent.clear()
  }

  /** Forgets the stream. */
  protected forgetStream(): void {
    this.forgetBlock()
    this.offset = 0
    this.accumulated.clear()
    this.plain.clear()
    this.index = 0
  }
}
