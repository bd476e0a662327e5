// From what a source gives to blocks: bytes, text or events, whatever they turn out to be.

import type { BlockReading } from '../blocks/reading.js'
import { typedReading } from '../blocks/typed-reading.js'
import { shownOptions, tagTable } from '../blocks/options.js'
import { untilStop } from '../blocks/stop-sequences.js'
import type { BlockEmission } from '../blocks/types.js'
import { ParseError, describe } from '../errors.js'
import { LastEvents, type Parsed } from '../parsed.js'
import { Coercion, typed } from '../schema/coercion.js'
import { readTools } from '../schema/tool-list.js'
import { TagSet } from '../generated/ops.js'
import { type FinishReason, endedByItself } from '../finish-reason.js'
import type { ReplyUsage } from '../native/ending.js'
import { NativeBlocks } from '../native/native-blocks.js'
import { MESSAGES, asReply } from '../native/message/drafts.js'
import type { Keep, MessageDraft } from '../native/message/draft.js'
import type { ProviderName } from '../provider-name.js'
import { type MakeTextReader, unknownEvent } from '../native/reading.js'
import { type Fields, fieldsOf, jsonOf, stringOf } from '../untrusted.js'
import { blockBorder } from '../wasm/borders.js'
import { loadLater } from '../wasm/start.js'
import { Journal } from '../native/journal.js'
import { SentAgain } from '../sent-again.js'
import { Attempts, type ReplyEmission } from './attempts.js'
import { asWritten, isSamePlace, joinedMessages, journalOf, keptOptions, sumOf, withoutSpace } from './continuation.js'
import type { ReplyJournal } from './continued-reply.js'
import { type EventDecoder, type SentEvent, eventDecoder } from './events.js'
import { TransportFront, type Transport } from './transport.js'
import type { ReplyReadingOptions } from './options.js'
import { ResponseError } from './response-error.js'
import { isBytes, isResponse } from './source.js'
import { warnOfModel } from './unknown-model.js'

/** Begins to read a reply, and loads what reads its format, if it has one. @throws TypeError for an unknown format */
export async function openFeed(place: string, options: ReplyReadingOptions): Promise<ReplyFeed> {
  const { format, model } = options
  if (format === undefined && model === undefined) return new ReplyFeed(place, options)
  const found = format ?? (await import('../formats/find-id.js')).formatIdFor(model as string)
  if (found === undefined) {
    warnOfModel(place, model as NonNullable<typeof model>)
    return new ReplyFeed(place, options)
  }
  const [{ formatText }] = await Promise.all([import('./format-text.js'), loadLater('tool-calls')])
  return new ReplyFeed(place, options, formatText(place, found, shownOptions(options)))
}

/**
 * Where a reply that broke off can be read on.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyPosition } from 'tokenweir/reply'
 *
 * const { resume } = await readReply([
 *   { type: 'response.created', sequence_number: 0, response: { id: 'resp_1', output: [] } },
 *   { type: 'response.output_text.delta', sequence_number: 1, output_index: 0, content_index: 0, delta: 'Hel' },
 * ]).result()
 * const position: ReplyPosition | undefined = resume
 * console.log(position) // { id: 'resp_1', after: 1 }
 * ```
 */
export interface ReplyPosition {
  /** The id of the response, where the API has one to ask by: OpenAI's Responses. */
  readonly id?: string
  /** The last event that was read: its number, or the `id` of a server-sent event. */
  readonly after?: string | number
}

