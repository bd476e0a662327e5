import type { Span } from '../span.js'

/**
 * The kind of the logical block that a chunk belongs to.
 *
 * @example
 * ```ts
 * import { BlockParser, type ChunkType } from 'tokenweir/blocks'
 *
 * const seen = new Set<ChunkType>()
 * const parser = new BlockParser({ onChunk: (text, meta) => seen.add(meta.type) })
 * parser.processChunk('<thinking>hm</thinking>Hello')
 * console.log([...seen]) // [ 'thinking', 'text' ]
 * ```
 */
export type ChunkType = 'text' | 'thinking' | 'tool_call' | 'tool_result'

/**
 * The same four kinds, under membrane's name.
 *
 * @example
 * ```ts
 * import { IncrementalXmlParser, type MembraneBlockType } from 'tokenweir/blocks'
 *
 * const parser = new IncrementalXmlParser()
 * parser.processChunk('<thinking>hm')
 * const type: MembraneBlockType = parser.getCurrentBlockType()
 * console.log(type) // thinking
 * ```
 */
export type MembraneBlockType = ChunkType

/**
 * Metadata of a chunk of streamed text.
 *
 * Chunks of one block may share one `meta` object: read it, don't change it.
 *
 * @example
 * ```ts
 * import { BlockParser } from 'tokenweir/blocks'
 *
 * const parser = new BlockParser({ onChunk: (text, meta) => console.log(text, meta) })
 * parser.processChunk('Hello') // Hello { type: 'text', visible: true, blockIndex: 0 }
 * ```
 */
export interface ChunkMeta {
  /** Kind of the block. */
  readonly type: ChunkType
  /** True only for `text`: the text that a reader sees or a speech server speaks. */
  readonly visible: boolean
  /** Index of the block, from 0, the same as in its block events. */
  readonly blockIndex: number
  /** Nesting depth of tool calls, from 1. On `tool_call` chunks. */
  readonly depth?: number
  /** The part of a tool call: its name, its id, or a piece of its input's JSON text. */
  readonly toolCallPart?: 'name' | 'id' | 'input'
  /** On `tool_call` and `tool_result` chunks, as soon as it is known. */
  readonly toolId?: string
  /** On `tool_call` chunks, as soon as it is known. */
  readonly toolName?: string
  /** The span of the chunk. Only with `spans: true`. */
  readonly span?: Span
}

/**
 * A whole block, as its `block_complete` event carries it.
 *
 * @example
 * ```ts
 * import { BlockParser } from 'tokenweir/blocks'
 *
 * const parser = new BlockParser({
 *   generateId: () => 'toolu_1',
 *   onBlock: (event) => event.event === 'block_complete' && console.log(JSON.stringify(event.block)),
 * })
 * parser.processChunk('<function_calls><invoke name="add"><parameter name="a">1</parameter></invoke>')
 * ```
 * ```text
 * {"type":"tool_call","toolId":"toolu_1","toolName":"add","input":{"a":1}}
 * ```
 */
export interface MembraneBlock {
  /** Kind of the block. */
  type: MembraneBlockType
  /** The whole text. Absent on a tool call that has an `input`. */
  content?: string
  /** On a tool call, and on a tool result that names its call. */
  toolId?: string
  /** On a tool call. */
  toolName?: string
  /** On a tool call: the parsed parameters, equal to `JSON.parse` of its joined `input` chunks. */
  input?: Record<string, unknown>
  /** On a tool result that reports an error. */
  isError?: boolean
  /** On a tool call that was cut off, or whose input is not valid JSON: don't execute it. */
  incomplete?: true
  /** Native events only: the provider runs the tool itself, so the program must not. */
  hosted?: true
  /** Native events only: the thinking is the provider's summary of an earlier conversation. */
  compaction?: true
}

/**
 * A block's boundary.
 *
 * @example
 * ```ts
 * import { BlockParser, type BlockEvent } from 'tokenweir/blocks'
 *
 * const show = (event: BlockEvent) => console.log(event.event, event.index, event.block.type)
 * const parser = new BlockParser({ onBlock: show })
 * parser.processChunk('Hello')
 * parser.flush()
 * ```
 * ```text
 * block_start 0 text
 * block_complete 0 text
 * ```
 */
