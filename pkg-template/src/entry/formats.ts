/**
 * The wire formats of models, as data: how they write tool calls and reasoning as text.
 *
 * @packageDocumentation
 */
export { formats } from '../formats/catalogue.js'
export { anyOf, defineFormat } from '../formats/define.js'
export { formatFor } from '../formats/catalogue.js'
export { isFormatId } from '../formats/names.js'
export type { FormatId } from '../generated/format-ids.js'
export { instructionsFor } from '../formats/instructions.js'
export { loopMessages, type LoopMessage, type LoopOptions, type LoopReply, type LoopResult } from '../formats/loop.js'
export { fromResponseTemplate } from '../formats/response-template.js'
export type { FunctionTool, ToolSet } from '../schema/tool-list.js'
export { describeTools, writeCalls, writeResults } from '../formats/write.js'
export type { DescribedTool, FormatOptions, WriteCallsOptions, WrittenCall, WrittenResult } from '../formats/write.js'
export type { AnyFormat, Format, FormatRow, FormatWriting, HeadPiece, Markers } from '../formats/types.js'
