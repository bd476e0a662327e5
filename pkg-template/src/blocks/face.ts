// What both faces of the block machine have: the text so far, the content of
// the open block, and answers about the place.

import type { Meaning, Role } from './custom-types.js'
import type { BlockFeed } from './feed.js'
import type { BlockWriter } from './writer.js'
import type { ChunkType } from './types.js'

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
export abstract class BlockFace<Custom extends Meaning = Role> {
  protected constructor(
    private readonly stream: BlockFeed,
    private readonly written: Pick<BlockWriter, 'index'>,
  ) {}

  /**
   * Returns whether function calls, function results or thinking are open.
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
   * Returns whether function calls are open.
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
    return this.stream.open.functionCalls > 0
  }

  /**
   * Returns whether function results are open.
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
    return this.stream.open.functionResults > 0
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
   * Gives all text so far as it was written, prefill and pending text included.
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
    return this.stream.written
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
    return this.stream.open
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
    return this.written.index
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
  getCurrentBlockType(): ChunkType<Custom> {
    return this.stream.kind
  }
}
