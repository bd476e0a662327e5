// From what a source gives to blocks: bytes, text or events, whatever they turn out to be.

import { shownOptions } from '../blocks/options.js'
import { untilStop } from '../blocks/stop-sequences.js'
import type { BlockEmission } from '../blocks/types.js'
import { ParseError, describe } from '../errors.js'
import { type FinishReason, endedByItself } from '../finish-reason.js'
import type { ReplyUsage } from '../native/ending.js'
import type { Keep } from '../native/provider.js'
import type { MakeTextReader } from '../native/reading.js'
import { LastEvents, type Parsed } from '../parsed.js'
import type { ProviderName } from '../provider-name.js'
import { Coercion, typed } from '../schema/coercion.js'
import { readTools } from '../schema/tool-list.js'
import { type Fields, fieldsOf, jsonOf } from '../untrusted.js'
import { loadLater } from '../wasm/start.js'
import type { ReplyEmission } from './attempts.js'
import type { ReplyJournal } from './continued-reply.js'
import { type EventDecoder, type SentEvent, eventDecoder } from './events.js'
import type { ReplyReadingOptions } from './options.js'
import type { ReplyPosition } from './position.js'
import type { OddEvents } from './problems.js'
import { ReplyReading } from './reading.js'
import { isBytes, isResponse } from './source.js'
import { type Transport, TransportFront } from './transport.js'

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

/** Reads one reply, and gives its blocks. */
export class ReplyFeed {
  readonly #place: string
  readonly #options: ReplyReadingOptions
  readonly #decoder = new TextDecoder()
  #front = new TransportFront()
  /** What reads the transport, once that is known. */
  #input: EventDecoder | 'text' | undefined
  /** What reads the reply. */
  readonly #reading: ReplyReading
  /** What the item gave so far. */
  #out: ReplyEmission[] = []
  #hasEnded = false
  /** Whether the model's text comes as it is: its end is that of the reply. */
  #isText = false
  /** Of the tools that were given. */
  readonly #coercions = new Map<string, () => Coercion>()
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
    this.#options = options
    this.#reading = new ReplyReading(place, options, reader)
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
      } else this.#out.push(...this.#reading.event(objectOf(this.#place, item)))
    })
  }

  /** The end of the source, or its failure: text that simply ended is whole. */
  finish(hasFailed: boolean): Parsed<ReplyEmission> {
    return this.#parsed(() => {
      this.#isText &&= !hasFailed
      this.#reading.prime()
      this.#read(this.#decoder.decode())
      if (this.#front.isEmpty)
        throw new ParseError('malformed-reply', 'the response is empty: its server has sent no body, or closed it')
      if (this.#input === undefined && this.#front.text !== '') this.#begin(this.#front.finish())
      if (typeof this.#input === 'object') this.#readAll(this.#input.finish())
      this.#flush()
      const isEmpty = !this.#hasBegun && this.#out.length === 0 && this.finishReason === undefined
      if (isEmpty && this.usage === undefined && this.odd.unknown !== undefined)
        throw new ParseError(
          'malformed-reply',
          `nothing of the reply was understood, such as ${jsonOf(this.odd.unknown)}`,
        )
    })
  }

  /** Why the reply ended, if that is known. */
  get finishReason(): FinishReason | undefined {
    return this.#reading.blocks?.getFinishReason()
  }

  /** Whether what ends now was cut off: the source has ended, or the provider says so. */
  get isCut(): boolean {
    return this.#hasEnded || !endedByItself(this.finishReason)
  }

  /** Whether a call came as an event, not in the text. */
  isNative(toolId: string | undefined): boolean {
    return toolId !== undefined && this.#reading.blocks?.calls.toRun.has(toolId) === true
  }

  /** Whether a call waits for a person's answer. */
  isWaiting(toolId: string): boolean {
    return this.#reading.blocks?.calls.waiting.has(toolId) === true
  }

  /** Whose events were read. */
  get provider(): ProviderName | undefined {
    return this.#reading.message.provider
  }

  /** The model that answers, if the provider has said it. */
  get model(): string | undefined {
    return this.#reading.message.model
  }

  /** The assistant's message as its provider takes it back; undefined of plain text. */
  message(keep: Keep): object | undefined {
    return this.#reading.message.finish(keep, this.isCut)
  }

  /** Where to go on reading, if the provider has said it. */
  get resume(): ReplyPosition | undefined {
    return this.#reading.position.resume
  }

  /** What another reply needs to go on with this one. */
  get journal(): ReplyJournal | undefined {
    return this.#reading.journal
  }

  /** What stays of the blocks, where the last events took back the others. */
  get kept(): readonly BlockEmission[] {
    return this.#reading.kept
  }

  /** What the reply before has given, once. */
  takePrimed(): readonly ReplyEmission[] {
    return this.#reading.takePrimed()
  }

  /** What is said of the reply in its problems. */
  get odd(): OddEvents {
    return this.#reading.odd
  }

  /** The provider's own word for why the reply ended. */
  get rawFinishReason(): string | undefined {
    return this.#reading.blocks?.getRawFinishReason()
  }

  /** The tokens that the provider reported. */
  get usage(): ReplyUsage | undefined {
    return this.#reading.usage
  }

  #parsed(read: () => void): Parsed<ReplyEmission> {
    try {
      read()
      this.#failure ??= this.#reading.failure
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
    this.#out.push(...this.#reading.text(text))
  }

  #readAll(events: Iterable<SentEvent>): void {
    for (const { event, isWhole, isEnd, isIgnored, fault, id } of events) {
      if (id !== undefined) this.#reading.position.note(id)
      if (isIgnored === true) this.#options.onUnknown?.(event as Fields)
      else if (fault !== undefined) this.#requireEnded(fault)
      else if (isEnd === true) this.#out.push(...(this.#reading.blocks?.declareEnd().emissions ?? []))
      else if (typeof event === 'string') this.#readText(event)
      else this.#out.push(...this.#reading[isWhole === true ? 'whole' : 'event'](event))
      if (this.#reading.failure !== undefined) return
    }
  }

  #requireEnded(fault: ParseError): void {
    if (this.finishReason === undefined) throw fault
  }

  #flush(): void {
    this.#hasEnded = true
    this.#out.push(...this.#reading.finish(this.#isText))
  }
}

function objectOf(place: string, item: unknown): Fields {
  const fields = fieldsOf(item)
  if (fields === undefined)
    throw new TypeError(`${place} reads text, bytes and events, but its source gave ${describe(item)}`)
  return fields
}

/** Names of models whose servers read what they write, so that nothing is missing. */
const HOSTED = /^(?:.*[/.])?(?:gpt-\d|chatgpt|o\d|claude|gemini|grok|nova-)/i

/** The models that were warned of. Names that a program makes must not pile up. */
const given = new Set<string>()
const MOST_GIVEN = 256

/** Warns once of a model. */
export function warnOfModel(place: string, model: string | { readonly chatTemplate: string }): void {
  const name = typeof model === 'string' ? JSON.stringify(model) : 'with this chat template'
  if (given.has(name) || given.size >= MOST_GIVEN || (typeof model === 'string' && HOSTED.test(model))) return
  given.add(name)
  console.warn(
    `tokenweir: ${place}: no format is known for the model ${name}, so only the usual tags are read, and markers of ` +
      `its own would show; give its format, or leave model out`,
  )
}
