// The visible text of a reply, for a screen or a speech server.
//
// A model's text is read by the parser alone. What reads a response, bytes or events is larger, and is loaded when the
// first of them comes; what reads tool calls, if there are tools or callbacks.
//
// Source: seeds/001, "Problem: Real-Time TTS"; spec/world.md, 4.4.

import type { Meaning, Role } from '../blocks/custom-types.js'
import { BLOCK_OPTIONS, type Tags, shownOptions, tagTable } from '../blocks/options.js'
import { BlockReading } from '../blocks/reading.js'
import { untilStop } from '../blocks/stop-sequences.js'
import type { BlockStreamOptions } from '../blocks/streams.js'
import type { BlockEmission } from '../blocks/types.js'
import { ShownText } from '../blocks/shown-text.js'
import { visibleIn } from '../blocks/visible-in.js'
import { ParseError, requireString } from '../errors.js'
import { EventGenerator } from '../event-generator.js'
import { type OptionTable, callback, checkOptions, elsewhere, flag } from '../options.js'
import { LastEvents, type Parsed } from '../parsed.js'
import { LaterItems, REPLY_SOURCES, type SourceOptions, itemsOf as chunksIn, withSignal } from '../sources.js'
import { blockBorder } from '../wasm/borders.js'
import { loadLater } from '../wasm/start.js'
import type { FinishReason } from '../finish-reason.js'
import type { ReplyUsage } from '../native/ending.js'
import type { Keep } from '../native/provider.js'
import type { ProviderName } from '../provider-name.js'
import { whileWarming } from '../wasm/warming.js'
import type { ReplyEmission } from './attempts.js'
import type { ReplyJournal } from './continued-reply.js'
import type { ReplyFeed } from './feed.js'
import type { ReplyPosition } from './position.js'
import type { OddEvents } from './problems.js'
import type { ReplyOptions, ReplyReadingOptions } from './options.js'
import type { ReplyReader, ReplyResult } from './reply.js'
import type { ReplySource } from './source.js'

/**
 * How the visible text of a reply is read.
 *
 * @example
 * ```ts
 * import { visibleText, type VisibleTextOptions } from 'tokenweir/blocks'
 *
 * const options: VisibleTextOptions = { stopSequences: ['\nAlice:'], onError: ({ message }) => console.log(message) }
 * for await (const text of visibleText(new Response('Hello.\nAlice: Hi!'), options)) console.log(text) // Hello.
 * ```
 */
export interface VisibleTextOptions<Custom extends Meaning = Role>
  extends BlockStreamOptions<Custom>,
    SourceOptions,
    Pick<
      ReplyOptions,
      | ('onUnknown' | 'onError' | 'transport' | 'provider' | 'format' | 'model' | 'prefill' | 'trimMarkup')
      | ('continues' | 'sent')
    > {
  /**
   * Hears that the stream takes back what came of a step, or of the reply, since it is asked again: `text` is what
   * stays visible of all that came. Without it that is an error (`reset`), if text of it was shown.
   */
  onReset?: ((reset: { text: string }) => void) | undefined
}

/**
 * The visible texts of a reply, and how it ended.
 *
 * @example
 * ```ts
 * import { visibleText, type VisibleText } from 'tokenweir'
 *
 * const text: VisibleText = visibleText(new Response('Hello'))
 * for await (const piece of text) console.log(piece) // Hello
 * console.log((await text.reply.result()).problems) // []
 * ```
 */
export interface VisibleText<Custom extends Meaning = Role> extends AsyncGenerator<string, void, undefined> {
  /** The reply that is read. */
  readonly reply: {
    /**
     * What `readReply` gives: why the reply ended, its thinking and its calls. What the loop has not read is read
     * before; it rejects with the error that has ended the loop.
     */
    result(): Promise<ReplyResult<readonly [], Custom>>
  }
}

/** What was emitted, and whether the reply was cut off there. */
interface Kept {
  emission: BlockEmission
  readonly isCut: boolean
}

const OPTIONS = {
  ...BLOCK_OPTIONS,
  onUnknown: [callback],
  onError: [callback],
  onReset: [callback],
  transport: [elsewhere],
  provider: [elsewhere],
  format: [elsewhere],
  model: [elsewhere],
  prefill: [elsewhere],
  continues: [elsewhere],
  sent: [elsewhere],
  trimMarkup: [flag],
} satisfies OptionTable<Omit<VisibleTextOptions, 'signal'>>

type GivenOptions = ReplyReadingOptions & Pick<VisibleTextOptions, 'onReset'> & { tags?: Tags | undefined }

/** The options by which a program hears of calls. */
const HEARERS = ['onChunk', 'onBlock', 'onMarkup', 'generateId', 'tools'] as const

