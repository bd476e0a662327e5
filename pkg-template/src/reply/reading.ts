// From the model's text or a provider's events to blocks, with what a reply before has left, and without what a stream
// takes back.

import { shownOptions, tagTable } from '../blocks/options.js'
import { typedReading } from '../blocks/typed-reading.js'
import type { BlockEmission } from '../blocks/types.js'
import { TagSet } from '../generated/ops.js'
import type { ReplyUsage } from '../native/ending.js'
import { errorIn } from '../native/provider-error.js'
import { NativeBlocks } from '../native/native-blocks.js'
import { type MakeTextReader, unknownEvent } from '../native/reading.js'
import { WrittenReply } from '../native/written-reply.js'
import type { ProviderName } from '../provider-name.js'
import { type Fields, fieldsOf, jsonOf, stringOf } from '../untrusted.js'
import { blockBorder } from '../wasm/borders.js'
import { Attempts, type ReplyEmission } from './attempts.js'
import { asWritten, journalOf, keptOptions, sumOf } from './continuation.js'
import type { ReplyJournal } from './continued-reply.js'
import { isKeepAlive } from './transport.js'
import type { ReplyReadingOptions } from './options.js'
import { Position } from './position.js'
import type { OddEvents } from './problems.js'
import { ALL, ReplyMessage } from './reply-message.js'
import { ResponseError } from './source.js'
import type { BlockReading } from '../blocks/reading.js'
import { SentAgain } from '../sent-again.js'

/** Reads the text or the events of one reply. */
export class ReplyReading {
  readonly #place: string
  #options: ReplyReadingOptions
  /** What the reply before has left, if this one goes on with it. */
  #before: ReplyJournal | undefined
  /** What reads the reply, once it is known: the model's text, or events. */
  #text: PlainText | undefined
  #blocks: NativeBlocks | undefined
  /** What is written, before its text is read. */
  #continued: WrittenReply | undefined
  /** What the reply before has given: the result has it, too. */
  #primed: readonly ReplyEmission[] = []
  /** Whether something is read that the program has heard of before. */
  #isAgain = false
  readonly #attempts = new Attempts()
  readonly position = new Position()
  message: ReplyMessage
  /** What stays of the blocks, where the last events took back the others. */
  kept: readonly BlockEmission[] = []
  readonly odd: OddEvents = {}
  /** Why nothing more is read: an error of the provider that nobody hears of. */
  failure: { readonly error: unknown } | undefined