export type BlockEvent =
  | {
      /** A block starts. */
      event: 'block_start'
      /** Index of the block, from 0. */
      index: number
      /** What is known of the block. */
      block: {
        /** Kind of the block. */
        type: MembraneBlockType
      }
    }
  | {
      /** A block is complete. */
      event: 'block_complete'
      /** Index of the block, the same as at its start. */
      index: number
      /** The whole block. */
      block: MembraneBlock
    }

/**
 * One event, in order.
 *
 * @example
 * ```ts
 * import { BlockParser } from 'tokenweir/blocks'
 *
 * for (const emission of new BlockParser().processChunk('<thinking>hm').emissions) {
 *   if (emission.kind === 'content') console.log(emission.meta.type, emission.text)
 *   else if (emission.kind === 'blockEvent') console.log(emission.event.event)
 * }
 * ```
 * ```text
 * block_start
 * thinking hm
 * ```
 */
export type BlockEmission =
  | {
      /** A call of `onChunk`. */
      kind: 'content'
      /** The piece of text. */
      text: string
      /** Its metadata. */
      meta: ChunkMeta
    }
  | {
      /** A call of `onBlock`. */
      kind: 'blockEvent'
      /** The boundary. */
      event: BlockEvent
    }
  | MarkupEmission

/**
 * Text that is markup or layout: neither content nor value. Only with `spans: true`.
 *
 * @example
 * ```ts
 * import { BlockParser, type MarkupEmission } from 'tokenweir/blocks'
 *
 * const markup: MarkupEmission[] = []
 * const parser = new BlockParser({ spans: true, onMarkup: (text, emission) => markup.push(emission) })
 * parser.processChunk('a<thinking>')
 * console.log(markup[0]) // { kind: 'markup', text: '<thinking>', span: [ 1, 11 ] }
 * ```
 */
export interface MarkupEmission {
  /** A call of `onMarkup`. */
  kind: 'markup'
  /** The markup as written. */
  text: string
  /** Its span. */
  span: Span
}

/**
 * Called for each piece of streamed content.
 *
 * @example
 * ```ts
 * import { BlockParser, type OnChunk } from 'tokenweir/blocks'
 *
 * let spoken = ''
 * const onChunk: OnChunk = (text, { visible }) => {
 *   if (visible) spoken += text
 * }
 * new BlockParser({ onChunk }).processChunk('<thinking>hm</thinking>Hello')
 * console.log(spoken) // Hello
 * ```
 */
export type OnChunk = (chunk: string, meta: ChunkMeta) => void

/**
 * Called at each block boundary.
 *
 * @example
 * ```ts
 * import { BlockParser, type OnBlock } from 'tokenweir/blocks'
 *
 * const onBlock: OnBlock = (event) => {
 *   if (event.event === 'block_complete') console.log(event.block)
 * }
 * new BlockParser({ onBlock }).processChunk('<thinking>hm</thinking>') // { type: 'thinking', content: 'hm' }
 * ```
 */
export type OnBlock = (event: BlockEvent) => void

/**
 * The result of a tool, to report as a `tool_result` block.
 *
 * @example
 * ```ts
 * import { BlockParser, type ToolResult } from 'tokenweir/blocks'
 *
 * const result: ToolResult = { toolUseId: 'toolu_1', content: [{ type: 'text', text: '3' }] }
 * const parser = new BlockParser({ onChunk: (text, meta) => console.log(text, meta.toolId) })
 * parser.emitToolResults([result]) // 3 toolu_1
 * ```
 */
export interface ToolResult {
  /** Id of the tool call that it answers. */
  toolUseId: string
  /** The tool's output: text, or content blocks whose text is joined. */
  content:
    | string
    | ReadonlyArray<{
        /** `text`; blocks of other types are ignored. */
        type: string
        /** The text. */
        text?: string
      }>
  /** True when the tool failed. */
  isError?: boolean
}

/**
 * What a call gave.
 *
 * @example
 * ```ts
 * import { BlockParser, type BlockResult } from 'tokenweir/blocks'
 *
 * const { emissions }: BlockResult = new BlockParser().processChunk('Hello')
 * console.log(emissions.map(({ kind }) => kind)) // [ 'blockEvent', 'content' ]
 * ```
 */
export interface BlockResult {
  /** The events in the order in which they happened, the same as the callbacks got. */
  readonly emissions: BlockEmission[]
}
