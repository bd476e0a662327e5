/**
 * Only the block parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export type { Depths } from '../blocks/face.js'
export {
  BlockParser,
  type BlockParserOptions,
  type CallPlace,
  type CustomTag,
  type ToolSchema,
} from '../blocks/parser.js'
export type { StopOptions } from '../blocks/stop-sequences.js'
export { ParseError } from '../errors.js'
export { BlockStream, type BlockStreamOptions, VisibleTextStream } from '../blocks/streams.js'
export type { SourceOptions, TextSource } from '../sources.js'
export { visibleText, type VisibleText, type VisibleTextOptions } from '../reply/visible.js'
export type { Snapshot, KeepTextOptions } from '../journal.js'
export type { GivenTools } from '../schema/tool-list.js'
export type { Span } from '../span.js'
export type * from '../blocks/types.js'
export { warm } from '../wasm/start.js'