  /** `reader` reads the model's text, instead of tags. */
  constructor(
    place: string,
    options: ReplyReadingOptions,
    readonly reader?: MakeTextReader,
  ) {
    this.#place = place
    this.#options = shownOptions(options)
    this.#before = journalOf(place, this.#options)
    this.message = new ReplyMessage(this.#before, this.#options)
  }

  /** What reads events, if any were read. */
  get blocks(): NativeBlocks | undefined {
    return this.#blocks
  }

  /** The tokens of both replies. */
  get usage(): ReplyUsage | undefined {
    const before = this.#before?.events === undefined ? this.#options.continues?.usage : undefined
    return sumOf(before, this.#blocks?.getUsage())
  }

  /** What another reply needs to go on with this one. */
  get journal(): ReplyJournal | undefined {
    const { events } = this.position
    const written = this.#continued?.written ?? this.#text?.said ?? ''
    if (written.length === 0 && events.length === 0) return undefined
    const goesOn = this.#blocks?.getRawFinishReason() !== 'pause_turn'
    const options = keptOptions(this.#options)
    if (events.length > 0) return { written: '', events, goesOn, options }
    const message = this.message.whole(ALL)
    return { written, ...(message && { message }), goesOn, options }
  }

  /** A piece of the model's text. */
  text(text: string): readonly ReplyEmission[] {
    // With a format it is read as a provider's text is; so is what goes on with a provider's reply.
    const isNative = this.reader !== undefined || this.#isAfterEvents
    return isNative ? this.#native.openai(said(text)).emissions : this.#plain.read(text)
  }

  event(event: Fields): readonly ReplyEmission[] {
    this.#compare(event)
    // What goes before it first.
    void this.#native
    if (this.position.wasRead(event)) return []
    const kept = this.#attempts.read(event)
    const reset = kept === undefined ? [] : [this.#takeBack(kept)]
    // It is no event of any provider's content.
    return event['type'] === 'reset-step' ? reset : [...reset, ...this.#emissionsOf(event)]
  }

  /** A reply that was not streamed. */
  whole(reply: Fields): readonly ReplyEmission[] {
    this.#compare(reply)
    this.position.noteToken(reply)
    const { emissions } = this.#native.message(reply)
    this.message.read(reply, this.#blocks?.provider)
    return emissions
  }

  /** The reply is over; `isText`: it was text that simply ended. */
  finish(isText: boolean): readonly ReplyEmission[] {
    const emissions = this.#blocks?.flush(isText ? { reason: 'stop' } : {}).emissions ?? []
    this.message.isThoughtText = this.#continued?.isThoughtText === true
    return [...(this.#text?.finish() ?? []), ...emissions]
  }

  /** Reads the reply before, if nothing has followed it. */
  prime(): void {
    if (this.#before === undefined || this.#blocks !== undefined || this.#text !== undefined) return
    if (this.#isAfterEvents) this.#blocks = this.#native
    else this.#text = this.#plain
  }

  /** What the reply before has given, once. */
  takePrimed(): readonly ReplyEmission[] {
    const primed = this.#primed
    this.#primed = []
    return primed
  }

  /** A reply of another provider, or another response than the one that is read on, goes on with nothing. */
  #compare(event: Fields): void {
    const { provider, continues } = this.#options
    if (this.#before === undefined || this.#blocks !== undefined) return
    // An error, and what keeps the connection open, is nobody's.
    const type = stringOf(event['type'])
    if (errorIn(event) !== undefined || (type !== '' && isKeepAlive(type))) return
    const { provider: from, resume } = continues ?? {}
    const id = type === 'response.created' ? fieldsOf(event['response'])?.['id'] : undefined
    const isOther = from !== undefined && chatOf(provider ?? recognized(event) ?? from) !== chatOf(from)
    if (!isOther && (id === undefined || resume?.id === undefined || id === resume.id)) return
    this.odd.other = event
    this.#before = undefined
    this.#options = { ...this.#options, continues: undefined, sent: undefined }
    this.message = new ReplyMessage(undefined, this.#options)
  }

  get #isAfterEvents(): boolean {
    return this.#before !== undefined && (this.#before.events !== undefined || typeof this.#before.written !== 'string')
  }

  #emissionsOf(event: Fields): readonly ReplyEmission[] {
    const { emissions } = this.#native[this.#options.provider ?? 'event'](event)
    this.message.read(event, this.#blocks?.provider)
    this.position.keep(event)
    return emissions
  }

  /** Reads again what stays: nobody hears of it but the result. */
  #takeBack(events: readonly Fields[]): ReplyEmission {
    this.#blocks = undefined
    this.message.forget()
    this.position.forget()
    const emissions = this.#silently(() => events.flatMap((event) => this.#emissionsOf(event)))
    this.kept = [...this.takePrimed(), ...emissions] as readonly BlockEmission[]
    const isEnd = (emission: BlockEmission) =>
      emission.kind === 'blockEvent' && emission.event.event === 'block_complete'
    const ends = this.kept.filter(isEnd)
    return { kind: 'reset', blocks: ends.length }
  }

  get #native(): NativeBlocks {
    if (this.#blocks !== undefined) return this.#blocks
    const blocks = (this.#blocks = this.#makeBlocks())
    const before = this.#before
    if (before !== undefined) this.#primed = this.#silently(() => this.#goOn(blocks, before))
    return blocks
  }

  /** Reads what the reply before has left. */
  #goOn(blocks: NativeBlocks, { events, written, goesOn }: ReplyJournal): readonly ReplyEmission[] {
    if (events !== undefined)
      return (events as readonly Fields[]).flatMap((event) =>
        this.position.wasRead(event) ? [] : this.#emissionsOf(event),
      )
    const { sent, provider, continues } = this.#options
    const from = provider ?? continues?.provider
    const how = { sent, trims: from === 'anthropic', repeats: from === 'mistral' }
    return blocks.goOn(() => this.#continued?.goOn({ written: asWritten(written), goesOn, ...how })).emissions
  }

  /** Reads what the program has heard of before. */
  #silently<Result>(read: () => Result): Result {
    this.#isAgain = true
    try {
      return read()
    } finally {
      this.#isAgain = false
    }
  }

  get #plain(): PlainText {
    return (this.#text ??= this.#makeText())
  }

  #makeText(): PlainText {
    blockBorder.requireReady(this.#place)
    const { tags, prefill = '', onChunk, onBlock, ...options } = this.#options
    const set = tags === false ? TagSet.Empty : TagSet.Default
    const names = tagTable(this.#place, typeof tags === 'object' ? tags : undefined, set)
    const heard = { onChunk: this.#heard(onChunk), onBlock: this.#heard(onBlock) }
    const reading = typedReading({ ...options, ...heard }, { names })
    if (prefill !== '') reading.push(prefill)
    const before = this.#before?.written
    const text = this.#silently(() => new PlainText(reading, typeof before === 'string' ? before : ''))
    this.#primed = text.primed
    return text
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
          this.odd.unknown ??= event
          if (onUnknown !== undefined) onUnknown(event)
          // What comes among events that are known is ignored, as by `NativeBlocks`.
          else if (provider === undefined ? blocks.provider === undefined : blocks.isForeign(event))
            throw unknownEvent(this.#place, event as Fields)
        },
        onError: (error) => {
          if (onError !== undefined) onError(error)
          else this.failure ??= { error: new ResponseError(undefined, jsonOf(error.raw), error) }
        },
      },
      this.#place,
      { tools, trimParameters, prefill, continued: (sink) => (this.#continued = new WrittenReply(sink)) },
      this.reader,
    )
    return blocks
  }
}

/** The provider that an event, or a whole reply, is recognized as. */
function recognized(event: Fields): ProviderName | undefined {
  const blocks = new NativeBlocks({ onUnknown() {} })
  blocks.event(event)
  return blocks.provider
}

/** Mistral's chunks are those of OpenAI, as which they are recognized. */
const chatOf = (provider: ProviderName) => (provider === 'mistral' ? 'openai' : provider)

/** A piece of text as a provider sends it. */
const said = (content: string) => ({ choices: [{ index: 0, delta: { content } }] })

/** Reads the text of a reply, and of the one before it. */
class PlainText {
  /** All that was said. */
  said: string
  /** What the reply before has given. */
  readonly primed: readonly BlockEmission[]
  readonly #again: SentAgain

  constructor(
    private readonly reading: BlockReading,
    before: string,
  ) {
    this.said = before
    this.#again = new SentAgain(before, false)
    this.primed = before === '' ? [] : reading.processChunk(before).emissions
  }

  read(text: string): readonly BlockEmission[] {
    return this.#add(this.#again.read(text))
  }

  finish(): readonly BlockEmission[] {
    return [...this.#add(this.#again.finish()), ...this.reading.flush().emissions]
  }

  #add(text: string): readonly BlockEmission[] {
    this.said += text
    return text === '' ? [] : this.reading.processChunk(text).emissions
  }
}