/**
 * Yields the visible text of a reply, for a reader or a speech server, as soon as it is decided. Thinking, tool calls,
 * results and markup stay out; markup that is quoted in Markdown code is text, unless `fences` is `'parse'`.
 *
 * The source may be what `readReply` takes, such as a `Response`; strings are the model's text, unless the option
 * `transport` says otherwise. Leaving the loop early, an abort of the option `signal` and a stop sequence cancel the
 * source: `return()` of an iterable, `cancel()` of a stream, which closes a connection.
 *
 * @throws TypeError immediately, for an unknown option or an invalid source; from the loop, for a chunk that is neither
 * text nor part of a reply, and what `readReply` rejects with: a `ResponseError`, for one.
 * @throws ParseError `reset`: see `onReset`.
 * @example
 * ```ts
 * import { visibleText } from 'tokenweir/blocks'
 *
 * const response = new Response(
 *   'data: {"choices": [{"index": 0, "delta": {"content": "<think>hm</think>Hello"}}]}\n\n',
 * )
 * for await (const text of visibleText(response)) console.log(text) // Hello
 * ```
 */
export function visibleText<const Custom extends Meaning = Role>(
  source: ReplySource,
  options?: VisibleTextOptions<Custom>,
): VisibleText<Custom> {
  const [given, signal] = withSignal<GivenOptions>('visibleText', options)
  checkOptions('visibleText', given, OPTIONS)
  const { onReset, ...rest } = given ?? {}
  const { onUnknown, onError, transport, provider, format, model, prefill, trimMarkup, continues, sent, ...own } = rest
  // What hears of calls gets them whole.
  const hearsCalls = HEARERS.some((name) => own[name] !== undefined)
  let screen = new Screen(trimMarkup !== false)
  let kept: Kept[] = []
  /** The stream says that what it gave is void. */
  const takeBack = () => {
    const stays = feed?.kept ?? []
    kept = []
    keep(kept, stays, false)
    const before = screen.length
    const [next, text] = screen.reset(stays)
    screen = next
    if (onReset !== undefined) onReset({ text })
    else if (before > text.length)
      throw new ParseError(
        'reset',
        'the stream takes back text that was shown, since a step is asked again: give visibleText the option ' +
          'onReset, which hears what stays',
      )
  }
  const visible = (parsed: Parsed<ReplyEmission>): Parsed<string> => {
    const isLast = parsed instanceof LastEvents
    const emissions = isLast ? parsed.events : parsed
    // The reply before was shown, with the white space at its end.
    const primed = (feed?.takePrimed() ?? []) as readonly BlockEmission[]
    if (primed.length > 0) {
      keep(kept, primed, true)
      screen.read(primed)
      screen.finish()
    }
    const texts: string[] = []
    const read = (some: readonly ReplyEmission[]) => {
      const blocks = some as readonly BlockEmission[]
      // Text that was read alone is read again.
      if (feed !== undefined || hearsCalls) keep(kept, blocks, feed?.isCut === true)
      texts.push(...screen.read(blocks))
    }
    let from = 0
    try {
      for (const [at, { kind }] of emissions.entries()) {
        if (kind !== 'reset') continue
        read(emissions.slice(from, at))
        from = at + 1
        takeBack()
      }
    } catch (error) {
      return new LastEvents(texts, { error })
    }
    read(emissions.slice(from))
    if (isLast) texts.push(...screen.finish())
    return isLast ? new LastEvents(texts, parsed.failure) : texts
  }
  let reading: BlockReading | undefined
  const prefilled = (made: BlockReading) => {
    if (prefill !== undefined) made.push(prefill)
    return made
  }
  const textReading = () => {
    blockBorder.requireReady('visibleText')
    return (reading ??= prefilled(new BlockReading(shownOptions(own))))
  }
  const loadCalls = async () => {
    const [{ typedReading }] = await Promise.all([import('../blocks/typed-reading.js'), loadLater('json')])
    blockBorder.requireReady('visibleText')
    return (reading = prefilled(typedReading(shownOptions(own), {}, 'visibleText')))
  }
  // Only the engine knows which names can be tags.
  if (own.tags !== undefined) {
    blockBorder.requireReady('visibleText')
    tagTable('visibleText', own.tags)
  }
  // Strings are the model's text, unless it is said how they are sent, or what comes first is no string.
  let isSent = transport !== undefined || provider !== undefined
  const isFedText = [format, model, continues, sent].some((option) => option !== undefined)
  let feed: ReplyFeed | undefined
  /** The model's text, if its calls were not read. */
  let said = ''
  const load = async () => {
    const [{ openFeed }, { requireReplyOptions }] = await Promise.all([
      import('./feed.js'),
      import('./options.js'),
      loadLater('json'),
    ])
    return (feed = await openFeed('visibleText', requireReplyOptions('visibleText', rest)))
  }
  const parse = (chunk: unknown): Parsed<string> | Promise<Parsed<string>> => {
    isSent ||= typeof chunk === 'object' && chunk !== null
    const readBy = (feed: ReplyFeed) => visible(isSent ? feed.read(chunk) : feed.text(textOf(chunk)))
    if (feed !== undefined) return readBy(feed)
    if (isSent || isFedText) return load().then(readBy)
    const text = textOf(chunk)
    if (!hearsCalls) said += text
    const read = (reading: BlockReading) => visible(untilStop(reading.processChunk(text).emissions))
    return hearsCalls && reading === undefined ? loadCalls().then(read) : read(textReading())
  }
  const texts = new EventGenerator(
    whileWarming(blockBorder, itemsOf(source)),
    parse,
    (hasFailed) => {
      const last = visible(feed?.finish(hasFailed) ?? textReading().flush().emissions)
      return last instanceof LastEvents ? last : [...last, ...screen.finish()]
    },
    signal,
    true,
  )
  let failure: { readonly error: unknown } | undefined
  const next = texts.next.bind(texts)
  texts.next = () =>
    next().catch((error: unknown) => {
      failure ??= { error }
      throw error
    })
  const result = async () => {
    try {
      while (!(await texts.next()).done);
    } catch {}
    const { readReply, resultOf } = await import('./reply.js')
    if (said !== '' && failure === undefined) {
      const { onChunk, onBlock, onMarkup, generateId, ...again } = rest
      return readReply<readonly [], Custom>(said, {
        ...(again as ReplyOptions<readonly [], Custom>),
        transport: 'text',
      }).result()
    }
    return resultOf<Custom>(replayed(kept, failure), new Replay(feed), { trimMarkup })
  }
  return Object.assign(texts, { reply: { result } })
}

