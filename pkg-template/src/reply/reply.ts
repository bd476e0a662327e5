// One call for a reply: from a `Response`, or another source, to its blocks and its result. What reads it is loaded
// with its first piece.
//
// Source: spec/world.md, 4.4.

import type { Meaning, Role } from '../blocks/custom-types.js'
import { isMeant } from '../args/meant.js'
import type { BlockCompleteEvent, BlockEmission, ToolCallBlock } from '../blocks/types.js'
import type { ReplyProblem } from '../tool-calls/parse-reply.js'
import { CallsToRun } from '../tool-calls/calls-once.js'
import { type CallToRun, type DynamicCall, type KnownCall, callToRun } from '../tool-calls/to-run.js'
import type { GivenTools } from '../schema/tool-list.js'
import { ShownText } from '../blocks/shown-text.js'
import { EventGenerator } from '../event-generator.js'
import { LastEvents, type Parsed } from '../parsed.js'
import { type FinishReason, endedByItself } from '../finish-reason.js'
import { canonical } from '../json/canonical.js'
import type { Keep } from '../native/provider.js'
import type { ProviderName } from '../provider-name.js'
import type { ReplyUsage } from '../native/ending.js'
import { type SourceOptions, withSignal } from '../sources.js'
import { jsonOrText } from '../untrusted.js'
import { blockBorder } from '../wasm/borders.js'
import { loadLater } from '../wasm/start.js'
import { whileWarming } from '../wasm/warming.js'
import type { ReplyEmission } from './attempts.js'
import type { ReplyJournal } from './continued-reply.js'
import type { ReplyFeed } from './feed.js'
import type { ReplyPosition } from './position.js'
import { type ReplyOptions, type ReplyReadingOptions, requireReplyOptions } from './options.js'
import { interrupted, lackIn, problemOf } from './problems.js'
import { type ReplySource, replyItems } from './source.js'

/**
 * A reply as a whole.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyResult } from 'tokenweir'
 *
 * const { text, thinking, toolCalls }: ReplyResult = await readReply('<think>hm</think>Hello').result()
 * console.log(text, thinking, toolCalls.length) // Hello hm 0
 * ```
 */
export interface ReplyResult<Tools extends GivenTools = readonly [], Custom extends Meaning = Role> {
  /** The visible text, without the white space around hidden markup, unless `trimMarkup` is false. */
  text: string
  /** The thinking, that of all blocks joined. */
  thinking: string
  /**
   * The calls that the program is to run: whole ones, outside of thinking, of tools that the provider doesn't run
   * itself, and without one that an interrupt of AG-UI names. Those that a provider's text contains only with `format`,
   * or with `callsInText`; one that equals a native call is that call. None, if the reply broke off: by an error, a
   * throw, an abort, or without its end.
   */
  toolCalls: CallToRun<Tools>[]
  /**
   * The calls that the model meant to write and that are not to be run, so that they are in no other list: cut off,
   * malformed, without the arguments that their tool requires, or whole ones of a reply that broke off (`interrupted`).
   */
  problems: ReplyProblem[]
  /** All blocks, in order: also calls that must not be run, and results. */
  blocks: Array<BlockCompleteEvent<Custom>['block']>
  /** Why it ended: `interrupted` if nobody said why; absent of plain text, and before the end. */
  finishReason?: FinishReason
  /** The provider's own word for it. */
  rawFinishReason?: string
  /** Of a reply that broke off, or that its server paused: where it goes on, if the provider has said it. */
  resume?: ReplyPosition
  /** Its tokens, if the provider reported them. */
  usage?: ReplyUsage
  /** Whose events it came as; absent for plain text. */
  provider?: ProviderName
  /** The model that answered, as its provider names it. */
  model?: string
  /**
   * When the reply has ended: the assistant's message as its provider takes it back in the next request, with
   * signatures and encrypted thinking; of OpenAI's Responses, Google's Interactions and AG-UI the list of items, steps
   * or messages. Only calls of `toolCalls` are in it, and those that were run with their results. `loopMessages` of
   * `tokenweir/formats` adds the results. It is JSON, and what is in it is the provider's.
   */
  message?: object
  /** Of a reply that was cut: what the option `continues` needs to go on with it. */
  journal?: ReplyJournal
}

