// The public names of grammars.
export { gbnfFor, structuralTagFor, type GrammarTools } from '../grammar/grammar.js'
export { GrammarError } from '../grammar/grammar-error.js'
export type { GrammarWarning } from '../grammar/held-schema.js'
export type { GrammarOptions, StructuralTagOptions } from '../grammar/options.js'
export type { StructuralTag, TagFormat } from '../grammar/structural-tag.js'
export type { FormatId } from '../generated/format-ids.js'
export type { Format } from '../formats/types.js'
export type { FunctionTool, ToolSet } from '../schema/tool-list.js'
