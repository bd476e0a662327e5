// The options of a reply: checked before what reads replies is loaded.

import type { Meaning, Role } from '../blocks/custom-types.js'
import { BLOCK_OPTIONS, type BlockParserOptions, TAGS, type Tags, tagTable } from '../blocks/options.js'
import type { NativeBlocksOptions } from '../native/native-blocks.js'
import { PROVIDERS, type ProviderName } from '../provider-name.js'
import type { AnyFormat, Format } from '../formats/types.js'
import type { FormatId } from '../generated/format-ids.js'
import { type OptionTable, callback, checkOptions, choice, elsewhere, flag, text } from '../options.js'
import type { GivenTools } from '../schema/tool-list.js'
import { blockBorder } from '../wasm/borders.js'
import type { ContinuedReply } from './continued-reply.js'
import type { Transport } from './transport.js'

export const TRANSPORTS: readonly Transport[] = ['text', 'sse', 'ndjson', 'json']

export type { Meaning, Role }

/**
 * How a reply is read. Options of `BlockParser` hold for the text of any reply; `spans` for one that is the model's
 * text itself. `fences` is `'text'` by default.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyOptions } from 'tokenweir'
 *
 * const options: ReplyOptions = { startWithThinking: true, onUnknown: () => {} }
 * const { thinking, text } = await readReply('hm</think>Hello', options).result()
 * console.log(thinking, text) // hm Hello
 * ```
 */
export interface ReplyOptions<Tools extends GivenTools = GivenTools, Custom extends Meaning = Role>
  extends Omit<BlockParserOptions<Custom>, 'tags' | 'tools'>,
    Pick<NativeBlocksOptions, 'onUnknown' | 'onError'> {
  /**
   * Names of tags besides those that `BlockParser` knows, by role; `false` takes one out, `false` instead of a table
   * all of them.
   */
  tags?: boolean | Tags<Custom> | undefined
  /** How the reply is sent. @defaultValue recognized by the content type and the first lines */
  transport?: Transport | undefined
  /**
   * The wire format of the model's text, for a model that writes its calls and thinking in one: an id
   * (docs/formats.md), a format of `tokenweir/formats`, or several by `anyOf`. Calls are to be run then, markers don't
   * show, and tags mean what the format says: options of tags are refused. In the text that the format leaves, the
   * names of `tags` and `stopSequences` count. @defaultValue the tags of `BlockParser`
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir'
   *
   * const content = 'I look.<tool_call>{"name": "weather", "arguments": {"city": "Porto"}}</tool_call>'
   * const events = [{ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] }]
   * const { text, toolCalls } = await readReply(events, { format: 'hermes' }).result()
   * console.log(text, toolCalls[0]?.toolName, toolCalls[0]?.input) // I look. weather {"city":"Porto"}
   * ```
   */
  format?: FormatId | Format | AnyFormat | undefined
  /**
   * The name of the model, or `{ chatTemplate }`: `format` is what `formatFor` finds by it. If it finds none, that is
   * said once on the console, and the text is read without.
   */
  model?:
    | string
    | {
        /** The text of the template. */
        readonly chatTemplate: string
      }
    | undefined
  /**
   * How the prompt ended, where the reply goes on with it: `<think>\n`, or the first half of a call. The reply is read
   * as if it had begun there, and nothing of `prefill` comes out.
   */
  prefill?: string | undefined
  /** The tools that were given to the model: they tell the types of arguments, and of `toolCalls`. */
  tools?: Tools | undefined
  /**
   * Whether the visible text has no holes where markup is hidden: no blank line at its start, at most one blank line
   * around thinking or a call, and none at the end after which only these came. Events have all white space.
   * @defaultValue true
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir'
   *
   * const reply = '<think>hm</think>\n\nYes.\n\n\n<think>hm</think>\n\nBut no.'
   * console.log(JSON.stringify((await readReply(reply).result()).text)) // "Yes.\n\nBut no."
   * ```
   */
  trimMarkup?: boolean | undefined
  /** The provider whose events come. @defaultValue recognized by their shape */
  provider?: ProviderName | undefined
  /**
   * A reply that was cut, which this one goes on with: its result, JSON of it, or the `partial` of an error. The result
   * is that of both as one; the loop gives what is new. A text that begins with what was sent is read without it.
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir'
   *
   * const cut = '<tool_call>{"name": "weather", "arguments": {"city": "Por'
   * const reply = (content: string, finish_reason: string) => {
   *   return [{ choices: [{ index: 0, delta: { content }, finish_reason }] }]
   * }
   * const continues = await readReply(reply(cut, 'length'), { format: 'hermes' }).result()
   * const next = readReply(reply('to"}}</tool_call>', 'stop'), { format: 'hermes', continues })
   * console.log((await next.result()).toolCalls[0]?.input) // {"city":"Porto"}
   * ```
   */
  continues?: ContinuedReply | undefined
  /**
   * The text that was sent to be continued, if it is not the text that was read: where a server, or a template, has
   * trimmed the white space at its end.
   */
  sent?: string | undefined
  /**
   * Whether calls that a provider's text contains in tags (`<invoke>`) are to be run: for a model that is known to
   * write its calls like this. They are blocks with `inText` in any case. Of a reply that is the model's text itself,
   * all calls are to be run. @defaultValue false
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir'
   *
   * const delta = { content: '<invoke name="now"></invoke>' }
   * const events = [{ choices: [{ index: 0, delta, finish_reason: 'stop' }] }]
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
  /**
   * Whether calls in thinking that the provider has marked are to be run, with `format` or `model`. Without it such a
   * call is one of `problems` (`call-in-thinking`) if the reply has no text and no other call: the model has stopped
   * there. @defaultValue false
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir'
   *
   * const delta = { reasoning_content: '<tool_call>{"name": "now"}</tool_call>' }
   * const events = [{ choices: [{ index: 0, delta, finish_reason: 'stop' }] }]
   * for (const callsInThinking of [false, true]) {
   *   const { toolCalls, problems } = await readReply(events, { format: 'hermes', callsInThinking }).result()
   *   console.log(toolCalls.length, problems.length)
   * }
   * ```
   * ```text
   * 0 1
   * 1 0
   * ```
   */
  callsInThinking?: boolean | undefined
}

