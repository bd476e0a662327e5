/** Which logical block a chunk belongs to. */
export type ChunkType = 'text' | 'thinking' | 'tool_call' | 'tool_result'

/** The same four kinds, by the name that membrane gives them. */
export type MembraneBlockType = ChunkType

/** A half-open range `[start, end)` in UTF-16 code units from the start of the stream, so that `text.slice(start, end)` works. */
export type Span = readonly [start: number, end: number]

/**
 * What a chunk of streamed text belongs to.
 *
 * Chunks of one block may share one `meta` object: read it, don't change it.
 */
export interface ChunkMeta {
  /** Kind of the block. */
  readonly type: ChunkType
  /** True for `text` alone: what a reader sees or a speech server speaks. */
  readonly visible: boolean
  /** Index of the block, from 0, the same as in its block events. */
  readonly blockIndex: number
  /** Nesting depth of tool calls, from 1. On `tool_call` chunks. */
  readonly depth?: number
  /** Which part of a tool call this is: its name, its id, or a piece of its input's JSON text. */
  readonly toolCallPart?: 'name' | 'id' | 'input'
  /** On `tool_call` and `tool_result` chunks, as soon as it is known. */
  readonly toolId?: string
  /** On `tool_call` chunks, as soon as it is known. */
  readonly toolName?: string
  /** Where the chunk was read. Only with `spans: true`. */
  readonly span?: Span
}

/** A whole block, as its `block_complete` event carries it. */
export interface MembraneBlock {
  /** Kind of the block. */
  type: MembraneBlockType
  /** All of its text. Absent on a tool call that has an `input`. */
  content?: string
  /** On a tool call, and on a tool result that names its call. */
  toolId?: string
  /** On a tool call. */
  toolName?: string
  /** On a tool call: the parsed parameters, equal to `JSON.parse` of its joined `input` chunks. */
  input?: Record<string, unknown>
  /** On a tool result that reports an error. */
  isError?: true
  /** On a tool call that was cut off, or whose input is not valid JSON: don't execute it. */
  incomplete?: true
}

/** A block's boundary. */
export type BlockEvent =
  | { event: 'block_start'; index: number; block: { type: MembraneBlockType } }
  | { event: 'block_complete'; index: number; block: MembraneBlock }

/** One event in the order in which it happened. */
export type BlockEmission =
  | { kind: 'content'; text: string; meta: ChunkMeta }
  | { kind: 'blockEvent'; event: BlockEvent }
  | MarkupEmission

/** Text that is markup or layout: neither content nor value. Only with `spans: true`. */
export interface MarkupEmission {
  kind: 'markup'
  /** The markup as it was written. */
  text: string
  /** Where it stands. */
  span: Span
}

/** Called for each piece of streamed content. */
export type OnChunk = (chunk: string, meta: ChunkMeta) => void

/** Called at each block boundary. */
export type OnBlock = (event: BlockEvent) => void

/** The result of a tool that was run, to be reported as a `tool_result` block. */
export interface ToolResult {
  /** Id of the tool call that it answers. */
  toolUseId: string
  /** What the tool gave: text, or content blocks whose text is joined. */
  content: string | ReadonlyArray<{ type: string; text?: string }>
  /** True when the tool failed. */
  isError?: boolean
}
