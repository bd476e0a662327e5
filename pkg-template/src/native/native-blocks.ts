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

import { ParseError, describe, requireFunction, requireOptions } from '../errors.js'
import { AiSdkReader } from './ai-sdk.js'
import { AnthropicReader } from './anthropic.js'
import { fieldsOf, listOf, requireFields, resultOf, stringOf, type Fields } from '../untrusted.js'
import { OpenAIReader } from './openai.js'
import { ResponsesReader } from './openai-responses.js'
import { BlockOrder } from './order.js'
import { randomToolId, toolIdFrom } from '../blocks/tool-id.js'
import { requireResults } from '../blocks/tool-results.js'
import type { BlockEmission, BlockResult, OnBlock, OnChunk, ToolResult } from '../blocks/types.js'

/**
 * Options of `NativeBlocks`.
 *
 * @example
 * ```ts
 * import { NativeBlocks, type NativeBlocksOptions } from 'tokenweir/blocks'
 *
 * const options: NativeBlocksOptions = { onChunk: (text, meta) => console.log(meta.type, text) }
 * new NativeBlocks(options).message('Hello') // text Hello
 * ```
 */
export interface NativeBlocksOptions {
  /** Called for each piece of content. */
  onChunk?: OnChunk | undefined
  /** Called at each block's start and end. */
  onBlock?: OnBlock | undefined
  /** Makes the id of a tool call that has none. @defaultValue `toolu_` and 24 random base-62 characters */
  generateId?: (() => string) | undefined
}

/**
 * Turns native API events into logical blocks: the callbacks of `BlockParser` without
 * any XML.
 *
 * One block is open at a time and indices increase by one from 0, over any number
 * of replies. If a provider interleaves several blocks (parallel calls), the later
 * one waits until the earlier one has ended.
 *
 * A tool call's chunks are its name, its id, and its arguments as they come;
 * `input` in `block_complete` is `JSON.parse` of the joined arguments. A call
 * without arguments has the single chunk `{}`. If the arguments are not a JSON
 * object, the block has `content`, their text, and `incomplete: true`; a call that
 * was cut off has `incomplete: true` too. Input that is free text by design
 * (OpenAI's custom tools) is `content` without `incomplete`.
 *
 * Events of unknown kinds are ignored, and no text of a model or a provider makes
 * it throw. If a callback throws, the rest of the events are still delivered; then
 * the first error is thrown.
 *
 * @example
 * ```ts
 * import { NativeBlocks } from 'tokenweir/blocks'
 *
 * const blocks = new NativeBlocks({ onChunk: (text, meta) => console.log(meta.type, text) })
 * blocks.anthropic({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } })
 * blocks.anthropic({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } }) // thinking hm
 * blocks.flush()
 * ```
 */
export class NativeBlocks {
  readonly #onChunk: OnChunk | undefined
  readonly #onBlock: OnBlock | undefined
  readonly #order: BlockOrder
  readonly #anthropic: AnthropicReader
  readonly #openai: OpenAIReader
  readonly #responses: ResponsesReader
  readonly #aiSdk: AiSdkReader
  #busy = false
  #finished = false
  #failure: { error: unknown } | undefined

  /** @throws TypeError for an unknown option, and for a callback that is not a function. */
  constructor(options?: NativeBlocksOptions) {
    requireOptions('NativeBlocks', options, ['onChunk', 'onBlock', 'generateId'])
    requireFunction('NativeBlocks: onChunk', options?.onChunk)
    requireFunction('NativeBlocks: onBlock', options?.onBlock)
    requireFunction('NativeBlocks: generateId', options?.generateId)
    this.#onChunk = options?.onChunk
    this.#onBlock = options?.onBlock
    const generateId = options?.generateId
    this.#order = new BlockOrder(generateId === undefined ? randomToolId : () => toolIdFrom('NativeBlocks', generateId, (error) => (this.#failure ??= { error })))
    this.#anthropic = new AnthropicReader(this.#order)
    this.#openai = new OpenAIReader(this.#order)
    this.#responses = new ResponsesReader(this.#order)
    this.#aiSdk = new AiSdkReader(this.#order)
  }

  /**
   * Takes one event of Anthropic's Messages API: `message_start`, `content_block_start`, `content_block_delta` and so on.
   *
   * A call without any input is completed by the event after its
   * `content_block_stop`, because only `stop_reason` says whether it was cut off.
   *
   * @throws TypeError if the event is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir/blocks'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.anthropic({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
   * blocks.anthropic({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }) // Hello
   * ```
   */
  anthropic(event: object): BlockResult {
    return this.#read('NativeBlocks.anthropic', event, (fields) => this.#anthropic.read(fields))
  }

