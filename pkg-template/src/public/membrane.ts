// The public names of membrane's functions for whole replies.
export { encodeParameterValue, formatToolCallNotice, formatToolResult, formatToolResults } from '../membrane/format.js'
export { parseAccumulatedIntoBlocks, parseToolCalls } from '../membrane/parse.js'
export { endsWithPartialToolBlock, hasUnclosedToolBlock } from '../membrane/unclosed.js'
export type * from '../membrane/types.js'
