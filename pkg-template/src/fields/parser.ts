// `StreamingJSONParser`: fields of a JSON document while it is being written.
//
// Source: seeds/002, "StreamingJSONParser"; spec/field.md. Agently's class has
// the same methods in Python's spelling. boundary.ts and order.ts decide
// when a field is done.

import { ParseError, requireString } from '../errors.js'
import { type StreamEnd, endedByItself } from '../finish-reason.js'
import { type OptionTable, checkOptions, word } from '../options.js'
import { EventGenerator } from '../event-generator.js'
import { StreamReader } from '../stream-reader.js'
import { type SourceOptions, type TextSource, chunksOf, signalOf } from '../sources.js'
import { Journal, type KeepTextOptions, type Kind, type Snapshot } from '../journal.js'
import { fieldBorder } from '../wasm/borders.js'
import { fieldSession, toleratedIn } from '../wasm/fields.js'
import type { Session } from '../wasm/machine.js'
import { FieldDecoder } from './decoder.js'
import { Delay } from './delay.js'
import { Emitter } from './emitter.js'
import { Markup } from './markup.js'
import { AGENTLY, PARTIAL_OPTIONS, type Settings, bare, settingsOf } from './options.js'
import type { Node } from './tree.js'
import type {
  CompletionSource,
  FieldOptions,
  FieldReport,
  FieldSchema,
  FinalDataOptions,
  JsonValue,
  PartialOptions,
  StreamingData,
} from './types.js'
import { TransformBase } from '../platform.js'

/**
 * What a parser of fields is restored with: what of its schema and its options is no data, such as a library's schema.
 *
 * @example
 * ```ts
 * import { type FieldRestoreOptions, StreamingJSONParser } from 'tokenweir/fields'
 *
 * const again: FieldRestoreOptions = { schema: { title: 'str' } }
 * const snapshot = new StreamingJSONParser({ title: 'str' }).snapshot()
 * console.log(StreamingJSONParser.restore(snapshot, again).parseChunk('{"title": "Hi').length) // 1
 * ```
 */
export interface FieldRestoreOptions extends FieldOptions {
  /** The schema. It is in the snapshot if it is data. */
  schema?: FieldSchema | null | undefined
}

const METHODS = { text: 'parseChunk', calls: ['finalize', 'flushFinalData'], hearers: [] } as const
const PARSER: Kind = { parser: 'fields', place: 'StreamingJSONParser', ...METHODS }
const STREAM: Kind = { parser: 'field-stream', place: 'FieldStream', ...METHODS }

function split({ schema, ...options }: FieldRestoreOptions): [schema: FieldRestoreOptions['schema'], FieldOptions] {
  return [schema, options]
}

/**
 * Emits every field of a JSON document while a model writes it.
 *
 * Takes JSON, JSON5 and what models write instead, in prose or fences. Text never raises an error. Events don't depend
 * on chunk boundaries, once the deltas of a path are joined.
 *
 * @example
 * ```ts
 * import { StreamingJSONParser } from 'tokenweir/fields'
 *
 * const parser = new StreamingJSONParser({ title: 'str', tags: ['str'] })
 * for (const chunk of ['{"title": "An ', 'answer", "tags": ["a"]}']) {
 *   for (const event of parser.parseChunk(chunk)) {
 *     if (event.eventType === 'delta' && event.path === 'title') console.log(JSON.stringify(event.delta))
 *   }
 * }
 * parser.finalize()
 * console.log(parser.data)
 * ```
 * ```text
 * "An "
 * "answer"
 * { title: 'An answer', tags: [ 'a' ] }
 * ```
 */
export class StreamingJSONParser {
  readonly #journal: Journal
  readonly #settings: Settings
  #fields: Fields<StreamingData>
  #isFinished = false

  /**
   * @param schema What the document looks like; `undefined` or `null` if that is unknown.
   * @throws TypeError for an unknown option, an option of a wrong type, or an invalid schema, naming the place.
   */
  constructor(schema?: FieldSchema | null, options?: FieldOptions) {
    fieldBorder.requireReady('StreamingJSONParser')
    this.#journal = Journal.of(PARSER, { schema, ...options })
    this.#settings = settingsOf(AGENTLY, schema, options)
    this.#fields = new Fields(this.#settings, itself)
  }

