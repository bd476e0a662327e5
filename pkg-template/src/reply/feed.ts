// From what a source gives to blocks: bytes, text or events, whatever they turn out to be.

import type { BlockReading } from '../blocks/reading.js'
import { typedReading } from '../blocks/typed-reading.js'
import { shownOptions, tagTable } from '../blocks/options.js'
import { untilStop } from '../blocks/stop-sequences.js'
import type { BlockEmission } from '../blocks/types.js'
import { describe } from '../errors.js'
import { LastEvents, type Parsed } from '../parsed.js'
import { TagSet } from '../generated/ops.js'
import type { FinishReason, ReplyUsage } from '../native/ending.js'
import { NativeBlocks } from '../native/native-blocks.js'
import { unknownEvent } from '../native/reading.js'
import { type Fields, fieldsOf, jsonOf } from '../untrusted.js'
import { blockBorder } from '../wasm/borders.js'
import { type EventDecoder, type SentEvent, eventDecoder } from './events.js'
import { FormatFront, type ReplyFormat } from './format.js'
import type { ReplyReadingOptions } from './options.js'
import { ResponseError } from './response-error.js'
import { isBytes, isResponse } from './source.js'

/** Reads one reply, and gives its blocks. */
export class ReplyFeed {
  readonly #place: string
  readonly #options: ReplyReadingOptions
  readonly #decoder = new TextDecoder()
  #front = new FormatFront()
  #format: ReplyFormat | undefined
  /** What reads the reply, once it is known: the model's text, or events. */
  #text: BlockReading | undefined
  #blocks: NativeBlocks | undefined
  #events: EventDecoder | undefined
  /** What the item gave so far. */
  #out: BlockEmission[] = []
  /** Why nothing more is read. */
  #failure: { readonly error: unknown } | undefined

  constructor(place: string, options: ReplyReadingOptions) {
    this.#place = place
    this.#options = shownOptions(options)
  }

  /** Reads an item of a source. An error comes after the emissions before it. */
  read(item: unknown): Parsed<BlockEmission> {
    return this.#parsed(() => {
      if (typeof item === 'string') this.#read(item)
      else if (isBytes(item)) this.#read(this.#decoder.decode(item, { stream: true }))
      else if (isResponse(item)) this.#front = new FormatFront(item.headers.get('content-type')?.trim().toLowerCase())
      else this.#readEvent(objectOf(this.#place, item))
    })
  }

  /** The end of the source. */
  finish(): Parsed<BlockEmission> {
    return this.#parsed(() => {
      this.#read(this.#decoder.decode())
      if (this.#events === undefined && this.#front.text !== '') this.#begin(this.#front.finish())
      this.#readAll(this.#events?.finish() ?? [])
      this.#flush()
    })
  }

  /** Why the reply ended, if that is known. */
  get finishReason(): FinishReason | undefined {
    return this.#blocks?.getFinishReason()
  }

  /** The tokens that the provider reported. */
  get usage(): ReplyUsage | undefined {
    return this.#blocks?.getUsage()
  }

  #parsed(read: () => void): Parsed<BlockEmission> {
    try {
      read()
      if (this.#failure !== undefined) this.#flush()
    } catch (error) {
      this.#failure = { error }
      this.#flush()
    }
    const emissions = this.#out
    this.#out = []
    return this.#failure === undefined ? untilStop(emissions) : new LastEvents(emissions, this.#failure)
  }

  #read(chunk: string): void {
    if (chunk === '') return
    this.#format ??= this.#options.format
    if (this.#format !== undefined) return this.#readIn(this.#format, chunk)
    const format = this.#front.read(chunk)
    if (format !== undefined) this.#begin(format)
  }

  /** The format is known. */
  #begin(format: ReplyFormat): void {
    const { text } = this.#front
    this.#front = new FormatFront()
    this.#format = format
    this.#readIn(format, text)
  }

  #readIn(format: ReplyFormat, text: string): void {
    if (format === 'raw') this.#readText(text)
    else this.#readAll((this.#events ??= eventDecoder(format, 'reply')).read(text))
  }

  #readText(text: string): void {
    this.#text ??= this.#makeText()
    this.#out.push(...this.#text.processChunk(text).emissions)
  }

  #readAll(events: Iterable<SentEvent>): void {
    for (const { event, isWhole, isEnd } of events) {
      if (isEnd === true) this.#out.push(...(this.#blocks?.declareEnd().emissions ?? []))
      else if (typeof event === 'string') this.#readText(event)
      else if (isWhole === true) this.#out.push(...this.#native.message(event).emissions)
      else this.#readEvent(event)
      if (this.#failure !== undefined) return
    }
  }

  #readEvent(event: Fields): void {
    this.#out.push(...this.#native[this.#options.provider ?? 'event'](event).emissions)
  }

  get #native(): NativeBlocks {
    return (this.#blocks ??= this.#makeBlocks())
  }

  #flush(): void {
    this.#out.push(...(this.#text?.flush().emissions ?? []), ...(this.#blocks?.flush().emissions ?? []))
  }

  #makeText(): BlockReading {
    blockBorder.requireReady(this.#place)
    const { tags, ...options } = this.#options
    const set = tags === false ? TagSet.Empty : TagSet.Default
    return typedReading(options, { names: tagTable(this.#place, typeof tags === 'object' ? tags : undefined, set) })
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
    const { onUnknown, onError, provider, tools, trimParameters } = this.#options
    const blocks: NativeBlocks = new NativeBlocks(
      {
        ...{ onChunk, onBlock, tags, startWithThinking, unopenedThinking, fences, stopSequences, stopIn },
        generateId: generateId && (() => generateId({ name: undefined, offset: 0 })),
        onUnknown: (event) => {
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
      { tools, trimParameters },
    )
    return blocks
  }
}

function objectOf(place: string, item: unknown): Fields {
  const fields = fieldsOf(item)
  if (fields === undefined)
    throw new TypeError(`${place} reads text, bytes and events, but its source gave ${describe(item)}`)
  return fields
}