/** Reads one reply, and gives its blocks. */
export class ReplyFeed {
  readonly #place: string
  readonly #options: ReplyReadingOptions
  readonly #decoder = new TextDecoder()
  #front = new TransportFront()
  /** What reads the transport, once that is known. */
  #input: EventDecoder | 'text' | undefined
  /** What reads the reply, once it is known: the model's text, or events. */
  #text: BlockReading | undefined
  #blocks: NativeBlocks | undefined
  /** The assistant's message, from its events. */
  #message: MessageDraft | undefined
  /** Whose events were read. */
  provider: ProviderName | undefined
  /** What the item gave so far. */
  #out: ReplyEmission[] = []
  readonly #attempts = new Attempts()
  /** What the reply before has written, if this one goes on with it, and what is written now. */
  readonly #before: ReplyJournal | undefined
  #journal: Journal | undefined
  /** The events of a response that can be read on. */
  #events: Fields[] = []
  /** The model's text, if it comes as it is. */
  #said = ''
  #again: SentAgain | undefined
  /** What the reply before has given: the result has it, too. */
  #primed: readonly ReplyEmission[] = []
  /** What stays of the blocks, where the last events took back the others. */
  kept: readonly BlockEmission[] = []
  /** Whether events are read that the program has heard of before. */
  #isAgain = false
  /** Where a program can go on reading: the id of a response, and of the last event that was read. */
  #responseId: string | undefined
  #lastId: string | number | undefined
  #hasEnded = false
  /** Whether the model's text comes as it is: its end is that of the reply. */
  #isText = false
  /** Of the tools that were given. */
  readonly #coercions = new Map<string, () => Coercion>()
  /** What was not understood first, and whether anything was. */
  unknown: object | undefined
  #hasBegun = false
  /** Why nothing more is read. */
  #failure: { readonly error: unknown } | undefined

  /** `reader` reads the model's text, instead of tags. */
  constructor(
    place: string,
    options: ReplyReadingOptions,
    readonly reader?: MakeTextReader,
  ) {
    this.#place = place
    this.#options = shownOptions(options)
    this.#before = journalOf(place, this.#options)
    readTools(`${place}: tools`, options.tools ?? [], (tool) => {
      let made: Coercion | undefined
      this.#coercions.set(tool.name, () => (made ??= new Coercion(tool.schema ?? true, { guesses: false })))
    })
  }

