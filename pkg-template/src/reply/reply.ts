// One call for a reply: from a `Response`, or another source, to its blocks and its result. What reads it is loaded
// with its first piece.
//
// Source: spec/world.md, 4.4.

import type { BlockCompleteEvent, BlockEmission, ToolCallBlock } from '../blocks/types.js'
import { EventGenerator } from '../event-generator.js'
import type { FinishReason, ReplyUsage } from '../native/ending.js'
import { type SourceOptions, withSignal } from '../sources.js'
import { blockBorder } from '../wasm/borders.js'
import { whileWarming } from '../wasm/warming.js'
import type { ReplyFeed } from './feed.js'
import { type ReplyOptions, type ReplyReadingOptions, requireReplyOptions } from './options.js'
import { type ReplySource, replyItems } from './source.js'

/**
 * A reply as a whole.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyResult } from 'tokenweir/reply'
 *
 * const { text, thinking, toolCalls }: ReplyResult = await readReply('<think>hm</think>Hello').result()
 * console.log(text, thinking, toolCalls.length) // Hello hm 0
 * ```
 */
export interface ReplyResult<Own extends string = never> {
  /** The visible text. */
  text: string
  /** The thinking, that of all blocks joined. */
  thinking: string
  /**
   * The calls that the program is to run: whole ones, outside of thinking, of tools that the provider doesn't run
   * itself.
   * Those that a provider's text contains in tags only with `callsInText`.
   */
  toolCalls: ToolCallBlock[]
  /** All blocks, in order: also calls that must not be run, and results. */
  blocks: Array<BlockCompleteEvent<Own>['block']>
  /** Why it ended; absent if the provider didn't say, and if the reply was cut off. */
  finishReason?: FinishReason
  /** Its tokens, if the provider reported them. */
  usage?: ReplyUsage
}

/**
 * What the loop and `result` reject with: the error, and what was read before it. Blocks that were open are completed
 * in it, calls as `incomplete`, unless a signal has ended the reading.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyFailure } from 'tokenweir/reply'
 *
 * const response = new Response('data: {"choices": [{"index": 0, "delta": {"content": "Hello"}}]}\n\ndata: {"cho')
 * const error: ReplyFailure = await readReply(response).result().then(() => new Error('not cut off'), (error) => error)
 * console.log(error.code, error.partial?.text) // malformed-reply Hello
 * ```
 */
export interface ReplyFailure extends Error {
  /** The code of the `ParseError`, or the provider's of a `ResponseError`. */
  readonly code?: string | undefined
  /** What was read before. Only an error that is frozen, or no object, has none. */
  readonly partial?: ReplyResult
}

/**
 * Reads a reply, whatever it comes as: server-sent events, JSON lines, JSON or plain text; of Anthropic, OpenAI (chat
 * and Responses) and compatible servers, the AI SDK, Gemini, Google's Interactions, Bedrock, Cohere, Ollama or Mistral.
 * Format and provider
 * are recognized. Thinking is recognized too, as an event of its own or as `<think>` in the text; so are calls and
 * results in tags, as by `BlockParser`. Markup that is quoted in Markdown code is text, unless `fences` is `'parse'`.
 *
 * Leaving the loop, an abort of `signal` and a stop sequence cancel the source, which closes a connection.
 *
 * @throws TypeError immediately, for an unknown option or an invalid source. The loop and `result` reject with a
 * `ResponseError` for a status outside of 2xx and, without `onError`, for an error in the stream; a ParseError
 * `malformed-reply` for an event that can't be read, such as one that the end cuts off; a TypeError for events of no
 * known
 * provider; the error of the source, and the signal's reason. What was read before is the error's `partial`: see
 * `ReplyFailure`.
 * @example
 * ```ts
 * import { readReply } from 'tokenweir/reply'
 *
 * const response = new Response(
 *   'data: {"choices": [{"index": 0, "delta": {"content": "<think>hm</think>Hello"}}]}\n\n',
 * )
 * const reply = readReply(response) // or readReply(fetch('/chat'))
 * for await (const emission of reply) {
 *   if (emission.kind === 'content') console.log(emission.meta.type, emission.text)
 * }
 * console.log((await reply.result()).text)
 * ```
 * ```text
 * thinking hm
 * text Hello
 * Hello
 * ```
 */
export function readReply<Own extends string = never>(
  source: ReplySource,
  options?: ReplyOptions<Own> & SourceOptions,
): Reply<Own> {
  const [rest, signal] = withSignal<ReplyReadingOptions>('readReply', options)
  const checked = requireReplyOptions('readReply', rest)
  return new Reply<Own>(
    whileWarming(blockBorder, replyItems('readReply', source)),
    async () => new (await import('./feed.js')).ReplyFeed('readReply', checked),
    signal,
    options?.callsInText === true,
  )
}

/**
 * A reply while it is read. `readReply` returns it. The source is read once.
 *
 * @example
 * ```ts
 * import { type Reply, readReply } from 'tokenweir/reply'
 *
 * const reply: Reply = readReply(['Hel', 'lo'])
 * console.log((await reply.result()).text) // Hello
 * ```
 */
