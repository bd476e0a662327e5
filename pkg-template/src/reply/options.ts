// The options of a reply: checked before what reads replies is loaded.

import { BLOCK_OPTIONS, type BlockParserOptions, TAGS, type Tags, tagTable } from '../blocks/options.js'
import type { NativeBlocksOptions } from '../native/native-blocks.js'
import { PROVIDERS, type ProviderName } from '../native/provider.js'
import { type OptionTable, callback, checkOptions, choice, flag } from '../options.js'
import { blockBorder } from '../wasm/borders.js'
import type { ReplyFormat } from './format.js'

export const FORMATS: readonly ReplyFormat[] = ['raw', 'sse', 'jsonl', 'json', 'data-stream']

/**
 * How a reply is read. Options of `BlockParser` hold for the text of any reply; `spans` for one that is the model's
 * text itself. `fences` is `'text'` by default.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyOptions } from 'tokenweir/reply'
 *
 * const options: ReplyOptions = { startWithThinking: true, onUnknown: () => {} }
 * const { thinking, text } = await readReply('hm</think>Hello', options).result()
 * console.log(thinking, text) // hm Hello
 * ```
 */
export interface ReplyOptions<Own extends string = never>
  extends Omit<BlockParserOptions<Own>, 'tags'>,
    Pick<NativeBlocksOptions, 'onUnknown' | 'onError'> {
  /**
   * Names of tags besides those that `BlockParser` knows, by role; `false` takes one out, `false` instead of a table
   * all
   * of them.
   */
  tags?: boolean | Tags<Own> | undefined
  /** How the reply is written. @defaultValue recognized by the content type and the first lines */
  format?: ReplyFormat | undefined
  /** The provider whose events come. @defaultValue recognized by their shape */
  provider?: ProviderName | undefined
  /**
   * Whether calls that a provider's text contains in tags (`<invoke>`) are to be run: for a model that is known to
   * write
   * its calls like this. They are blocks with `inText` in any case. Of a reply that is the model's text itself, all
   * calls
   * are to be run. @defaultValue false
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir/reply'
   *
   * const events = [{ choices: [{ index: 0, delta: { content: '<invoke name="now"></invoke>' } }] }]
   * for (const callsInText of [false, true]) {
   *   const { toolCalls, blocks } = await readReply(events, { callsInText }).result()
   *   console.log(toolCalls.length, blocks.length)
   * }
   * ```
   * ```text
   * 0 1
   * 1 1
   * ```
   */
  callsInText?: boolean | undefined
}

/** The same for what reads: its types know no own tags. */
export interface ReplyReadingOptions extends Omit<ReplyOptions, 'tags'> {
  tags?: boolean | Tags | undefined
}

/** The options of `readReply`. */
const OPTIONS = {
  ...BLOCK_OPTIONS,
  tags: [TAGS],
  onUnknown: [callback],
  onError: [callback],
  callsInText: [flag],
  format: [choice(...FORMATS)],
  provider: [choice(...PROVIDERS)],
} satisfies OptionTable<ReplyReadingOptions>

/** Throws for options that are unknown or invalid, naming them. */
export function requireReplyOptions(place: string, options: ReplyReadingOptions | undefined): ReplyReadingOptions {
  checkOptions(place, options, OPTIONS)
  const { tags } = options ?? {}
  blockBorder.requireEngine(place)
  // Only the engine knows which names can be tags.
  if (typeof tags === 'object') {
    blockBorder.requireReady(place)
    tagTable(place, tags)
  }
  return options ?? {}
}