  /** The names of the tools that were given. */
  get names(): ReadonlySet<string> {
    return new Set(this.#coercions.keys())
  }

  /** The arguments of a call with the types of its tool's schema. */
  typed(toolName: string, args: object): unknown {
    const coercion = this.#coercions.get(toolName)?.()
    return coercion === undefined ? args : typed(coercion, args, coercion.root)
  }

  /** Reads a piece of the model's text, whatever it looks like. */
  text(chunk: string): Parsed<ReplyEmission> {
    return this.#parsed(() => this.#readText(chunk))
  }

  /** Reads an item of a source. An error comes after the emissions before it. */
  read(item: unknown): Parsed<ReplyEmission> {
    return this.#parsed(() => {
      if (typeof item === 'string') this.#read(item)
      else if (isBytes(item)) this.#read(this.#decoder.decode(item, { stream: true }))
      else if (isResponse(item)) {
        this.#front = new TransportFront(item.headers.get('content-type')?.trim().toLowerCase())
        this.#front.isEmpty = true
      } else this.#readEvent(objectOf(this.#place, item))
    })
  }

  /** The end of the source, or its failure: text that simply ended is whole. */
  finish(hasFailed: boolean): Parsed<ReplyEmission> {
    return this.#parsed(() => {
      this.#isText &&= !hasFailed
      if (this.#before !== undefined) this.#prime(this.#before)
      this.#read(this.#decoder.decode())
      if (this.#front.isEmpty)
        throw new ParseError('malformed-reply', 'the response is empty: its server has sent no body, or closed it')
      if (this.#input === undefined && this.#front.text !== '') this.#begin(this.#front.finish())
      if (typeof this.#input === 'object') this.#readAll(this.#input.finish())
      this.#flush()
      const isEmpty = !this.#hasBegun && this.#out.length === 0 && this.finishReason === undefined
      if (isEmpty && this.usage === undefined && this.unknown !== undefined)
        throw new ParseError('malformed-reply', `nothing of the reply was understood, such as ${jsonOf(this.unknown)}`)
    })
  }

  /** Why the reply ended, if that is known. */
  get finishReason(): FinishReason | undefined {
    return this.#blocks?.getFinishReason()
  }

  /** Whether what ends now was cut off: the source has ended, or the provider says so. */
  get isCut(): boolean {
    return this.#hasEnded || !endedByItself(this.finishReason)
  }

  /** Whether a call came as an event, not in the text. */
  isNative(toolId: string | undefined): boolean {
    return toolId !== undefined && this.#blocks?.nativeCalls.has(toolId) === true
  }

  /** The assistant's message as its provider takes it back; undefined of plain text. */
  message(keep: Keep): object | undefined {
    const message = this.#wholeMessage(keep)
    return message !== undefined && this.provider === 'anthropic' && this.isCut ? withoutSpace(message) : message
  }

  #wholeMessage(keep: Keep): object | undefined {
    const before = this.#before
    if (before?.message === undefined || before.events !== undefined) return this.#message?.finish(keep)
    const provider = this.provider ?? this.#options.continues?.provider
    const next = this.#message?.finish(ALL)
    if (provider === undefined || provider !== this.#options.continues?.provider) return this.#message?.finish(keep)
    const trims = this.#options.sent !== undefined || provider === 'anthropic'
    const joined = next === undefined ? before.message : joinedMessages(before.message, next, before.goesOn, trims)
    const draft = new MESSAGES[provider]()
    draft.read(asReply(provider, joined))
    return draft.finish(keep)
  }

  /** Where to go on reading, if the provider has said it. */
  get resume(): ReplyPosition | undefined {
    const [id, after] = [this.#responseId, this.#lastId]
    return id === undefined && after === undefined
      ? undefined
      : { ...(id !== undefined && { id }), ...(after !== undefined && { after }) }
  }

  /** The provider's own word for why the reply ended. */
  get rawFinishReason(): string | undefined {
    return this.#blocks?.getRawFinishReason()
  }

  /** The tokens that the provider reported. */
  get usage(): ReplyUsage | undefined {
    const before = this.#before?.events === undefined ? this.#options.continues?.usage : undefined
    return sumOf(before, this.#blocks?.getUsage())
  }

  #parsed(read: () => void): Parsed<ReplyEmission> {
    try {
      read()
      if (this.#failure !== undefined) this.#flush()
    } catch (error) {
      this.#failure = { error }
      this.#flush()
    }
    const emissions = this.#out
    this.#hasBegun ||= emissions.length > 0
    this.#out = []
    return this.#failure === undefined ? untilStop(emissions) : new LastEvents(emissions, this.#failure)
  }

  #read(chunk: string): void {
    if (chunk === '') return
    this.#front.isEmpty = false
    if (this.#input !== undefined) return this.#readIn(this.#input, chunk)
    const found = this.#front.read(chunk)
    const transport = this.#options.transport ?? found
    if (transport !== undefined) this.#begin(transport)
  }

  /** The transport is known. */
  #begin(transport: Transport): void {
    const { text } = this.#front
    this.#front = new TransportFront()
    this.#input = transport === 'text' ? transport : eventDecoder(transport, 'reply')
    this.#readIn(this.#input, text)
  }

  #readIn(input: EventDecoder | 'text', text: string): void {
    if (input === 'text') this.#readText(text)
    else this.#readAll(input.read(text))
  }

  #readText(text: string): void {
    this.#isText = true
    // With a format it is read as a provider's text is; so is what goes on with a provider's reply.
    if (this.reader !== undefined || typeof (this.#before?.written ?? '') !== 'string')
      return void this.#out.push(...this.#native.openai(said(text)).emissions)
    this.#text ??= this.#makeText()
    const isNew = this.#again?.read(text) ?? text
    this.#said += isNew
    if (isNew !== '') this.#out.push(...this.#text.processChunk(isNew).emissions)
  }

  #readAll(events: Iterable<SentEvent>): void {
    for (const { event, isWhole, isEnd, isIgnored, fault, id } of events) {
      if (id !== undefined && typeof this.#lastId !== 'number') this.#lastId = id
      if (isIgnored === true) this.#options.onUnknown?.(event as Fields)
      else if (fault !== undefined) this.#requireEnded(fault)
      else if (isEnd === true) this.#out.push(...(this.#blocks?.declareEnd().emissions ?? []))
      else if (typeof event === 'string') this.#readText(event)
      else if (isWhole === true) {
        this.#out.push(...this.#native.message(event).emissions)
        this.#draft(event)
      } else this.#readEvent(event)
      if (this.#failure !== undefined) return
    }
  }

  #requireEnded(fault: ParseError): void {
    if (this.finishReason === undefined) throw fault
  }

  #readEvent(event: Fields): void {
    // What goes before it first.
    void this.#native
    if (this.#wasRead(event)) return
    const kept = this.#attempts.read(event)
    if (kept !== undefined) this.#takeBack(kept)
    // It is no event of any provider's content.
    if (event['type'] === 'reset-step') return
    this.#out.push(...this.#emissionsOf(event))
  }

  #emissionsOf(event: Fields): readonly ReplyEmission[] {
    const { emissions } = this.#native[this.#options.provider ?? 'event'](event)
    this.#draft(event)
    if (typeof event['sequence_number'] === 'number') this.#keepEvent(event)
    return emissions
  }

  /** Keeps an event of a response that can be read on; deltas that go on are one. */
  #keepEvent(event: Fields): void {
    const last = this.#events.at(-1)
    if (last !== undefined && isSamePlace(last, event))
      this.#events[this.#events.length - 1] = { ...event, delta: stringOf(last['delta']) + stringOf(event['delta']) }
    else this.#events.push(event)
  }

  /** Reads again what stays: nobody hears of it but the result. */
  #takeBack(events: readonly Fields[]): void {
    this.#blocks = this.#message = undefined
    this.#silently(() => {
      this.#events = []
      const emissions = events.flatMap((event) => this.#emissionsOf(event))
      this.kept = [...this.takePrimed(), ...emissions] as readonly BlockEmission[]
    })
    const ends = this.kept.filter(
      (emission) => emission.kind === 'blockEvent' && emission.event.event === 'block_complete',
    )
    this.#out.push({ kind: 'reset', blocks: ends.length })
  }

  /** Whether an event of a response with numbers was read before: a server that is asked again may begin earlier. */
  #wasRead({ type, response, sequence_number: number }: Fields): boolean {
    const id = type === 'response.created' ? stringOf(fieldsOf(response)?.['id']) : ''
    if (id !== '' && id !== this.#responseId) {
      this.#responseId = id
      this.#lastId = undefined
    }
    if (typeof number !== 'number') return false
    if (typeof this.#lastId === 'number' && number <= this.#lastId) return true
    this.#lastId = number
    return false
  }

  #draft(event: Fields): void {
    this.provider ??= this.#options.provider ?? this.#blocks?.provider
    if (this.provider !== undefined) (this.#message ??= new MESSAGES[this.provider]()).read(event)
  }

  get #native(): NativeBlocks {
    if (this.#blocks !== undefined) return this.#blocks
    const blocks = (this.#blocks = this.#makeBlocks())
    const before = this.#before
    if (before?.events !== undefined)
      this.#silently(() => {
        const events = before.events as readonly Fields[]
        this.#primed = events.flatMap((event) => (this.#wasRead(event) ? [] : this.#emissionsOf(event)))
      })
    else if (before !== undefined) {
      const { sent, provider, continues } = this.#options
      const from = provider ?? continues?.provider
      const { goesOn } = before
      const how = { sent, trims: from === 'anthropic', repeats: from === 'mistral' }
      const goOn = () => this.#journal?.goOn({ written: asWritten(before.written), goesOn, ...how })
      this.#silently(() => (this.#primed = blocks.goOn(goOn).emissions))
    }
    return blocks
  }

  /** Reads the reply before, if nothing has followed it. */
  #prime({ written }: ReplyJournal): void {
    if (this.#blocks !== undefined || this.#text !== undefined) return
    if (typeof written === 'string') this.#text = this.#makeText()
    else this.#blocks = this.#native
  }

  /** Reads what the program has heard of before. */
  #silently(read: () => void): void {
    this.#isAgain = true
    try {
      read()
    } finally {
      this.#isAgain = false
    }
  }

  /** What the reply before has given, once. */
  takePrimed(): readonly ReplyEmission[] {
    const primed = this.#primed
    this.#primed = []
    return primed
  }

  /** What another reply needs to go on with this one. */
  get journal(): ReplyJournal | undefined {
    const written = this.#journal?.written ?? this.#said
    if (written.length === 0 && this.#events.length === 0) return undefined
    const message = this.#events.length > 0 ? undefined : this.#wholeMessage(ALL)
    return {
      ...(this.#events.length > 0 ? { written: '', events: this.#events } : { written }),
      ...(message && { message }),
      ...{ goesOn: this.rawFinishReason !== 'pause_turn', options: keptOptions(this.#options) },
    }
  }

  #flush(): void {
    this.#hasEnded = true
    const held = this.#again?.finish() ?? ''
    this.#said += held
    this.#out.push(
      ...(held === '' ? [] : (this.#text?.processChunk(held).emissions ?? [])),
      ...(this.#text?.flush().emissions ?? []),
      ...(this.#blocks?.flush(this.#isText ? { reason: 'stop' } : {}).emissions ?? []),
    )
  }

  #makeText(): BlockReading {
    blockBorder.requireReady(this.#place)
    const { tags, prefill = '', ...options } = this.#options
    const set = tags === false ? TagSet.Empty : TagSet.Default
    const names = tagTable(this.#place, typeof tags === 'object' ? tags : undefined, set)
    const reading = typedReading(options, { names })
    if (prefill !== '') reading.push(prefill)
    const before = this.#before?.written
    if (typeof before === 'string') {
      this.#said = before
      this.#again = new SentAgain(before, false)
      this.#silently(() => (this.#primed = reading.processChunk(before).emissions))
    }
    return reading
  }

  /** A callback that does not hear of what is read again. */
  #heard<Args extends unknown[]>(callback: ((...args: Args) => void) | undefined) {
    return callback && ((...args: Args) => (this.#isAgain ? undefined : callback(...args)))
  }

  #makeBlocks(): NativeBlocks {
    const {
      onChunk,
      onBlock,
      generateId,
      tags = true,
      startWithThinking,
      unopenedThinking,
      fences,
      stopSequences,
      stopIn,
    } = this.#options
    const { onUnknown, onError, provider, tools, trimParameters, prefill } = this.#options
    const blocks: NativeBlocks = new NativeBlocks(
      {
        ...{
          onChunk: this.#heard(onChunk),
          onBlock: this.#heard(onBlock),
          tags,
          startWithThinking,
          unopenedThinking,
          fences,
          stopSequences,
          stopIn,
        },
        generateId: generateId && (() => generateId({ name: undefined, offset: 0 })),
        onUnknown: (event) => {
          if (this.#isAgain) return
          this.unknown ??= event
          if (onUnknown !== undefined) onUnknown(event)
          // What comes among events that are known is ignored, as by `NativeBlocks`.
          else if (provider === undefined ? blocks.provider === undefined : blocks.isForeign(event))
            throw unknownEvent(this.#place, event as Fields)
        },
        onError: (error) => {
          if (onError !== undefined) onError(error)
          else this.#failure ??= { error: new ResponseError(undefined, jsonOf(error.raw), error) }
        },
      },
      this.#place,
      { tools, trimParameters, prefill, journal: (sink) => (this.#journal = new Journal(sink)) },
      this.reader,
    )
    return blocks
  }
}

/** Keeps all calls of a message. */
const ALL: Keep = ({ id, input }) => ({ id, input })

/** A piece of text as a provider sends it. */
const said = (content: string) => ({ choices: [{ index: 0, delta: { content } }] })

function objectOf(place: string, item: unknown): Fields {
  const fields = fieldsOf(item)
  if (fields === undefined)
    throw new TypeError(`${place} reads text, bytes and events, but its source gave ${describe(item)}`)
  return fields
}
