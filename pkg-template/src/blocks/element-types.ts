// What membrane's `IncrementalXmlParser` gives.

import type { BlockStartEvent, ChunkMeta, MembraneBlockType, StopEvent } from './types.js'

/**
 * One entry of `content`.
 *
 * @example
 * ```ts
 * import { IncrementalXmlParser, type ContentEntry } from 'tokenweir/membrane'
 *
 * const entries: ContentEntry[] = new IncrementalXmlParser().processChunk('Hello').content
 * console.log(entries.map(({ text, meta }) => [meta.type, text])) // [ [ 'text', 'Hello' ] ]
 * ```
 */
export interface ContentEntry {
  /** The piece. */
  text: string
  /** What it belongs to. */
  meta: ChunkMeta
}

/**
 * A block that is complete, as membrane's class gives it: one plain object for all kinds.
 *
 * @example
 * ```ts
 * import { type ElementBlock, IncrementalXmlParser } from 'tokenweir/membrane'
 *
 * const blocks: ElementBlock[] = []
 * const parser = new IncrementalXmlParser()
 * for (const event of parser.processChunk('<thinking>hm</thinking>').blockEvents)
 *   if (event.event === 'block_complete') blocks.push(event.block)
 * console.log(blocks) // [ { type: 'thinking', content: 'hm' } ]
 * ```
 */
export interface ElementBlock {
  /** Its kind. */
  type: MembraneBlockType
  /** Its text, which the class always gives. */
  content?: string
  /** Id of a tool call: in what other parsers of a program make. */
  toolId?: string
  /** Name of a tool: likewise. */
  toolName?: string
  /** Input of a tool call: likewise. */
  input?: Record<string, unknown>
  /** Whether a result reports an error: likewise. */
  isError?: boolean
  /**
   * True if it began before a restore from a snapshot with `keepText: false`: its `content` is what came since then.
   */
  partial?: true
}

/**
 * A block's end, as membrane's class gives it.
 *
 * @example
 * ```ts
 * import { type ElementCompleteEvent, IncrementalXmlParser } from 'tokenweir/membrane'
 *
 * const show = ({ index, block }: ElementCompleteEvent) => console.log(index, block.content)
 * for (const event of new IncrementalXmlParser().processChunk('<thinking>hm</thinking>').blockEvents) {
 *   if (event.event === 'block_complete') show(event) // 0 hm
 * }
 * ```
 */
export interface ElementCompleteEvent {
  /** Which event it is. */
  event: 'block_complete'
  /** Index of the block, the same as at its start. */
  index: number
  /** The whole block. */
  block: ElementBlock
}

/**
 * A block's start or end; with stop sequences also `stop`, which the type has only where the class was given some.
 *
 * @example
 * ```ts
 * import { type ElementEvent, IncrementalXmlParser } from 'tokenweir/membrane'
 *
 * const events: ElementEvent[] = new IncrementalXmlParser().processChunk('Hello').blockEvents
 * console.log(events.map(({ event }) => event)) // [ 'block_start' ]
 * ```
 */
export type ElementEvent<Stop extends StopEvent = never> = BlockStartEvent | ElementCompleteEvent | Stop

/**
 * One entry of `emissions`.
 *
 * @example
 * ```ts
 * import { IncrementalXmlParser, type StreamEmission } from 'tokenweir/membrane'
 *
 * const emissions: StreamEmission[] = new IncrementalXmlParser().processChunk('<thinking>hm').emissions
 * console.log(emissions.map((emission) => (emission.kind === 'content' ? emission.text : emission.event.event)))
 * // → [ 'block_start', 'hm' ]
 * ```
 */
export type StreamEmission<Stop extends StopEvent = never> =
  | {
      /** A piece of text. */
      kind: 'content'
      /** The piece. */
      text: string
      /** What it belongs to. */
      meta: ChunkMeta
    }
  | {
      /** A block's start or end, or a stop. */
      kind: 'blockEvent'
      /** The boundary. */
      event: ElementEvent<Stop>
    }

/**
 * What a chunk gave, once in order and once by kind. A program may make such results itself, with plain objects.
 *
 * @example
 * ```ts
 * import { IncrementalXmlParser, type ProcessChunkResult } from 'tokenweir/membrane'
 *
 * const { emissions }: ProcessChunkResult = new IncrementalXmlParser().processChunk('Hello')
 * console.log(emissions.map(({ kind }) => kind)) // [ 'blockEvent', 'content' ]
 * ```
 */
export interface ProcessChunkResult<Stop extends StopEvent = never> {
  /** Everything in the order in which it happened. */
  emissions: StreamEmission<Stop>[]
  /** The content entries alone. @deprecated Use `emissions`, which keeps the order. */
  content: ContentEntry[]
  /** The block events alone. @deprecated Use `emissions`, which keeps the order. */
  blockEvents: ElementEvent<Stop>[]
}