  /**
   * Goes on from a snapshot, in any process: what comes next gives the events that it would have given the parser that
   * the snapshot is of. A schema and options that are data are in the snapshot; a library's schema is given again.
   *
   * @throws TypeError that names the option, if one is missing that the other parser had and that is no data, or one is
   * not the snapshot's; ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { StreamingJSONParser } from 'tokenweir/fields'
   *
   * const before = new StreamingJSONParser({ title: 'str' })
   * before.parseChunk('{"title": "An ')
   * const stored = JSON.stringify(before.snapshot())
   *
   * const after = StreamingJSONParser.restore(JSON.parse(stored))
   * console.log(after.parseChunk('answer"}')[0]?.value) // An answer
   * ```
   */
  static restore(snapshot: Snapshot, options?: FieldRestoreOptions): StreamingJSONParser {
    return Journal.restore(PARSER, snapshot, options, { make: (whole) => new StreamingJSONParser(...split(whole)) })
  }

  /**
   * What the parser has read, between two chunks, as plain JSON: for `StreamingJSONParser.restore`.
   *
   * It has all text so far, also with `keepText: false`, since a document's text is what says where it is.
   *
   * @throws TypeError for an unknown option.
   * @example
   * ```ts
   * import { StreamingJSONParser } from 'tokenweir/fields'
   *
   * const parser = new StreamingJSONParser()
   * parser.parseChunk('{"a": [1, ')
   * console.log(StreamingJSONParser.restore(parser.snapshot()).data) // { a: [ 1 ] }
   * ```
   */
  snapshot(options?: KeepTextOptions): Snapshot {
    return this.#journal.snapshot(false, options)
  }