  /**
   * Takes one chunk of OpenAI's chat completions, or of a compatible server. Only the first of several choices is read.
   *
   * This protocol doesn't mark the end of a call. A call ends when its arguments
   * are a closed JSON value and something else follows, or at `finish_reason`;
   * until then the next call's chunks wait. If a call's id comes late, its input
   * waits until the id comes or the call ends.
   *
   * @throws TypeError if the chunk is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir/blocks'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.openai({ choices: [{ index: 0, delta: { content: 'Hello' } }] }) // Hello
   * ```
   */
  openai(chunk: object): BlockResult {
    return this.#read('NativeBlocks.openai', chunk, (fields) => this.#openai.read(fields))
  }

  /**
   * Takes one event of OpenAI's Responses API: `response.output_item.added`, `response.output_text.delta` and so on.
   *
   * @throws TypeError if the event is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir/blocks'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.openaiResponses({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Hello' }) // Hello
   * ```
   */
  openaiResponses(event: object): BlockResult {
    return this.#read('NativeBlocks.openaiResponses', event, (fields) => this.#responses.read(fields))
  }

  /**
   * Takes one part of the AI SDK's `fullStream` (5 and 6), or of a provider's `doStream`.
   *
   * @throws TypeError if the part is not an object; ParseError `finished` after `flush()`, `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir/blocks'
   *
   * const blocks = new NativeBlocks({ onChunk: (text) => console.log(text) })
   * blocks.aiSdk({ type: 'text-start', id: '1' })
   * blocks.aiSdk({ type: 'text-delta', id: '1', text: 'Hello' }) // Hello
   * ```
   */
  aiSdk(part: object): BlockResult {
    return this.#read('NativeBlocks.aiSdk', part, (fields) => this.#aiSdk.read(fields))
  }

