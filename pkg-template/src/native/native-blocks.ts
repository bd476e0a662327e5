// Blocks for chat mode: from native API events to the callbacks of `BlockParser`.
//
// Guarantee: the same reply makes the same callbacks, however it arrives. As
// prefill XML through `BlockParser`, as a provider's stream events, or complete, it
// makes the same blocks in the same order with the same indices, and its chunks are
// the same once adjacent ones are joined. Three things may differ: where the text is
// cut into chunks, white space between the tokens of a call's JSON (a provider's is
// passed on unchanged), and the id of a call that has none on the wire.
// tests/pkg/native-blocks.test.mjs checks this with recorded streams.
//
// Source: seeds/001, "Chat Mode Implementation" and "Callback Consistency Guarantee".

import { Journal, type KeepTextOptions, type Kind, type Snapshot } from '../journal.js'
import { type OptionTable, callback, checkOptions } from '../options.js'
import type { FinishReason, StreamEnd } from '../finish-reason.js'
import type { ReplyUsage } from './ending.js'
import type { ProviderError } from './provider-error.js'
import { PROVIDERS, type ProviderName } from '../provider-name.js'
import { type MakeTextReader, type NativeCalls, NativeReading } from './reading.js'
import { NATIVE_TEXT_OPTIONS, type NativeTextOptions, type WholeText } from './text.js'
import { requireFields } from '../untrusted.js'
import { requireResults } from '../blocks/tool-results.js'
import type { BlockResult, OnBlock, OnChunk, ToolResult } from '../blocks/types.js'

/**
 * Options of `NativeBlocks`.
 *
 * @example
 * ```ts
 * import { NativeBlocks, type NativeBlocksOptions } from 'tokenweir'
 *
 * const options: NativeBlocksOptions = { onChunk: (text, meta) => console.log(meta.type, text) }
 * new NativeBlocks(options).message('Hello') // text Hello
 * ```
 */
export interface NativeBlocksOptions extends NativeTextOptions {
  /** Called for each piece of content. */
  onChunk?: OnChunk | undefined
  /** Called at each block's start and end. */
  onBlock?: OnBlock | undefined
  /** Makes the id of a tool call that has none. @defaultValue `toolu_` and 24 random base-62 characters */
  generateId?: (() => string) | undefined
  /**
   * Called for an event, or a part of one, that no reader knows, with the whole event. Without it such events are
   * ignored, except by `event`, which throws once.
   */
  onUnknown?: ((event: object) => void) | undefined
  /**
   * Called for an error that the provider reports as an event. The open blocks of the reply are completed, and an open
   * call is `incomplete`.
   */
  onError?: ((error: ProviderError) => void) | undefined
}

const OPTIONS = {
  onChunk: [callback],
  onBlock: [callback],
  generateId: [callback],
  onUnknown: [callback],
  onError: [callback],
  ...NATIVE_TEXT_OPTIONS,
} satisfies OptionTable<NativeBlocksOptions>

const KIND: Kind = {
  parser: 'native-blocks',
  place: 'NativeBlocks',
  text: 'message',
  calls: [...PROVIDERS, 'event', 'emitToolResults', 'flush', 'resetForNewIteration'],
  hearers: ['onChunk', 'onBlock', 'onUnknown', 'onError'],
}

/**
 * Turns native API events into logical blocks: the callbacks of `BlockParser` without any XML.
 *
 * One block is open at a time and indices increase by one from 0, over any number of replies. If a provider interleaves
 * several blocks (parallel calls), the later one waits until the earlier one has ended.
 *
 * A tool call's chunks are its name, its id, and its arguments as they come; `input` in `block_complete` is
 * `JSON.parse` of the joined arguments or, where they are not JSON, what the repairs of tool calls read: a backslash
 * that JSON has no meaning for stays, a trailing comma goes, `True` is true. A call without arguments has the single
 * chunk `{}`. If the arguments can't be read as an object, the block has `content`, their text, and `incomplete: true`;
 * a call that was cut off has `incomplete: true` too. Input that is free text by design (OpenAI's custom tools) is
 * `content` without `incomplete`.
 *
 * Events of unknown kinds go to `onUnknown`, errors of the provider to `onError`, and no text of a model or a provider
 * makes it throw. If a callback throws, the rest of the events are still delivered; then the first error is thrown.
 *
 * @example
 * ```ts
 * import { NativeBlocks } from 'tokenweir'
 *
 * const blocks = new NativeBlocks({ onChunk: (text, meta) => console.log(meta.type, text) })
 * blocks.anthropic({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } })
 * blocks.anthropic({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } })
 * // → thinking hm
 * blocks.flush()
 * ```
 */
export class NativeBlocks {
  readonly #journal: Journal | undefined
  readonly #reading: NativeReading