/**
 * What the loop and `result` reject with: the error, and what was read before it. Blocks that were open are completed
 * in it, calls as `incomplete`.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyFailure } from 'tokenweir'
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
 * and Responses) and compatible servers, the AI SDK, AG-UI, Gemini, Google's Interactions, Bedrock, Cohere, Ollama or
 * Mistral. Format and provider are recognized. Thinking is recognized too, as an event of its own or as `<think>` in
 * the text; so are calls and results in tags, as by `BlockParser`. Keep-alives go to `onUnknown`. Markup that is quoted
 * in Markdown code is text, unless `fences` is `'parse'`.
 *
 * Leaving the loop, an abort of `signal` and a stop sequence cancel the source, which closes a connection.
 *
 * @throws TypeError immediately, for an unknown option or an invalid source. The loop and `result` reject with a
 * `ResponseError` for a status outside of 2xx, for a page (`text/html`) and, without `onError`, for an error in the
 * stream; a ParseError `malformed-reply` for an event that can't be read, such as one that the end cuts off; a
 * TypeError for events of no known provider; the error of the source, and the signal's reason. What was read before is
 * the error's `partial`: see `ReplyFailure`.
 * @example
 * ```ts
 * import { readReply } from 'tokenweir'
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
export function readReply<const Tools extends GivenTools = readonly [], const Custom extends Meaning = Role>(
  source: ReplySource,
  options?: ReplyOptions<Tools, Custom> & SourceOptions,
): Reply<Tools, Custom> {
  const [rest, signal] = withSignal<ReplyReadingOptions>('readReply', options)
  const checked = requireReplyOptions('readReply', rest)
  return new Reply<Tools, Custom>(
    whileWarming(blockBorder, replyItems('readReply', source)),
    async () => (await Promise.all([import('./feed.js'), loadLater('json')]))[0].openFeed('readReply', checked),
    signal,
    checked,
  )
}

/** What reads the items of a reply. */
export type ReplyReader = Pick<
  ReplyFeed,
  | 'read'
  | 'finish'
  | 'finishReason'
  | 'usage'
  | 'isCut'
  | 'names'
  | 'isNative'
  | 'isWaiting'
  | 'typed'
  | 'odd'
  | 'provider'
  | 'model'
  | 'message'
  | 'resume'
  | 'takePrimed'
  | 'journal'
  | 'kept'
  | 'rawFinishReason'
>

/**
 * A reply while it is read. `readReply` returns it. The source is read once.
 *
 * @example
 * ```ts
 * import { type Reply, readReply } from 'tokenweir'
 *
 * const reply: Reply = readReply(['Hel', 'lo'])
 * console.log((await reply.result()).text) // Hello
 * ```
 */