/** The options for what reads: whatever the tags are. */
export interface ReplyReadingOptions extends Omit<ReplyOptions<GivenTools, any>, 'tags'> {
  tags?: boolean | Tags | undefined
}

/** The options of `readReply`. */
const OPTIONS = {
  ...BLOCK_OPTIONS,
  tags: [TAGS],
  onUnknown: [callback],
  onError: [callback],
  callsInText: [flag],
  callsInThinking: [flag],
  trimMarkup: [flag],
  transport: [choice(...TRANSPORTS)],
  format: [elsewhere],
  model: [elsewhere],
  prefill: [text],
  provider: [choice(...PROVIDERS)],
  continues: [elsewhere],
  sent: [text],
} satisfies OptionTable<ReplyReadingOptions>

/** Throws for options that are unknown or invalid, naming them. */
export function requireReplyOptions(place: string, options: ReplyReadingOptions | undefined): ReplyReadingOptions {
  checkOptions(place, options, OPTIONS)
  requireFitting(place, options ?? {})
  const { tags } = options ?? {}
  // Only the engine knows which names can be tags.
  if (typeof tags === 'object') {
    blockBorder.requireReady(place)
    tagTable(place, tags)
  }
  return options ?? {}
}

/** The options of tags that mean nothing to a format. */
const OF_TAGS = ['startWithThinking', 'unopenedThinking', 'trimParameters', 'spans', 'onMarkup'] as const

/** Refuses options that don't go together. @throws TypeError */
function requireFitting(place: string, options: ReplyReadingOptions): void {
  const { format, model } = options
  if (format !== undefined && model !== undefined)
    throw new TypeError(`${place} takes a format or a model, whose format is looked up, but got both`)
  const given = format === undefined ? 'model' : 'format'
  const ofTags = options[given] === undefined ? undefined : OF_TAGS.find((name) => options[name] !== undefined)
  if (ofTags !== undefined)
    throw new TypeError(
      `${place}: ${ofTags} is for tags, and with ${given} the format says what they are; ` +
        (ofTags === 'startWithThinking'
          ? "say how the prompt ended instead: prefill: '<think>'"
          : `read the visible text again: ${place}(visibleText(source, { ${given} }), { ${ofTags} })`),
    )
}