  /** @throws TypeError for an unknown option, and for a callback that is not a function. */
  constructor(options?: NativeBlocksOptions)
  /**
   * `place` is what errors begin with, instead of this class; with `whole` texts are read as `BlockParser` reads them,
   * with `reader` by that.
   * @internal
   */
  constructor(options: NativeBlocksOptions | undefined, place: string, whole?: WholeText, reader?: MakeTextReader)
  constructor(options?: NativeBlocksOptions, place = 'NativeBlocks', whole?: WholeText, reader?: MakeTextReader) {
    checkOptions(place, options, OPTIONS)
    this.#journal = place === KIND.place ? Journal.of(KIND, options) : undefined
    this.#reading = new NativeReading(place, this.#journal?.within(options) ?? options ?? {}, whole, reader)
  }

  /**
   * Goes on from a snapshot, in any process: what comes next gives the events that it would have given the parser that
   * the snapshot is of. Options that are data are in the snapshot; functions are given again.
   *
   * @throws TypeError that names the option, if a function is missing that the other parser had, or an option is not
   * the snapshot's; ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const onChunk = (text: string) => console.log(text)
   * const before = new NativeBlocks({ onChunk })
   * before.openai({ choices: [{ index: 0, delta: { content: 'Hello' } }] }) // Hello
   * const stored = JSON.stringify(before.snapshot())
   *
   * const after = NativeBlocks.restore(JSON.parse(stored), { onChunk })
   * after.openai({ choices: [{ index: 0, delta: { content: ', you' } }] }) // , you
   * ```
   */
  static restore(snapshot: Snapshot, options?: NativeBlocksOptions): NativeBlocks {
    return Journal.restore(KIND, snapshot, options, { make: (whole) => new NativeBlocks(whole) })
  }

