// The public names of the block parser. The entries export from here,
// so that a helper becomes public only by being listed.
export type { Depths } from '../block-face.js'
export { BlockParser } from '../blocks.js'
export type { BlockParserOptions, BlockResult, TagRole, ToolSchema } from '../blocks.js'
export { ParseError } from '../errors.js'
export { hasUnclosedXmlBlock, IncrementalXmlParser } from '../incremental-xml.js'
export type { ContentEntry, ProcessChunkResult, StreamEmission } from '../incremental-xml.js'
export { NativeBlocks } from '../native-blocks.js'
export type { NativeBlocksOptions } from '../native-blocks.js'
export { BlockStream, VisibleTextStream, visibleText } from '../streams.js'
export type { TextSource } from '../sources.js'
export type { BlockStreamOptions } from '../streams.js'
export type * from '../types.js'
