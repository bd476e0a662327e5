// Grammars of replies, from the row by which they are read.

import { describe } from '../errors.js'
import type { FormatId } from '../generated/format-ids.js'
import type { AnyFormat, Format } from '../formats/types.js'
import { writableFormat } from '../formats/writable.js'
import type { DescribedTool } from '../formats/write.js'
import { isRecord, own } from '../own.js'
import { type FunctionTool, type ToolSet, readTools } from '../schema/tool-list.js'
import { unwrapJsonSchema } from '../schema/keywords.js'
import { gbnfText } from './gbnf.js'
import { GrammarError } from './grammar-error.js'
import { larkText } from './lark.js'
import { type GrammarOptions, type StructuralTagOptions, choiceOf } from './options.js'
import { type CallableTool, replyTree } from './reply.js'
import { type StructuralTag, tagOf } from './structural-tag.js'
import type { Tree } from './tree.js'

/**
 * Tools for a grammar: what `parseReply` takes.
 *
 * @example
 * ```ts
 * import { type GrammarTools, gbnfFor } from 'tokenweir/grammar'
 *
 * const tools: GrammarTools = [{ name: 'now' }]
 * console.log(gbnfFor('hermes', tools).startsWith('root ::= ')) // true
 * ```
 */
export type GrammarTools = ReadonlyArray<string | DescribedTool | FunctionTool> | ToolSet

/**
 * A structural tag: what vLLM, SGLang and web-llm take as `response_format`, so that a model writes nothing but calls
 * that `parseReply` reads with the same format and tools.
 *
 * @throws GrammarError where there is no sound grammar; its `feature` says why.
 * @throws TypeError for an unknown format, for what is no tool, and for a wrong option.
 * @example
 * ```ts
 * import { structuralTagFor } from 'tokenweir/grammar'
 *
 * const tools = { now: { type: 'object', properties: { zone: { type: 'string' } } } }
 * const tag = structuralTagFor('hermes', tools, { toolChoice: 'required', parallel: false })
 * console.log(JSON.stringify(tag.format, null, 1).includes('"json_schema"')) // true
 * ```
 */
export function structuralTagFor(
  format: FormatId | Format,
  tools: GrammarTools,
  options?: StructuralTagOptions,
): StructuralTag {
  const tree = treeFor('structuralTagFor', format, tools, options)
  return tagOf(tree, options?.target ?? 'xgrammar')
}

/**
 * A grammar in GBNF: `grammar` of llama.cpp, vLLM and web-llm, `ebnf` of SGLang.
 *
 * @throws GrammarError where there is no sound grammar; its `feature` says why.
 * @throws TypeError for an unknown format, for what is no tool, and for a wrong option.
 * @example
 * ```ts
 * import { gbnfFor } from 'tokenweir/grammar'
 *
 * const tools = { now: { type: 'object', properties: { utc: { type: 'boolean' } }, required: ['utc'] } }
 * console.log(gbnfFor('functionary-v31', tools, { toolChoice: { tool: 'now' } }))
 * ```
 * ```text
 * root ::= "<function=now>" object "</function>"
 * object ::= "{\"utc\": " ("true" | "false") "}"
 * ```
 */
export function gbnfFor(format: FormatId | Format, tools: GrammarTools, options?: GrammarOptions): string {
  return gbnfText(treeFor('gbnfFor', format, tools, options))
}

/**
 * A grammar in the Lark of llguidance: `grammar` of vLLM with `--structured-outputs-config.backend guidance`, `ebnf` of
 * SGLang with `--grammar-backend llguidance`, and `grammar` of a llama.cpp that was built with it.
 *
 * @throws GrammarError where there is no sound grammar; its `feature` says why, `lexing` if llguidance's lexer can't
 * tell where something ends.
 * @throws TypeError for an unknown format, for what is no tool, and for a wrong option.
 * @example
 * ```ts
 * import { larkFor } from 'tokenweir/grammar'
 *
 * const tools = { now: { type: 'object', properties: { utc: { type: 'boolean' } }, required: ['utc'] } }
 * console.log(larkFor('functionary-v31', tools, { toolChoice: { tool: 'now' } }).split('\n')[0]) // %llguidance {}
 * ```
 */
export function larkFor(format: FormatId | Format, tools: GrammarTools, options?: GrammarOptions): string {
  const tree = treeFor('larkFor', format, tools, options)
  return larkText(typeof format === 'string' ? format : format.id, tree)
}

function treeFor(
  place: string,
  given: FormatId | Format | AnyFormat,
  tools: GrammarTools,
  options: StructuralTagOptions | undefined,
): Tree {
  if (isRecord(given) && 'anyOf' in given)
    throw new GrammarError(
      (given as AnyFormat).anyOf.map(({ id }) => id).join(' | '),
      'anyOf',
      'a model is constrained to one format',
    )
  const format = writableFormat(place, given)
  const callable = callableTools(place, tools)
  return replyTree(
    format,
    callable,
    choiceOf(
      place,
      options,
      callable.map(({ name }) => name),
    ),
  )
}

function callableTools(place: string, tools: unknown): readonly CallableTool[] {
  const all = new Map<string, CallableTool>()
  readTools(`${place}: tools`, tools, ({ name, schema: given, about }) => {
    const schema = unwrapJsonSchema(given)
    if (schema !== undefined && typeof schema !== 'boolean' && !isRecord(schema))
      throw new TypeError(
        `${place}: the schema of ${JSON.stringify(name)} must be a JSON schema or a library's, but is ` +
          describe(schema),
      )
    all.set(name, { name, schema, isStrict: own(about, 'strict') !== false })
  })
  return [...all.values()]
}
