/**
 * membrane's class and its functions for whole replies, on the block parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export { hasUnclosedXmlBlock, IncrementalXmlParser } from '../blocks/incremental-xml.js'
export type * from '../blocks/element-types.js'
export type { StopOptions } from '../blocks/stop-sequences.js'
export type { CallPlace } from '../blocks/options.js'
export type { BlockStartEvent, ChunkMeta, StopEvent } from '../blocks/types.js'
export { encodeParameterValue, formatToolCallNotice, formatToolResult, formatToolResults } from '../membrane/format.js'
export { parseAccumulatedIntoBlocks, parseToolCalls } from '../membrane/parse.js'
export { endsWithPartialToolBlock, hasUnclosedToolBlock } from '../membrane/unclosed.js'
export type * from '../membrane/types.js'
export { warm } from '../wasm/start.js'