  /**
   * Reads a chunk and returns its events, in order.
   *
   * @throws TypeError if the chunk is not a string.
   * @throws ParseError `finished`, after `finalize`; `reset` starts a new stream.
   * @example
   * ```ts
   * import { StreamingJSONParser } from 'tokenweir/fields'
   *
   * const parser = new StreamingJSONParser()
   * for (const event of parser.parseChunk('{"a": 1'))
   *   console.log(event.eventType, JSON.stringify(event.path), event.delta)
   * for (const event of parser.parseChunk(', ')) console.log(event.eventType, event.path, event.value)
   * ```
   * ```text
   * delta a 1
   * done a 1
   * ```
   */
  parseChunk(chunk: string): StreamingData[] {
    requireString('parseChunk', chunk)
    if (this.#isFinished)
      throw new ParseError('finished', 'parseChunk after finalize: call reset() before a new stream')
    // By the schema's order a field is done when its value stood still in a chunk.
    if (this.#settings.order === undefined) this.#journal.read(chunk)
    else this.#journal.call('parseChunk', chunk)
    return this.#fields.read(chunk)
  }

  /**
   * Ends the stream: each field that is not done yet is done now, children before parents, but for a number: more of it
   * may have been to come. One that is the whole document is done, unless `reason` says that the reply was cut off. A
   * second call returns no events.
   *
   * @example
   * ```ts
   * import { StreamingJSONParser } from 'tokenweir/fields'
   *
   * const parser = new StreamingJSONParser()
   * parser.parseChunk('{"title": "cut o')
   * for (const event of parser.finalize())
   *   console.log(event.eventType, JSON.stringify(event.path), event.completionSource)
   * ```
   * ```text
   * done "title" synthetic_repair
   * ```
   */
  finalize(end?: StreamEnd): StreamingData[] {
    if (this.#isFinished) return []
    this.#journal.call('finalize', end)
    this.#isFinished = true
    return this.#fields.finish(end?.reason)
  }

  /**
   * Ends the stream with a document that the program knows to be the right one, such as the result of a repair or of a
   * retry: the document becomes that value. What is new or has changed is a delta: the rest of a string that goes on,
   * all of any other value, with `replaced` where another one was emitted. Then what was not done is done, children
   * before parents; nothing is done twice. What the value leaves out goes without an event. With `null` nothing
   * happens.
   *
   * It may be called again, and after `finalize`. `completionSource` of what is done now is the given one; otherwise
   * `final_reconciliation` if the text was whole, and `synthetic_repair` if it was not.
   *
   * @throws TypeError for an unknown option, or one of a wrong type.
   * @example
   * ```ts
   * import { StreamingJSONParser } from 'tokenweir/fields'
   *
   * const parser = new StreamingJSONParser({ title: 'str', pages: 'int' })
   * parser.parseChunk('{"title": "Two da')
   * for (const { eventType, path, delta } of parser.flushFinalData({ title: 'Two days', pages: 2 }))
   *   console.log(eventType, path, delta)
   * ```
   * ```text
   * delta title ys
   * delta pages 2
   * done title null
   * done pages null
   * ```
   */
  flushFinalData(final: JsonValue | null | undefined, options?: FinalDataOptions): StreamingData[] {
    const place = 'StreamingJSONParser.flushFinalData'
    checkOptions(place, options, FINAL_OPTIONS)
    if (final === null || final === undefined) return []
    this.#journal.call('flushFinalData', final, options)
    this.#isFinished = true
    return this.#fields.reconcile(final, options?.completionSource)
  }

  /**
   * Reads chunks to their end, and finalizes.
   *
   * Leaving the loop early stops the source, and so does an abort of `signal`: the loop then throws its reason.
   *
   * @throws TypeError for an invalid source, immediately; for a chunk that is not a string, from the loop.
   * @example
   * ```ts
   * import { StreamingJSONParser } from 'tokenweir/fields'
   *
   * const parser = new StreamingJSONParser()
   * for await (const event of parser.parseStream(['{"a": ', '1}'])) {
   *   if (event.eventType === 'done') console.log(JSON.stringify(event.path), event.value)
   * }
   * ```
   * ```text
   * "a" 1
   * ```
   */
  parseStream(source: TextSource, options?: SourceOptions): AsyncGenerator<StreamingData, void, undefined> {
    return new EventGenerator(
      chunksOf('parseStream', source),
      (chunk) => this.parseChunk(chunk),
      () => this.finalize(),
      signalOf('StreamingJSONParser.parseStream', options),
    )
  }

  /**
   * Starts a new stream, with the same schema and options.
   *
   * @example
   * ```ts
   * import { StreamingJSONParser } from 'tokenweir/fields'
   *
   * const parser = new StreamingJSONParser()
   * parser.parseChunk('{"a": 1}')
   * parser.reset()
   * console.log(parser.data) // undefined
   * ```
   */
  reset(): void {
    this.#journal.clear()
    this.#fields = new Fields(this.#settings, itself)
    this.#isFinished = false
  }

  /**
   * The document as far as it was read, the last one with `multiple`; `undefined` before it began. It grows: read it,
   * don't change it.
   *
   * @example
   * ```ts
   * import { StreamingJSONParser } from 'tokenweir/fields'
   *
   * const parser = new StreamingJSONParser()
   * parser.parseChunk('{"title": "An ans')
   * console.log(parser.data) // { title: 'An ans' }
   * ```
   */
  get data(): JsonValue | undefined {
    return this.#fields.value
  }

  /**
   * All documents so far, in order.
   *
   * @example
   * ```ts
   * import { StreamingJSONParser } from 'tokenweir/fields'
   *
   * const parser = new StreamingJSONParser(null, { multiple: true })
   * parser.parseChunk('{"a": 1} and {"b": 2}')
   * console.log(parser.documents) // [ { a: 1 }, { b: 2 } ]
   * ```
   */
  get documents(): JsonValue[] {
    return this.#fields.values
  }

  /**
   * Reports what was read so far.
   *
   * @example
   * ```ts
   * import { StreamingJSONParser } from 'tokenweir/fields'
   *
   * const parser = new StreamingJSONParser()
   * parser.parseChunk('{"a": , "b": 1,}')
   * console.log(parser.report.errors, parser.report.tolerated) // { 'missing-value': 1 } [ 'trailing-comma' ]
   * ```
   */
  get report(): FieldReport {
    return this.#fields.report
  }
}

const FINAL_OPTIONS = {
  completionSource: [word('observed_boundary', 'final_reconciliation', 'synthetic_repair')],
} satisfies OptionTable<FinalDataOptions>

/** The fields of one stream: feeds the reader, and takes events from the emitter. */
export class Fields<Event> {
  private readonly session: Session
  private readonly emitter: Emitter<Event>
  private readonly reader: StreamReader

  /** `make` gives what goes out of each event, and of the node that it is about. */
  constructor(settings: Settings, make: (event: StreamingData, node: Node | undefined) => Event) {
    const { bigNumbers, forbids, keys, machine, order, spans } = settings
    const session = fieldSession(machine)
    const emitter = new Emitter(settings, make)
    const decoder = new FieldDecoder(emitter, keys, forbids, bigNumbers)
    const reader = new StreamReader(session, order === undefined ? decoder : new Delay(decoder, emitter))
    if (spans) emitter.markup = new Markup(reader, emitter)
    this.session = session
    this.emitter = emitter
    this.reader = reader
  }

  /** The events of a chunk. */
  read(chunk: string): Event[] {
    this.reader.read(chunk)
    return this.emitter.take()
  }

  /** The events of the document becoming a value. */
  reconcile(final: JsonValue, source: CompletionSource | undefined): Event[] {
    this.emitter.reconcile(final, source)
    return this.emitter.take()
  }

  /** The events of the end of the stream, and why it ended. */
  finish(reason?: string | null): Event[] {
    this.emitter.isCutOff = !endedByItself(reason)
    this.reader.finish(this.emitter.isCutOff)
    return this.emitter.take()
  }

  /** The last document. */
  get value(): JsonValue | undefined {
    return this.emitter.root?.value
  }

  get values(): JsonValue[] {
    return this.emitter.values
  }

  get report(): FieldReport {
    const { document, isWhole, documentCount, tally } = this.emitter
    return {
      documents: documentCount,
      isComplete: document !== undefined && isWhole,
      resets: tally.resets,
      errors: { ...tally.errors },
      tolerated: toleratedIn(this.session),
    }
  }
}

/**
 * A `TransformStream` of a model's text into the events of its fields. A chunk that is not a string is an error of the
 * stream.
 *
 * @example
 * ```ts
 * import { FieldStream } from 'tokenweir/fields'
 *
 * const response = new Blob(['{"a": 1, "b": [2]}']).stream().pipeThrough(new TextDecoderStream())
 * for await (const event of response.pipeThrough(new FieldStream())) {
 *   if (event.eventType === 'done') console.log(JSON.stringify(event.path), JSON.stringify(event.value))
 * }
 * ```
 * ```text
 * "a" 1
 * "b[0]" 2
 * "b" [2]
 * ```
 */
export class FieldStream extends TransformBase<string, StreamingData> {
  private readonly parser: StreamingJSONParser

  /** @throws as the constructor of `StreamingJSONParser`. */
  constructor(schema?: FieldSchema | null, options?: FieldOptions) {
    settingsOf('FieldStream', schema, options)
    const journal = Journal.of(STREAM, { schema, ...options })
    const parser = new StreamingJSONParser(schema, journal.within(options))
    super({
      transform(chunk, controller) {
        requireString('FieldStream', chunk)
        for (const event of parser.parseChunk(chunk)) controller.enqueue(event)
      },
      flush(controller) {
        for (const event of parser.finalize()) controller.enqueue(event)
      },
    })
    this.parser = parser
  }

  /**
   * Goes on from a snapshot, in any process: it gives the events that the other stream would have given.
   *
   * @throws as `StreamingJSONParser.restore` does.
   * @example
   * ```ts
   * import { FieldStream } from 'tokenweir/fields'
   *
   * const stored = JSON.stringify(new FieldStream({ title: 'str' }).snapshot())
   * const after = FieldStream.restore(JSON.parse(stored))
   * console.log(after.snapshot().parser) // field-stream
   * ```
   */
  static restore(snapshot: Snapshot, options?: FieldRestoreOptions): FieldStream {
    const make = (whole: FieldRestoreOptions) => new FieldStream(...split(whole))
    return Journal.restore(STREAM, snapshot, options, { make, targetOf: ({ parser }) => parser })
  }

  /**
   * What it has read, as plain JSON: for `FieldStream.restore`. What waits in the stream itself, before or after it was
   * read, is not in it. It has all text so far, also with `keepText: false`.
   *
   * @throws TypeError for an unknown option.
   * @example
   * ```ts
   * import { FieldStream } from 'tokenweir/fields'
   *
   * console.log(new FieldStream().snapshot().parser) // field-stream
   * ```
   */
  snapshot(options?: KeepTextOptions): Snapshot {
    return this.parser.snapshot(options)
  }
}

/**
 * Reads a JSON text that may be cut anywhere, as far as it goes: strings and containers that are open are closed, `tru`
 * is `true`, and a key without a value is left out, as is a number that was cut off after `0x`, `1e` or `1.`. Returns
 * `undefined` if there is no value.
 *
 * @throws TypeError for wrong arguments. Text never raises an error.
 * @example
 * ```ts
 * import { parsePartial } from 'tokenweir/fields'
 *
 * console.log(parsePartial('{"name": "Al')) // { name: 'Al' }
 * console.log(parsePartial('[1, tru')) // [ 1, true ]
 * console.log(parsePartial('no JSON')) // undefined
 * ```
 */
export function parsePartial(text: string, options?: PartialOptions): JsonValue | undefined {
  fieldBorder.requireReady('parsePartial')
  requireString('parsePartial', text)
  const { schema, ...rest } = (options ?? {}) as PartialOptions
  const settings = settingsOf('parsePartial', schema, options === undefined ? undefined : rest, PARTIAL_OPTIONS)
  // A text that is one value and nothing else needs no bracket to begin.
  const isBare = (schema === undefined || schema === null) && !/^\s*[[{]/.test(text)
  if (isBare) {
    const fields = wholeOf(bare(settings), text)
    if (fields.value !== undefined && Object.keys(fields.report.errors).length === 0) return fields.value
  }
  return wholeOf(settings, text).value
}

function wholeOf(settings: Settings, text: string): Fields<StreamingData> {
  const fields = new Fields(settings, itself)
  fields.read(text)
  fields.finish()
  return fields
}

function itself(event: StreamingData): StreamingData {
  return event
}
