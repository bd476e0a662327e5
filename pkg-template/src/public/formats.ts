// The public names of wire formats.
export { formats } from '../formats/catalogue.js'
export { anyOf, defineFormat } from '../formats/define.js'
export { formatFor } from '../formats/find.js'
export { fromResponseTemplate } from '../formats/response-template.js'
export type { FunctionTool, ToolSet } from '../schema/tool-list.js'
export { describeTools, writeCalls, writeResults } from '../formats/write.js'
export type { DescribedTool, FormatOptions, WriteCallsOptions, WrittenCall, WrittenResult } from '../formats/write.js'
export type { AnyFormat, Format, FormatRow, FormatWriting, HeadPiece, Markers } from '../formats/types.js'
