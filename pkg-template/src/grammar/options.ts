// What a grammar is to hold.

import { type OptionTable, callback, checkOptions, must, resolveOptions, word, flag } from '../options.js'
import { isRecord } from '../own.js'
import type { GrammarWarning } from './held-schema.js'
import { isExact } from './structural-tag.js'

/**
 * Options of `gbnfFor` and `larkFor`.
 *
 * @example
 * ```ts
 * import { type GrammarOptions, gbnfFor } from 'tokenweir/grammar'
 *
 * const options: GrammarOptions = { toolChoice: 'required', parallel: false }
 * const tools = { now: { type: 'object', properties: {} } }
 * console.log(gbnfFor('functionary-v31', tools, options).includes('"<function=now>"')) // true
 * ```
 */
export interface GrammarOptions {
  /**
   * Whether there are calls: text, or calls, which is the default; at least one; one of a certain tool; none. Without
   * tools there are none.
   */
  readonly toolChoice?:
    | 'auto'
    | 'required'
    | 'none'
    | {
        /** The tool's name. */
        readonly tool: string
      }
  /** Whether there may be several calls. True by default. */
  readonly parallel?: boolean
  /**
   * What of a call is held: its name and its arguments by the tool's schema, which is the default; its name, with any
   * object; only its frame. A tool with `strict: false` has its name held.
   */
  readonly strict?: 'schema' | 'names' | 'free'
  /**
   * Whether there is reasoning: none, which is the default, also where the server checks only what follows it; there
   * may be; there must be; or the prompt has opened it.
   */
  readonly reasoning?: 'none' | 'optional' | 'required' | 'open'
  /**
   * Text beside calls: before and after them, which is the default where there need not be calls; before them; none,
   * which is the default where calls are required.
   */
  readonly text?: 'around' | 'before' | 'none'
  /** Called for each keyword of a schema that the grammar doesn't check. */
  readonly onWarning?: (warning: GrammarWarning) => void
}

/**
 * Options of `structuralTagFor`.
 *
 * @example
 * ```ts
 * import { type StructuralTagOptions, structuralTagFor } from 'tokenweir/grammar'
 *
 * const options: StructuralTagOptions = { target: 'web-llm' }
 * console.log(structuralTagFor('hermes', { now: {} }, options).format.type) // grammar
 * ```
 */
export interface StructuralTagOptions extends GrammarOptions {
  /** Whose tags: those of xgrammar 0.2.8, which is the default, or those that web-xgrammar 0.1.27 knows. */
  readonly target?: 'xgrammar' | 'web-llm'
}

/** Options with what counts where one isn't given. */
export interface Choice {
  readonly toolChoice: 'auto' | 'required' | 'none' | { readonly tool: string }
  readonly parallel: boolean
  readonly strict: 'schema' | 'names' | 'free'
  readonly reasoning: 'none' | 'optional' | 'required' | 'open'
  readonly text: 'around' | 'before' | 'none'
  readonly onWarning: (warning: GrammarWarning) => void
  readonly target: 'xgrammar' | 'web-llm'
  /** Whether an engine compiles a schema itself. */
  readonly isCompiled: (schema: unknown) => boolean
}

const OPTIONS = {
  toolChoice: [
    must(
      '"auto", "required", "none" or { tool: name }',
      (value) =>
        ['auto', 'required', 'none'].includes(value as string) ||
        (isRecord(value) && typeof value['tool'] === 'string'),
    ),
    'auto',
  ],
  parallel: [flag, true],
  strict: [word('schema', 'names', 'free'), 'schema'],
  reasoning: [word('none', 'optional', 'required', 'open'), 'none'],
  text: [word('around', 'before', 'none')],
  onWarning: [callback, () => {}],
} as const satisfies OptionTable<GrammarOptions>

const TAG_OPTIONS = {
  ...OPTIONS,
  target: [word('xgrammar', 'web-llm'), 'xgrammar'],
} as const satisfies OptionTable<StructuralTagOptions>

/** The options that were given, checked. `names` are those of the tools. @throws TypeError */
export function choiceOf(place: string, options: StructuralTagOptions | undefined, names: readonly string[]): Choice {
  const isTag = place === 'structuralTagFor'
  checkOptions(place, options, isTag ? TAG_OPTIONS : OPTIONS)
  const resolved = resolveOptions<StructuralTagOptions, typeof TAG_OPTIONS>(TAG_OPTIONS, options)
  const { toolChoice: given } = resolved
  if (typeof given === 'object' && !names.includes(given.tool))
    throw new TypeError(
      `${place}: toolChoice.tool must be one of the tools, but there is no ${JSON.stringify(given.tool)}`,
    )
  const toolChoice = names.length === 0 ? 'none' : given
  const isCompiled = isTag && resolved.target === 'xgrammar' ? isExact : () => place === 'larkFor'
  return { ...resolved, toolChoice, isCompiled, text: resolved.text ?? (toolChoice === 'auto' ? 'around' : 'none') }
}