export class Reply<Own extends string = never> implements AsyncIterableIterator<BlockEmission<Own>> {
  /** What reads the items: there since the first of them. */
  #feed: ReplyFeed | undefined
  readonly #runsCallsInText: boolean
  readonly #events: EventGenerator<BlockEmission, unknown>
  readonly #result: ReplyResult = { text: '', thinking: '', toolCalls: [], blocks: [] }
  /** Ids of calls whose results are in the reply. */
  readonly #answered = new Set<string>()
  /** Text of the open block, and how much of all text comes before it. */
  #open = { from: 0, isStopped: false }

  /** @internal */
  constructor(
    items: AsyncIterable<unknown> | Iterable<unknown>,
    load: () => Promise<ReplyFeed>,
    signal: AbortSignal | undefined,
    runsCallsInText: boolean,
  ) {
    this.#runsCallsInText = runsCallsInText
    this.#events = new EventGenerator(
      items,
      (item: unknown) => this.#feed?.read(item) ?? load().then((feed) => (this.#feed = feed).read(item)),
      () => this.#feed?.finish() ?? [],
      signal,
      true,
    )
  }

  /**
   * Makes `for await` work. Leaving the loop early stops the source.
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir/reply'
   *
   * for await (const { kind } of readReply('Hello')) console.log(kind)
   * ```
   * ```text
   * blockEvent
   * content
   * blockEvent
   * ```
   */
  [Symbol.asyncIterator](): this {
    return this
  }

  /**
   * Gives the next emission, the same as those of `BlockParser` and `NativeBlocks`.
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir/reply'
   *
   * const { value } = await readReply('Hello').next()
   * console.log(value?.kind) // blockEvent
   * ```
   */
  async next(): Promise<IteratorResult<BlockEmission<Own>, void>> {
    let next: IteratorResult<BlockEmission, void>
    try {
      next = await this.#events.next()
    } catch (error) {
      throw withPartial(error, this.soFar)
    }
    if (next.done !== true) this.#collect(next.value)
    return next
  }

  /**
   * Stops the source; a `next` that still waits for it, and what follows, is `done`.
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir/reply'
   *
   * const reply = readReply('Hello')
   * await reply.return()
   * console.log(await reply.next()) // { value: undefined, done: true }
   * ```
   */
  async return(): Promise<IteratorResult<BlockEmission<Own>, void>> {
    await this.#events.return()
    return { value: undefined, done: true }
  }

  /**
   * Reads to the end, and returns the whole reply; after a loop that was left early, what was read before.
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir/reply'
   *
   * const body = { stop_reason: 'end_turn', content: [{ type: 'text', text: 'Hello' }] }
   * const { text, finishReason } = await readReply(Response.json(body)).result()
   * console.log(text, finishReason) // Hello stop
   * ```
   */
  async result(): Promise<ReplyResult<Own>> {
    while (!(await this.next()).done);
    return this.soFar
  }

  /**
   * The reply as far as it was read.
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir/reply'
   *
   * const reply = readReply(['Hel', 'lo'])
   * for await (const { kind } of reply) if (kind === 'content') console.log(reply.soFar.text)
   * ```
   * ```text
   * Hel
   * Hello
   * ```
   */
  get soFar(): ReplyResult {
    const { finishReason, usage } = this.#feed ?? {}
    // What the reply answers was run by whoever sent it.
    const toolCalls = this.#result.toolCalls.filter(({ toolId = '' }) => !this.#answered.has(toolId))
    const hasCalls = toolCalls.length > 0
    const reason = this.#open.isStopped ? 'stop' : finishReason === 'stop' && hasCalls ? 'tool-calls' : finishReason
    return { ...this.#result, toolCalls, ...(reason && { finishReason: reason }), ...(usage && { usage }) }
  }

  #collect(emission: BlockEmission): void {
    const result = this.#result
    if (emission.kind === 'content') {
      if (emission.meta.visible) result.text += emission.text
      if (emission.meta.type === 'thinking') result.thinking += emission.text
      return
    }
    if (emission.kind !== 'blockEvent') return
    const { event } = emission
    switch (event.event) {
      case 'block_start':
        this.#open.from = result.text.length
        return
      case 'block_complete':
        result.blocks.push(event.block)
        if (event.block.type === 'tool_result' && event.block.toolId !== undefined)
          this.#answered.add(event.block.toolId)
        if (event.block.type === 'tool_call' && isToRun(event.block, this.#runsCallsInText))
          result.toolCalls.push(event.block)
        return
      case 'reclassify':
        // The open text turned out to be thinking.
        result.thinking += result.text.slice(this.#open.from)
        result.text = result.text.slice(0, this.#open.from)
        return
      case 'stop':
        this.#open.isStopped = true
    }
  }
}

/** Whether the program is to run a call. Text between calls is a block without a name. */
function isToRun(
  { toolName, incomplete, insideThinking, hosted, inText }: ToolCallBlock,
  runsCallsInText: boolean,
): boolean {
  const isMeant = inText !== true || runsCallsInText
  return toolName !== undefined && incomplete !== true && insideThinking !== true && hosted !== true && isMeant
}

/** An error with what was read before it. Whatever a source has thrown stays what it is, with one property more. */
function withPartial(error: unknown, partial: ReplyResult): unknown {
  if (error instanceof Error && Object.isExtensible(error))
    Object.defineProperty(error, 'partial', { value: partial, configurable: true, writable: true })
  return error
}