  /**
   * What was read, between two events, as plain JSON: for `NativeBlocks.restore`. It has all events so far, also with
   * `keepText: false`, since a provider may send its whole text again at the end.
   *
   * @throws TypeError for an unknown option; ParseError `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * console.log(new NativeBlocks().snapshot().parser) // native-blocks
   * ```
   */
  snapshot(options?: KeepTextOptions): Snapshot {
    return (this.#journal as Journal).snapshot(this.#reading.isBusy, options)
  }

  /**
   * Takes one event of Anthropic's Messages API: `message_start`, `content_block_start`, `content_block_delta` and so
   * on.
   *
   * A call without any input is completed by the event after its `content_block_stop`, because only `stop_reason` says
   * whether it was cut off.
   *
   * @throws TypeError if the event is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.anthropic({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
   * blocks.anthropic({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }) // Hello
   * ```
   */
  anthropic(event: object): BlockResult {
    return this.#feed('anthropic', event)
  }

  /**
   * Takes one chunk of OpenAI's chat completions, or of a compatible server. Only the first of several choices is read.
   *
   * This protocol doesn't mark the end of a call. A call ends when its arguments are a closed JSON value and something
   * else follows, or at `finish_reason`; until then the next call's chunks wait. If a call's id comes late, its input
   * waits until the id comes or the call ends. A name may come in pieces: it is emitted when the arguments begin. A
   * delta belongs to the call of its id; without one to that of its index; without both to the last one.
   *
   * @throws TypeError if the chunk is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.openai({ choices: [{ index: 0, delta: { content: 'Hello' } }] }) // Hello
   * ```
   */
  openai(chunk: object): BlockResult {
    return this.#feed('openai', chunk)
  }

  /**
   * Takes one event of OpenAI's Responses API: `response.output_item.added`, `response.output_text.delta` and so on.
   *
   * @throws TypeError if the event is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.openaiResponses({
   *   type: 'response.output_text.delta',
   *   item_id: 'msg_1',
   *   output_index: 0,
   *   content_index: 0,
   *   delta: 'Hello',
   * })
   * // → Hello
   * ```
   */
  openaiResponses(event: object): BlockResult {
    return this.#feed('openaiResponses', event)
  }

  /**
   * Takes one part of the AI SDK's `fullStream` (5 and 6), or of a provider's `doStream`.
   *
   * @throws TypeError if the part is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.aiSdk({ type: 'text-start', id: '1' })
   * blocks.aiSdk({ type: 'text-delta', id: '1', text: 'Hello' }) // Hello
   * ```
   */
  aiSdk(part: object): BlockResult {
    return this.#feed('aiSdk', part)
  }

  /**
   * Takes one chunk of Gemini's `streamGenerateContent`. Only the first of several candidates is read.
   *
   * @throws TypeError if the chunk is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.gemini({ candidates: [{ content: { parts: [{ text: 'Hello' }] } }] }) // Hello
   * ```
   */
  gemini(chunk: object): BlockResult {
    return this.#feed('gemini', chunk)
  }

  /**
   * Takes one event of Google's Interactions API. Steps that Google runs itself (`google_search_call`) are hosted
   * calls, named without `_call`.
   *
   * @throws TypeError if the event is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.interactions({ event_type: 'step.start', index: 0, step: { type: 'model_output' } })
   * blocks.interactions({ event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Hello' } }) // Hello
   * ```
   */
  interactions(event: object): BlockResult {
    return this.#feed('interactions', event)
  }

  /**
   * Takes one event of Amazon Bedrock's ConverseStream, as the SDK yields it.
   *
   * @throws TypeError if the event is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.bedrock({ contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hello' } } }) // Hello
   * ```
   */
  bedrock(event: object): BlockResult {
    return this.#feed('bedrock', event)
  }

  /**
   * Takes one event of Cohere's Chat API, version 2. The plan before tool calls is thinking.
   *
   * @throws TypeError if the event is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.cohere({ type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hello' } } } }) // Hello
   * ```
   */
  cohere(event: object): BlockResult {
    return this.#feed('cohere', event)
  }

  /**
   * Takes one event of Cohere's Chat API, version 1. The plan before tool calls is thinking.
   *
   * @throws TypeError if the event is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.cohereV1({ is_finished: false, event_type: 'text-generation', text: 'Hello' }) // Hello
   * ```
   */
  cohereV1(event: object): BlockResult {
    return this.#feed('cohereV1', event)
  }

  /**
   * Takes one line of Ollama's `/api/chat`, or of `/api/generate`.
   *
   * @throws TypeError if the chunk is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.ollama({ message: { role: 'assistant', content: 'Hello' }, done: false }) // Hello
   * ```
   */
  ollama(chunk: object): BlockResult {
    return this.#feed('ollama', chunk)
  }

  /**
   * Takes one chunk of Mistral's chat completions, thinking included; also as its SDK for JavaScript writes it.
   *
   * @throws TypeError if the chunk is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.mistral({ choices: [{ index: 0, delta: { content: [{ type: 'text', text: 'Hello' }] } }] }) // Hello
   * ```
   */
  mistral(chunk: object): BlockResult {
    return this.#feed('mistral', chunk)
  }

  /**
   * Takes one event of AG-UI's protocol between agents and user interfaces: `TEXT_MESSAGE_CONTENT`, `TOOL_CALL_START`
   * and so on. A call with a `TOOL_CALL_RESULT` was run by the agent, which gives a hosted result.
   *
   * @throws TypeError if the event is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a
   *   callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.agUi({ type: 'TEXT_MESSAGE_START', messageId: '1', role: 'assistant' })
   * blocks.agUi({ type: 'TEXT_MESSAGE_CONTENT', messageId: '1', delta: 'Hello' }) // Hello
   * ```
   */
  agUi(event: object): BlockResult {
    return this.#feed('agUi', event)
  }

  /**
   * Takes one event of any of these providers, and detects which by its shape. Events that look alike (`ping`, `error`)
   * belong to the provider of the one before.
   *
   * @throws TypeError if the event is not an object, and once if it belongs to no known provider and there is no
   *   `onUnknown`; ParseError `finished` after `flush()`, `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.event({ message: { role: 'assistant', content: 'Hello' }, done: false }) // Hello
   * ```
   */
  event(event: object): BlockResult {
    const fields = requireFields(this.#reading.placeOf('event'), event)
    this.#record('event', event)
    return this.#reading.event(fields)
  }

  /**
   * Takes a complete reply, one chunk per block: an Anthropic message, an OpenAI or Mistral completion or its message,
   * a response of the Responses API, of Gemini, an interaction, a reply of Bedrock's Converse, Cohere or Ollama, an AI
   * SDK result, AG-UI's `MESSAGES_SNAPSHOT`, a list of content blocks, or one string.
   *
   * @throws TypeError for anything else; ParseError `finished` after `flush()`, `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({
   *   onBlock: (event) => event.event === 'block_complete' && console.log(event.block),
   * })
   * blocks.message([
   *   { type: 'thinking', thinking: 'hm' },
   *   { type: 'text', text: 'Hello' },
   * ])
   * ```
   * ```text
   * { type: 'thinking', content: 'hm' }
   * { type: 'text', content: 'Hello' }
   * ```
   */
  message(reply: string | object): BlockResult {
    this.#record('message', reply)
    return this.#reading.message(reply)
  }

  /**
   * Reports the results of tools as `tool_result` blocks: start, one chunk, complete. An open block is completed first.
   * The method may also be called after `flush()`.
   *
   * @throws TypeError if a result has no `toolUseId` or `content`; ParseError `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text, meta) => console.log(text, meta.toolId) })
   * blocks.emitToolResults([{ toolUseId: 'toolu_1', content: '3' }]) // 3 toolu_1
   * ```
   */
  emitToolResults(results: readonly ToolResult[]): BlockResult {
    const given = requireResults(this.#reading.placeOf('emitToolResults'), results)
    this.#record('emitToolResults', given)
    return this.#reading.emitToolResults(given)
  }

  /**
   * Ends the stream: open blocks are completed, and an open call is `incomplete`, unless its arguments are closed and
   * `reason` says that the reply ended on its own. A second call does nothing.
   *
   * @throws ParseError `reentrant` from inside a callback; whatever a callback threw first.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onBlock: ({ event }) => console.log(event) })
   * blocks.openai({ choices: [{ index: 0, delta: { content: 'Hello' } }] }) // block_start
   * blocks.flush() // block_complete
   * ```
   */
  flush(end?: StreamEnd): BlockResult {
    this.#record('flush', end)
    return this.#reading.flush(end)
  }

  /**
   * Prepares for the next reply of the same turn: ends this one like `flush()`, if necessary, and continues the
   * indices.
   *
   * @throws as `flush` does.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text, meta) => console.log(meta.blockIndex, text) })
   * blocks.openai({ choices: [{ index: 0, delta: { content: 'First' } }] }) // 0 First
   * blocks.resetForNewIteration()
   * blocks.openai({ choices: [{ index: 0, delta: { content: 'Second' } }] }) // 1 Second
   * ```
   */
  resetForNewIteration(): BlockResult {
    const result = this.flush()
    this.#record('resetForNewIteration')
    this.#reading.startReply()
    return result
  }

  /**
   * Counts what came after a stop sequence and was ignored, in UTF-16 code units.
   *
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ stopSequences: ['\nAlice:'] })
   * blocks.message('Hello.\nAlice: Hi!')
   * console.log(blocks.getIgnored()) // 4
   * ```
   */
  getIgnored(): number {
    return this.#reading.text?.ignored ?? 0
  }

  /**
   * Says why the reply ended: undefined before the provider has said so, and if it never does, since the reply was cut
   * off.
   *
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks()
   * blocks.anthropic({ type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 9 } })
   * console.log(blocks.getFinishReason(), blocks.getUsage()?.outputTokens) // length 9
   * ```
   */
  getFinishReason(): FinishReason | undefined {
    const { text, ending, order } = this.#reading
    return text?.isStopped === true ? 'stop' : ending.reason(order.hasCalls)
  }

  /**
   * Gives the provider's own word for why the reply ended, if there was one.
   *
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks()
   * blocks.anthropic({ type: 'message_delta', delta: { stop_reason: 'pause_turn' } })
   * console.log(blocks.getFinishReason(), blocks.getRawFinishReason()) // other pause_turn
   * ```
   */
  getRawFinishReason(): string | undefined {
    return this.#reading.ending.said || undefined
  }

  /**
   * Gives the tokens of the reply, as far as the provider has reported them.
   *
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks()
   * blocks.ollama({ message: { role: 'assistant', content: '' }, done: true, prompt_eval_count: 5, eval_count: 2 })
   * console.log(blocks.getUsage()?.totalTokens) // 7
   * ```
   */
  getUsage(): ReplyUsage | undefined {
    return this.#reading.ending.usage()
  }

  /**
   * Starts a new stream with the same options: drops open and waiting blocks, and restarts the indices at 0.
   *
   * @throws ParseError `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ onChunk: (text, meta) => console.log(meta.blockIndex, text) })
   * blocks.message('First') // 0 First
   * blocks.reset()
   * blocks.message('Second') // 0 Second
   * ```
   */
  reset(): void {
    this.#reading.reset()
    this.#journal?.clear()
  }

  /** The stream says that the reply is over, in no event of its provider. @internal */
  declareEnd(): BlockResult {
    return this.#reading.declareEnd()
  }

  /** Whether an object can't be an event of any provider, not even of a new kind. @internal */
  isForeign(event: object): boolean {
    return this.#reading.isForeign(event)
  }

  /** The ids of the provider's calls: those to run, and those that wait for a person's answer. @internal */
  get calls(): NativeCalls {
    return this.#reading.calls
  }

  /** The provider that `event` has detected. @internal */
  get provider(): ProviderName | undefined {
    return this.#reading.last
  }

  /** @internal */
  goOn(write: () => void): BlockResult {
    return this.#reading.goOn(write)
  }

  #feed(name: ProviderName, event: object): BlockResult {
    const fields = requireFields(this.#reading.placeOf(name), event)
    this.#record(name, event)
    return this.#reading.feed(name, fields)
  }

  /** Writes a call into the journal, unless it is refused. */
  #record(method: string, ...given: readonly unknown[]): void {
    if (!this.#reading.isBusy) this.#journal?.call(method, ...given)
  }
}