export class Reply<Tools extends GivenTools = readonly [], Custom extends Meaning = Role>
  implements AsyncIterableIterator<ReplyEmission<Custom>>
{
  /** What reads the items: there since the first of them. */
  #feed: ReplyReader | undefined
  readonly #runsCallsInText: boolean
  readonly #signal: AbortSignal | undefined
  readonly #events: EventGenerator<ReplyEmission, unknown>
  readonly #result: ReplyResult<Tools, Custom> = { text: '', thinking: '', toolCalls: [], problems: [], blocks: [] }
  #calls = new CallsToRun<CallToRun<Tools>>()
  /** Ids of calls whose results are in the reply. */
  readonly #answered = new Set<string>()
  /** What was shown before the open block, its text, or the input of its call; and whether a stop has ended the reply. */
  readonly #open: { from: number; shown: ShownText | undefined; text: string; input: string; isStopped: boolean } = {
    from: 0,
    shown: undefined,
    text: '',
    input: '',
    isStopped: false,
  }
  #isOver = false
  #isPriming = false
  #isLooped = false
  /** What the reading was ended by, if it was. */
  #failure: { readonly error: unknown } | undefined
  /** What is shown of the text, without the holes of markup; undefined if they stay. */
  #shown: ShownText | undefined
  /** What its emissions don't say: how markup is left out, what is shown of them, and whether a tool was given. @internal */
  readonly reading: {
    readonly trimMarkup: boolean | undefined
    readonly shows: () => (emission: BlockEmission<Meaning>) => string
    readonly isGiven: (toolName: string) => boolean
  }

  /** @internal */
  constructor(
    items: AsyncIterable<unknown> | Iterable<unknown>,
    load: () => Promise<ReplyReader>,
    signal: AbortSignal | undefined,
    { callsInText, trimMarkup, continues }: Pick<ReplyOptions, 'callsInText' | 'trimMarkup' | 'continues'>,
  ) {
    const goesOn = continues !== undefined
    this.#runsCallsInText = callsInText === true
    this.#signal = signal
    if (trimMarkup !== false) this.#shown = new ShownText()
    this.reading = {
      trimMarkup,
      shows: () => (trimMarkup === false ? visibleIn : shownIn(new ShownText())),
      isGiven: (name) => this.#feed?.names.has(name) === true,
    }
    this.#events = new EventGenerator(
      items,
      (item: unknown) => this.#with(load, (feed) => feed.read(item)),
      (hasFailed) => (this.#feed === undefined && !goesOn ? [] : this.#with(load, (feed) => feed.finish(hasFailed))),
      signal,
      true,
    )
  }

  /**
   * Makes `for await` work. Leaving the loop early stops the source.
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir'
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
    if (this.#isLooped)
      throw new TypeError('a reply is read once: what the first loop has read is in soFar and result()')
    this.#isLooped = true
    return this
  }

  /**
   * Gives the next emission, the same as those of `BlockParser` and `NativeBlocks`; or a `reset`, where the stream says
   * that what came is void.
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir'
   *
   * const { value } = await readReply('Hello').next()
   * console.log(value?.kind) // blockEvent
   * ```
   */
  async next(): Promise<IteratorResult<ReplyEmission<Custom>, void>> {
    let next: IteratorResult<ReplyEmission, void>
    try {
      next = await this.#events.next()
    } catch (error) {
      this.#isOver = true
      if (this.#signal?.aborted === true) this.#complete()
      this.#failure = { error }
      this.#failure = { error: withPartial(error, this.soFar) }
      throw error
    }
    if (next.done === true) this.#isOver = true
    else this.#collect(next.value)
    return next
  }

  /**
   * Stops the source; a `next` that still waits for it, and what follows, is `done`.
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir'
   *
   * const reply = readReply('Hello')
   * await reply.return()
   * console.log(await reply.next()) // { value: undefined, done: true }
   * ```
   */
  async return(): Promise<IteratorResult<ReplyEmission<Custom>, void>> {
    await this.#events.return()
    return { value: undefined, done: true }
  }

  /**
   * Reads to the end, and returns the whole reply; after a loop that was left early, what was read before. It rejects
   * with the error that has ended the reading, also after a loop that threw it: what was read is its `partial`.
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir'
   *
   * const body = { stop_reason: 'end_turn', content: [{ type: 'text', text: 'Hello' }] }
   * const { text, finishReason } = await readReply(Response.json(body)).result()
   * console.log(text, finishReason) // Hello stop
   * ```
   */
  async result(): Promise<ReplyResult<Tools, Custom>> {
    while (!(await this.next()).done);
    if (this.#failure !== undefined) throw this.#failure.error
    return this.soFar
  }

  /**
   * The reply as far as it was read.
   *
   * @example
   * ```ts
   * import { readReply } from 'tokenweir'
   *
   * const reply = readReply(['Hel', 'lo'])
   * for await (const { kind } of reply) if (kind === 'content') console.log(reply.soFar.text)
   * ```
   * ```text
   * Hel
   * Hello
   * ```
   */
  get soFar(): ReplyResult<Tools, Custom> {
    const { finishReason, usage } = this.#feed ?? {}
    // What the reply answers was run by whoever sent it, who also runs what waits for a person's answer.
    const isElsewhere = (id: string) => this.#answered.has(id) || this.#feed?.isWaiting(id) === true
    const toolCalls = this.#calls.all.filter(({ toolCallId }) => !isElsewhere(toolCallId))
    const hasCalls = toolCalls.length > 0
    const reason = this.#open.isStopped ? 'stop' : finishReason === 'stop' && hasCalls ? 'tool-calls' : finishReason
    // White space is shown when it is known that no markup follows.
    const rest = this.#isOver ? (this.#shown?.copy().finish() ?? '') : ''
    const text = this.#result.text + rest
    const { problems, blocks } = this.#result
    const result: ReplyResult<Tools, Custom> = {
      ...this.#result,
      ...{ text, toolCalls, problems: [...problems], blocks: [...blocks] },
      ...(reason && { finishReason: reason }),
      ...(usage && { usage }),
    }
    if (!this.#isOver) return result
    result.problems.push(...lackIn(result, this.#feed?.odd ?? {}))
    // Whoever asks again gets the calls again.
    const isBroken = this.#failure !== undefined || reason === 'interrupted' || reason === 'error'
    if (isBroken) {
      result.problems.push(...toolCalls.map(interrupted))
      result.toolCalls = []
    }
    const { provider, model, rawFinishReason, resume } = this.#feed ?? {}
    const isCut = isBroken || (reason !== undefined && !endedByItself(reason))
    const message = this.#feed?.message(keeping(result.toolCalls))
    const journal = isCut ? this.#feed?.journal : undefined
    return {
      ...result,
      ...(rawFinishReason && { rawFinishReason }),
      ...((isBroken || resume?.token !== undefined) && resume && { resume }),
      ...(provider && { provider }),
      ...(model && { model }),
      ...(message && { message }),
      ...(journal && { journal }),
    }
  }

  /** Completes what a signal has left open. */
  #complete(): void {
    const last = this.#feed?.finish(true) ?? []
    for (const emission of last instanceof LastEvents ? last.events : last) this.#collect(emission)
  }

  #callOf(block: ToolCallBlock): CallToRun<Tools> {
    const { toolId: toolCallId = '', toolName = '', content } = block
    const call = { toolCallId, toolName, input: inputOf(block, this.#open.input) }
    const feed = this.#feed as ReplyReader
    const args = block.input === undefined ? content : feed.typed(toolName, block.input)
    return callToRun(call, args, feed.names) as CallToRun<Tools>
  }

  #collectCall(block: ToolCallBlock): void {
    const problem = problemOf(block, this.#runsCallsInText, this.#isPriming || this.#feed?.isCut === true)
    if (problem !== undefined) this.#result.problems.push(problem)
    else if (isToRun(block, this.#runsCallsInText))
      this.#calls.add(this.#callOf(block), this.#feed?.isNative(block.toolId) === true)
  }

  /** Reads by the feed; what the reply before has given is in the result first. */
  #with(
    load: () => Promise<ReplyReader>,
    read: (feed: ReplyReader) => Parsed<ReplyEmission>,
  ): Parsed<ReplyEmission> | Promise<Parsed<ReplyEmission>> {
    const feed = this.#feed
    if (feed === undefined) return load().then((feed) => this.#read((this.#feed = feed), read))
    return this.#read(feed, read)
  }

  #read(feed: ReplyReader, read: (feed: ReplyReader) => Parsed<ReplyEmission>): Parsed<ReplyEmission> {
    const parsed = read(feed)
    // That one was cut.
    this.#isPriming = true
    for (const emission of feed.takePrimed()) this.#collect(emission)
    this.#isPriming = false
    return parsed
  }

  /** What came is void, but for what the feed has kept. */
  #startOver(): void {
    Object.assign(this.#result, { text: '', thinking: '', toolCalls: [], problems: [], blocks: [] })
    Object.assign(this.#open, { from: 0, shown: undefined, text: '', input: '', isStopped: false })
    this.#calls = new CallsToRun()
    this.#answered.clear()
    this.#shown &&= new ShownText()
    for (const emission of this.#feed?.kept ?? []) this.#collect(emission)
  }

  #collect(emission: ReplyEmission): void {
    if (emission.kind === 'reset') return this.#startOver()
    const result = this.#result
    const open = this.#open
    const shown = this.#shown
    // What was shown of a block may turn out to be thinking.
    if (emission.kind === 'blockEvent' && emission.event.event === 'block_start')
      Object.assign(open, { from: result.text.length, shown: shown?.copy(), text: '', input: '' })
    if (shown !== undefined) result.text += shown.read(emission)
    if (emission.kind === 'content') {
      if (emission.meta.visible && shown === undefined) result.text += emission.text
      if (emission.meta.type === 'text') open.text += emission.text
      if (emission.meta.type === 'thinking') result.thinking += emission.text
      if (emission.meta.toolCallPart === 'input') open.input += emission.text
      return
    }
    if (emission.kind !== 'blockEvent') return
    const { event } = emission
    switch (event.event) {
      case 'block_complete':
        result.blocks.push(event.block)
        if (event.block.type === 'tool_result' && event.block.toolId !== undefined)
          this.#answered.add(event.block.toolId)
        if (event.block.type === 'tool_call') this.#collectCall(event.block)
        return
      case 'reclassify':
        // The open text turned out to be thinking.
        result.thinking += open.text
        result.text = result.text.slice(0, open.from)
        this.#shown = open.shown
        return
      case 'stop':
        open.isStopped = true
    }
  }
}

const visibleIn = (emission: BlockEmission<Meaning>) =>
  emission.kind === 'content' && emission.meta.visible ? emission.text : ''

const shownIn = (shown: ShownText) => (emission: BlockEmission<Meaning>) => shown.read(emission as BlockEmission)

/** The result of emissions that were read elsewhere, by `feed`. */
export function resultOf<Custom extends Meaning>(
  emissions: Iterable<unknown>,
  feed: ReplyReader,
  options: Pick<ReplyOptions, 'callsInText' | 'trimMarkup'>,
): Promise<ReplyResult<readonly [], Custom>> {
  return new Reply<readonly [], Custom>(emissions, async () => feed, undefined, options).result()
}

/** Finds the calls of a message among those that are to be run: each once, by its id, or by what it says. */
function keeping(calls: ReadonlyArray<KnownCall | DynamicCall>): Keep {
  const left = [...calls]
  return ({ id, name, input }) => {
    const said = canonical(input, '')
    const isIt = (call: KnownCall | DynamicCall) =>
      id === ''
        ? call.toolName === name && (input === undefined || canonical(jsonOrText(call.input), '') === said)
        : call.toolCallId === id
    const at = left.findIndex(isIt)
    const [call] = at < 0 ? [] : left.splice(at, 1)
    return call && { id: call.toolCallId, name: call.toolName, input: jsonOrText(call.input) }
  }
}

/** The JSON text of a call's arguments: as it was written, unless it was repaired. */
function inputOf({ input, content = '', repairs }: ToolCallBlock, written: string): string {
  // A tool that takes free text.
  if (input === undefined) return content
  try {
    if (repairs === undefined && JSON.parse(written) !== undefined) return written
  } catch {
    // Written otherwise than as JSON.
  }
  return JSON.stringify(input)
}

/** Whether the program is to run a call. Text between calls is a block without a name. */
function isToRun(block: ToolCallBlock, runsCallsInText: boolean): boolean {
  return block.toolName !== undefined && block.incomplete !== true && isMeant(block, runsCallsInText)
}

/** An error with what was read before it. Whatever a source has thrown stays what it is, with one property more. */
function withPartial(error: unknown, partial: object): unknown {
  if (error instanceof Error && Object.isExtensible(error))
    Object.defineProperty(error, 'partial', { value: partial, configurable: true, writable: true })
  return error
}
