// The public names of the block parser. The entries export from here,
// so that a helper becomes public only by being listed.
export type { Depths } from '../blocks/face.js'
export { BlockParser } from '../blocks/parser.js'
export type { BlockParserOptions, CallPlace, ToolSchema } from '../blocks/parser.js'
export type { StopOptions } from '../blocks/stop-sequences.js'
export { ParseError } from '../errors.js'
// Only for programs that replace membrane's class: `tokenweir/membrane` has it. It stays here until 1.0.
export { hasUnclosedXmlBlock, IncrementalXmlParser } from '../blocks/incremental-xml.js'
export type {
  ContentEntry,
  ElementBlock,
  ElementCompleteEvent,
  ElementEvent,
  ProcessChunkResult,
  StreamEmission,
} from '../blocks/element-types.js'
export { BlockStream, VisibleTextStream } from '../blocks/streams.js'
export type { SourceOptions, TextSource } from '../sources.js'
export type { BlockStreamOptions } from '../blocks/streams.js'
export { visibleText } from '../reply/visible.js'
export type { VisibleTextOptions } from '../reply/visible.js'
export type { Snapshot, KeepTextOptions } from '../snapshot/snapshot.js'
export type { Span } from '../span.js'
export type * from '../blocks/types.js'