/** Adds emissions; neighbouring text is joined. */
function keep(kept: Kept[], emissions: readonly BlockEmission[], isCut: boolean): void {
  for (const emission of emissions) {
    const last = kept.at(-1)
    if (emission.kind === 'content' && last?.emission.kind === 'content' && last.emission.meta === emission.meta)
      last.emission = { ...emission, text: last.emission.text + emission.text }
    else kept.push({ emission, isCut })
  }
}

function* replayed(kept: readonly Kept[], failure: { readonly error: unknown } | undefined): Generator<Kept> {
  yield* kept
  if (failure !== undefined) throw failure.error
}

/** Gives what was read again. */
class Replay implements ReplyReader {
  isCut = false
  readonly kept = []
  readonly names: ReadonlySet<string>
  readonly finishReason: FinishReason | undefined
  readonly usage: ReplyUsage | undefined
  readonly odd: OddEvents
  readonly provider: ProviderName | undefined
  readonly model: string | undefined
  readonly resume: ReplyPosition | undefined
  readonly rawFinishReason: string | undefined

  constructor(private readonly feed: ReplyFeed | undefined) {
    this.names = feed?.names ?? new Set()
    this.odd = feed?.odd ?? {}
    this.provider = feed?.provider
    this.model = feed?.model
    this.resume = feed?.resume
    this.rawFinishReason = feed?.rawFinishReason
    this.finishReason = feed?.finishReason
    this.usage = feed?.usage
  }

  read(item: unknown): BlockEmission[] {
    const { emission, isCut } = item as Kept
    this.isCut = isCut
    return [emission]
  }

  finish(): BlockEmission[] {
    return []
  }

  typed(toolName: string, args: object): unknown {
    return this.feed?.typed(toolName, args) ?? args
  }

  get journal(): ReplyJournal | undefined {
    return this.feed?.journal
  }

  takePrimed(): [] {
    return []
  }

  message(keep: Keep): object | undefined {
    return this.feed?.message(keep)
  }

  isNative(toolId: string | undefined): boolean {
    return this.feed?.isNative(toolId) === true
  }

  isWaiting(toolId: string): boolean {
    return this.feed?.isWaiting(toolId) === true
  }
}

function textOf(chunk: unknown): string {
  requireString('visibleText', chunk)
  return chunk
}

/** The items of a source; only those of text are here without loading anything. */
function itemsOf(source: ReplySource): AsyncIterable<unknown> | Iterable<unknown> {
  const isText =
    typeof source !== 'object' || source === null || !('then' in source || 'body' in source || 'buffer' in source)
  if (isText) return chunksIn('visibleText', source, REPLY_SOURCES)
  return new LaterItems(async () => (await import('./source.js')).replyItems('visibleText', source))
}

/** What is shown of emissions: without the holes of markup, unless they stay. */
class Screen {
  readonly #shown: ShownText | undefined
  /** How many units were shown. */
  length = 0

  constructor(private readonly trims: boolean) {
    if (trims) this.#shown = new ShownText()
  }

  read(emissions: readonly BlockEmission[]): string[] {
    const shown = this.#shown
    if (shown === undefined) return this.#given(visibleIn(emissions))
    return this.#given(emissions.map((emission) => shown.read(emission)))
  }

  finish(): string[] {
    return this.#given([this.#shown?.finish() ?? ''])
  }

  /** A screen that has only what stays, and its text. */
  reset(kept: readonly BlockEmission[]): readonly [Screen, string] {
    const screen = new Screen(this.trims)
    return [screen, screen.read(kept).join('')]
  }

  #given(texts: string[]): string[] {
    const some = texts.filter((text) => text !== '')
    for (const { length } of some) this.length += length
    return some
  }
}
