/**
 * Grammars that constrain a model to what `parseReply` reads: structural tags, GBNF and Lark.
 *
 * @packageDocumentation
 */
export { gbnfFor, larkFor, structuralTagFor, type GrammarTools } from '../grammar/grammar.js'
export { GrammarError } from '../grammar/grammar-error.js'
export type { GrammarWarning } from '../grammar/held-schema.js'
export type { GrammarOptions, StructuralTagOptions } from '../grammar/options.js'
export type { StructuralTag, TagFormat } from '../grammar/structural-tag.js'
export type { FormatId } from '../generated/format-ids.js'
export type { Format } from '../formats/types.js'
export type { DescribedTool } from '../formats/write.js'
export type { FunctionTool, ToolSet } from '../schema/tool-list.js'