  /**
   * Takes a complete reply, one chunk per block: an Anthropic message, an OpenAI
   * completion or its message, a response of the Responses API, an AI SDK
   * result, a list of content blocks, or one string.
   *
   * @throws TypeError for anything else; ParseError `finished` after `flush()`, `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir/blocks'
   *
   * const blocks = new NativeBlocks({ onBlock: (event) => event.event === 'block_complete' && console.log(event.block) })
   * blocks.message([{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'Hello' }])
   * ```
   * ```text
   * { type: 'thinking', content: 'hm' }
   * { type: 'text', content: 'Hello' }
   * ```
   */
  message(reply: string | object): BlockResult {
    const read = this.#readerOf(reply)
    return this.#run('NativeBlocks.message', false, () => {
      this.#endReplies()
      read()
    })
  }

  /**
   * Reports the results of tools as `tool_result` blocks: start, one chunk, complete.
   * An open block is completed first. The method may also be called after `flush()`.
   *
   * @throws TypeError if a result has no `toolUseId` or `content`; ParseError `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir/blocks'
   *
   * const blocks = new NativeBlocks({ onChunk: (text, meta) => console.log(text, meta.toolId) })
   * blocks.emitToolResults([{ toolUseId: 'toolu_1', content: '3' }]) // 3 toolu_1
   * ```
   */
  emitToolResults(results: readonly ToolResult[]): BlockResult {
    const checked = requireResults('NativeBlocks.emitToolResults', results)
    return this.#run('NativeBlocks.emitToolResults', true, () => {
      this.#endReplies()
      for (const { toolUseId, content, isError } of checked) this.#order.result(resultOf(content), toolUseId, isError === true)
    })
  }

  /**
   * Ends the stream: open blocks are completed, and an open call is `incomplete`. A second call does nothing.
   *
   * @throws ParseError `reentrant` from inside a callback; whatever a callback threw first.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir/blocks'
   *
   * const blocks = new NativeBlocks({ onBlock: ({ event }) => console.log(event) })
   * blocks.openai({ choices: [{ index: 0, delta: { content: 'Hello' } }] }) // block_start
   * blocks.flush() // block_complete
   * ```
   */
  flush(): BlockResult {
    return this.#run('NativeBlocks.flush', true, () => {
      this.#endReplies()
      this.#finished = true
    })
  }

  /**
   * Prepares for the next reply of the same turn: ends this one like `flush()`, if necessary, and continues the indices.
   *
   * @throws as `flush` does.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir/blocks'
   *
   * const blocks = new NativeBlocks({ onChunk: (text, meta) => console.log(meta.blockIndex, text) })
   * blocks.openai({ choices: [{ index: 0, delta: { content: 'First' } }] }) // 0 First
   * blocks.resetForNewIteration()
   * blocks.openai({ choices: [{ index: 0, delta: { content: 'Second' } }] }) // 1 Second
   * ```
   */
  resetForNewIteration(): BlockResult {
    const result = this.flush()
    this.#finished = false
    return result
  }

  /**
   * Starts a new stream with the same options: drops open and waiting blocks, and restarts the indices at 0.
   *
   * @throws ParseError `reentrant` from inside a callback.
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir/blocks'
   *
   * const blocks = new NativeBlocks({ onChunk: (text, meta) => console.log(meta.blockIndex, text) })
   * blocks.message('First') // 0 First
   * blocks.reset()
   * blocks.message('Second') // 0 Second
   * ```
   */
  reset(): void {
    this.#refuseReentry('NativeBlocks.reset')
    for (const reader of [this.#anthropic, this.#openai, this.#responses, this.#aiSdk]) reader.forget()
    this.#order.forget()
    this.#finished = false
  }

  #endReplies(): void {
    for (const reader of [this.#anthropic, this.#openai, this.#responses, this.#aiSdk]) reader.endReply()
  }

  #read(place: string, event: object, read: (fields: Fields) => void): BlockResult {
    const fields = requireFields(place, event)
    return this.#run(place, false, () => read(fields))
  }

  #readerOf(reply: unknown): () => void {
    if (typeof reply === 'string') return () => this.#order.whole('text', reply)
    if (Array.isArray(reply)) return () => this.#readContent(reply, undefined)
    const fields = fieldsOf(reply)
    if (fields !== undefined) {
      if ('choices' in fields) {
        return () => {
          this.#openai.read(fields)
          this.#openai.finish(undefined)
        }
      }
      // Before `output`: an AI SDK result has both, and its `output` may throw.
      if (Array.isArray(fields['content'])) {
        return () => {
          this.#readContent(listOf(fields['content']), fields['stop_reason'])
          this.#readOpenAIMessage({ tool_calls: fields['tool_calls'] })
        }
      }
      if ('content' in fields || 'tool_calls' in fields) return () => this.#readOpenAIMessage(fields)
      if ('output' in fields) return () => this.#responses.readWhole(listOf(fields['output']))
    }
    throw new TypeError(`NativeBlocks.message takes a string or a reply with content, choices, output or tool_calls, but got ${describe(reply)}`)
  }

  #readOpenAIMessage(fields: Fields): void {
    this.#openai.readMessage(fields)
    this.#openai.finish(undefined)
  }

  /** The types of Anthropic's content blocks have underscores, those of the AI SDK hyphens. */
  #readContent(content: readonly unknown[], stopReason: unknown): void {
    const isAiSdk = content.some((block) => AI_SDK_CONTENT.test(stringOf(fieldsOf(block)?.['type'])))
    if (!isAiSdk) return this.#anthropic.readWhole(content, stopReason)
    for (const block of content) {
      const part = fieldsOf(block)
      if (part === undefined) continue
      if (part['type'] === 'text') this.#order.whole('text', stringOf(part['text']))
      else this.#aiSdk.readWhole(part)
    }
  }

  #refuseReentry(place: string): void {
    if (this.#busy) throw new ParseError('reentrant', `${place} was called from inside one of its own callbacks: call it after the callback has returned`)
  }

  /** Reads first and calls back afterwards, so that a callback that throws leaves a consistent state. */
  #run(place: string, isAllowedAfterFlush: boolean, read: () => void): BlockResult {
    this.#refuseReentry(place)
    if (this.#finished && !isAllowedAfterFlush) throw new ParseError('finished', `${place} was called after flush(): call reset() or resetForNewIteration() first`)
    this.#busy = true
    try {
      try {
        read()
      } catch (error) {
        this.#failure ??= { error }
      }
      const { emissions } = this.#order
      this.#order.emissions = []
      this.#deliver(emissions)
      if (this.#failure !== undefined) throw this.#failure.error
      return { emissions }
    } finally {
      this.#busy = false
      this.#failure = undefined
    }
  }

  #deliver(emissions: readonly BlockEmission[]): void {
    const onChunk = this.#onChunk
    const onBlock = this.#onBlock
    if (onChunk === undefined && onBlock === undefined) return
    for (const emission of emissions) {
      try {
        if (emission.kind === 'content') onChunk?.(emission.text, emission.meta)
        else if (emission.kind === 'blockEvent') onBlock?.(emission.event)
      } catch (error) {
        this.#failure ??= { error }
      }
    }
  }
}

const AI_SDK_CONTENT = /^(reasoning|tool-\w+)$/
